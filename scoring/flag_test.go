package scoring_test

import (
	"testing"

	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

// TestFlags: Z says that the net is live and has a deadlock; its vote and its
// points are gone where the flag sets it aside, and the mask stays.
func TestFlags(t *testing.T) {
	c := scoringtest.Contest(t, nil,
		scoringtest.Everybody("Z B C", "Base-PT-1", examinations.CTLFireability, "T T T T"),
		scoringtest.Everybody("Z", "Net-PT-1", examinations.Liveness, "T"), scoringtest.Everybody("B C", "Net-PT-1", examinations.Liveness, "F"),
		scoringtest.Everybody("Z B C", "Net-PT-1", examinations.ReachabilityDeadlock, "T"),
		scoringtest.Everybody("Z B", "Net-PT-2", examinations.Liveness, "T"), scoringtest.Everybody("Z", "Net-PT-2", examinations.ReachabilityDeadlock, "F"))
	both := Contradiction(examinations.Liveness, examinations.True, examinations.ReachabilityDeadlock, examinations.True)
	anyWrong := Flag{Name: "any-wrong"}
	for _, tc := range []struct {
		name        string
		effect      Effect
		score       bool
		points      int64
		mask, flags string
		support     int
	}{
		{"shown", ShowOnly, true, 16, "T", "TF", 3},
		{"set aside", SetAside, false, 0, "T", "TF", 2},
		{"all wrong", AllWrong, true, -32, "X", "TF", 3},
	} {
		s := scoringtest.Plain()
		s.Flags = []Flag{{Name: "live-and-deadlocked", Rule: "x", Effect: tc.effect, Detect: both}, anyWrong}
		r := s.Score(c)
		dead := c.SheetOf("Net-PT-1", examinations.ReachabilityDeadlock)
		z := c.ToolNamed("Z")
		if r.HasScore(dead, z) != tc.score || r.RunPoints(dead, z) != tc.points || r.Mask(dead, z) != tc.mask || r.FlagLetters(dead, z) != tc.flags {
			t.Errorf("%s: score %v, %d points, mask %s, flags %s", tc.name, r.HasScore(dead, z), r.RunPoints(dead, z), r.Mask(dead, z), r.FlagLetters(dead, z))
		}
		if got := len(r.Supporters(dead, int(c.Sheets[dead].First))); got != tc.support {
			t.Errorf("%s: %d tools elected the reference, want %d", tc.name, got, tc.support)
		}
		if got := r.FlagLetters(c.SheetOf("Net-PT-1", examinations.Liveness), z)[:1]; got != "T" {
			t.Errorf("%s: only one of two runs that contradict each other is flagged", tc.name)
		}
		for sheet, name := range map[int]string{c.SheetOf("Net-PT-1", examinations.Liveness): "B", c.SheetOf("Net-PT-2", examinations.Liveness): "Z"} {
			if got := r.FlagLetters(sheet, c.ToolNamed(name))[:1]; got != "F" {
				t.Errorf("%s: %s is flagged where it does not contradict itself", tc.name, name)
			}
		}
	}
}

func TestAnyWrongCondemnsAll(t *testing.T) {
	c := scoringtest.Contest(t, nil,
		scoringtest.Everybody("A B C", "Base-PT-1", examinations.CTLFireability, "T T T T"),
		scoringtest.Everybody("A", "Net-PT-1", examinations.CTLFireability, "T T F ."), scoringtest.Everybody("B C", "Net-PT-1", examinations.CTLFireability, "T T T T"))
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "never", Detect: Never}, {Name: "any-wrong", Effect: AllWrong}}
	r := s.Score(c)
	sheet := c.SheetOf("Net-PT-1", examinations.CTLFireability)
	if got := r.Mask(sheet, 0) + r.FlagLetters(sheet, 0); got != "XXX-FT" || r.RunPoints(sheet, 0) != -24 {
		t.Errorf("A: %s with %d points", got, r.RunPoints(sheet, 0))
	}
	if got := r.Mask(sheet, 1) + r.FlagLetters(sheet, 1); got != "TTTTFF" {
		t.Errorf("B: %s", got)
	}
}
