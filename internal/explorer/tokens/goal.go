package tokens

import (
	"errors"
	"maps"
	"math"
	"slices"
)

// Goal is what one marking decides: all of some goals or one of them, transitions of
// which one is enabled or none is, or a weighted sum of places, with a constant, that is at most
// zero.
type Goal struct {
	Kind        Kind
	Parts       []*Goal
	Transitions []uint32
	Sum         []Change // places, ascending, and their weights
	Constant    int64

	looked            bool     // the rest of a sum is known
	lowering, raising []uint32 // transitions that make it smaller, or larger
	gains             []int64  // of lowering: by how much
}

// Kind says what a goal is.
type Kind uint8

// The kinds.
const (
	All Kind = iota
	One
	Some // transitions
	None // of them
	AtMost
)

// ErrGoal says that a formula is no goal.
var ErrGoal = errors.New("the formula is about more than one marking, or about too large numbers")

// Size is about how much there is to look at.
func (x *Goal) Size() int {
	n := 1 + len(x.Transitions) + len(x.Sum)
	for _, part := range x.Parts {
		n += part.Size()
	}
	return n
}

// Dead reports whether a goal asks whether the marking is dead.
func (g *Game) Dead(x *Goal) bool {
	return (x.Kind == Some || x.Kind == None) && len(x.Transitions) == len(g.Lacks)
}

// Holds reports whether the tokens of the marking satisfy a goal; it does not look at what is
// said to be enabled.
func (g *Game) Holds(x *Goal) bool {
	switch x.Kind {
	case All:
		return !slices.ContainsFunc(x.Parts, func(part *Goal) bool { return !g.Holds(part) })
	case One:
		return slices.ContainsFunc(x.Parts, g.Holds)
	case Some, None:
		return slices.ContainsFunc(x.Transitions, func(t uint32) bool { return Enabled(g.Net, int(t), g.At) }) == (x.Kind == Some)
	}
	return g.value(x) <= 0
}

func (g *Game) value(x *Goal) int64 {
	total := x.Constant
	g.Clock.Work(len(x.Sum))
	for _, s := range x.Sum {
		total += s.By * int64(g.At[s.Place])
	}
	return total
}

// Distance is zero where a goal holds, and about what is missing where it does not.
func (g *Game) Distance(x *Goal) int64 {
	switch x.Kind {
	case All:
		total := int64(0)
		for _, part := range x.Parts {
			total = AddCosts(total, g.Distance(part))
		}
		return total
	case One:
		least := int64(math.MaxInt64)
		for _, part := range x.Parts {
			if least = min(least, g.Distance(part)); least == 0 {
				break
			}
		}
		return least
	case Some:
		least := int64(math.MaxInt64)
		for _, t := range x.Transitions {
			if least = min(least, g.Missing(t)); least == 0 {
				break
			}
		}
		return least
	case None:
		if g.Dead(x) {
			return int64(len(g.Enabled))
		}
		total := int64(0)
		for _, t := range x.Transitions {
			g.Clock.Work(4)
			if g.Missing(t) == 0 {
				total++
			}
		}
		return total
	}
	return max(g.value(x), 0)
}

// AddCosts adds numbers that are not negative, up to math.MaxInt64.
func AddCosts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Lowering returns the transitions that make the sum of a goal smaller, ascending, and by how
// much.
func (g *Game) Lowering(x *Goal) (list []uint32, by []int64) {
	g.look(x)
	return x.lowering, x.gains
}

// Raising returns the transitions that make the sum of a goal larger, ascending.
func (g *Game) Raising(x *Goal) []uint32 {
	g.look(x)
	return x.raising
}

func (g *Game) look(x *Goal) {
	if x.looked {
		return
	}
	x.looked = true
	weights, change := map[uint32]int64{}, map[uint32]int64{}
	for _, s := range x.Sum {
		weights[s.Place] = s.By
	}
	for _, s := range x.Sum {
		for _, t := range slices.Concat(g.Makers[s.Place], g.Takers[s.Place]) {
			if _, known := change[t]; known {
				continue
			}
			g.Clock.Work(32 + 16*len(g.Effects[t]))
			by := int64(0)
			for _, e := range g.Effects[t] {
				by += e.By * weights[e.Place]
			}
			change[t] = by
		}
	}
	for _, t := range slices.Sorted(maps.Keys(change)) {
		switch by := change[t]; {
		case by < 0:
			x.lowering, x.gains = append(x.lowering, t), append(x.gains, -by)
		case by > 0:
			x.raising = append(x.raising, t)
		}
	}
}
