package formula

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"podium/pnml"
)

// Formula is a node of a formula's syntax tree: one of [AllPaths], [ExistsPath],
// [Next], [Globally], [Finally], [Until], [Not], [And], [Or], [Fireable],
// [LessEqual], [Deadlock], [Constant] for truth values, or [Bound] at the root
// of an UpperBounds property. Nodes are pointers and are not changed once read.
type Formula interface{ formula() }

// Integer is an integer expression: one of [Number], [TokensCount], [Sum],
// [Difference].
type Integer interface{ integer() }

// The path quantifiers and temporal operators (mcc-properties schema, all-paths
// to until). CTL and LTL share them; the examination decides how they may be
// nested.
type (
	AllPaths   struct{ F Formula }             // A: on all paths
	ExistsPath struct{ F Formula }             // E: on some path
	Next       struct{ F Formula }             // X: after one step
	Globally   struct{ F Formula }             // G: now and always
	Finally    struct{ F Formula }             // F: now or later
	Until      struct{ Before, Reach Formula } // U: Reach holds now or later, Before until then
)

// The Boolean connectives. And and Or have two operands or more.
type (
	Not struct{ F Formula }
	And struct{ Fs []Formula }
	Or  struct{ Fs []Formula }
)

// The atoms of formulas. Ids of places and transitions are those of the PNML
// document; equal ids of one file share their bytes.
type (
	Fireable  struct{ Transitions []string } // at least one of them is enabled
	LessEqual struct{ Left, Right Integer }  // Left <= Right
	Deadlock  struct{}                       // no transition is enabled
	Constant  struct{ Value bool }           // true or false
	Bound     struct{ Places []string }      // the greatest sum of the tokens of the places
)

// The integer expressions of atoms.
type (
	Number      struct{ N uint64 }        // a constant
	TokensCount struct{ Places []string } // sum of the tokens of the places
	Sum         struct{ Terms []Integer } // sum of all
	Difference  struct{ Terms []Integer } // first minus all others
)

func (*AllPaths) formula()   {}
func (*ExistsPath) formula() {}
func (*Next) formula()       {}
func (*Globally) formula()   {}
func (*Finally) formula()    {}
func (*Until) formula()      {}
func (*Not) formula()        {}
func (*And) formula()        {}
func (*Or) formula()         {}
func (*Fireable) formula()   {}
func (*LessEqual) formula()  {}
func (*Deadlock) formula()   {}
func (*Constant) formula()   {}
func (*Bound) formula()      {}

func (*Number) integer()      {}
func (*TokensCount) integer() {}
func (*Sum) integer()         {}
func (*Difference) integer()  {}

// Property is one question of a formula file.
type Property struct {
	ID          string
	Description string
	Formula     Formula
	Line, Col   int // where <property> stands, from 1
}

// IDs lists the ids of properties, in the order of their file.
func IDs(properties []Property) []string {
	ids := make([]string, len(properties))
	for i := range properties {
		ids[i] = properties[i].ID
	}
	return ids
}

// Operands returns the direct subformulas of a formula, in their order.
func Operands(f Formula) []Formula {
	switch f := f.(type) {
	case *AllPaths:
		return []Formula{f.F}
	case *ExistsPath:
		return []Formula{f.F}
	case *Next:
		return []Formula{f.F}
	case *Globally:
		return []Formula{f.F}
	case *Finally:
		return []Formula{f.F}
	case *Not:
		return []Formula{f.F}
	case *Until:
		return []Formula{f.Before, f.Reach}
	case *And:
		return f.Fs
	case *Or:
		return f.Fs
	}
	return nil
}

// Over returns a formula whose direct subformulas are what of gives for those of f, which is asked
// in their order. f is not changed.
func Over(f Formula, of func(Formula) Formula) Formula {
	switch f := f.(type) {
	case *AllPaths:
		return &AllPaths{of(f.F)}
	case *ExistsPath:
		return &ExistsPath{of(f.F)}
	case *Next:
		return &Next{of(f.F)}
	case *Globally:
		return &Globally{of(f.F)}
	case *Finally:
		return &Finally{of(f.F)}
	case *Not:
		return &Not{of(f.F)}
	case *Until:
		before := of(f.Before)
		return &Until{before, of(f.Reach)}
	case *And:
		return &And{each(f.Fs, of)}
	case *Or:
		return &Or{each(f.Fs, of)}
	}
	return f
}

// Terms returns the terms whose sum is left minus right: numbers and token
// counts, each with its sign, 1 or -1.
func (f *LessEqual) Terms() iter.Seq2[Integer, int64] {
	return func(yield func(Integer, int64) bool) {
		_ = terms(f.Left, 1, yield) && terms(f.Right, -1, yield)
	}
}

// Side is one side of a comparison: a constant and places, one of which may stand there
// several times.
type Side struct {
	Constant pnml.Total
	Places   []uint32
}

// In returns the value of a side in a marking.
func (s *Side) In(tokens []uint64) pnml.Total {
	sum := pnml.TotalOf(tokens, s.Places)
	sum.Plus(s.Constant)
	return sum
}

// Sides returns the sides of a comparison without differences: what is subtracted on one side is
// added to the other. placesOf finds the places that ids stand for.
func (f *LessEqual) Sides(placesOf func(ids []string) ([]uint32, error)) (left, right Side, err error) {
	for term, sign := range f.Terms() {
		to := &left
		if sign < 0 {
			to = &right
		}
		switch x := term.(type) {
		case *Number:
			to.Constant.Add(x.N)
		case *TokensCount:
			places, err := placesOf(x.Places)
			if err != nil {
				return left, right, err
			}
			if len(to.Places) > math.MaxInt32-len(places) {
				return left, right, errors.New("the formula counts too many places")
			}
			to.Places = append(to.Places, places...)
		default:
			return left, right, fmt.Errorf("%T is no integer expression", x)
		}
	}
	return left, right, nil
}

func terms(i Integer, sign int64, yield func(Integer, int64) bool) bool {
	var list []Integer
	others := sign // than the first
	switch i := i.(type) {
	case *Sum:
		list = i.Terms
	case *Difference:
		list, others = i.Terms, -sign
	default:
		return yield(i, sign)
	}
	for k, t := range list {
		if k == 1 {
			sign = others
		}
		if !terms(t, sign, yield) {
			return false
		}
	}
	return true
}
