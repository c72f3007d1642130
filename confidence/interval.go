package confidence

import (
	"cmp"
	"math/big"
	"slices"
)

// Interval is the answer [Low, High] to a value for which an interval is asked
// (E-3.2). Both ends belong to it; a nil High stands for no upper end. Low is
// not negative and not above High.
type Interval struct{ Low, High *big.Int }

// ReferenceSet is E-3.2: the natural numbers that lie in the greatest number of
// intervals, as disjoint ascending intervals, and that number (y of the rule).
// Without intervals the set is empty and y is 0.
//
// Note: the rules of 2016 give E-3.2 for information only, and no published
// edition uses it. So no edition here names it; an edition of one's own may, see
// scoring.Result.ReferenceSet.
func ReferenceSet(intervals []Interval) (set []Interval, agree int) {
	type end struct {
		at    *big.Int // f changes by step from here on
		step  int
		index int
	}
	ends := make([]end, 0, 2*len(intervals))
	for i, in := range intervals {
		ends = append(ends, end{in.Low, +1, i})
		if in.High != nil {
			ends = append(ends, end{new(big.Int).Add(in.High, big.NewInt(1)), -1, i})
		}
	}
	slices.SortFunc(ends, func(a, b end) int {
		return cmp.Or(a.at.Cmp(b.at), cmp.Compare(a.index, b.index), cmp.Compare(a.step, b.step))
	})
	level := 0
	for i := 0; i < len(ends); {
		from := ends[i].at
		for ; i < len(ends) && ends[i].at.Cmp(from) == 0; i++ {
			level += ends[i].step
		}
		if level < agree || level == 0 {
			continue
		}
		if level > agree {
			set, agree = set[:0], level
		}
		piece := Interval{Low: from}
		if i < len(ends) {
			piece.High = new(big.Int).Sub(ends[i].at, big.NewInt(1))
		}
		set = appendPiece(set, piece)
	}
	return set, agree
}

// appendPiece joins a piece to the last one where no natural lies between them.
func appendPiece(set []Interval, piece Interval) []Interval {
	if n := len(set); n > 0 && set[n-1].High != nil &&
		new(big.Int).Add(set[n-1].High, big.NewInt(1)).Cmp(piece.Low) == 0 {
		set[n-1].High = piece.High
		return set
	}
	return append(set, piece)
}
