package scoring

import (
	"math/big"
	"slices"
)

// Standing is the result of a tool in a category or meta category.
type Standing struct {
	Points     *big.Rat // displayed points, not units
	SuccessCPU int64    // microseconds, see Tally
	Energy     int64    // microjoules of the successful runs
	Unmetered  int      // successful runs whose energy was not measured
	Right      int
	Wrong      int
	Timeouts   int // runs that a limit of time ended
	MemoryOuts int // runs that the limit of memory ended
	// Out reports that the tool opted out: it is a part of no ranking here, its
	// results count in metas all the same.
	Out bool
	// Dash reports that nothing is shown: opted out, or below zero under rules
	// that then count zero. A dash counts zero points and no time.
	Dash bool

	Rank  int    // from 1 among the ranked tools; equal tools share it; 0 is unranked
	Place int    // on the podium: 1 to 3, shared by equals; 0 for no place
	Note  string // why the tool has no rank, or no place in spite of its rank, a clause; else empty
}

func (r *Result) standing(category string, tool int, t Tally) Standing {
	s := Standing{Points: big.NewRat(t.Points, r.Scheme.Unit), SuccessCPU: t.SuccessCPU, Energy: t.SuccessEnergy, Unmetered: t.Unmetered,
		Right: t.Right, Wrong: t.Wrong, Timeouts: t.Timeouts, MemoryOuts: t.MemoryOuts, Out: slices.Contains(r.Contest.Tools[tool].OptOut, category)}
	s.Dash = s.Out || r.Scheme.demonstrates(category)
	if r.Scheme.Ranking.NegativeIsZero && (s.Points.Sign() < 0 || s.Out) {
		s = Standing{Points: new(big.Rat), Out: s.Out, Dash: true}
	}
	return s
}

// place fills in the ranks and places of the standings of a board, which is the n-th of all, or says why
// there is none (E-4.5).
func (r *Result) place(b *Board, n int) {
	meta := n >= len(r.Categories)
	for tool := range b.Standings {
		s := &b.Standings[tool]
		switch {
		case r.Contest.StruckPlace(tool) != "":
			s.Note = r.Contest.StruckPlace(tool)
		case r.Contest.Tools[tool].OutOfCompetition:
			s.Note = "out of competition, as the edition or the plan says"
		case s.Out:
			s.Note = "opted out"
		case b.Demo:
			s.Note = "a demonstration: shown, not scored"
		case s.Dash:
			s.Note = "below zero, which counts as nothing"
		case !meta && r.Categories[n].Tallies[tool].Runs == 0 || meta && s.Right+s.Wrong == 0:
			s.Note = "no answer at all, so no rank"
		default:
			s.Note = "another variant of its family is better (E-4.5)"
		}
	}
	for _, place := range b.Places {
		s := &b.Standings[place.Tool]
		s.Rank, s.Note = place.Rank, ""
		switch {
		case !meta && r.Categories[n].OnPodium(place) || meta && place.Rank <= 3 && s.Points.Sign() > 0:
			s.Place = place.Rank
		case place.Rank <= 3:
			s.Note = "a place on the podium needs a right value and points above 0"
			if r.Scheme.Elect != nil {
				s.Note += ", which E-4.5 leaves open"
			}
		}
	}
}
