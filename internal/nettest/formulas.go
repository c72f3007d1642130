package nettest

import (
	"math/rand/v2"

	"podium/examinations/formula"
	"podium/pnml"
)

// Formulas draws formulas at random, about the places and transitions of a net.
type Formulas struct {
	rng                 *rand.Rand
	Places, transitions []string
	numbers             []uint64 // of tokens that places hold at first, where they are large
}

// NewFormulas draws formulas about a net.
func NewFormulas(rng *rand.Rand, net *pnml.Net) *Formulas {
	r := &Formulas{rng: rng}
	for p := range net.Places.Len() {
		r.Places = append(r.Places, net.Places.At(p))
	}
	for t := range net.Transitions.Len() {
		r.transitions = append(r.transitions, net.Transitions.At(t))
	}
	for _, n := range net.Initial {
		if n > 1<<29 {
			r.numbers = append(r.numbers, n)
		}
	}
	return r
}

// Some draws a few of the ids.
func (r *Formulas) Some(ids []string) []string {
	out := []string{ids[r.rng.IntN(len(ids))]}
	if r.rng.IntN(3) == 0 {
		if other := ids[r.rng.IntN(len(ids))]; other != out[0] {
			out = append(out, other)
		}
	}
	return out
}

func (r *Formulas) integer() formula.Integer {
	switch r.rng.IntN(7) {
	case 0, 1:
		n := uint64(r.rng.IntN(4))
		if len(r.numbers) > 0 && r.rng.IntN(4) > 0 { // about as many, or up to four times that
			n = (r.numbers[r.rng.IntN(len(r.numbers))]>>1)<<r.rng.IntN(4) + n - 1
		}
		return &formula.Number{N: n}
	case 2:
		return &formula.Sum{Terms: []formula.Integer{r.integer(), r.integer()}}
	case 3:
		return &formula.Difference{Terms: []formula.Integer{r.integer(), r.integer()}}
	}
	return &formula.TokensCount{Places: r.Some(r.Places)}
}

func (r *Formulas) atom() formula.Formula {
	switch n := r.rng.IntN(10); {
	case n == 0:
		return &formula.Deadlock{}
	case n == 1:
		return &formula.Constant{Value: r.rng.IntN(2) == 0}
	case n < 5 && len(r.transitions) > 0:
		return &formula.Fireable{Transitions: r.Some(r.transitions)}
	}
	return &formula.LessEqual{Left: r.integer(), Right: r.integer()}
}

// connect applies a connective to formulas made by sub.
func (r *Formulas) connect(sub func() formula.Formula) formula.Formula {
	switch r.rng.IntN(3) {
	case 0:
		return &formula.Not{F: sub()}
	case 1:
		return &formula.And{Fs: []formula.Formula{sub(), sub()}}
	}
	return &formula.Or{Fs: []formula.Formula{sub(), sub()}}
}

// State draws a formula without temporal operators.
func (r *Formulas) State(depth int) formula.Formula {
	if depth == 0 || r.rng.IntN(3) == 0 {
		return r.atom()
	}
	return r.connect(func() formula.Formula { return r.State(depth - 1) })
}

// CTL draws a formula with at most depth operators inside one another.
func (r *Formulas) CTL(depth int) formula.Formula {
	if depth == 0 {
		return r.State(1)
	}
	sub := func() formula.Formula { return r.CTL(depth - 1) }
	if r.rng.IntN(3) == 0 {
		return r.connect(sub)
	}
	path := r.temporal(sub)
	if r.rng.IntN(2) == 0 {
		return &formula.AllPaths{F: path}
	}
	return &formula.ExistsPath{F: path}
}

func (r *Formulas) temporal(sub func() formula.Formula) formula.Formula {
	switch r.rng.IntN(4) {
	case 0:
		return &formula.Next{F: sub()}
	case 1:
		return &formula.Finally{F: sub()}
	case 2:
		return &formula.Globally{F: sub()}
	}
	return &formula.Until{Before: sub(), Reach: sub()}
}

// LTL draws a path formula with at most depth operators inside one another.
func (r *Formulas) LTL(depth int) formula.Formula {
	if depth == 0 {
		return r.State(1)
	}
	sub := func() formula.Formula { return r.LTL(depth - 1) }
	if r.rng.IntN(3) == 0 {
		return r.connect(sub)
	}
	return r.temporal(sub)
}
