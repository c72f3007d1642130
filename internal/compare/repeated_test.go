package compare_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"podium/internal/compare"
	"podium/internal/judged"
)

// TestRepeatedRunsAreComparedByTheirMedians: of runs that were made several times the
// medians are compared, not the first times, and text and JSON have their spread.
func TestRepeatedRunsAreComparedByTheirMedians(t *testing.T) {
	var lines strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, "tool,%c%s-PT-001,OneSafe,OneSafe,T,1,10\n", 'A'+i, strings.Repeat("Long", 20))
	}
	before, after := side(t, "before", lines.String()), side(t, "after", lines.String())
	after.Repeated = func(sheet, _ int) *judged.Repeated {
		slow := int64(2e6)
		r := &judged.Repeated{Ends: 3, Same: 3, CPU: judged.SpreadOf([]int64{1e6, slow, slow + int64(sheet)*1e5})}
		if sheet == 0 {
			r.CPU = judged.Spread{} // nothing that can be compared: the first time stands
		}
		return r
	}
	r, err := compare.Of(before, after, nil)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := r.Tools[0].All.Time; math.Abs(ratio.Ratio-2) > 1e-9 || ratio.Claim != compare.More || len(r.Tools[0].Repeated) != 12 {
		t.Errorf("the ratio of the times is %+v of %d repeated runs", ratio, len(r.Tools[0].Repeated))
	}
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"12 runs were made several times, and compared by the medians.",
		"  CPU time, seconds   runs       mean     median        min        max        sd\n",
		"    after                3      2.033      2.000      1.000      3.100     1.050\n",
		"  and 2 more runs; --json has them all\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, &text)
		}
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 || strings.HasPrefix(line, "    before") {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
	var again compare.Report
	if data, err := json.Marshal(r); err != nil || json.Unmarshal(data, &again) != nil || *again.Tools[0].Repeated[3].After != *r.Tools[0].Repeated[3].After {
		t.Errorf("JSON: %s, %v", data, err)
	}
	once, err := compare.Of(before, before, nil)
	if err != nil || once.Tools[0].Repeated != nil {
		t.Errorf("nothing is repeated: %+v, %v", once.Tools, err)
	}
}
