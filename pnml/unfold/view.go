package unfold

import (
	"fmt"
	"slices"

	"podium/pnml"
)

// View is a P/T net as formulas and global properties see it. On a net of its own,
// ids name places and transitions. On an unfolding they name those of the coloured
// net: a coloured place holds the tokens of all its colours together, and a
// coloured transition is enabled when one of its bindings is.
type View struct {
	Net *pnml.Net
	of  *Unfolding // nil: the net is no unfolding
}

// Plain is the view of a P/T net.
func Plain(net *pnml.Net) View { return View{Net: net} }

// View is the view of the coloured net through its unfolding.
func (u *Unfolding) View() View { return View{u.Net, u} }

// Coloured tells that the net is an unfolding.
func (v View) Coloured() bool { return v.of != nil }

// PlacesOf gives the places of the net that a set of ids stands for, each once and
// ascending.
func (v View) PlacesOf(ids []string) ([]int, error) {
	if v.of == nil {
		return members(ids, "place", &v.Net.Places, single)
	}
	return members(ids, "place", &v.of.Source.Places, v.of.PlacesOf)
}

// TransitionsOf is PlacesOf for transitions.
func (v View) TransitionsOf(ids []string) ([]int, error) {
	if v.of == nil {
		return members(ids, "transition", &v.Net.Transitions, single)
	}
	return members(ids, "transition", &v.of.Source.Transitions, v.of.TransitionsOf)
}

func single(i int) (from, to int) { return i, i + 1 }

func members(ids []string, what string, names *pnml.Names, rangeOf func(int) (int, int)) ([]int, error) {
	list := make([]int, 0, len(ids))
	for _, id := range ids {
		i, ok := names.Find(id)
		if !ok {
			return nil, fmt.Errorf("the net has no %s %q", what, id)
		}
		for from, to := rangeOf(i); from < to; from++ {
			list = append(list, from)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// PlaceGroups gives for every place that ids may name the range [from, to) of
// places of the net; the range is empty where no colour can ever be marked.
func (v View) PlaceGroups() [][2]int {
	if v.of == nil {
		return groups(v.Net.Places.Len(), single)
	}
	return groups(v.of.Source.Places.Len(), v.of.PlacesOf)
}

// TransitionGroups is PlaceGroups for transitions.
func (v View) TransitionGroups() [][2]int {
	if v.of == nil {
		return groups(v.Net.Transitions.Len(), single)
	}
	return groups(v.of.Source.Transitions.Len(), v.of.TransitionsOf)
}

func groups(n int, rangeOf func(int) (int, int)) [][2]int {
	list := make([][2]int, n)
	for i := range list {
		list[i][0], list[i][1] = rangeOf(i)
	}
	return list
}
