package directed

import (
	"cmp"
	"math"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/tokens"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// Local decides a CTL formula on the fly: a search through pairs of a part of the formula and a marking stops as soon
// as the value in the initial marking is certain (X. Liu and S. A. Smolka, "Simple linear-time algorithms for minimal
// fixed points", 1998; for Petri nets A. E. Dalsgaard et al., "A distributed fixed-point algorithm for extended
// dependency graphs", 2018). An operator is searched for a path, depth first, and asks for its operands in the markings
// on the way. That there is a path is certain where it is found; that there is none, where a strongly connected
// component of markings is left (R. Tarjan, 1972). Such values are kept. What takes too much effort stays open in this
// turn; the next one makes more, and goes other ways first.
//
// Markings are told apart as they are, so a value needs no replay. show makes a witness, nil where that is too large.
// ok is false where the formula cannot be understood, numbers are too large or the memory, in bytes, is used up.
func Local(c *clock.Clock, view unfold.View, f formula.Formula, memory int) (holds bool, show func() *witness.Branches, ok bool) {
	b, ok := newBranches(c, view, f)
	if !ok {
		return false, nil, false
	}
	n, err := b.node(f, false)
	not, wrong := b.node(f, true)
	if err != nil || wrong != nil {
		return false, nil, false
	}
	s := &local{branches: b, memory: memory, marking: make([]uint64, len(b.At))}
	root := s.judged(n, not)
	b.begin()
	s.add()
	for effort := 4; !s.over; effort = min(2*effort, math.MaxInt32) {
		if v := s.value(root, 0, effort); v != open {
			return v == yes, s.shown, true
		}
		s.turn++
	}
	return false, nil, false
}

// verdict is what is known of a node in a marking.
type verdict int8

const (
	no   verdict = -1
	open verdict = 0
	yes  verdict = 1
)

// judged is a node with what is known of it, by marking.
type judged struct {
	*node
	parts  []*judged
	found  verdict // what one part shows, one marking behind, or a path that is found
	stays  bool    // such a path may go on for ever
	values []verdict
	index  []uint32 // of an operator: when its search met the marking; where there is a value, the rank of that
	needed map[int32]bool
	count  uint32       // of markings that were met
	aim    *tokens.Goal // what a path heads for; nil: anything
}

// local is a search for the value of a formula.
type local struct {
	*branches
	markings tokens.Markings
	rows     [][]step // by marking; nil where it is not known
	nodes    []*judged
	decided  uint32 // how many values of operators
	needed   []decision
	marking  []uint64
	at       int32 // the number of the marking at hand
	memory   int
	used     int // bytes of what is known of them
	ahead    int // a quarter of the bytes of the searches under way, or more
	turn     int
	steps    int
	over     bool // the memory is used up, or numbers are too large
}

// step is a firing, and the marking behind it.
type step struct {
	transition uint32
	to         int32
}

// unknown is the number of a marking that was not met.
const unknown = -1

// decision is the value of an operator in a marking.
type decision struct {
	*judged
	at int32
}

// judged returns a node about which nothing is known; not is its negation.
func (s *local) judged(n, not *node) *judged {
	j := &judged{node: n, found: yes, stays: n.kind == someStay || n.kind == allMeet, needed: map[int32]bool{}}
	s.nodes = append(s.nodes, j)
	for k, part := range n.parts {
		j.parts = append(j.parts, s.judged(part, not.parts[k]))
	}
	switch n.kind {
	case both, allNext, allStay, allMeet:
		j.found = no
	}
	switch n.kind {
	case someWay:
		j.aim = n.parts[1].target
	case allStay:
		j.aim = not.parts[1].target
	}
	return j
}

// add returns the number of the marking at hand.
func (s *local) add() int32 {
	i, fresh := s.markings.Add(s.At)
	s.Clock.Work(64 + len(s.At))
	if s.at = i; !fresh {
		return i
	}
	s.rows = append(s.rows, nil)
	s.used += 24 + 5*len(s.nodes)
	for _, n := range s.nodes {
		n.values, n.index = append(n.values, open), append(n.index, 0)
		if n.kind == marking {
			if n.values[i] = no; s.Distance(n.target) == 0 {
				n.values[i] = yes
			}
		}
	}
	return i
}

// look goes to a marking.
func (s *local) look(m int32) {
	if s.at != m {
		s.markings.Get(m, s.marking)
		s.Set(s.marking)
		s.at = m
	}
}

// row returns the firings from a marking.
func (s *local) row(m int32) []step {
	if s.rows[m] == nil {
		s.look(m)
		row := []step{}
		for _, t := range slices.Sorted(slices.Values(s.Enabled)) {
			row = append(row, step{t, unknown})
		}
		s.rows[m] = row
		s.used += 8 * len(row)
	}
	return s.rows[m]
}

// behind returns the marking behind a firing; unknown when the search is over.
func (s *local) behind(m int32, k int) int32 {
	x := &s.rows[m][k]
	if x.to == unknown && !s.over {
		s.look(m)
		if s.over = !s.Fire(x.transition) || s.markings.Bytes+s.used+4*s.ahead > s.memory; s.over {
			s.Unfire(x.transition)
			return unknown
		}
		x.to = s.add()
	}
	return x.to
}

// ordered returns the firings from a marking, by number, in the order in which the search of a node tries them.
func (s *local) ordered(n *judged, m int32) []int32 {
	row := s.row(m)
	order, distance := make([]int32, len(row)), make([]int64, len(row))
	for k := range order {
		order[k] = int32(k)
	}
	switch turn := s.turn % 4; {
	case turn == 1:
		slices.Reverse(order)
	case turn == 3:
		s.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	case n.aim != nil && len(row)*n.aim.Size() <= mostAimed:
		s.look(m)
		for k, x := range row {
			s.Shift(x.transition, 1)
			distance[k] = s.Distance(n.aim)
			s.Shift(x.transition, -1)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(distance[a], distance[b]) })
	}
	return order
}

// value is what is known of a node in a marking after some effort.
func (s *local) value(n *judged, m int32, effort int) verdict {
	if m == unknown {
		return open
	}
	if v := n.values[m]; v != open {
		return v
	}
	s.Clock.Work(16)
	s.steps++
	switch {
	case n.kind == both || n.kind == either:
		return first(n.parts, n.found, func(part *judged) verdict { return s.value(part, m, effort) })
	case effort == 0:
		return open
	case n.kind == someNext || n.kind == allNext:
		v := first(s.ordered(n, m), n.found, func(k int32) verdict { return s.value(n.parts[0], s.behind(m, int(k)), effort/2) })
		s.decide(n, m, v)
		return v
	}
	return s.search(n, m, effort)
}

// first looks for a value: where there is none, and nothing is open, it returns the other one.
func first[T any](list []T, wanted verdict, value func(T) verdict) verdict {
	result := -wanted
	for _, x := range list {
		switch value(x) {
		case wanted:
			return wanted
		case open:
			result = open
		}
	}
	return result
}

// decide keeps a value.
func (s *local) decide(n *judged, m int32, v verdict) {
	if v != open {
		s.decided++
		n.values[m], n.index[m] = v, s.decided
	}
}

// spot is a marking on the path of a search.
type spot struct {
	at     int32
	row    []int32 // the firings that lead on
	low    uint32  // the first marking that was met of those on the path to which it leads
	unsure bool    // a path from it may exist that is not found
}

// search looks depth first for a path from a marking that decides an operator.
func (s *local) search(n *judged, m int32, effort int) verdict {
	n.count++
	left, end := n.count, s.steps+16*effort // markings that are left without a value have this number, later ones are on the path or lead to it
	var path []spot
	var met []int32 // and not left
	meet := func(m int32) (found bool) {
		n.count++
		n.index[m] = n.count
		met = append(met, m)
		x, goesOn := spot{at: m, low: n.count}, false
		if found, goesOn, x.unsure = s.ends(n, m, effort/4); goesOn {
			x.row = s.ordered(n, m)
			s.ahead += 16 + len(x.row)
		}
		path = append(path, x)
		return found
	}
	defer func(before int) { s.ahead = before }(s.ahead)
	found := meet(m)
	for !found && len(path) > 0 {
		s.Clock.Work(16)
		x := &path[len(path)-1]
		if len(x.row) > 0 {
			to := s.behind(x.at, int(x.row[0]))
			x.row = x.row[1:]
			switch {
			case to == unknown || s.steps > end || n.count-left > uint32(effort):
				return open
			case n.values[to] != open:
				found = n.values[to] == n.found
			case n.index[to] > left:
				found = n.stays
				x.low = min(x.low, n.index[to])
			case n.index[to] == left:
				x.unsure = true
			default:
				s.steps++
				found = meet(to)
			}
			continue
		}
		if x.low == n.index[x.at] {
			for last := int32(-1); last != x.at; {
				last, met = met[len(met)-1], met[:len(met)-1]
				if x.unsure {
					n.index[last] = left
				} else {
					s.decide(n, last, -n.found)
				}
			}
		}
		if path = path[:len(path)-1]; len(path) > 0 {
			before := &path[len(path)-1]
			before.low, before.unsure = min(before.low, x.low), before.unsure || x.unsure
		}
	}
	for _, x := range slices.Backward(path) { // that was found
		s.decide(n, x.at, n.found)
	}
	return n.values[m]
}

// ends tells whether a path that decides an operator ends in a marking, whether it may go on from it, and
// whether it may do so in a way that is not known.
func (s *local) ends(n *judged, m int32, effort int) (found, goesOn, unsure bool) {
	second := n.found * s.value(n.parts[1], m, effort)
	if n.stays == (second != yes) {
		return !n.stays, false, second == open
	}
	first := n.found * s.value(n.parts[0], m, effort)
	unsure = first == open || second == open
	if n.stays == (first == yes) {
		return n.stays, false, unsure
	}
	found = n.stays && len(s.row(m)) == 0
	return found, !found, unsure
}

// shown writes what shows the value in the initial marking as a witness; nil where that is too much.
func (s *local) shown() *witness.Branches {
	s.need(s.nodes[0], 0)
	for k := 0; k < len(s.needed); k++ {
		if s.reasons(s.needed[k].judged, s.needed[k].at); len(s.needed)+len(s.log) > mostEvents/16 {
			return nil
		}
	}
	slices.SortFunc(s.needed, func(a, b decision) int { return cmp.Compare(a.index[a.at], b.index[b.at]) })
	for _, x := range s.needed {
		s.look(x.at)
		s.log = append(s.log, event{held: held{s.Hash, int32(x.part), (x.values[x.at] == yes) != x.holds}})
	}
	s.look(0)
	return s.written()
}

// need notes that the value of a node in a marking is to be shown, where there is one.
func (s *local) need(n *judged, m int32) {
	v := s.value(n, m, 0)
	switch {
	case v == open || n.kind == marking:
	case n.kind == both || n.kind == either:
		for _, part := range n.parts {
			if s.value(part, m, 0) != v {
				continue
			}
			if s.need(part, m); v == n.found {
				return // one is enough
			}
		}
	case !n.needed[m]:
		n.needed[m] = true
		s.needed = append(s.needed, decision{n, m})
	}
}

// reasons notes what shows the value of an operator in a marking.
func (s *local) reasons(n *judged, m int32) {
	v, behind := n.values[m], n.parts[0]
	if n.kind != someNext && n.kind != allNext {
		_, on, _ := s.ends(n, m, 0)
		along := (v == n.found) != n.stays
		for k, part := range n.parts {
			if !on || along == (k == 0) {
				s.need(part, m)
			}
		}
		if !on {
			return
		}
		behind = n
	}
	row := s.rows[m]
	if v == n.found { // one firing is enough: to what was found first
		right := slices.DeleteFunc(slices.Clone(row), func(x step) bool { return s.value(behind, x.to, 0) != v })
		row = []step{slices.MinFunc(right, func(a, b step) int { return cmp.Compare(behind.index[a.to], behind.index[b.to]) })}
	}
	s.look(m)
	from := s.Hash
	for _, x := range row {
		s.need(behind, x.to)
		s.look(x.to)
		s.fires(from, x.transition)
	}
}
