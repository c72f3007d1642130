package compare_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"podium/internal/compare"
	"podium/pnml/diagnostic"
)

// two sides on which every kind of change happens. Three tools vote, so that a
// reference is known where two of them agree.
func twoSides(t *testing.T) (before, after compare.Source) {
	lines := func(answers string) string {
		var b strings.Builder
		for i, answer := range strings.Split(answers, "") {
			for _, tool := range []string{"other", "third"} {
				fmt.Fprintf(&b, "%s,Net-PT-%03d,OneSafe,OneSafe,T,1,10\n", tool, i)
			}
			fmt.Fprintf(&b, "tool,Net-PT-%03d,OneSafe,OneSafe,%s,1,10\n", i, strings.TrimSuffix(answer, "-"))
		}
		return b.String()
	}
	//                            same gained lost wrong mended
	return side(t, "before.csv", lines("T"+"-"+"T"+"T"+"F")), side(t, "after.csv", lines("T"+"T"+"-"+"F"+"T"))
}

// TestKindsOfChanges: each value is counted once, and the worst stand first.
func TestKindsOfChanges(t *testing.T) {
	before, after := twoSides(t)
	r, err := compare.Of(before, after, []compare.Pair{{Before: "tool", After: "tool"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Tools[0].All.Values, (compare.Counts{Same: 1, Gained: 1, Lost: 1, Wrong: 1, Mended: 1}); got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if len(r.Tools[0].Changes) != 4 || r.Tools[0].Changes[0].Kind != compare.Wrong || r.Tools[0].Changes[0].Instance != "Net-PT-003" {
		t.Errorf("changes: %+v", r.Tools[0].Changes)
	}
	if !r.Worse {
		t.Error("a newly wrong value is not worse")
	}
	if back, err := compare.Of(after, after, nil); err != nil || back.Worse || len(back.LeftOut) > 0 {
		t.Errorf("a side and itself: %+v, %v", back, err)
	}
}

// TestTwoToolsThatDiffer: where nobody knows which answer is wrong, a changed one is
// still worse.
func TestTwoToolsThatDiffer(t *testing.T) {
	r, err := compare.Of(side(t, "a", "tool,Net-PT-1,OneSafe,OneSafe,T,1,1\n"), side(t, "b", "tool,Net-PT-1,OneSafe,OneSafe,F,1,1\n"), nil)
	if err != nil || r.Tools[0].All.Values.Changed != 1 || !r.Worse {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestLimitsMayBeNoise: values that were lost to limits are worse only when
// significantly more models lose than gain some.
func TestLimitsMayBeNoise(t *testing.T) {
	for lost, want := range map[int]bool{3: false, 20: true} {
		var before, after strings.Builder
		for i := range 20 {
			fmt.Fprintf(&before, "tool,Net%c-PT-1,OneSafe,OneSafe,T,1,10\n", 'A'+i)
			if i >= lost {
				fmt.Fprintf(&after, "tool,Net%c-PT-1,OneSafe,OneSafe,T,1,10\n", 'A'+i)
			} else {
				fmt.Fprintf(&after, "tool,Net%c-PT-1,OneSafe,OneSafe,DNF,1,10\n", 'A'+i)
			}
		}
		a, b := side(t, "a", before.String()), side(t, "b", after.String())
		r, err := compare.Of(a, b, nil)
		if err != nil || r.Tools[0].All.Values.LostAtLimit != lost || r.Worse != want {
			t.Errorf("%d lost: worse is %v: %+v, %v", lost, r.Worse, r.Tools[0].All.Values, err)
		}
	}
}

// TestNothingInCommon: what is not shared is named; sides that share nothing are
// refused with the next step.
func TestNothingInCommon(t *testing.T) {
	a := side(t, "a.csv", "x,NetA-PT-1,OneSafe,OneSafe,T,1,1\ny,NetB-PT-1,OneSafe,OneSafe,T,1,1\n")
	for lines, want := range map[string]string{
		"z,NetA-PT-1,OneSafe,OneSafe,T,1,1\n": "no tool of the same name; name the tools: --tool BEFORE=AFTER",
		"x,NetC-PT-1,OneSafe,OneSafe,T,1,1\n": "no examination of an instance in common; plan both from the same models",
		"x,NetB-PT-1,OneSafe,OneSafe,T,1,1\n": "no run that both x and x have; run both on the same models",
	} {
		_, err := compare.Of(a, side(t, "b.csv", lines), nil)
		var d diagnostic.Diagnostic
		if !errors.As(err, &d) || !strings.Contains(d.Message+"; "+d.Hint, want) {
			t.Errorf("%s: %v", lines, err)
		}
	}
	r, err := compare.Of(a, side(t, "b.csv", "x,NetA-PT-1,OneSafe,OneSafe,T,1,1\nx,NetC-PT-1,OneSafe,OneSafe,T,1,1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(r.LeftOut, "|"), "only before has 1 tool: y|only before has 1 instance: NetB-PT-1|only after has 1 instance: NetC-PT-1"; got != want {
		t.Errorf("left out: %s", got)
	}
}

// TestFormsOfAReport: text fits 80 columns, findings are annotations of what is worse,
// the page asks for no other file, JSON can be read again.
func TestFormsOfAReport(t *testing.T) {
	before, after := twoSides(t)
	after.Name = "a/" + strings.Repeat("long", 30) + "<b>\x1b[31m.csv"
	r, err := compare.Of(before, after, []compare.Pair{{Before: "tool", After: "tool"}, {Before: "tool", After: "other"}})
	if err != nil {
		t.Fatal(err)
	}
	var text, page, notes bytes.Buffer
	for _, err := range []error{r.WriteText(&text), r.WritePage(&page), r.Findings().Write(&notes, diagnostic.GitHub)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 || strings.Contains(line, "\x1b") {
			t.Errorf("a line of %d columns: %q", n, line)
		}
	}
	for _, want := range []string{"newly wrong: Net-PT-003 OneSafe OneSafe: TRUE -> FALSE", "1 model; at least ", "tool -> other", "Something is worse"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	if want := ",title=compare-value::tool: newly wrong: Net-PT-003 OneSafe OneSafe: TRUE -> FALSE"; !strings.HasPrefix(notes.String(), "::error file=a/long") || !strings.Contains(notes.String(), want) {
		t.Errorf("annotations:\n%s", notes.String())
	}
	for _, foreign := range []string{"<b>", "http:", "https:", "\x1b", "ZgotmplZ"} {
		if strings.Contains(page.String(), foreign) {
			t.Errorf("the page has %q", foreign)
		}
	}
	if plots := strings.Count(page.String(), "xml;base64,"); plots != 2 || !strings.Contains(page.String(), "newly wrong</td><td>Net-PT-003") {
		t.Errorf("a page with %d plots", plots)
	}
	var again compare.Report
	if data, err := json.Marshal(r); err != nil || json.Unmarshal(data, &again) != nil || again.Tools[0].All.Values != r.Tools[0].All.Values {
		t.Errorf("JSON: %s, %v", data, err)
	}
}
