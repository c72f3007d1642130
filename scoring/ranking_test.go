package scoring_test

import (
	"testing"

	"podium/confidence"
	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

// TestE45NoPodiumWithoutARightValue: A is right, B only wrong, C has a bonus for a
// value that has no reference, D answers nothing.
func TestE45NoPodiumWithoutARightValue(t *testing.T) {
	ctl := examinations.CTLFireability
	s := scoringtest.Plain()
	s.Rules = append(s.Rules, Rule{"E-4.1", Bonus{Letter: Fastest, Points: 4, MinShare: confidence.NewRatio(1, 4)}.Apply})
	r := s.Score(scoringtest.Contest(t, nil, scoringtest.Everybody("A E F", "Net-PT-1", ctl, "T"), scoringtest.Everybody("B", "Net-PT-1", ctl, "F"),
		scoringtest.Everybody("C", "Odd-PT-1", ctl, "T"), scoringtest.Everybody("D", "Net-PT-1", ctl, ".")))
	k := &r.Categories[0]
	want := map[string]bool{"A": true, "E": true, "F": true, "B": false, "C": false}
	for name, on := range want {
		tool := r.Contest.ToolNamed(name)
		place := Place{Rank: 3, Tool: tool}
		if k.OnPodium(place) != on {
			t.Errorf("E-4.5 %s with %+v on the podium: %v", name, k.Tallies[tool], !on)
		}
		if k.OnPodium(Place{Rank: 4, Tool: tool}) {
			t.Errorf("E-4.5 %s is on the podium as the fourth", name)
		}
	}
	if c := k.Tallies[r.Contest.ToolNamed("C")]; c.Points <= 0 || c.Right != 0 {
		t.Errorf("C should have points and no right value: %+v", c)
	}
}

// TestE45PodiumNeedsPoints: the least sum of points above zero suffices for the
// podium.
func TestE45PodiumNeedsPoints(t *testing.T) {
	for points, want := range map[int64]bool{-1: false, 0: false, 1: true} {
		k := Category{Tallies: []Tally{{Points: points, Right: 1}}}
		if got := k.OnPodium(Place{Rank: 1}); got != want {
			t.Errorf("E-4.5 the first with %d units is on the podium: %v", points, got)
		}
	}
}

// TestCompetitorsVote: Gold and two others are against two; without the vote of
// Gold nobody has a majority.
func TestCompetitorsVote(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, func(b *Builder) { b.Tool(Tool{Name: "Gold", OutOfCompetition: true}) },
		scoringtest.Everybody("Gold A B C", "Base-PT-1", ctl, "T T T T"), scoringtest.Everybody("Gold A", "Net-PT-1", ctl, "F"), scoringtest.Everybody("B", "Net-PT-1", ctl, "T"))
	value := int(c.Sheets[c.SheetOf("Net-PT-1", ctl)].First)
	for _, alone := range []bool{false, true} {
		s := scoringtest.Plain()
		s.CompetitorsVote = alone
		r := s.Score(c)
		if known := r.References[value].Known(); known == alone {
			t.Errorf("without the vote of Gold %v: the reference is known: %v", alone, known)
		}
		gold := r.Contest.ToolNamed("Gold")
		if r.Confidence[gold] != confidence.NewRatio(1, 1) {
			t.Errorf("without the vote of Gold %v: its confidence is %s", alone, r.Confidence[gold])
		}
		for _, p := range r.Categories[0].Places {
			if p.Tool == gold {
				t.Error("a tool out of competition has a place")
			}
		}
	}
}
