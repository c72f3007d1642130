package scoring

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
)

// disputed is a contest in which A errs once: its confidence is 4/5, that of the
// others 1.
func disputed(t *testing.T, declare func(*Builder), more ...[]Entry) *Contest {
	ctl := examinations.CTLFireability
	return contest(t, declare, append(more,
		everybody("A B C D", "Base-PT-1", ctl, "T T T T"),
		everybody("A", "Net-PT-1", ctl, "F . T F"), everybody("B", "Net-PT-1", ctl, "T T . ."),
		everybody("C", "Net-PT-1", ctl, "T F . ."), everybody("D", "Net-PT-1", ctl, "T . . T"))...)
}

// TestAccountOfARun: each point is explained by its rule, the answer and the
// reference, in the order in which the rules were applied.
func TestAccountOfARun(t *testing.T) {
	silent := Entry{Tool: "E", Instance: "Net-PT-1", Exam: examinations.CTLFireability, Run: Run{Participation: CannotCompute}}
	c := disputed(t, func(b *Builder) { b.Instance("Net-PT-1", models.Surprise) }, []Entry{silent})
	s := plain()
	s.Flags = []Flag{{Name: "wrong", Rule: "E-4.3", Found: "a value differs", Effect: ShowOnly}}
	sheet := c.SheetOf("Net-PT-1", examinations.CTLFireability)
	d := c.ToolNamed("D")
	c.Run(sheet, d).Source = "worker-1 run 7"
	account := s.Score(c).Account(sheet, d).String()
	want := `D on CTLFireability of Net-PT-1: 8 points
  source worker-1 run 7
  E-4.2        +4 formula-00: the value equals the reference: answered TRUE, reference TRUE
  E-4.2        +4 formula-03: the value equals the reference: answered TRUE, reference TRUE
  mask   T?-T (T: 2 right, ?: 1 without a reference, -: 1 not answered)
`
	if account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
	account = s.Score(c).Account(sheet, c.ToolNamed("A")).String()
	want = `A on CTLFireability of Net-PT-1: -16 points
  flag: wrong: a value differs; it is shown, and itself changes no points (E-4.3)
  E-4.3        -8 formula-00: the value differs from the reference: answered FALSE, reference TRUE
  E-4.3        -8 formula-03: the value differs from the reference: answered FALSE, reference TRUE
  mask   X??X (X: 2 wrong, ?: 2 without a reference)
`
	if account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
	account = s.Score(c).Account(sheet, c.ToolNamed("E")).String()
	if want = "E on CTLFireability of Net-PT-1: 0 points\n  the run has no answers: CC, it said CANNOT_COMPUTE (of a task UNKNOWN), or nothing that was understood\n"; account != want {
		t.Errorf("got\n%s\nwant\n%s", account, want)
	}
}

// TestAccountOfFactors: what was booked is listed first, then the factors, each in
// the order of the rules; raw points are named where factors changed them.
func TestAccountOfFactors(t *testing.T) {
	ctl := examinations.CTLFireability
	c := contest(t, func(b *Builder) { b.Instance("Net-PT-1", models.Surprise) },
		everybody("A B C", "Net-PT-1", ctl, "T T T T"), everybody("D", "Net-PT-1", ctl, "F T . ."))
	s := weighted()
	s.Rules[2].Apply = FamilyWeight(16, 10000, 6000)
	sheet, d := 0, c.ToolNamed("D")
	var rules []string
	for _, line := range strings.Split(strings.TrimSpace(s.Score(c).Account(sheet, d).String()), "\n")[1:] {
		words := strings.Fields(line)
		rules = append(rules, strings.Join(words[:min(3, len(words))], " "))
	}
	// 4 points are worth 4/16 x (10000/1 + 6000) = 4000 hundredths, 13 times: 520
	if got := strings.Join(rules, "; "); got != "E-4.2 +520 formula-01:; E-4.3 -1040 formula-00:; E-4.5 x 10; E-4.4 x 13; mask XT-- (T:" {
		t.Errorf("lines: %s", got)
	}
	if got := s.Score(c).Account(sheet, d).Lines[0].Raw; got != "4" {
		t.Errorf("raw points %q", got)
	}
	for _, line := range plain().Score(c).Account(sheet, d).Lines {
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
	r := plain().Score(c)
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
		if got := r.ValueAccount(sheet, c.ValueOf(sheet, item)).String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	nobody := contest(t, func(b *Builder) {
		if err := b.Declare("Net-PT-1", examinations.CTLFireability, "formula-00"); err != nil {
			t.Fatal(err)
		}
	})
	want := "Net-PT-1 CTLFireability formula-00: ?\n  E-3.1 no tool provides a value\n"
	if got := plain().Score(nobody).ValueAccount(0, 0).String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestE22AccountNamesV: a value belongs to V when enough votes agree that count,
// and in no edition without a vote.
func TestE22AccountNamesV(t *testing.T) {
	ctl := examinations.CTLFireability
	variants := func(b *Builder) {
		for _, name := range []string{"A", "B", "C"} {
			b.Tool(Tool{Name: name, Family: "F"})
		}
	}
	c := contest(t, variants, everybody("A B C", "Net-PT-1", ctl, "T"))
	family, oracle := plain(), plain()
	family.OnePerFamily = true
	oracle.Elect = nil
	for name, tc := range map[string]struct {
		scheme *Scheme
		want   bool
	}{"three tools": {plain(), true}, "one family with one vote": {family, false}, "nobody votes": {oracle, false}} {
		if got := tc.scheme.Score(c).ValueAccount(0, 0).Consistent; got != tc.want {
			t.Errorf("E-2.2 %s: in V: %v", name, got)
		}
	}
}

// TestE41BonusIsExplainedExactly: times are printed with the digits that they have,
// memory in bytes.
func TestE41BonusIsExplainedExactly(t *testing.T) {
	for micros, want := range map[int64]string{
		0: "0 s", 1: "0.000001 s", 1_001: "0.001001 s", 250_000: "0.250 s", 2_000_000: "2 s", 2_050_000: "2.050 s", 2_050_007: "2.050007 s", 61_000_007: "61.000007 s", 2_000_001_000: "2000.001 s",
	} {
		if got := (Item{Reason: LeastOf, A: int64(CPUTime), B: micros}).Text(); got != "fastest of the candidates: "+want+" of CPU time" {
			t.Errorf("E-4.1 %d microseconds: %s", micros, got)
		}
	}
	if got := (Item{Reason: LeastOf, A: int64(WallTime), B: 1_500_000}).Text(); got != "fastest of the candidates: 1.500 s of wall-clock time" {
		t.Errorf("E-4.1: %s", got)
	}
	if got := (Item{Reason: LeastOf, A: int64(Memory), B: 4096}).Text(); got != "smallest memory among the candidates: 4096 bytes" {
		t.Errorf("E-4.1: %s", got)
	}
}

// TestFlagsOfARun: each run has its own flags, and the one that sets it aside is
// named as the reason, whatever other flags say.
func TestFlagsOfARun(t *testing.T) {
	live, dead := examinations.Liveness, examinations.ReachabilityDeadlock
	c := contest(t, nil, everybody("A B C", "Net-PT-1", live, "T"), everybody("A B", "Net-PT-1", dead, "F"), everybody("C", "Net-PT-1", dead, "T"))
	s := plain()
	s.Flags = []Flag{{Name: "seen", Effect: ShowOnly, Detect: Contradiction(live, examinations.True, dead, examinations.True)},
		{Name: "aside", Effect: SetAside, Detect: Contradiction(live, examinations.True, dead, examinations.True)}}
	r := s.Score(c)
	for _, exam := range []examinations.ID{live, dead} {
		sheet := c.SheetOf("Net-PT-1", exam)
		if got := r.NoScore(sheet, c.ToolNamed("C")); got != "flag aside; the run is set aside: it has no points, no bonus and no votes" {
			t.Errorf("C has no score: %q", got)
		}
		if got := r.FlagTexts(sheet, c.ToolNamed("C")); len(got) != 2 {
			t.Errorf("flags of C: %q", got)
		}
		if got := r.FlagTexts(sheet, c.ToolNamed("B")); got != nil {
			t.Errorf("flags of B: %q", got)
		}
	}
	value := int(c.Sheets[1].First)
	if a, b := r.ValueMark(1, c.ToolNamed("A"), value), r.ValueMark(0, c.ToolNamed("C"), 0); a != Right || b != Right {
		t.Errorf("marks %v, %v", a, b)
	}
}
