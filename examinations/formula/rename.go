package formula

import (
	"fmt"

	"podium/pnml/diagnostic"
)

// Rename returns formulas over other ids: property gives the new id of a
// property, node that of a place or transition. Descriptions are left out,
// since they may name what is renamed. The formulas given are not changed.
func Rename(properties []Property, property, node func(string) string) []Property {
	nodes := func(ids []string) []string { return each(ids, node) }
	r := renamer{places: nodes, transitions: nodes}
	renamed := make([]Property, len(properties))
	for i, p := range properties {
		renamed[i] = Property{ID: property(p.ID), Formula: r.formula(p.Formula)}
	}
	return renamed
}

// Expansion is what the ids of a coloured net stand for in its unfolding: tokens of a
// place are those of all its colours, and a transition is enabled when one of its
// bindings is.
type Expansion struct {
	Property            func(id string) string
	Places, Transitions func(id string) []string // transitions may be none: never enabled
	Some                string                   // any transition of the unfolding
}

// Expand returns formulas over the unfolding of the net that they speak of, with the same
// values. A transition that is never enabled becomes one that is enabled and is not. The
// error is of a property beyond the limit of names of all properties together.
func (e Expansion) Expand(properties []Property) ([]Property, error) {
	names := 0
	spread := func(of func(string) []string) func([]string) []string {
		return func(ids []string) []string {
			if len(ids) == 1 {
				list := of(ids[0])
				names += len(list)
				return list
			}
			var list []string
			for _, id := range ids {
				if names += len(of(id)); names <= maxNames {
					list = append(list, of(id)...)
				}
			}
			return list
		}
	}
	r := renamer{places: spread(e.Places), transitions: spread(e.Transitions), never: e.never()}
	expanded := make([]Property, len(properties))
	for i, p := range properties {
		f := r.formula(p.Formula)
		if names > maxNames {
			return nil, fmt.Errorf("property %s: the formulas over the unfolding name more than %d nodes", diagnostic.Cut(p.ID), maxNames)
		}
		expanded[i] = Property{ID: e.Property(p.ID), Description: p.Description, Formula: f}
	}
	return expanded, nil
}

// maxNames bounds what expanded formulas name.
const maxNames = 1 << 26

// never is a formula that is false in every marking.
func (e Expansion) never() Formula {
	if e.Some == "" {
		return &LessEqual{&Number{1}, &Number{0}}
	}
	enabled := &Fireable{[]string{e.Some}}
	return &And{[]Formula{enabled, &Not{enabled}}}
}

// renamer gives formulas over other ids.
type renamer struct {
	places, transitions func(ids []string) []string
	never               Formula // in place of a choice of no transition
}

func (r renamer) formula(f Formula) Formula {
	switch f := f.(type) {
	case *Fireable:
		if list := r.transitions(f.Transitions); len(list) > 0 || r.never == nil {
			return &Fireable{list}
		}
		return r.never
	case *LessEqual:
		return &LessEqual{r.integer(f.Left), r.integer(f.Right)}
	case *Bound:
		return &Bound{r.places(f.Places)}
	}
	return Over(f, r.formula) // Deadlock and Constant name nothing
}

func (r renamer) integer(x Integer) Integer {
	switch x := x.(type) {
	case *TokensCount:
		if list := r.places(x.Places); len(list) > 0 {
			return &TokensCount{list}
		}
		return &Number{0}
	case *Sum:
		return &Sum{each(x.Terms, r.integer)}
	case *Difference:
		return &Difference{each(x.Terms, r.integer)}
	}
	return x // Number
}

func each[T any](list []T, do func(T) T) []T {
	out := make([]T, len(list))
	for i, x := range list {
		out[i] = do(x)
	}
	return out
}
