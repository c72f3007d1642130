package formula

import "iter"

// Formula is a node of a formula's syntax tree: one of [AllPaths], [ExistsPath],
// [Next], [Globally], [Finally], [Until], [Not], [And], [Or], [Fireable],
// [LessEqual], [Deadlock], [Constant] for truth values, or [Bound] at the root
// of an UpperBounds property. Nodes are pointers and are not changed once read.
type Formula interface{ formula() }

// Integer is an integer expression: one of [Number], [TokensCount], [Sum],
// [Difference].
type Integer interface{ integer() }

// Path quantifiers and temporal operators (mcc-properties schema, all-paths to
// until). CTL and LTL share them; which nesting is allowed depends on the
// examination.
type (
	AllPaths   struct{ F Formula }
	ExistsPath struct{ F Formula }
	Next       struct{ F Formula }
	Globally   struct{ F Formula }
	Finally    struct{ F Formula }
	Until      struct{ Before, Reach Formula }
)

// Boolean connectives. And and Or have two operands or more.
type (
	Not struct{ F Formula }
	And struct{ Fs []Formula }
	Or  struct{ Fs []Formula }
)

// Atoms. Ids of places and transitions are those of the PNML document; equal
// ids of one file share their bytes.
type (
	Fireable  struct{ Transitions []string } // at least one of them is enabled
	LessEqual struct{ Left, Right Integer }
	Deadlock  struct{}             // no transition is enabled
	Constant  struct{ Value bool } // true or false
	Bound     struct{ Places []string }
)

// Integer expressions.
type (
	Number      struct{ N uint64 }
	TokensCount struct{ Places []string } // sum of the tokens of the places
	Sum         struct{ Terms []Integer }
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

// Operands gives the direct subformulas of a formula, in order.
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

// Terms gives what left - right is the sum of: numbers and token counts, each with
// its sign, 1 or -1.
func (f *LessEqual) Terms() iter.Seq2[Integer, int64] {
	return func(yield func(Integer, int64) bool) {
		_ = terms(f.Left, 1, yield) && terms(f.Right, -1, yield)
	}
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
