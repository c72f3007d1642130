package scoring

import (
	"math/big"
	"slices"

	"podium/confidence"
)

// Swing is what the other reference of a disputed value would move.
type Swing struct {
	Sheet, Value int
	Otherwise    confidence.Reference // that of the second strongest answer, or none for a value that a single tool decided
	Units        []int64              // by tool
}

// Swings tries the other reference of every disputed value, one at a time.
func (r *Result) Swings() []Swing {
	q := *r // scratch copies of what a sheet writes
	q.References = slices.Clone(r.References)
	q.Marks = slices.Clone(r.Marks)
	q.Flags = slices.Clone(r.Flags)
	q.Points = slices.Clone(r.Points)
	q.Letters = slices.Clone(r.Letters)
	w := newScorer(&q)
	n := len(r.Contest.Tools)
	var list []Swing
	for sheet, s := range r.Contest.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			other, disputed := r.otherwise(sheet, v)
			if !disputed {
				continue
			}
			q.References[v] = other
			w.mark(sheet)
			w.score(sheet)
			units := make([]int64, n)
			for tool := range n {
				units[tool] = q.Points[sheet*n+tool] - r.Points[sheet*n+tool]
			}
			list = append(list, Swing{sheet, v, other, units})
			q.References[v] = r.References[v]
		}
	}
	return list
}

// otherwise returns the reference that a disputed value could have had: that of the
// second strongest answer, or none where a single tool decided or all agree.
func (r *Result) otherwise(sheet, value int) (confidence.Reference, bool) {
	ref := r.References[value]
	votes := r.Votes(sheet, value)
	switch {
	case len(votes) == 0 || ref.Clause == confidence.FromOracle || ref.Clause == confidence.FromReferee || ref.Clause == confidence.ByJury:
		return ref, false
	case ref.Clause == confidence.SingleAccepted:
		return confidence.Reference{Answer: ref.Answer, Clause: confidence.SingleRejected}, true
	case confidence.Unanimous(votes):
		return ref, false
	}
	var best confidence.Answer
	var weight *big.Rat
	for _, answer := range confidence.Distinct(votes) {
		if answer == ref.Answer && ref.Known() {
			continue
		}
		if x := r.electorate.Weight(votes, answer); weight == nil || x.Cmp(weight) > 0 {
			best, weight = answer, x
		}
	}
	return confidence.Reference{Answer: best, Clause: confidence.WeightedMajority}, true
}
