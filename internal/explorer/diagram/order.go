package diagram

import (
	"cmp"
	"context"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// rounds bounds the rounds of FORCE.
const rounds = 100

// orders returns orders of the places, from the top of the diagrams down, best ones first:
// those in which the places of a transition stand close together. They are the order of
// the document, the units of the net, and a walk over the net, each improved by FORCE
// (Aloul, Markov and Sakallah, 2003); and a greedy one. Those that are not made when the
// context ends are left out, but not the order of the document.
func orders(ctx context.Context, net *pnml.Net) [][]uint32 {
	document := make([]uint32, net.Places.Len())
	for p := range document {
		document[p] = uint32(p)
	}
	type rated struct {
		order []uint32
		cost  int
	}
	var all []rated
	clock.Until(ctx, func(c *clock.Clock) error { // its end leaves what was made before
		touched := touchedBy(c, net)
		add := func(order []uint32) { all = append(all, rated{order, spans(c, touched, order)}) }
		improved := func(start []uint32) {
			add(start)
			add(force(c, touched, start))
		}
		improved(document)
		improved(walk(c, touched, len(document)))
		if units := byUnits(net); units != nil {
			improved(units)
		}
		if len(document) <= maxGreedy {
			add(greedy(c, net, touched)) // FORCE makes it worse
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b rated) int { return cmp.Compare(a.cost, b.cost) })
	var list [][]uint32
	for _, r := range append(all, rated{order: document}) {
		if !slices.ContainsFunc(list, func(o []uint32) bool { return slices.Equal(o, r.order) }) {
			list = append(list, r.order)
		}
	}
	return list
}

// touchedBy returns the places of each transition.
func touchedBy(c *clock.Clock, net *pnml.Net) [][]uint32 {
	touched := make([][]uint32, net.Transitions.Len())
	for t := range touched {
		takes, _ := net.Pre.Row(t)
		gives, _ := net.Post.Row(t)
		c.Work(16 * (1 + len(takes) + len(gives)))
		touched[t] = slices.Concat(takes, gives)
		slices.Sort(touched[t])
		touched[t] = slices.Compact(touched[t])
	}
	return touched
}

func levels(order []uint32) []uint32 {
	level := make([]uint32, len(order))
	for k, p := range order {
		level[p] = uint32(k)
	}
	return level
}

// spans is the sum of the distances between the first and the last place of the
// transitions.
func spans(c *clock.Clock, touched [][]uint32, order []uint32) (sum int) {
	level := levels(order)
	for _, places := range touched {
		if len(places) == 0 {
			continue
		}
		c.Work(len(places))
		first, last := level[places[0]], level[places[0]]
		for _, p := range places {
			first, last = min(first, level[p]), max(last, level[p])
		}
		sum += int(last - first)
	}
	return sum
}

// force moves every place to the mean of the centres of its transitions, as long as that
// helps.
func force(c *clock.Clock, touched [][]uint32, order []uint32) []uint32 {
	best, least := order, spans(c, touched, order)
	current := slices.Clone(order)
	pull, weight := make([]float64, len(order)), make([]float64, len(order))
	for stale, round := 0, 0; round < rounds && stale < 10; round++ {
		level := levels(current)
		clear(pull)
		clear(weight)
		for _, places := range touched {
			c.Work(2 * len(places))
			sum := 0.0
			for _, p := range places {
				sum += float64(level[p])
			}
			for _, p := range places {
				pull[p] += sum / float64(len(places))
				weight[p]++
			}
		}
		for p := range pull {
			if weight[p] == 0 {
				pull[p], weight[p] = float64(level[p]), 1
			}
			pull[p] /= weight[p]
		}
		slices.SortStableFunc(current, func(a, b uint32) int { return cmp.Compare(pull[a], pull[b]) })
		stale++
		if cost := spans(c, touched, current); cost < least {
			best, least, stale = slices.Clone(current), cost, 0
		}
	}
	return best
}

// walk goes through the places from neighbour to neighbour, those of few transitions
// first, as Cuthill and McKee do.
func walk(c *clock.Clock, touched [][]uint32, places int) []uint32 {
	of := make([][]uint32, places)
	for t, list := range touched {
		c.Work(32 * (1 + len(list)))
		for _, p := range list {
			of[p] = append(of[p], uint32(t))
		}
	}
	few := func(a, b uint32) int { return cmp.Or(cmp.Compare(len(of[a]), len(of[b])), cmp.Compare(a, b)) }
	starts := make([]uint32, places)
	for p := range starts {
		starts[p] = uint32(p)
	}
	slices.SortFunc(starts, few)
	met, used := make([]bool, places), make([]bool, len(touched))
	order := make([]uint32, 0, places)
	for _, start := range starts {
		if met[start] {
			continue
		}
		met[start] = true
		order = append(order, start)
		for head := len(order) - 1; head < len(order); head++ {
			from := len(order)
			for _, t := range of[order[head]] {
				if used[t] {
					continue
				}
				used[t] = true
				for _, p := range touched[t] {
					if !met[p] {
						met[p] = true
						order = append(order, p)
					}
				}
			}
			slices.SortFunc(order[from:], few)
		}
	}
	return order
}

// maxGreedy bounds the places for which greedy is asked.
const maxGreedy = 2000

// greedy adds one place after the other: that whose transitions have the greatest part of
// their places in the order already (Noack, "A ZBDD package for efficient model checking
// of Petri nets", 1999).
func greedy(c *clock.Clock, net *pnml.Net, touched [][]uint32) []uint32 {
	places, transitions := net.Places.Len(), net.Transitions.Len()
	takers, givers := make([][]uint32, places), make([][]uint32, places)
	size, placed := make([][2]int, transitions), make([][2]int, transitions)
	for t := range uint32(transitions) {
		takes, _ := net.Pre.Row(int(t))
		gives, _ := net.Post.Row(int(t))
		for _, p := range takes {
			takers[p] = append(takers[p], t)
		}
		for _, p := range gives {
			givers[p] = append(givers[p], t)
		}
		size[t] = [2]int{max(len(takes), 1), max(len(gives), 1)}
	}
	share := func(t uint32, side int, none, factor float64) float64 {
		if placed[t][side] == 0 {
			return none / float64(size[t][side])
		}
		return factor * float64(placed[t][side]) / float64(size[t][side])
	}
	weight := func(p int) (sum float64) {
		c.Work(16 * (1 + len(givers[p]) + len(takers[p])))
		for _, t := range givers[p] {
			sum += share(t, 0, 0.1, 1) + share(t, 1, 0, 2)
		}
		for _, t := range takers[p] {
			sum += share(t, 1, 0.1, 1) + share(t, 0, 0.2, 2)
		}
		return sum / float64(max(1, len(givers[p])+len(takers[p])))
	}
	order, done := make([]uint32, 0, places), make([]bool, places)
	weights, stale := make([]float64, places), slices.Repeat([]bool{true}, places)
	for len(order) < places {
		best := -1
		c.Work(2 * places)
		for p := range places {
			if done[p] {
				continue
			}
			if stale[p] {
				weights[p], stale[p] = weight(p), false
			}
			if best < 0 || weights[p] > weights[best] {
				best = p
			}
		}
		done[best] = true
		order = append(order, uint32(best))
		place := func(list []uint32, side int) {
			for _, t := range list {
				placed[t][side]++
				c.Work(2 * len(touched[t]))
				for _, p := range touched[t] {
					stale[p] = true
				}
			}
		}
		place(takers[best], 0)
		place(givers[best], 1)
	}
	return order
}

// byUnits lists the places unit by unit, nil without units. Whatever the section says, the
// list has each place once.
func byUnits(net *pnml.Net) []uint32 {
	if net.NUPN == nil || net.NUPN.Root < 0 || net.NUPN.Root >= len(net.NUPN.Units) {
		return nil
	}
	listed, visited := make([]bool, net.Places.Len()), make([]bool, len(net.NUPN.Units))
	var order []uint32
	add := func(p int) {
		if p >= 0 && p < len(listed) && !listed[p] {
			listed[p] = true
			order = append(order, uint32(p))
		}
	}
	var visit func(u int)
	visit = func(u int) {
		if u < 0 || u >= len(visited) || visited[u] {
			return
		}
		visited[u] = true
		for _, p := range net.NUPN.Units[u].Places {
			add(int(p))
		}
		for _, below := range net.NUPN.Units[u].Subunits {
			visit(below)
		}
	}
	visit(net.NUPN.Root)
	for p := range listed {
		add(p)
	}
	return order
}
