package prover

import (
	"math"

	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
)

// Bound looks for the smallest number of tokens of which it can prove that some places
// together never hold more. ok is false when it finds none. firings say how often each
// transition fires on a way to that number, if there is a way, in fractions.
func (n *Net) Bound(clock *clock.Clock, places []uint32) (most uint64, proof *witness.Proof, firings []float64, ok bool) {
	p := n.Begin(clock)
	initial := 0.0
	for _, place := range places {
		initial += float64(n.net.Initial[place])
	}
	best := math.Inf(1)
	for p.part = range p.parts(places, 0, maxCells) {
		before := best
		if more, way := p.most(places); more >= 0 && initial+more < best {
			best, firings = initial+more, way
		}
		if best < initial+1.5 || !math.IsInf(before, 1) && best > before-0.5 {
			break // a larger part is not worth the time
		}
	}
	if best < 0 || best > 1<<50 {
		return 0, nil, nil, false
	}
	most = uint64(math.Floor(best + 1e-4))
	bad, err := certificate.MoreThan(places, most)
	if err != nil {
		return 0, nil, nil, false
	}
	result, err := n.Prove(clock, bad)
	return most, result.Proof, firings, err == nil && result.Proof != nil
}

// most returns how many tokens firings can add to some places, as far as the part at hand
// says, and these firings; -1 when it says nothing.
func (p *Prover) most(places []uint32) (more float64, firings []float64) {
	rows := make([][]float64, len(p.part.places))
	for i := range rows {
		p.clock.Work(len(p.part.transitions))
		rows[i] = make([]float64, len(p.part.transitions))
	}
	for k, t := range p.part.transitions {
		p.effect(t, func(place uint32, by float64) {
			if at := p.part.column[place]; at >= 0 {
				rows[at][k] -= by
			}
		})
	}
	bounds, cost := make([]float64, len(rows)), make([]float64, len(p.part.transitions))
	for k, place := range p.part.places {
		bounds[k] = float64(p.net.Initial[place])
	}
	for _, place := range places {
		p.clock.Work(len(cost))
		for t, by := range rows[p.part.column[place]] {
			cost[t] += by
		}
	}
	table := newTableau(rows, bounds, cost)
	if !table.least(p.clock) {
		return -1, nil
	}
	firings = make([]float64, p.net.Transitions.Len())
	for k, x := range table.solution() {
		firings[p.part.transitions[k]] = x
	}
	return table.value, firings
}
