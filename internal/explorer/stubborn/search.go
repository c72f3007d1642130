// Package stubborn decides formulas of LTL, see [Linear], and leaves out firings that cannot
// matter: in each marking it follows only the enabled transitions of a stubborn set
// (A. Valmari, "Stubborn sets for reduced state space generation", 1989; for a goal: K. Schmidt,
// "Stubborn sets for standard properties", 1999). A set has the transitions of which one must
// fire before a goal can hold, with each enabled transition all that share an input place with
// it, and with each disabled one all that add to a place where it lacks tokens. The first
// transition of the set on a shortest way to the goal can then be fired first, so that some
// shortest way is always kept.
package stubborn

import (
	"errors"
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Result says how a search ended.
type Result struct {
	Found    bool
	Run      []uint32 // to the cycle of a run
	Cycle    []uint32 // empty where the run ends in a dead marking
	Markings int      // that were visited
	Bytes    int      // that they took, about
}

// ErrMemory says that the markings took more than the memory that was given.
var ErrMemory = errors.New("the markings take too much memory")

// search is a search under way, in a marking.
type search struct {
	*tokens.Game
	markings tokens.Markings // that were visited
	marking  []uint64
	enabled  []uint32 // ascending
	in       []bool   // the set at hand
	members  []uint32
	live     int // how many of them are enabled
}

// newSearch returns a search in the initial marking.
func newSearch(c *clock.Clock, view unfold.View) (*search, error) {
	for _, arcs := range []*pnml.Arcs{&view.Net.Pre, &view.Net.Post} {
		for k := range uint32(arcs.Len()) {
			if arcs.WeightAt(k) >= tokens.MaxTokens {
				return nil, tokens.ErrGoal
			}
		}
	}
	g, ok := tokens.NewGame(c, view.Net)
	if !ok {
		return nil, tokens.ErrGoal
	}
	g.Begin()
	return &search{Game: g, marking: make([]uint64, len(g.At)), in: make([]bool, len(g.Lacks))}, nil
}

// mostTries is the number of sets that are made for a marking, to take the least.
const mostTries = 16

// look goes to a marking.
func (s *search) look(number int32) {
	s.markings.Get(number, s.marking)
	s.Set(s.marking)
	s.enabled = append(s.enabled[:0], s.Enabled...)
	slices.Sort(s.enabled)
}

// toGoal returns the enabled transitions of a stubborn set of the marking at hand, where a
// goal does not hold: of several sets, one with the fewest. None may be in breaks, which may
// be nil; false says that there is no such set.
func (s *search) toGoal(g *tokens.Goal, breaks []bool) (best []uint32, ok bool) {
	fewest := len(s.in) + 1
	for choice := 0; choice < mostTries && fewest > 1; choice++ {
		s.empty()
		if !s.missing(g, choice) {
			break
		}
		if s.close(fewest, nil) {
			set := s.ofSet()
			if breaks == nil || !slices.ContainsFunc(set, func(t uint32) bool { return breaks[t] }) {
				fewest, best, ok = s.live, set, true
			}
		}
	}
	return best, ok
}

// empty begins another set.
func (s *search) empty() {
	for _, t := range s.members {
		s.in[t] = false
	}
	s.members, s.live = s.members[:0], 0
}

// ofSet returns the members that are enabled.
func (s *search) ofSet() []uint32 {
	return slices.DeleteFunc(slices.Clone(s.members), func(t uint32) bool { return !s.Fireable(t) })
}

// close adds what the members of the set ask for: with an enabled transition of a list, which
// may be nil, the whole list. false says that not fewer than some of them are enabled.
func (s *search) close(fewest int, together *group) bool {
	for k := 0; k < len(s.members); k++ {
		if s.live >= fewest {
			return false
		}
		t := s.members[k]
		s.Clock.Work(16)
		if !s.Fireable(t) {
			s.take(s.Makers[s.scapegoat(t)])
			continue
		}
		if together != nil && together.has[t] {
			s.take(together.all)
		}
		places, _ := s.Net.Pre.Row(int(t))
		for _, p := range places {
			if _, takes := slices.BinarySearch(s.Takers[p], t); takes {
				s.Clock.Work(len(s.Users[p]))
				for _, u := range s.Users[p] {
					s.include(u.Transition)
				}
			} else { // others that leave the tokens there go before or after it
				s.take(s.Takers[p])
			}
		}
	}
	return s.live < fewest
}

// group is a set of transitions.
type group struct {
	all []uint32
	has []bool // by transition
}

// scapegoat returns, of the places where a disabled transition lacks tokens, one to which the
// fewest transitions add.
func (s *search) scapegoat(t uint32) (best uint32) {
	places, weights := s.Net.Pre.Row(int(t))
	fewest := len(s.in) + 1
	for k, p := range places {
		if s.At[p] < weights.At(k) && len(s.Makers[p]) < fewest {
			best, fewest = p, len(s.Makers[p])
		}
	}
	return best
}

// take puts transitions into the set.
func (s *search) take(list []uint32) {
	s.Clock.Work(len(list))
	for _, t := range list {
		s.include(t)
	}
}

func (s *search) include(t uint32) {
	if !s.in[t] {
		s.in[t] = true
		s.members = append(s.members, t)
		if s.Fireable(t) {
			s.live++
		}
	}
}
