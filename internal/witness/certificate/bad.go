package certificate

import (
	"fmt"
	"math/big"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// Bad describes markings of which a proof shows that none is reachable.
type Bad struct{ is part }

// part is a condition on markings.
type part struct {
	kind   partKind
	f      formula.Formula
	t      uint32   // a transition of the net
	places []uint32 // of the net, whose tokens are added up
	n      uint64
	parts  []part
	xs     []witness.AtMost
}

type partKind uint8

const (
	holds    partKind = iota // f
	fails                    // not f
	enabled                  // transition t
	disabled                 // transition t
	few                      // at most n tokens on places
	many                     // at least n
	some                     // of parts
	atMost                   // xs, all of them
)

// Satisfying are the markings where a formula over a single marking holds, or with
// not those where it does not.
func Satisfying(f formula.Formula, not bool) Bad {
	if not {
		return Bad{part{kind: fails, f: f}}
	}
	return Bad{part{kind: holds, f: f}}
}

// MoreThan are the markings with more than n tokens on some places of the net
// together.
func MoreThan(places []uint32, n uint64) (Bad, error) {
	if n+1 == 0 {
		return Bad{}, fmt.Errorf("the bound is too large")
	}
	return Bad{part{kind: many, places: places, n: n + 1}}, nil
}

// NotOneSafe are the markings with two tokens on a place, on coloured nets of any
// colours.
func NotOneSafe(view unfold.View) Bad {
	b := Bad{part{kind: some}}
	for _, group := range view.PlaceGroups() {
		b.is.parts = append(b.is.parts, part{kind: many, places: group, n: 2})
	}
	return b
}

// Fuller are the markings with more than n tokens on one place of the net.
func Fuller(view unfold.View, n uint64) (Bad, error) {
	b := Bad{part{kind: some}}
	for p := range uint32(view.Net.Places.Len()) {
		one, err := MoreThan([]uint32{p}, n)
		if err != nil {
			return b, err
		}
		b.is.parts = append(b.is.parts, one.is)
	}
	return b, nil
}

// Enabled are the markings where one of some transitions of the net is enabled.
func Enabled(transitions []uint32) Bad {
	b := Bad{part{kind: some}}
	for _, t := range transitions {
		b.is.parts = append(b.is.parts, part{kind: enabled, t: t})
	}
	return b
}

// Changed are the markings where some places of the net have together another number of
// tokens than in the initial marking.
func Changed(view unfold.View, places []uint32) (Bad, error) {
	initial := uint64(0)
	for _, p := range places {
		if initial += view.Net.Initial[p]; initial > 1<<62 || view.Net.Initial[p] > 1<<62 {
			return Bad{}, fmt.Errorf("the place holds too many tokens")
		}
	}
	b := Bad{part{kind: some, parts: []part{{kind: many, places: places, n: initial + 1}}}}
	if initial > 0 {
		b.is.parts = append(b.is.parts, part{kind: few, places: places, n: initial - 1})
	}
	return b, nil
}

// assumed is what is assumed of a marking in a case.
type assumed struct {
	view     unfold.View
	clock    *clock.Clock
	atoms    []witness.AtMost
	disjunct [][]part
}

// assume adds a condition, taken apart as far as it goes without cases.
func (a *assumed) assume(p part) error {
	a.clock.Work(32 * (1 + len(p.places) + len(p.xs)))
	switch p.kind {
	case holds, fails:
		return a.formula(p.f, p.kind == fails)
	case many:
		a.atoms = append(a.atoms, witness.AtMost{Terms: tokens(p.places, -1), Bound: new(big.Rat).Neg(natural(p.n))})
	case few:
		a.atoms = append(a.atoms, witness.AtMost{Terms: tokens(p.places, 1), Bound: natural(p.n)})
	case enabled:
		places, weights := a.view.Net.Pre.Row(int(p.t))
		a.clock.Work(64 * len(places))
		for k, place := range places {
			a.atoms = append(a.atoms, witness.AtMost{Terms: tokens([]uint32{place}, -1), Bound: new(big.Rat).Neg(natural(weights.At(k)))})
		}
	case disabled:
		if a.view.Skeleton {
			return nil // no binding may be enabled although the skeleton's transition is
		}
		places, weights := a.view.Net.Pre.Row(int(p.t))
		a.clock.Work(32 * len(places))
		parts := make([]part, len(places))
		for k, place := range places {
			parts[k] = part{kind: few, places: []uint32{place}, n: weights.At(k) - 1}
		}
		return a.any(parts)
	case some:
		return a.any(p.parts)
	case atMost:
		a.atoms = append(a.atoms, p.xs...)
	}
	return nil
}

// any adds a disjunction: of one part that part, of none what is never true.
func (a *assumed) any(parts []part) error {
	switch len(parts) {
	case 0:
		a.atoms = append(a.atoms, witness.AtMost{Bound: whole(-1)})
		return nil
	case 1:
		return a.assume(parts[0])
	}
	a.disjunct = append(a.disjunct, parts)
	return nil
}

// formula adds a formula, or its negation.
func (a *assumed) formula(f formula.Formula, not bool) error {
	switch f := f.(type) {
	case *formula.Not:
		return a.formula(f.F, !not)
	case *formula.Constant:
		if f.Value == not {
			return a.any(nil)
		}
		return nil
	case *formula.And:
		return a.several(f.Fs, not, not)
	case *formula.Or:
		return a.several(f.Fs, !not, not)
	case *formula.LessEqual:
		return a.lessEqual(f, not)
	case *formula.Fireable:
		a.clock.Work(64 * len(f.Transitions))
		list, err := a.view.TransitionsOf(f.Transitions)
		if err != nil {
			return err
		}
		return a.fireable(list, not)
	case *formula.Deadlock:
		all := make([]uint32, a.view.Net.Transitions.Len())
		a.clock.Work(len(all))
		for t := range all {
			all[t] = uint32(t)
		}
		return a.fireable(all, !not)
	}
	return fmt.Errorf("the formula is about more than one marking")
}

// several adds all of some formulas, or one of them, each negated or not.
func (a *assumed) several(list []formula.Formula, one, not bool) error {
	kind := holds
	if not {
		kind = fails
	}
	a.clock.Work(32 * len(list))
	parts := make([]part, len(list))
	for i, f := range list {
		parts[i] = part{kind: kind, f: f}
	}
	if one {
		return a.any(parts)
	}
	for _, p := range parts {
		if err := a.assume(p); err != nil {
			return err
		}
	}
	return nil
}

// fireable adds that one of some transitions is enabled, or that none is.
func (a *assumed) fireable(list []uint32, not bool) error {
	a.clock.Work(32 * len(list))
	if !not {
		parts := make([]part, len(list))
		for i, t := range list {
			parts[i] = part{kind: enabled, t: t}
		}
		return a.any(parts)
	}
	for _, t := range list {
		if err := a.assume(part{kind: disabled, t: t}); err != nil {
			return err
		}
	}
	return nil
}

// lessEqual adds left - right <= 0, or for whole numbers right - left <= -1.
func (a *assumed) lessEqual(f *formula.LessEqual, not bool) error {
	x := witness.AtMost{Bound: new(big.Rat)}
	sign := int64(1)
	if not {
		sign, x.Bound = -1, whole(-1)
	}
	for term, factor := range f.Terms() {
		switch term := term.(type) {
		case *formula.Number:
			n := natural(term.N)
			x.Bound.Sub(x.Bound, n.Mul(n, whole(sign*factor)))
		case *formula.TokensCount:
			places, err := a.view.PlacesOf(term.Places)
			if err != nil {
				return err
			}
			a.clock.Work(64 * (len(term.Places) + len(places)))
			x.Terms = append(x.Terms, tokens(places, sign*factor)...)
		default:
			return fmt.Errorf("%T is no number of tokens", term)
		}
	}
	a.atoms = append(a.atoms, x)
	return nil
}
