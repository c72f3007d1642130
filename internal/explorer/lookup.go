package explorer

import (
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/pnml"
	"podium/pnml/unfold"
)

// watched is a net, perhaps a reduced one, in the groups of places or transitions
// that an examination without formulas asks about.
type watched struct {
	net                 *pnml.Net
	places, transitions [][]uint32
}

// lookup finds what ids stand for.
type lookup struct {
	view    unfold.View
	clock   *clock.Clock
	reduced *reduce.Reduction // places are those of its net; nil: those of the view
}

func (l *lookup) placesOf(ids []string) ([]uint32, error) {
	places, err := l.view.PlacesOf(ids)
	l.clock.Work(8 * (len(ids) + len(places)))
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
