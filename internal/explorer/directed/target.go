package directed

import (
	"errors"
	"math"

	"podium/examinations/formula"
)

// target is a condition on markings: all of some targets or one of them, transitions of
// which one is enabled or none is, or a sum that is at most zero.
type target struct {
	kind        kind
	parts       []*target
	transitions []uint32
	sum         []change
	factors     map[uint32]int64 // the same, by place
	constant    int64
}

type kind uint8

const (
	all kind = iota
	one
	some // transitions
	none // of them
	sum
)

var errFormula = errors.New("the formula is about more than one marking, or about too large numbers")

// Goal returns what a marking has to satisfy to decide a formula E F f or A G f, and the value of
// the formula then; nil where no single marking decides it.
func Goal(f formula.Formula) (goal formula.Formula, holds bool) {
	switch f := f.(type) {
	case *formula.ExistsPath:
		if g, ok := f.F.(*formula.Finally); ok {
			return g.F, true
		}
	case *formula.AllPaths:
		if g, ok := f.F.(*formula.Globally); ok {
			return &formula.Not{F: g.F}, false
		}
	}
	return nil, false
}

// goal returns the target of a formula, or of its negation.
func (w *walker) goal(f formula.Formula, not bool) (*target, error) {
	join := map[bool]kind{false: all, true: one}
	switch f := f.(type) {
	case *formula.Not:
		return w.goal(f.F, !not)
	case *formula.Constant:
		if f.Value == not {
			return &target{kind: one}, nil
		}
		return &target{kind: all}, nil
	case *formula.And:
		return w.goals(join[not], f.Fs, not)
	case *formula.Or:
		return w.goals(join[!not], f.Fs, not)
	case *formula.Fireable:
		list, err := w.view.TransitionsOf(f.Transitions)
		return &target{kind: map[bool]kind{false: some, true: none}[not], transitions: list}, err
	case *formula.Deadlock:
		list := make([]uint32, w.net.Transitions.Len())
		for t := range list {
			list[t] = uint32(t)
		}
		return &target{kind: map[bool]kind{false: none, true: some}[not], transitions: list}, nil
	case *formula.LessEqual:
		return w.comparison(f, not)
	}
	return nil, errFormula
}

func (w *walker) goals(k kind, list []formula.Formula, not bool) (*target, error) {
	g := &target{kind: k}
	for _, f := range list {
		part, err := w.goal(f, not)
		if err != nil {
			return nil, err
		}
		g.parts = append(g.parts, part)
	}
	return g, nil
}

// comparison is left - right <= 0, or with not right - left + 1 <= 0.
func (w *walker) comparison(f *formula.LessEqual, not bool) (*target, error) {
	g := &target{kind: sum}
	sign := int64(1)
	if not {
		sign, g.constant = -1, 1
	}
	factors := map[uint32]int64{}
	g.factors = factors
	for term, factor := range f.Terms() {
		if factor > 1<<10 || factor < -1<<10 {
			return nil, errFormula
		}
		switch x := term.(type) {
		case *formula.Number:
			if x.N > maxTokens {
				return nil, errFormula
			}
			g.constant += sign * factor * int64(x.N)
		case *formula.TokensCount:
			places, err := w.view.PlacesOf(x.Places)
			if err != nil {
				return nil, err
			}
			for _, p := range places {
				if _, met := factors[p]; !met {
					g.sum = append(g.sum, change{place: p})
				}
				factors[p] += sign * factor
			}
		default:
			return nil, errFormula
		}
	}
	if len(g.sum) > 1<<12 || g.constant > 1<<55 || g.constant < -1<<55 {
		return nil, errFormula
	}
	for i := range g.sum {
		g.sum[i].by = factors[g.sum[i].place]
	}
	return g, nil
}

// distance is zero where the target holds, and about what is missing where it does not.
func (g *target) distance(w *walker) int64 {
	switch g.kind {
	case all:
		total := int64(0)
		for _, part := range g.parts {
			total = add(total, part.distance(w))
		}
		return total
	case one:
		least := int64(math.MaxInt64)
		for _, part := range g.parts {
			if least = min(least, part.distance(w)); least == 0 {
				break
			}
		}
		return least
	case some:
		least := int64(math.MaxInt64)
		for _, t := range g.transitions {
			if least = min(least, w.missing(t)); least == 0 {
				break
			}
		}
		return least
	case none:
		total := int64(0)
		if len(g.transitions) == len(w.place) {
			return int64(len(w.enabled))
		}
		for _, t := range g.transitions {
			w.clock.Work(4)
			if w.missing(t) == 0 {
				total++
			}
		}
		return total
	}
	total := g.constant
	w.clock.Work(len(g.sum))
	for _, x := range g.sum {
		total += x.by * w.at[x.place]
	}
	return max(total, 0)
}

func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// missing is how many tokens a transition lacks.
func (w *walker) missing(t uint32) (n int64) {
	places, weights := w.net.Pre.Row(int(t))
	w.clock.Work(2 * len(places))
	for k, p := range places {
		n += max(0, int64(min(weights.At(k), maxTokens))-w.at[p])
	}
	return n
}
