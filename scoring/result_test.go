package scoring_test

import (
	"math"
	"testing"

	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// TestE22AccountNamesV: a value belongs to V when enough votes agree that count,
// and in no edition without a vote.
func TestE22AccountNamesV(t *testing.T) {
	ctl := examinations.CTLFireability
	variants := func(b *Builder) {
		for _, name := range []string{"A", "B", "C"} {
			b.Tool(Tool{Name: name, Family: "F"})
		}
	}
	c := scoringtest.Contest(t, variants, scoringtest.Everybody("A B C", "Net-PT-1", ctl, "T"))
	family, oracle := scoringtest.Plain(), scoringtest.Plain()
	family.OnePerFamily = true
	oracle.Elect = nil
	for name, tc := range map[string]struct {
		scheme *Scheme
		want   bool
	}{"three tools": {scoringtest.Plain(), true}, "one family with one vote": {family, false}, "nobody votes": {oracle, false}} {
		if got := explain.Value(tc.scheme.Score(c), 0, 0).Consistent; got != tc.want {
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
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", live, "T"), scoringtest.Everybody("A B", "Net-PT-1", dead, "F"), scoringtest.Everybody("C", "Net-PT-1", dead, "T"))
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "seen", Effect: ShowOnly, Detect: Contradiction(live, examinations.True, dead, examinations.True)},
		{Name: "aside", Effect: SetAside, Detect: Contradiction(live, examinations.True, dead, examinations.True)}}
	r := s.Score(c)
	for _, exam := range []examinations.ID{live, dead} {
		sheet := c.SheetOf("Net-PT-1", exam)
		if got := r.NoScore(sheet, c.ToolNamed("C")); got != "flag aside; the run is set aside: it has no points, no bonus and no votes" {
			t.Errorf("C has no score: %q", got)
		}
		if got := explain.FlagTexts(r, sheet, c.ToolNamed("C")); len(got) != 2 {
			t.Errorf("flags of C: %q", got)
		}
		if got := explain.FlagTexts(r, sheet, c.ToolNamed("B")); got != nil {
			t.Errorf("flags of B: %q", got)
		}
	}
	value := int(c.Sheets[1].First)
	if a, b := r.ValueMark(1, c.ToolNamed("A"), value), r.ValueMark(0, c.ToolNamed("C"), 0); a != Right || b != Right {
		t.Errorf("marks %v, %v", a, b)
	}
}

func TestAnswerTime(t *testing.T) {
	for micro, want := range map[int64]int32{-1: 0, 0: 1, 1: 1, 1000: 1, 1001: 2, 3600e6: 3600e3, math.MaxInt64: math.MaxInt32} {
		if got := AnswerTime(micro); got != want {
			t.Errorf("%d µs: %d ms, want %d", micro, got, want)
		}
	}
}
