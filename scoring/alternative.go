package scoring

import (
	"cmp"
	"math/big"
	"slices"
)

// Alternative is a ranking that SV-COMP publishes besides its main one.
type Alternative uint8

// The alternative rankings.
const (
	// Correct ranks by wrong results per point, ties by points.
	Correct Alternative = iota
	// Green ranks by energy of the successful runs per point, in joules. The
	// report speaks of total energy and shows that of successful runs; the
	// latter is taken.
	Green
	// New ranks by points those that take part for the first time.
	New
)

var alternativeWords = [...]string{"Correct", "Green", "New"}

// Alternatives lists them all.
var Alternatives = []Alternative{Correct, Green, New}

// String is the name of the ranking.
func (a Alternative) String() string { return alternativeWords[a] }

// Unit is that of the measures: errors or joules for each point, or points.
func (a Alternative) Unit() string {
	return [...]string{"errors per point", "J per point", "points"}[a]
}

// Measured is a line of an alternative ranking.
type Measured struct {
	Place
	Measure *big.Rat // errors per point, joules per point, or points
}

// Rank returns an alternative ranking of a board. Only tools with a positive score
// are ranked, because a ratio to points means nothing otherwise; Green leaves out
// those of whose successful runs the energy of one was not measured.
func (a Alternative) Rank(c *Contest, b *Board) []Measured {
	var list []Measured
	for _, p := range b.Places {
		s := &b.Standings[p.Tool]
		if measure := a.measure(c.Tools[p.Tool], s); measure != nil {
			list = append(list, Measured{Place{Tool: p.Tool}, measure})
		}
	}
	compare := func(x, y Measured) int {
		by := x.Measure.Cmp(y.Measure)
		switch a {
		case New:
			by = -by
		case Correct:
			by = cmp.Or(by, b.Standings[y.Tool].Points.Cmp(b.Standings[x.Tool].Points))
		}
		return by
	}
	slices.SortStableFunc(list, func(x, y Measured) int {
		return cmp.Or(compare(x, y), cmp.Compare(c.Tools[x.Tool].Name, c.Tools[y.Tool].Name))
	})
	for i := range list {
		list[i].Rank = i + 1
		if i > 0 && compare(list[i-1], list[i]) == 0 {
			list[i].Rank = list[i-1].Rank
		}
	}
	return list
}

// measure is nil for a tool that is not ranked.
func (a Alternative) measure(t Tool, s *Standing) *big.Rat {
	if s.Points.Sign() <= 0 {
		return nil
	}
	switch a {
	case Correct:
		return new(big.Rat).Quo(big.NewRat(int64(s.Wrong), 1), s.Points)
	case Green:
		if s.Energy == 0 || s.Unmetered > 0 {
			return nil
		}
		return new(big.Rat).Quo(big.NewRat(s.Energy, 1_000_000), s.Points)
	}
	if !t.FirstTime {
		return nil
	}
	return s.Points
}
