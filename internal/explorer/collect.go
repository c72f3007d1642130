package explorer

import (
	"slices"

	"podium/examinations"
	"podium/internal/explorer/space"
	"podium/internal/explorer/tokens"
)

// maxWitness bounds the firings of a witness of several runs.
const maxWitness = 1 << 24

// collection makes one witness of several runs.
type collection struct {
	runs   [][]uint32
	length int
}

func (g *collection) add(run []uint32) {
	if g.length += len(run); g.length <= maxWitness {
		g.runs = append(g.runs, run)
	}
}

// witness is nil when the runs are too long.
func (g *collection) witness() *Witness {
	switch {
	case g.length > maxWitness:
		return nil
	case len(g.runs) == 0:
		return &Witness{}
	}
	return &Witness{Stem: g.runs[0], Further: g.runs[1:]}
}

// witnessSearch is a search that goes on, to find a witness, when the answer is known.
type witnessSearch struct {
	value examinations.Value // the answer, zero when it is not known
	last  uint32             // the marking at which the search ends
}

func (a *witnessSearch) over(i uint32) bool { return a.last > 0 && i >= a.last }

// searchWitness takes an answer that the coverability graph proves, and reports whether
// the search is over. Where a witness is wanted, it goes on for a while.
func (d *decision) searchWitness(v examinations.Value, a *witnessSearch) bool {
	if !d.opt.Witnesses {
		d.say(string(d.exam), v)
		return true
	}
	a.value, a.last = v, uint32(min(2*d.search.States()+1<<18, space.MaxMarkings))
	return false
}

// endWitnessSearch gives the answer that searchWitness has put off, when no witness was
// found.
func (d *decision) endWitnessSearch(a *witnessSearch) {
	if !a.value.IsZero() {
		d.say(string(d.exam), a.value)
	}
}

// witness returns runs on which all groups fire; nil where a place gets more tokens than can be
// counted by the last firing of one.
func (f *firing) witness(s *space.Space, w watched) *Witness {
	var all collection
	fired := make([]bool, len(f.waiting))
	for k, i := range slices.Backward(f.from) {
		if !slices.ContainsFunc(f.groupsOf[f.by[k]], func(g uint32) bool { return !fired[g] }) {
			continue
		}
		run := append(s.RunTo(i), f.by[k])
		s.Clock.Work(8 * len(run))
		if _, err := tokens.Replay(w.net, run); err != nil {
			return nil
		}
		for _, t := range run {
			for _, g := range f.groupsOf[t] {
				fired[g] = true
			}
		}
		all.add(run)
	}
	return all.witness()
}

// witness returns runs on which all groups of places change.
func (c *stable) witness(s *space.Space, w watched) *Witness {
	var all collection
	again := newStable(w)
	again.Prepare(&s.View)
	m, packed := make([]uint64, len(w.net.Initial)), make([]uint64, s.Layout.Words)
	for _, i := range slices.Backward(c.in) {
		before, run := again.left, s.RunTo(i)
		copy(m, w.net.Initial)
		for _, t := range run {
			s.Clock.Work(len(m))
			tokens.Fire(w.net, int(t), m)
			s.Layout.Pack(m, packed)
			again.Found(0, packed)
		}
		if again.left < before {
			all.add(run)
		}
	}
	return all.witness()
}
