package publish

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSummary(t *testing.T) {
	var out bytes.Buffer
	if err := Summary(&out, fixture(1, 4, 6), 80); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.txt", out.String())
}

func TestSummaryFitsItsWidth(t *testing.T) {
	m := newMaker(2, 9, 1)
	long := strings.Repeat("a-very-long-name-", 8)
	m.tools[0].Name = long
	for _, r := range m.runs {
		if r.tool == "explicit" {
			r.tool = long
		}
	}
	c := m.contest()
	for _, width := range []int{0, 20, 40, 80, 200} {
		var out bytes.Buffer
		if err := Summary(&out, c, width); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 0 && n > max(width, 40) {
				t.Errorf("width %d: a line has %d columns: %q", width, n, line)
			}
		}
		if whole := !strings.Contains(out.String(), "\u2026"); whole != (width == 0 || width == 200) {
			t.Errorf("width %d: only what is for a terminal is cut:\n%s", width, out.String())
		}
		if strings.ContainsAny(out.String(), "\x1b\r\t") {
			t.Error("the summary holds control characters")
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestSummaryReportsWriteErrors(t *testing.T) {
	if err := Summary(fullDisk{}, small(), 80); err == nil {
		t.Error("no error")
	}
}

// TestSummaryNamesDecisions: what the numbers follow is named, and what is revoked is not.
func TestSummaryNamesDecisions(t *testing.T) {
	m := newMaker(1, 4, 2)
	m.decided = decided()
	c := m.contest()
	var out strings.Builder
	if err := Summary(&out, c, 80); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, "\nDecision 3: excluded instance FMS-PT-2.\n") || strings.Contains(text, "disqualified") {
		t.Error(text)
	}
}
