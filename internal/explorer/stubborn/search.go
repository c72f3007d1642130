// Package stubborn looks for a marking that satisfies a formula, and leaves out firings
// that cannot matter: in each marking it follows only the enabled transitions of a
// stubborn set (A. Valmari, "Stubborn sets for reduced state space generation", 1989; for
// a goal: K. Schmidt, "Stubborn sets for standard properties", 1999). A set has the
// transitions of which one must fire before the goal can hold, with each enabled
// transition all that share an input place with it, and with each disabled one all that
// add to a place where it lacks tokens. The first transition of the set on a shortest way
// to the goal can then be fired first, so that some shortest way is always kept.
package stubborn

import (
	"encoding/binary"
	"errors"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Result says how a search ended.
type Result struct {
	Found    bool
	Run      []uint32 // to a marking that satisfies the formula
	Markings int      // that were visited
	Bytes    int      // that they took, about
}

// ErrMemory says that the markings took more than the memory that was given.
var ErrMemory = errors.New("the markings take too much memory")

// Search looks for a reachable marking that satisfies a formula without temporal
// operators. Without an error, a marking that is not found does not exist.
func Search(c *clock.Clock, view unfold.View, f formula.Formula, memory int) (Result, error) {
	s, err := newSearch(c, view, f)
	if err != nil {
		return Result{}, err
	}
	index := map[string]bool{}
	var markings []string
	var parents []parent
	var key []byte
	used := 0
	add := func(p parent) {
		key = appendMarking(key[:0], s.at)
		if !index[string(key)] {
			text := string(key)
			index[text] = true
			markings, parents = append(markings, text), append(parents, p)
			used += len(key) + 96
		}
	}
	add(parent{})
	for i := 0; i < len(markings); i++ {
		decode(markings[i], s.at)
		c.Work(64 + len(s.at))
		if s.goal.holds(s) {
			return Result{true, runTo(parents, i), len(markings), used}, nil
		}
		if used > memory {
			return Result{Markings: len(markings), Bytes: used}, ErrMemory
		}
		for _, t := range s.set() {
			fits := s.fire(t)
			if fits {
				add(parent{int32(i), t})
			}
			s.unfire(t)
			if !fits {
				return Result{Markings: len(markings), Bytes: used}, ErrMemory
			}
		}
	}
	return Result{Markings: len(markings), Bytes: used}, nil
}

// parent is where a marking was found from.
type parent struct {
	marking    int32
	transition uint32
}

func runTo(parents []parent, i int) (run []uint32) {
	for ; i > 0; i = int(parents[i].marking) {
		run = append(run, parents[i].transition)
	}
	slices.Reverse(run)
	return run
}

// search is a search under way, in a marking.
type search struct {
	clock   *clock.Clock
	net     *pnml.Net
	goal    *goal
	at      []uint64
	users   [][]uint32 // by place: transitions that need tokens of it
	adders  [][]uint32 // those that leave more on it
	takers  [][]uint32 // those that leave less on it
	ready   []bool     // by transition: it is enabled
	in      []bool     // the set at hand
	members []uint32
	live    int // how many of them are enabled
}

func newSearch(c *clock.Clock, view unfold.View, f formula.Formula) (*search, error) {
	net := view.Net
	n := net.Places.Len()
	s := &search{clock: c, net: net, at: make([]uint64, n), users: make([][]uint32, n), adders: make([][]uint32, n), takers: make([][]uint32, n), in: make([]bool, net.Transitions.Len()), ready: make([]bool, net.Transitions.Len())}
	copy(s.at, net.Initial)
	if slices.ContainsFunc(net.Initial, func(n uint64) bool { return n > maxTokens }) {
		return nil, errFormula
	}
	for t := range uint32(net.Transitions.Len()) {
		c.Work(64)
		places, weights := net.Pre.Row(int(t))
		gives, more := net.Post.Row(int(t))
		for k := range max(len(places), len(gives)) {
			if k < len(places) && weights.At(k) > maxTokens || k < len(gives) && more.At(k) > maxTokens {
				return nil, errFormula
			}
		}
		for _, p := range places {
			s.users[p] = append(s.users[p], t)
		}
		for p, by := range effect(net, t) {
			if by > 0 {
				s.adders[p] = append(s.adders[p], t)
			} else if by < 0 {
				s.takers[p] = append(s.takers[p], t)
			}
		}
	}
	var err error
	s.goal, err = newGoal(s, view, f, false)
	return s, err
}

// effect is what a firing adds to places.
func effect(net *pnml.Net, t uint32) map[uint32]int64 {
	change := map[uint32]int64{}
	places, weights := net.Pre.Row(int(t))
	for k, p := range places {
		change[p] -= int64(weights.At(k))
	}
	places, weights = net.Post.Row(int(t))
	for k, p := range places {
		change[p] += int64(weights.At(k))
	}
	return change
}

// mostTries is the number of sets that are made for a marking, to take the least.
const mostTries = 16

// set gives the enabled transitions of a stubborn set of the marking at hand, where the
// goal does not hold: of several sets, one with the fewest.
func (s *search) set() (best []uint32) {
	for t := range s.ready {
		s.ready[t] = s.enabled(uint32(t))
	}
	s.clock.Work(16 * len(s.ready))
	fewest := len(s.ready) + 1
	for choice := 0; choice < mostTries && fewest > 1; choice++ {
		for _, t := range s.members {
			s.in[t] = false
		}
		s.members, s.live = s.members[:0], 0
		if !s.goal.missing(s, choice) {
			break
		}
		if s.close(fewest) {
			fewest, best = s.live, slices.DeleteFunc(slices.Clone(s.members), func(t uint32) bool { return !s.ready[t] })
		}
	}
	return best
}

// close adds what the members of the set ask for; false says that not fewer than some of
// them are enabled.
func (s *search) close(fewest int) bool {
	for k := 0; k < len(s.members); k++ {
		if s.live >= fewest {
			return false
		}
		t := s.members[k]
		s.clock.Work(16)
		if !s.ready[t] {
			s.take(s.adders[s.scapegoat(t)])
			continue
		}
		places, _ := s.net.Pre.Row(int(t))
		for _, p := range places {
			if _, takes := slices.BinarySearch(s.takers[p], t); takes {
				s.take(s.users[p])
			} else { // others that leave the tokens there go before or after it
				s.take(s.takers[p])
			}
		}
	}
	return s.live < fewest
}

// scapegoat gives, of the places where a disabled transition lacks tokens, one to which the
// fewest transitions add.
func (s *search) scapegoat(t uint32) (best uint32) {
	places, weights := s.net.Pre.Row(int(t))
	fewest := len(s.ready) + 1
	for k, p := range places {
		if s.at[p] < weights.At(k) && len(s.adders[p]) < fewest {
			best, fewest = p, len(s.adders[p])
		}
	}
	return best
}

// take puts transitions into the set.
func (s *search) take(list []uint32) {
	s.clock.Work(len(list))
	for _, t := range list {
		if !s.in[t] {
			s.in[t] = true
			s.members = append(s.members, t)
			if s.ready[t] {
				s.live++
			}
		}
	}
}

// lack gives the first place where a transition lacks tokens.
func (s *search) lack(t uint32) (uint32, bool) {
	places, weights := s.net.Pre.Row(int(t))
	for k, p := range places {
		if s.at[p] < weights.At(k) {
			return p, true
		}
	}
	return 0, false
}

func (s *search) enabled(t uint32) bool {
	_, lacks := s.lack(t)
	return !lacks
}

// maxTokens is the largest number of tokens in a place.
const maxTokens = 1 << 31

// fire tells whether the numbers of tokens stay small.
func (s *search) fire(t uint32) bool {
	s.move(t, &s.net.Pre, &s.net.Post)
	places, _ := s.net.Post.Row(int(t))
	return !slices.ContainsFunc(places, func(p uint32) bool { return s.at[p] > maxTokens })
}

// unfire takes a firing back.
func (s *search) unfire(t uint32) { s.move(t, &s.net.Post, &s.net.Pre) }

// move takes the tokens of a transition from the places of one side, and puts those of the
// other there; no arc has more than 2^31 tokens.
func (s *search) move(t uint32, from, to *pnml.Arcs) {
	places, weights := from.Row(int(t))
	for k, p := range places {
		s.at[p] -= weights.At(k)
	}
	places, weights = to.Row(int(t))
	for k, p := range places {
		s.at[p] += weights.At(k)
	}
}

// appendMarking writes a marking.
func appendMarking(key []byte, m []uint64) []byte {
	last := 0
	for p, n := range m {
		if n > 0 {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p-last)), n)
			last = p
		}
	}
	return key
}

func decode(text string, m []uint64) {
	clear(m)
	p := 0
	for rest := []byte(text); len(rest) > 0; {
		step, k := binary.Uvarint(rest)
		n, l := binary.Uvarint(rest[k:])
		p += int(step)
		m[p] = n
		rest = rest[k+l:]
	}
}
