package explain_test

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// disputed is a contest in which A errs once: its confidence is 4/5, that of the
// others 1.
func disputed(t *testing.T, declare func(*scoring.Builder), more ...[]scoring.Entry) *scoring.Contest {
	ctl := examinations.CTLFireability
	return scoringtest.Contest(t, declare, append(more,
		scoringtest.Everybody("A B C D", "Base-PT-1", ctl, "T T T T"),
		scoringtest.Everybody("A", "Net-PT-1", ctl, "F . T F"), scoringtest.Everybody("B", "Net-PT-1", ctl, "T T . ."),
		scoringtest.Everybody("C", "Net-PT-1", ctl, "T F . ."), scoringtest.Everybody("D", "Net-PT-1", ctl, "T . . T"))...)
}

// TestAccountOfARun: each point is explained by its rule, the answer and the
// reference, in the order in which the rules were applied.
func TestAccountOfARun(t *testing.T) {
	silent := scoring.Entry{Tool: "E", Instance: "Net-PT-1", Exam: examinations.CTLFireability, Run: scoring.Run{Participation: scoring.CannotCompute}}
	c := disputed(t, func(b *scoring.Builder) { b.Instance("Net-PT-1", models.Surprise) }, []scoring.Entry{silent})
	s := scoringtest.Plain()
	s.Flags = []scoring.Flag{{Name: "wrong", Rule: "E-4.3", Found: "a value differs", Effect: scoring.ShowOnly}}
	sheet := c.SheetOf("Net-PT-1", examinations.CTLFireability)
	d := c.ToolNamed("D")
	c.Run(sheet, d).Source = "worker-1 run 7"
	account := explain.Run(s.Score(c), sheet, d).String()
	want := `D on CTLFireability of Net-PT-1: 8 points
  source worker-1 run 7
  E-4.2        +4 formula-00: the value equals the reference: answered TRUE, reference TRUE
  E-4.2        +4 formula-03: the value equals the reference: answered TRUE, reference TRUE
  mask   T?-T (T: 2 right, ?: 1 without a reference, -: 1 not answered)
  ?      1: E-3.1 two tools differ with equal confidence
`
	if account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
	account = explain.Run(s.Score(c), sheet, c.ToolNamed("A")).String()
	want = `A on CTLFireability of Net-PT-1: -16 points
  flag: wrong: a value differs; it is shown, and itself changes no points (E-4.3)
  E-4.3        -8 formula-00: the value differs from the reference: answered FALSE, reference TRUE
  E-4.3        -8 formula-03: the value differs from the reference: answered FALSE, reference TRUE
  mask   X??X (X: 2 wrong, ?: 2 without a reference)
  ?      1: E-3.1 two tools differ with equal confidence
  ?      1: E-3.1 only one tool, with a confidence not above the bound
`
	if account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
	account = explain.Run(s.Score(c), sheet, c.ToolNamed("E")).String()
	if want = "E on CTLFireability of Net-PT-1: 0 points\n  the run has no answers: CC, it said CANNOT_COMPUTE (of a task UNKNOWN), or nothing that was understood\n"; account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
}

// TestAccountOfFactors: what was booked is listed first, then the factors, each in
// the order of the rules; raw points are named where factors changed them.
func TestAccountOfFactors(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, func(b *scoring.Builder) { b.Instance("Net-PT-1", models.Surprise) },
		scoringtest.Everybody("A B C", "Net-PT-1", ctl, "T T T T"), scoringtest.Everybody("D", "Net-PT-1", ctl, "F T . ."))
	s := scoringtest.Weighted()
	s.Rules[2].Apply = scoring.FamilyWeight(16, 10000, 6000)
	sheet, d := 0, c.ToolNamed("D")
	var rules []string
	for _, line := range strings.Split(strings.TrimSpace(explain.Run(s.Score(c), sheet, d).String()), "\n")[1:] {
		words := strings.Fields(line)
		rules = append(rules, strings.Join(words[:min(3, len(words))], " "))
	}
	// 4 points are worth 4/16 x (10000/1 + 6000) = 4000 hundredths, 13 times: 520
	if got := strings.Join(rules, "; "); got != "E-4.2 +520 formula-01:; E-4.3 -1040 formula-00:; E-4.5 x 10; E-4.4 x 13; mask XT-- (T:" {
		t.Errorf("lines: %s", got)
	}
	if got := explain.Run(s.Score(c), sheet, d).Lines[0].Raw; got != "4" {
		t.Errorf("raw points %q", got)
	}
	for _, line := range explain.Run(scoringtest.Plain().Score(c), sheet, d).Lines {
		if line.Raw != "" {
			t.Errorf("raw points %q although there is no factor", line.Raw)
		}
	}
}

// TestAccountOfAValue: who answered what, with which confidence, what the answers
// weigh, and by which clause the reference came about.
func TestAccountOfAValue(t *testing.T) {
	c := disputed(t, nil)
	sheet := c.SheetOf("Net-PT-1", examinations.CTLFireability)
	r := scoringtest.Plain().Score(c)
	for item, want := range map[string]string{
		"formula-00": `Net-PT-1 CTLFireability formula-00: TRUE
  E-3.1 weighted majority
  E-2.2 the value belongs to V
  TRUE has weight 3.0000: B, C, D
  FALSE has weight 0.8000: A
    A answers FALSE with confidence 4/5
    B answers TRUE with confidence 1
    C answers TRUE with confidence 1
    D answers TRUE with confidence 1
`,
		"formula-01": `Net-PT-1 CTLFireability formula-01: ?
  E-3.1 two tools differ with equal confidence
  TRUE is shown, but is no reference
  TRUE has weight 1.0000: B
  FALSE has weight 1.0000: C
    B answers TRUE with confidence 1
    C answers FALSE with confidence 1
`,
		"formula-02": `Net-PT-1 CTLFireability formula-02: ?
  E-3.1 only one tool, with a confidence not above the bound
  TRUE is shown, but is no reference
  TRUE has weight 0.8000: A
    A answers TRUE with confidence 4/5
`,
	} {
		if got := explain.Value(r, sheet, c.ValueOf(sheet, item)).String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	nobody := scoringtest.Contest(t, func(b *scoring.Builder) {
		if err := b.Declare("Net-PT-1", examinations.CTLFireability, "formula-00"); err != nil {
			t.Fatal(err)
		}
	})
	want := "Net-PT-1 CTLFireability formula-00: ?\n  E-3.1 no tool provides a value\n"
	if got := explain.Value(scoringtest.Plain().Score(nobody), 0, 0).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
