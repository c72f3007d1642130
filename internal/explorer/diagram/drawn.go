package diagram

import (
	"slices"

	"podium/internal/clock"
	"podium/internal/witness"
)

// Drawn gives the reachable markings, on a space that is known, as a proof holds them; nil where
// they have more edges than most.
func (s *Space) Drawn(c *clock.Clock, most int) *witness.Diagram {
	s.clock = c
	f, edges := s.flat(), 0
	d := &witness.Diagram{Places: s.order}
	for _, n := range slices.Backward(f.nodes) {
		var list []witness.Edge
		for tokens, to := range s.edgesOf(n) {
			number := 0 // the end
			if to != end {
				number = len(f.nodes) - f.index[to]
			}
			list = append(list, witness.Edge{Tokens: uint64(tokens), To: uint32(number)})
		}
		if edges += len(list); edges > most {
			return nil
		}
		d.Nodes = append(d.Nodes, list)
	}
	return d
}
