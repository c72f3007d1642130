package explorer

import (
	"fmt"
	"slices"

	"podium/examinations"
	"podium/internal/explorer/check"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/space"
)

func (d *decision) stateSpace() {
	s := d.newSearch(nil, false)
	s.EndUnbounded = true
	s.Run(d.searching)
	items := examinations.StateSpaceItems
	switch s.Stop() {
	case space.Unbounded:
		for _, item := range items {
			d.prove(item, examinations.Infinite, func() *Witness { return coveringWitness(s.Unbounded()) })
		}
	case space.Complete:
		for i, text := range []string{fmt.Sprint(s.States()), fmt.Sprint(s.Edges()), fmt.Sprint(s.MaxInPlace()), s.MaxPerMarking()} {
			d.say(items[i], examinations.Value{Kind: examinations.Nat, Text: text})
		}
	}
}

func (d *decision) deadlock() {
	o := &deadlock{}
	complete := d.run(o, nil)
	d.global(o.found, o.marked, true, complete)
}

func (d *decision) oneSafe() {
	o := &unsafeMarking{groups: d.places, plain: !d.view.Coloured()}
	complete := d.run(o, nil)
	d.global(o.found, o.marked, false, complete)
}

func (d *decision) stableMarking() {
	o := newStable(d.watched)
	changing := Changing(d.clock, d.net, d.places)
	if o.left == 0 || slices.ContainsFunc(changing, none) {
		d.truth(o.left > 0)
		return
	}
	complete := d.run(o, func(c *cover.Graph) bool {
		if !allFired(c, changing) {
			d.truth(true)
			return true
		}
		return d.searchWitness(examinations.False, &o.witnessSearch)
	})
	switch {
	case o.left == 0:
		d.prove(string(d.exam), examinations.False, func() *Witness { return o.witness(d.search.Space, d.watched) })
	case complete:
		d.truth(true)
	}
	d.endWitnessSearch(&o.witnessSearch)
}

func (d *decision) quasiLiveness() {
	o := newFiring(d.watched)
	if o.left == 0 || impossible(d.watched) {
		d.truth(o.left == 0)
		return
	}
	complete := d.run(o, func(c *cover.Graph) bool {
		if !allFired(c, d.transitions) {
			d.truth(false)
			return true
		}
		return d.searchWitness(examinations.True, &o.witnessSearch)
	})
	switch {
	case o.left == 0:
		d.prove(string(d.exam), examinations.True, func() *Witness { return o.witness(d.search.Space, d.watched) })
	case complete:
		d.truth(false)
	}
	d.endWitnessSearch(&o.witnessSearch)
}

// liveness: a transition is live when it can be fired again from every
// reachable marking, that is, when it fires in every bottom component.
func (d *decision) liveness() {
	if len(d.transitions) == 0 || impossible(d.watched) {
		d.truth(len(d.transitions) == 0)
		return
	}
	o := &deadlock{}
	s := d.newSearch(o, true)
	refuted := func() (found bool, err error) {
		err = check.Bottoms(s.Space, func(members []uint32) bool {
			found = !allFire(s.Space, d.transitions, members)
			return !found
		})
		return found, err
	}
	s.OnCovering = d.coverable(func(c *cover.Graph) bool {
		if !allFired(c, d.transitions) {
			d.truth(false)
		}
		return len(d.waiting) == 0
	})
	s.OnPause = func() bool {
		found, _ := refuted()
		return found
	}
	s.Run(d.searching)
	switch {
	case o.found:
		d.reached(string(d.exam), examinations.False, o.marked)
		return
	case s.Stop() == space.Enough:
		d.truth(false)
		return
	case s.Lost():
		return
	}
	if found, err := refuted(); found || err == nil && s.Complete() {
		d.truth(!found)
	}
}

// allFire reports whether every group has a transition that is enabled in one of
// the markings.
func allFire(s *space.Space, groups [][]uint32, markings []uint32) bool {
	fires := make([]bool, s.Net().Transitions.Len())
	for _, i := range markings {
		s.AddFireable(s.At(i), fires)
	}
	return everyGroup(groups, func(t uint32) bool { return fires[t] })
}

// everyGroup reports whether every group has a transition that is wanted.
func everyGroup(groups [][]uint32, wanted func(t uint32) bool) bool {
	return !slices.ContainsFunc(groups, func(ts []uint32) bool { return !slices.ContainsFunc(ts, wanted) })
}

// allFired reports whether every group has a transition that can fire.
func allFired(c *cover.Graph, groups [][]uint32) bool {
	return everyGroup(groups, func(t uint32) bool { return c.Fired[t] })
}
