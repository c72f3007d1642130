package explorer

import "podium/pnml/unfold"

// Coloured is the view of a symmetric net through its unfolding. The four
// values of StateSpace are counted on the unfolding; a place of a formula or a
// global property is a coloured place with the tokens of all its colours, a
// transition a coloured transition with all its bindings.
func Coloured(u *unfold.Unfolding) View {
	v := View{Net: u.Net, Places: []Group{}, Transitions: []Group{}}
	for p := range u.Source.Places.Len() {
		from, to := u.PlacesOf(p)
		v.Places = append(v.Places, Group{u.Source.Places.At(p), interval(from, to)})
	}
	for t := range u.Source.Transitions.Len() {
		from, to := u.TransitionsOf(t)
		v.Transitions = append(v.Transitions, Group{u.Source.Transitions.At(t), interval(from, to)})
	}
	return v
}

func interval(from, to int) []uint32 {
	all := make([]uint32, 0, to-from)
	for i := from; i < to; i++ {
		all = append(all, uint32(i))
	}
	return all
}
