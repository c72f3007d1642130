package explorer

import (
	"fmt"

	"podium/internal/explorer/reduce"
	"podium/pnml"
)

// View is a net as formulas and global properties see it. On a P/T net, ids
// name its places and transitions. On the unfolding of a coloured net, ids name
// groups: a coloured place holds the tokens of all its colours together, and a
// coloured transition is enabled when one of its bindings is.
type View struct {
	Net         *pnml.Net
	Places      []Group // nil: every place by itself
	Transitions []Group // nil: every transition by itself
}

// Group is a coloured place or transition: its id and the indexes of what it
// unfolds to, which may be none.
type Group struct {
	ID      string
	Members []uint32
}

// Plain is the view of a P/T net.
func Plain(net *pnml.Net) View { return View{Net: net} }

// lookup finds what ids stand for.
type lookup struct {
	view               View
	places, transition map[string]int    // index of groups, nil when there are none
	reduced            *reduce.Reduction // places are those of its net; nil: those of the view
}

func newLookup(v View) *lookup {
	return &lookup{view: v, places: indexGroups(v.Places), transition: indexGroups(v.Transitions)}
}

func indexGroups(groups []Group) map[string]int {
	if groups == nil {
		return nil
	}
	index := make(map[string]int, len(groups))
	for i, g := range groups {
		index[g.ID] = i
	}
	return index
}

func (l *lookup) placesOf(ids []string) ([]uint32, error) {
	places, err := collect(ids, "place", l.view.Places, l.places, l.view.Net.Places.Find)
	for i, p := range places {
		places[i] = l.place(p)
	}
	return places, err
}

// place gives the place to look at for an observed place of the view.
func (l *lookup) place(p uint32) uint32 {
	if l.reduced == nil {
		return p
	}
	q, ok := l.reduced.Place(p)
	if !ok {
		panic("explorer: an observed place was removed")
	}
	return q
}

func (l *lookup) transitionsOf(ids []string) ([]uint32, error) {
	return collect(ids, "transition", l.view.Transitions, l.transition, l.view.Net.Transitions.Find)
}

// collect gives the indexes that a set of ids stands for, each once, in the
// order of the ids.
func collect(ids []string, what string, groups []Group, index map[string]int, find func(string) (int, bool)) ([]uint32, error) {
	var all []uint32
	seen := make(map[string]bool, len(ids))
	for _, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if groups == nil {
			i, ok := find(id)
			if !ok {
				return nil, fmt.Errorf("the net has no %s %q", what, id)
			}
			all = append(all, uint32(i))
			continue
		}
		i, ok := index[id]
		if !ok {
			return nil, fmt.Errorf("the net has no %s %q", what, id)
		}
		all = append(all, groups[i].Members...)
	}
	return all, nil
}

// placeGroups gives the groups of places, one place each on a P/T net.
func (v View) placeGroups() [][]uint32 { return members(v.Places, v.Net.Places.Len()) }

// transitionGroups gives the groups of transitions.
func (v View) transitionGroups() [][]uint32 { return members(v.Transitions, v.Net.Transitions.Len()) }

func members(groups []Group, n int) [][]uint32 {
	if groups != nil {
		all := make([][]uint32, len(groups))
		for i, g := range groups {
			all[i] = g.Members
		}
		return all
	}
	ones, all := make([]uint32, n), make([][]uint32, n)
	for i := range n {
		ones[i] = uint32(i)
		all[i] = ones[i : i+1 : i+1]
	}
	return all
}
