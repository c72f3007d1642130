package diagram

import (
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
)

// Drawn returns the reachable markings, on a space that is known, as a proof holds them; nil where
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

// Stray returns a reachable marking, on a space that is known, that does not satisfy a formula of one
// marking, where it is not nil, and that has in some place less than each of some needs, by
// places. none says that there is no such marking; without one, and without a marking, it is not
// known.
func (s *Space) Stray(c *clock.Clock, f formula.Formula, needs []map[uint32]uint64) (marking []uint64, none bool) {
	s.clock = c
	s.catch(func() { // an error says that it is not known
		s.tidy()
		rest := s.states
		if f != nil {
			reached, err := s.where(f)
			if err != nil {
				return
			}
			rest = s.minus(rest, reached)
		}
		for _, need := range needs {
			var steps []step
			for p, n := range need {
				if n > 0 { // no reachable marking has more than the most tokens
					steps = append(steps, step{s.levelOf[p], uint32(min(n, maxTokens+1)), 0})
				}
			}
			slices.SortFunc(steps, func(a, b step) int { return int(a.level) - int(b.level) })
			rest = s.minus(rest, s.forward.enabled(s.tails.add(steps), rest))
		}
		if none = rest == empty; none {
			return
		}
		marking = make([]uint64, len(s.order))
		for n := rest; n != end; {
			w := s.words(n)
			marking[s.order[w[0]]], n = uint64(w[2]), Node(w[3])
		}
	})
	return marking, none
}
