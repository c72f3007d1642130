package unfold

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"podium/pnml"
)

// View is a P/T net as formulas and global properties refer to it. Ids of a net
// that was not unfolded name its places and transitions. Ids of an unfolding
// name those of the coloured net: the tokens of a coloured place are those of
// all its colours together, and a coloured transition is enabled when one of
// its bindings is. The four values of StateSpace are those of the P/T net.
type View struct {
	Net       *pnml.Net
	Unfolding *Unfolding // nil: the net is no unfolding
	// Skeleton says that the net is a coloured one without its colours: its ids are those of
	// the coloured net, numbers of tokens are those of all colours, and a transition that
	// is enabled in it may have no binding that is.
	Skeleton bool
	// Merging says which colours were merged in the unfolding: formulas do not tell, but it
	// has fewer markings. Nil where none were.
	Merging pnml.Merging
}

// Plain returns the view of a P/T net that was not unfolded.
func Plain(net *pnml.Net) View { return View{Net: net} }

// View returns the coloured net as formulas refer to it.
func (u *Unfolding) View() View { return View{Net: u.Net, Unfolding: u} }

// Skeleton returns the view of a coloured net without its colours; false where it has none,
// see [pnml.Symmetric.Skeleton].
func Skeleton(s *pnml.Symmetric) (View, bool) {
	net := s.Skeleton()
	return View{Net: net, Skeleton: true}, net != nil
}

// Of returns the view of the net of a document, which is unfolded if it is
// coloured. The errors are those of Unfold.
func Of(ctx context.Context, doc *pnml.Document, limits Limits) (View, error) {
	switch {
	case ctx.Err() != nil:
		return View{}, ctx.Err()
	case doc.Net != nil:
		return Plain(doc.Net), nil
	case doc.Symmetric == nil:
		return View{}, errors.New("the document holds no net")
	}
	u, err := Unfold(ctx, doc.Symmetric, limits)
	if err != nil {
		return View{}, err
	}
	return u.View(), nil
}

// OfOrSkeleton is Of, but for nets beyond the limits that have a skeleton it returns the view
// of that.
func OfOrSkeleton(ctx context.Context, doc *pnml.Document, limits Limits) (View, error) {
	view, err := Of(ctx, doc, limits)
	if large := (*TooLarge)(nil); errors.As(err, &large) {
		if skeleton, ok := Skeleton(doc.Symmetric); ok {
			return skeleton, nil
		}
	}
	return view, err
}

// Coloured reports whether the net is an unfolding.
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

// PlacesOf returns the places of the net that the ids stand for, ascending and
// each once. An unknown id is an error.
func (v View) PlacesOf(ids []string) ([]uint32, error) {
	return members(ids, "place", v.Places(), v.placeRange())
}

// TransitionsOf returns the transitions of the net that the ids stand for,
// ascending and each once. An unknown id is an error.
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

// PlaceGroups returns for each id, by its index in Places, the places of the net
// that it stands for. The list is empty where no colour can ever be marked.
// Each place is in one group.
func (v View) PlaceGroups() [][]uint32 {
	return groups(v.Places().Len(), v.Net.Places.Len(), v.placeRange())
}

// TransitionGroups returns for each id, by its index in Transitions, the
// transitions of the net that it stands for, as PlaceGroups does for places.
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

// GroupOf inverts a list of groups: for each of n places or transitions it
// gives the index of the group that contains it.
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
