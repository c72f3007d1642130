package prover

import (
	"math"

	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/pnml/unfold"
)

// Bound looks for the smallest number of tokens of which it can prove that some places
// together never hold more. ok is false when it finds none. firings say how often each
// transition fires on a way to that number, if there is a way, in fractions.
func Bound(clock *clock.Clock, view unfold.View, places []uint32) (most uint64, proof *witness.Proof, firings []float64, ok bool) {
	net := view.Net
	if net.Places.Len()*net.Transitions.Len() > maxCells {
		return 0, nil, nil, false
	}
	p := &prover{clock: clock, net: net}
	rows := make([][]float64, net.Places.Len())
	for i := range rows {
		rows[i] = make([]float64, net.Transitions.Len())
	}
	p.effects(func(t int, place uint32, by float64) { rows[place][t] -= by })
	bounds, cost := make([]float64, len(rows)), make([]float64, net.Transitions.Len())
	for place, tokens := range net.Initial {
		bounds[place] = float64(tokens)
	}
	initial := 0.0
	for _, place := range places {
		initial += bounds[place]
		for t, by := range rows[place] {
			cost[t] += by
		}
	}
	table := newTableau(rows, bounds, cost)
	if !table.least(clock) {
		return 0, nil, nil, false
	}
	best := initial + table.value
	if best < 0 || best > 1<<50 {
		return 0, nil, nil, false
	}
	most = uint64(math.Floor(best + 1e-4))
	bad, err := certificate.MoreThan(view, places, most)
	if err != nil {
		return 0, nil, nil, false
	}
	proof, _, err = Prove(clock, net, bad)
	return most, proof, table.solution(), err == nil && proof != nil
}
