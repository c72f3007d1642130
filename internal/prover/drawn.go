package prover

import (
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
)

// Drawn is the reachable markings of a net as a diagram. Ways back are then shown by it.
type Drawn struct {
	Set *witness.Diagram
	// Stray returns a reachable marking that does not satisfy a formula of one marking, where it is
	// not nil, and that has in some place less than each of some needs, by places. none says that
	// there is no such marking; without one, and without a marking, nobody knows. Several
	// searches may call it.
	Stray func(c *clock.Clock, f formula.Formula, needs []map[uint32]uint64) (marking []uint64, none bool)
}

// Use takes the reachable markings, for all searches that begin later.
func (n *Net) Use(d *Drawn) { n.drawn.Store(d) }

// outside closes a case by the only diagram of a proof.
var outside = witness.Step{Kind: witness.Outside}

// stray returns a reachable marking that is not the goal and has no move; none says that there is
// none, as the only diagram of the proof shows.
func (b *back) stray() (marking []uint64, none bool) {
	drawn := b.drawn.Load()
	if drawn == nil {
		return nil, false
	}
	if b.proof.Diagrams == nil {
		if b.walk.Draw(drawn.Set) != nil {
			return nil, false
		}
		b.proof.Diagrams = []*witness.Diagram{drawn.Set}
	}
	var needs []map[uint32]uint64
	if b.goal.Formula == nil {
		home := map[uint32]uint64{}
		for p, n := range b.net.Initial {
			home[uint32(p)] = n
		}
		needs = append(needs, home)
	}
	for _, list := range b.needs {
		move := map[uint32]uint64{}
		for _, e := range list {
			move[e.Place] = e.Pre
		}
		needs = append(needs, move)
	}
	return drawn.Stray(b.clock, b.goal.Formula, needs)
}

// dropDiagrams leaves out diagrams that no step needs.
func (p *Prover) dropDiagrams() {
	if !slices.ContainsFunc(p.proof.Trees, func(t witness.Tree) bool {
		return slices.ContainsFunc(t.Steps, func(s witness.Step) bool { return s.Kind == witness.Outside })
	}) {
		p.proof.Diagrams = nil
	}
}
