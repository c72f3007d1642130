package scoring_test

import (
	"fmt"
	"testing"

	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

// spans writes the ranges of a category: "A 16..16, B -32..16".
func spans(r *Ranges, c *Contest, category string) (text string) {
	for _, b := range r.Boards {
		for tool := range b.Least {
			if b.Name == category {
				text += fmt.Sprintf("%s %s..%s ", c.Tools[tool].Name, b.Least[tool].Points.RatString(), b.Greatest[tool].Points.RatString())
			}
		}
	}
	return text
}

func TestRangesOfFinishedSheets(t *testing.T) {
	const one, two = "Net-PT-1", "Net-PT-2"
	for name, x := range map[string]struct {
		ended []Entry
		want  string
	}{
		"all agree, and no confidence can change that": {scoringtest.Everybody("A B C", one, examinations.OneSafe, "T"), "A -16..32 B -16..32 C -16..32 "},
		"two differ, either can be right": {append(scoringtest.Everybody("A B", one, examinations.OneSafe, "T"), scoringtest.Says("C", one, examinations.OneSafe, "F")),
			"A -64..32 B -64..32 C -64..32 "},
		"one alone is right or not judged": {append(scoringtest.Everybody("A", one, examinations.OneSafe, "T"), scoringtest.Everybody("B C", one, examinations.OneSafe, ".")...),
			"A -32..32 B -32..16 C -32..16 "},
		"nothing has ended": {nil, "A -64..32 B -64..32 C -64..32 "},
	} {
		declare := func(b *Builder) {
			for _, tool := range []string{"A", "B", "C"} {
				b.Tool(Tool{Name: tool})
			}
			for _, instance := range []string{one, two} {
				if err := b.Declare(instance, examinations.OneSafe); err != nil {
					t.Fatal(err)
				}
			}
		}
		r := scoringtest.Plain().Score(scoringtest.Contest(t, declare, x.ended))
		missing := func(sheet, tool int) bool { return r.Contest.Run(sheet, tool).Participation == Absent }
		if got := spans(r.Ranges(missing), r.Contest, "Global"); got != x.want {
			t.Errorf("%s: %s, not %s", name, got, x.want)
		}
	}
}

// TestRangesOfUnnamedValues has a sheet of two values that nobody has named yet.
func TestRangesOfUnnamedValues(t *testing.T) {
	r := scoringtest.Plain().Score(scoringtest.Contest(t, func(b *Builder) {
		b.Tool(Tool{Name: "A"})
		if err := b.Declare("Net-PT-1", examinations.UpperBounds); err != nil {
			t.Fatal(err)
		}
	}))
	if got := spans(r.Ranges(func(int, int) bool { return true }), r.Contest, "UpperBounds"); got != "A -32..16 " {
		t.Error(got)
	}
}

// TestRangesUnderFlags takes votes away: a missing run of the twin can set both aside, so that
// what two tools agree on is not settled.
func TestRangesUnderFlags(t *testing.T) {
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "twins", Effect: SetAside, Detect: Twins(0, nil)}}
	declare := func(b *Builder) {
		if err := b.Declare("Net-COL-1", examinations.CTLFireability, "formula-00", "formula-01", "formula-02", "formula-03"); err != nil {
			t.Fatal(err)
		}
	}
	r := s.Score(scoringtest.Contest(t, declare, scoringtest.Everybody("A B", "Net-PT-1", examinations.CTLFireability, "T T T T"),
		scoringtest.Everybody("B", "Net-COL-1", examinations.CTLFireability, "T T T T")))
	missing := func(sheet, tool int) bool { return r.Contest.Run(sheet, tool).Participation == Absent }
	if got := spans(r.Ranges(missing), r.Contest, "CTL"); got != "A -32..32 B -32..32 " {
		t.Error(got)
	}
}
