package state

import (
	"podium/internal/clock"
	"podium/internal/explorer/reduce"
	"podium/pnml/unfold"
)

// Lookup finds the places and transitions that the ids of a formula stand for.
type Lookup struct {
	View    unfold.View
	Clock   *clock.Clock      // counts the work; nil when nobody ends it
	Reduced *reduce.Reduction // nil: places and transitions are those of the view, else those of its net
}

// PlacesOf lists the places that some ids stand for. Its error names an unknown id.
func (l *Lookup) PlacesOf(ids []string) ([]uint32, error) {
	places, err := l.View.PlacesOf(ids)
	l.Clock.Work(8 * (len(ids) + len(places)))
	for i, p := range places {
		places[i] = l.place(p)
	}
	return places, err
}

// place returns the place to look at for an observed place of the view.
func (l *Lookup) place(p uint32) uint32 {
	if l.Reduced == nil {
		return p
	}
	q, ok := l.Reduced.Place(p)
	if !ok {
		panic("state: an observed place was removed")
	}
	return q
}
