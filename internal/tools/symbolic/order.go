package symbolic

import (
	"cmp"
	"slices"

	"podium/pnml"
)

// ordering is a static order of the places.
type ordering struct {
	level []uint32 // place -> level
	place []int    // level -> place
	moved bool     // another order than that of the document
	nupn  bool     // the units of the net were used
}

// forceRounds limits the rounds of the FORCE heuristic.
const forceRounds = 60

// orderPlaces chooses an order in which the places of a transition stand close
// together: the candidates are the document's order, the order of a traversal
// of the NUPN units, and a breadth-first order over the net, each as it is and
// improved by FORCE (Aloul, Markov, Sakallah 2003); the smallest sum of spans
// over all transitions wins. The choice decides speed only.
func orderPlaces(net *pnml.Net) ordering {
	edges := supports(net)
	document := make([]int, net.Places.Len())
	for p := range document {
		document[p] = p
	}
	best := ordering{place: document}
	least := spans(edges, best.place)
	try := func(place []int, nupn bool) {
		for _, candidate := range [][]int{place, force(edges, place)} {
			if cost := spans(edges, candidate); cost < least {
				least = cost
				best = ordering{place: candidate, moved: true, nupn: nupn}
			}
		}
	}
	try(document, false)
	try(breadthFirst(net, edges), false)
	if units := unitOrder(net); units != nil {
		try(units, true)
	}
	best.level = positions(best.place)
	return best
}

// supports gives for every transition the places it touches.
func supports(net *pnml.Net) [][]int {
	edges := make([][]int, net.Transitions.Len())
	for t := range edges {
		for _, arcs := range []*pnml.Arcs{&net.Pre, &net.Post} {
			places, _ := arcs.Row(t)
			for _, p := range places {
				edges[t] = append(edges[t], int(p))
			}
		}
		slices.Sort(edges[t])
		edges[t] = slices.Compact(edges[t])
	}
	return edges
}

func positions(place []int) []uint32 {
	level := make([]uint32, len(place))
	for k, p := range place {
		level[p] = uint32(k)
	}
	return level
}

// spans is the sum over all transitions of the distance between the first and
// the last place they touch, first in the order counting a little: events that
// begin low are cheap for saturation.
func spans(edges [][]int, place []int) int64 {
	level := positions(place)
	sum := int64(0)
	for _, e := range edges {
		if len(e) == 0 {
			continue
		}
		first, last := level[e[0]], level[e[0]]
		for _, p := range e {
			first, last = min(first, level[p]), max(last, level[p])
		}
		sum += int64(last - first)
	}
	return sum
}

// force moves every place to the mean of the centres of its transitions until
// the sum of spans falls no more. Positions are in 1/4096 of a level.
func force(edges [][]int, place []int) []int {
	const unit = 4096
	best, least := place, spans(edges, place)
	current := slices.Clone(place)
	for stale, round := 0, 0; round < forceRounds && stale < 8; round++ {
		level := positions(current)
		pull, weight := make([]int64, len(current)), make([]int64, len(current))
		for _, e := range edges {
			if len(e) == 0 {
				continue
			}
			sum := int64(0)
			for _, p := range e {
				sum += int64(level[p])
			}
			centre := sum * unit / int64(len(e))
			for _, p := range e {
				pull[p] += centre
				weight[p]++
			}
		}
		for p := range pull {
			if weight[p] == 0 {
				pull[p] = int64(level[p]) * unit
				continue
			}
			pull[p] /= weight[p]
		}
		slices.SortStableFunc(current, func(a, b int) int { return cmp.Compare(pull[a], pull[b]) })
		stale++
		if cost := spans(edges, current); cost < least {
			best, least, stale = slices.Clone(current), cost, 0
		}
	}
	return best
}

// breadthFirst walks the graph in which places of one transition are
// neighbours, from the place with fewest transitions of every component and
// neighbours with few transitions first, as Cuthill and McKee do.
func breadthFirst(net *pnml.Net, edges [][]int) []int {
	touching := make([][]int, net.Places.Len())
	for t, e := range edges {
		for _, p := range e {
			touching[p] = append(touching[p], t)
		}
	}
	byDegree := func(a, b int) int {
		return cmp.Or(cmp.Compare(len(touching[a]), len(touching[b])), cmp.Compare(a, b))
	}
	starts := make([]int, len(touching))
	for p := range starts {
		starts[p] = p
	}
	slices.SortFunc(starts, byDegree)
	met, used := make([]bool, len(touching)), make([]bool, len(edges))
	order := make([]int, 0, len(touching))
	for _, start := range starts {
		if met[start] {
			continue
		}
		met[start] = true
		order = append(order, start)
		for head := len(order) - 1; head < len(order); head++ {
			var next []int
			for _, t := range touching[order[head]] {
				if used[t] {
					continue
				}
				used[t] = true
				for _, p := range edges[t] {
					if !met[p] {
						met[p] = true
						next = append(next, p)
					}
				}
			}
			slices.SortFunc(next, byDegree)
			order = append(order, next...)
		}
	}
	return order
}

// unitOrder lists the places unit by unit, or gives nil when the net has no
// usable units. Whatever the section claims, the result is an order of all
// places.
func unitOrder(net *pnml.Net) []int {
	if net.NUPN == nil || net.NUPN.Root < 0 || net.NUPN.Root >= len(net.NUPN.Units) {
		return nil
	}
	listed := make([]bool, net.Places.Len())
	visited := make([]bool, len(net.NUPN.Units))
	var order []int
	add := func(p int) {
		if !listed[p] {
			listed[p] = true
			order = append(order, p)
		}
	}
	var visit func(u int)
	visit = func(u int) {
		if u < 0 || u >= len(visited) || visited[u] {
			return
		}
		visited[u] = true
		for _, p := range net.NUPN.Units[u].Places {
			if int(p) < len(listed) {
				add(int(p))
			}
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
