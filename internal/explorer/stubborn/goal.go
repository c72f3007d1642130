package stubborn

import "podium/internal/explorer/tokens"

// missing puts transitions into the set of which one has to fire before the goal, which
// does not hold, can hold. Where it can do so in several ways it does so in the given one,
// from 0; false says that there are fewer.
func (s *search) missing(g *tokens.Goal, choice int) bool {
	switch g.Kind {
	case tokens.All:
		for _, part := range g.Parts {
			if s.Holds(part) {
				continue
			}
			if choice == 0 {
				return s.missing(part, 0)
			}
			choice--
		}
		return false
	case tokens.None:
		for _, t := range g.Transitions {
			if !s.Fireable(t) {
				continue
			}
			if choice == 0 {
				places, _ := s.Net.Pre.Row(int(t))
				for _, p := range places {
					s.take(s.Takers[p])
				}
				return true
			}
			choice--
		}
		return false
	case tokens.One:
		enough := choice == 0
		for _, part := range g.Parts {
			if s.missing(part, choice) {
				enough = true
			} else {
				s.missing(part, 0)
			}
		}
		return enough
	case tokens.Some:
		for _, t := range g.Transitions {
			if !s.Fireable(t) {
				s.take(s.Makers[s.lack(t)])
			}
		}
	default:
		lowering, _ := s.Lowering(g)
		s.take(lowering)
	}
	return choice == 0
}

// changers marks the transitions that may make the goal true, or those that may break it.
func (s *search) changers(g *tokens.Goal, breaks bool, mark []bool) {
	lowering, _ := s.Lowering(g)
	lists, rows := [][]uint32{lowering}, s.Makers
	if breaks {
		lists[0] = s.Raising(g)
	}
	if breaks == (g.Kind == tokens.Some) {
		rows = s.Takers
	}
	for _, part := range g.Parts {
		s.changers(part, breaks, mark)
	}
	for _, t := range g.Transitions {
		places, _ := s.Net.Pre.Row(int(t))
		for _, p := range places {
			lists = append(lists, rows[p])
		}
	}
	for _, list := range lists {
		s.Clock.Work(8 + len(list))
		for _, t := range list {
			mark[t] = true
		}
	}
}

// lack returns the first place where a disabled transition lacks tokens.
func (s *search) lack(t uint32) uint32 {
	places, weights := s.Net.Pre.Row(int(t))
	k := 0
	for s.At[places[k]] >= weights.At(k) {
		k++
	}
	return places[k]
}
