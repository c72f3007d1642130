package publish

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/vm"
)

// TestCurvesOfRuns: the account of a run draws it, and says where it was not sampled; a file of
// results says nothing of it.
func TestCurvesOfRuns(t *testing.T) {
	account := func(m *maker) string {
		c := m.contest()
		s, page, r := &site{view: newView(c)}, &markup{}, &c.runs[0]
		s.writeCurve(page, r, r.sortedAnswers(nil))
		return string(page.b)
	}
	m := smallMaker()
	drawn := account(m)
	for _, want := range []string{"<svg class=\"chart\"", ">answers (1)<", ">CPU use of 1 core<", ">memory (12.3\u00a0MB of 16.0\u00a0GB)<", ">wall time (ms)<"} {
		if !strings.Contains(drawn, want) {
			t.Errorf("%s is missing in %s", want, drawn)
		}
	}
	outside := regexp.MustCompile(`[MH](-|5[7-9]\d|[6-9]\d\d)`).FindString(drawn)
	if outside != "" || strings.Contains(drawn, "NaN") || len(drawn) > 4000 {
		t.Errorf("%d bytes, outside %q: %s", len(drawn), outside, drawn)
	}
	m.runs[0].curve = m.runs[0].curve[:5]
	if got := account(m); got != "" {
		t.Errorf("a short run: %s", got)
	}
	m.runs[0].curve = nil
	if got := account(m); got != "<p class=\"dim\">The run was not sampled.</p>\n" {
		t.Errorf("without a curve: %s", got)
	}
	m.runs[0].curve = make(vm.Curve, 30) // as a hostile guest may send it
	if got := account(m); got != "" {
		t.Errorf("a run that took no time: %s", got)
	}
	c := m.contest()
	c.FromFiles = true
	page := &markup{}
	(&site{view: newView(c)}).writeCurve(page, &c.runs[0], nil)
	if len(page.b) > 0 {
		t.Errorf("of a file: %s", page.b)
	}
}

// lost are facts whose curves cannot be read.
type lost struct {
	judged.Facts
	err error
}

func (l lost) Curve(int, int) (vm.Curve, campaign.Confinement, error) {
	return nil, campaign.Confinement{}, l.err
}

// TestTableOfCurves: programs get every sample; what is lost is left out, and a fault of this
// computer is none of that.
func TestTableOfCurves(t *testing.T) {
	dir := t.TempDir()
	c := smallMaker().contest()
	if err := Export(dir, "json", c.Judged, false, "v"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "curves.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if want := `{"tool":"explicit","instance":"Philosophers-PT-000005","examination":"ReachabilityDeadlock","at_us":1300000,"cpu_us":1234567,"memory_bytes":`; len(lines) < 40 || len(lines) > vm.MaxSamples || !strings.HasPrefix(lines[len(lines)-1], want) {
		t.Errorf("%s lines, the last %s", strconv.Itoa(len(lines)), lines[len(lines)-1])
	}
	facts := c.Judged.Facts
	c.Judged.Facts = lost{facts, &judged.UnreadableLog{Err: errors.New("gone")}}
	if err := Export(dir, "json", c.Judged, false, "v"); err != nil {
		t.Error(err)
	}
	c.Judged.Facts = lost{facts, errors.New("no memory")}
	if err := Export(dir, "json", c.Judged, false, "v"); err == nil || !strings.Contains(err.Error(), "curve of explicit on ReachabilityDeadlock of Philosophers-PT-000005: no memory") {
		t.Errorf("%v", err)
	}
}
