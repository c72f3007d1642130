package output

import (
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
)

// TestE32IntervalsAreRead where they are asked for, and nowhere else.
func TestE32IntervalsAreRead(t *testing.T) {
	for _, c := range []struct {
		answer string
		exam   examinations.ID
		want   string // with intervals: values, and findings
		else_  string // without
	}{
		{"[3, 7] TECHNIQUES BMC", examinations.UpperBounds, "[3,7] []", " [2:11 unreadable 0:0 none]"},
		{"[3,7] TECHNIQUES BMC", examinations.UpperBounds, "[3,7] []", " [2:11 unreadable 0:0 none]"},
		{"[ 3 , inf ] TECHNIQUES BMC", examinations.UpperBounds, "[3,+inf] []", " [2:11 unreadable 0:0 none]"},
		{"[3 ,inf ] TECHNIQUES BMC", examinations.UpperBounds, "[3,+inf] []", " [2:11 unreadable 0:0 none]"},
		{"[4, 4] TECHNIQUES BMC", examinations.UpperBounds, "4 []", " [2:11 unreadable 0:0 none]"},
		{"[7, 3] TECHNIQUES BMC", examinations.UpperBounds, " [2:11 unreadable 0:0 none]", " [2:11 unreadable 0:0 none]"},
		{"[3, TECHNIQUES BMC", examinations.UpperBounds, " [2:11 unreadable 0:0 none]", " [2:11 unreadable 0:0 none]"},
		{"[3, 7] 5 TECHNIQUES BMC", examinations.UpperBounds, " [2:18 two-values 0:0 none]", " [2:11 unreadable 0:0 none]"},
		{"5 TECHNIQUES BMC", examinations.UpperBounds, "5 []", "5 []"},
		{"[0, 1] TECHNIQUES BMC", examinations.CTLFireability, " [2:11 unreadable 0:0 none]", " [2:11 unreadable 0:0 none]"},
	} {
		for _, intervals := range []bool{true, false} {
			r := NewReader(strings.NewReader("busy\nFORMULA f "+c.answer+"\n"), c.exam, ReaderOptions{Intervals: intervals})
			var values []string
			for r.Scan() {
				values = append(values, r.Answer().Value.Text)
			}
			var found []string
			for _, d := range r.Diagnostics() {
				found = append(found, fmt.Sprintf("%d:%d %s", d.Line, d.Col, strings.TrimPrefix(d.Code, "answer-")))
			}
			want := map[bool]string{true: c.want, false: c.else_}[intervals]
			if got := strings.Join(values, " ") + " " + fmt.Sprint(found); got != want {
				t.Errorf("%s of %s, intervals %v: %s, want %s", c.answer, c.exam, intervals, got, want)
			}
		}
	}
	// Two answers on a line.
	r := NewReader(strings.NewReader("FORMULA f [3, 7] FORMULA g [1, 2] TECHNIQUES BMC\n"), examinations.UpperBounds, ReaderOptions{Intervals: true})
	if !r.Scan() || r.Answer().Value.Text != "[3,7]" || r.Scan() || r.Diagnostics().Err() == nil {
		t.Errorf("two answers on a line: %v", r.Diagnostics())
	}
}
