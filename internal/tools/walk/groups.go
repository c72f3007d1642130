package walk

import (
	"math/big"

	"podium/internal/tools/engine"
	"podium/pnml/unfold"
)

// groups are the places and transitions of a coloured net with what they unfold
// to; on a P/T net each stands for itself.
type groups struct {
	places, transitions   [][]uint32
	ofPlace, ofTransition []uint32 // group of each
}

func newGroups(view unfold.View) *groups {
	g := &groups{places: view.PlaceGroups(), transitions: view.TransitionGroups()}
	g.ofPlace, g.ofTransition = unfold.GroupOf(g.places, view.Net.Places.Len()), unfold.GroupOf(g.transitions, view.Net.Transitions.Len())
	return g
}

// sumsChanged lists the groups of places whose sums a firing with these changes
// alters.
func (g *groups) sumsChanged(changes []change) []uint32 {
	more, less := map[uint32]*big.Int{}, map[uint32]*big.Int{}
	for _, c := range changes {
		side := more
		if c.down {
			side = less
		}
		of := g.ofPlace[c.place]
		if side[of] == nil {
			side[of] = new(big.Int)
		}
		side[of].Add(side[of], new(big.Int).SetUint64(c.amount))
	}
	var list []uint32
	for of, sum := range more {
		if less[of] == nil || sum.Cmp(less[of]) != 0 {
			list = append(list, of)
		}
	}
	for of := range less {
		if more[of] == nil {
			list = append(list, of)
		}
	}
	return list
}

// watchSums makes forms of the sums of groups with several places, for crowded.
// It is false when such a sum is greater than one in the initial marking.
func (g *game) watchSums(of *groups) bool {
	g.heldWith = make([]int, len(g.tokens))
	for p := range g.heldWith {
		g.heldWith[p] = -1
	}
	for _, group := range of.places {
		if len(group) < 2 {
			continue
		}
		form, err := g.addForm(engine.SumOf(group))
		if err != nil || g.forms[form] > 1 {
			return false
		}
		for _, p := range group {
			g.heldWith[p] = form
		}
	}
	return true
}

// crowded reports whether the group of a place holds more than one token.
func (g *game) crowded(place uint32) bool {
	return g.heldWith != nil && g.heldWith[place] >= 0 && g.forms[g.heldWith[place]] > 1
}
