package unfold

import (
	"errors"
	"fmt"
	"slices"

	"podium/pnml"
)

// View is a P/T net as formulas and global properties see it. On a net of its own,
// ids name places and transitions. On an unfolding they name those of the coloured
// net: a coloured place holds the tokens of all its colours together, and a
// coloured transition is enabled when one of its bindings is. The four values of
// StateSpace are those of the net.
type View struct {
	Net       *pnml.Net
	Unfolding *Unfolding // nil: the net is no unfolding
}

// Plain is the view of a P/T net.
func Plain(net *pnml.Net) View { return View{Net: net} }

// View is the view of the coloured net through its unfolding.
func (u *Unfolding) View() View { return View{u.Net, u} }

// Of is the view of the net of a document, unfolded if it is coloured; one that is
// too large gives a *[TooLarge].
func Of(doc *pnml.Document, limits Limits) (View, error) {
	switch {
	case limits.Context != nil && limits.Context.Err() != nil:
		return View{}, limits.Context.Err()
	case doc.Net != nil:
		return Plain(doc.Net), nil
	case doc.Symmetric == nil:
		return View{}, errors.New("the document holds no net")
	}
	u, err := Unfold(doc.Symmetric, limits)
	if err != nil {
		return View{}, err
	}
	return u.View(), nil
}

// Coloured tells that the net is an unfolding.
func (v View) Coloured() bool { return v.Unfolding != nil }

// Places are the ids of places.
func (v View) Places() *pnml.Names {
	if v.Coloured() {
		return &v.Unfolding.Source.Places
	}
	return &v.Net.Places
}

// Transitions are the ids of transitions.
func (v View) Transitions() *pnml.Names {
	if v.Coloured() {
		return &v.Unfolding.Source.Transitions
	}
	return &v.Net.Transitions
}

// PlacesOf gives the places of the net that a set of ids stands for, each once and
// ascending.
func (v View) PlacesOf(ids []string) ([]uint32, error) {
	return members(ids, "place", v.Places(), v.placeRange())
}

// TransitionsOf is PlacesOf for transitions.
func (v View) TransitionsOf(ids []string) ([]uint32, error) {
	return members(ids, "transition", v.Transitions(), v.transitionRange())
}

func members(ids []string, what string, names *pnml.Names, rangeOf func(int) (int, int)) ([]uint32, error) {
	list := make([]uint32, 0, len(ids))
	for _, id := range ids {
		i, ok := names.Find(id)
		if !ok {
			return nil, fmt.Errorf("the net has no %s %q", what, id)
		}
		for from, to := rangeOf(i); from < to; from++ {
			list = append(list, uint32(from))
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// PlaceGroups gives, by the index of the id, the places of the net that it stands
// for; none where no colour can ever be marked. A place is in one group.
func (v View) PlaceGroups() [][]uint32 {
	return groups(v.Places().Len(), v.Net.Places.Len(), v.placeRange())
}

// TransitionGroups is PlaceGroups for transitions.
func (v View) TransitionGroups() [][]uint32 {
	return groups(v.Transitions().Len(), v.Net.Transitions.Len(), v.transitionRange())
}

func groups(n, total int, rangeOf func(int) (int, int)) [][]uint32 {
	every := make([]uint32, total)
	for i := range every {
		every[i] = uint32(i)
	}
	list := make([][]uint32, n)
	for i := range list {
		from, to := rangeOf(i)
		list[i] = every[from:to:to]
	}
	return list
}

// GroupOf gives the group of each of n places or transitions.
func GroupOf(groups [][]uint32, n int) []uint32 {
	of := make([]uint32, n)
	for g, list := range groups {
		for _, i := range list {
			of[i] = uint32(g)
		}
	}
	return of
}

func single(i int) (from, to int) { return i, i + 1 }

func (v View) placeRange() func(int) (from, to int) {
	if v.Coloured() {
		return v.Unfolding.PlacesOf
	}
	return single
}

func (v View) transitionRange() func(int) (from, to int) {
	if v.Coloured() {
		return v.Unfolding.TransitionsOf
	}
	return single
}
