package directed

import (
	"container/heap"
	"math"
	"slices"
)

// planner says which transitions bring a target nearer, by a plan that forgets that
// firings take tokens away (the relaxed plans of Hoffmann and Nebel, "The FF planning
// system", 2001): then each transition has a least cost at which it comes to be enabled,
// the sum of the costs of the tokens that it lacks.
type planner struct {
	*walker
	makers [][]need // by place: transitions that add tokens to it, and how many
	takers [][]need // by place: transitions that take tokens from it
	price  []int64  // by transition: of one firing, drawn again for each walk
	cost   []int64  // by transition: until it is enabled; -1 where it is not known
	open   []int32  // by transition: places that it lacks tokens of and whose cost is not known
	by     []uint32 // by place: the transition that adds tokens at the least cost, or noTransition
	queue  planQueue
	seen   map[uint32]bool
	steps  []firings // of the plan: of enabled transitions
}

// firings is how often a transition is to fire.
type firings struct {
	transition uint32
	times      int64
}

const noTransition = ^uint32(0)

// mostCost bounds costs and numbers of firings.
const mostCost = 1 << 40

func newPlanner(w *walker) *planner {
	p := &planner{walker: w, makers: make([][]need, len(w.at)), takers: make([][]need, len(w.at)), price: make([]int64, len(w.effects)),
		cost: make([]int64, len(w.effects)), open: make([]int32, len(w.effects)), by: make([]uint32, len(w.at))}
	for t, list := range w.effects {
		w.clock.Work(16 * (1 + len(list)))
		for _, x := range list {
			if x.by > 0 {
				p.makers[x.place] = append(p.makers[x.place], need{uint32(t), x.by})
			} else {
				p.takers[x.place] = append(p.takers[x.place], need{uint32(t), -x.by})
			}
		}
	}
	return p
}

// course is a walk by plans.
type course struct {
	*planner
	goal  *target
	plans int       // that may still be made
	steps []firings // of the last plan that are left
}

// course begins a walk to a goal, with new prices of firings.
func (p *planner) course(goal *target, plans int) *course {
	for t := range p.price {
		p.price[t] = int64(4 + p.rng.IntN(4))
	}
	return &course{planner: p, goal: goal, plans: plans}
}

// next returns the transition to fire; false when no plan leads to the goal, or there were
// enough plans.
func (c *course) next() (t uint32, ok bool) {
	for len(c.steps) > 0 {
		x := &c.steps[len(c.steps)-1]
		if x.times--; x.times >= 0 && c.place[x.transition] >= 0 {
			return x.transition, true
		}
		c.steps = c.steps[:len(c.steps)-1]
	}
	if c.plans--; c.plans < 0 {
		return 0, false
	}
	if c.rng.IntN(16) == 0 {
		return c.atRandom()
	}
	c.spread()
	c.seen, c.planner.steps = map[uint32]bool{}, nil
	if !c.towards(c.goal) || len(c.planner.steps) == 0 {
		return 0, false
	}
	c.steps = c.planner.steps
	c.rng.Shuffle(len(c.steps), func(i, j int) { c.steps[i], c.steps[j] = c.steps[j], c.steps[i] })
	return c.next()
}

// spread computes the costs from the marking at hand.
func (p *planner) spread() {
	p.clock.Work(4 * (len(p.cost) + len(p.by)))
	p.effort -= (len(p.cost) + len(p.by)) / 16
	copy(p.open, p.lacks)
	for t := range p.cost {
		p.cost[t] = -1
	}
	for q := range p.by {
		p.by[q] = noTransition
	}
	p.queue = p.queue[:0]
	for _, t := range p.enabled {
		p.queue = append(p.queue, planned{t, 0})
	}
	for len(p.queue) > 0 {
		x := heap.Pop(&p.queue).(planned)
		if p.cost[x.transition] >= 0 {
			continue
		}
		p.cost[x.transition] = x.cost
		p.clock.Work(32)
		for _, e := range p.effects[x.transition] {
			if e.by <= 0 || p.by[e.place] != noTransition {
				continue
			}
			p.by[e.place] = x.transition
			p.clock.Work(4 * len(p.users[e.place]))
			for _, u := range p.users[e.place] {
				if p.at[e.place] >= u.tokens {
					continue
				}
				if p.open[u.transition]--; p.open[u.transition] == 0 {
					heap.Push(&p.queue, planned{u.transition, p.lacking(u.transition)})
				}
			}
		}
	}
}

// lacking is the cost of the tokens that a transition lacks.
func (p *planner) lacking(t uint32) (cost int64) {
	places, weights := p.net.Pre.Row(int(t))
	p.clock.Work(8 * len(places))
	for k, q := range places {
		if n := int64(min(weights.At(k), maxTokens)) - p.at[q]; n > 0 {
			cost = min(cost+p.fetching(q, n), mostCost)
		}
	}
	return cost
}

// fetching is the cost of some tokens more in a place.
func (p *planner) fetching(place uint32, n int64) int64 {
	t := p.by[place]
	return min(p.repeats(place, n), 1<<16) * min(p.cost[t]+p.price[t], 1<<24)
}

// repeats is how often the transition of a place fires for some tokens.
func (p *planner) repeats(place uint32, n int64) int64 {
	for _, x := range p.effects[p.by[place]] {
		if x.place == place {
			return (n + x.by - 1) / x.by
		}
	}
	return n
}

// towards puts what brings a target nearer into the plan. False says that nothing does.
func (p *planner) towards(g *target) bool {
	if g.distance(p.walker) == 0 {
		return true
	}
	switch g.kind {
	case all:
		for _, part := range g.parts {
			if !p.towards(part) {
				return false
			}
		}
		return true
	case one:
		best, least := (*target)(nil), int64(math.MaxInt64)
		for _, part := range g.parts {
			if cost := p.costOf(part); cost < least {
				best, least = part, cost
			}
		}
		return best != nil && p.towards(best)
	case some:
		best := noTransition
		for _, t := range g.transitions {
			if p.cost[t] >= 0 && (best == noTransition || p.cost[t] < p.cost[best]) {
				best = t
			}
		}
		return best != noTransition && p.enabling(best, 1)
	case none:
		for _, t := range g.transitions {
			if p.place[t] < 0 {
				continue
			}
			places, _ := p.net.Pre.Row(int(t))
			best := noTransition
			for _, q := range places {
				best = p.cheapest(p.takers[q], best)
			}
			if best == noTransition || !p.firing(best, 1) {
				return false
			}
		}
		return true
	}
	best, gain := p.reducing(g)
	return best != noTransition && p.firing(best, (g.distance(p.walker)+gain-1)/gain)
}

// costOf is about the cost of a target; math.MaxInt64 where nothing leads there.
func (p *planner) costOf(g *target) (cost int64) {
	if g.distance(p.walker) == 0 {
		return 0
	}
	switch g.kind {
	case all:
		for _, part := range g.parts {
			cost = add(cost, p.costOf(part))
		}
		return cost
	case one:
		cost = math.MaxInt64
		for _, part := range g.parts {
			cost = min(cost, p.costOf(part))
		}
		return cost
	case some:
		cost = math.MaxInt64
		for _, t := range g.transitions {
			if p.cost[t] >= 0 {
				cost = min(cost, p.cost[t])
			}
		}
		return cost
	case none:
		return g.distance(p.walker)
	}
	best, gain := p.reducing(g)
	if best == noTransition {
		return math.MaxInt64
	}
	return min(g.distance(p.walker)/gain+1, 1<<16) * (p.price[best] + min(p.cost[best], 1<<24))
}

func (p *planner) cheapest(list []need, best uint32) uint32 {
	p.clock.Work(4 * len(list))
	for _, x := range list {
		if t := x.transition; p.cost[t] >= 0 && (best == noTransition || p.cost[t]+p.price[t] < p.cost[best]+p.price[best]) {
			best = t
		}
	}
	return best
}

// reducing returns the transition that makes a sum smaller at the least cost, and by how
// much.
func (p *planner) reducing(g *target) (best uint32, gain int64) {
	best = noTransition
	least := 0.0
	look := func(list []need) {
		for _, x := range list {
			t := x.transition
			if p.cost[t] < 0 {
				continue
			}
			by := int64(0)
			p.clock.Work(8 * len(p.effects[t]))
			for _, e := range p.effects[t] {
				by -= e.by * g.factors[e.place]
			}
			if by <= 0 {
				continue
			}
			if cost := float64(p.cost[t]+p.price[t]) / float64(by); best == noTransition || cost < least {
				best, gain, least = t, by, cost
			}
		}
	}
	for _, x := range g.sum {
		if x.by < 0 {
			look(p.makers[x.place])
		} else {
			look(p.takers[x.place])
		}
	}
	return best, gain
}

// enabling puts into the plan what enables a transition.
func (p *planner) enabling(t uint32, times int64) bool {
	if p.seen[t] {
		return true
	}
	p.seen[t] = true
	places, weights := p.net.Pre.Row(int(t))
	for k, q := range places {
		w := int64(min(weights.At(k), maxTokens))
		if p.at[q] >= w {
			continue
		}
		if slices.ContainsFunc(p.effects[t], func(e change) bool { return e.place == q && e.by < 0 }) {
			w = min(w, mostCost/times) * times
		}
		if !p.firing(p.by[q], p.repeats(q, w-p.at[q])) {
			return false
		}
	}
	return true
}

// firing puts firings of a transition into the plan.
func (p *planner) firing(t uint32, times int64) bool {
	p.clock.Work(32)
	if p.place[t] < 0 {
		return p.enabling(t, min(max(times, 1), mostCost))
	}
	if i := slices.IndexFunc(p.steps, func(x firings) bool { return x.transition == t }); i >= 0 {
		p.steps[i].times = max(p.steps[i].times, times)
		return true
	}
	p.steps = append(p.steps, firings{t, max(times, 1)})
	return true
}

// planned is a transition with the cost at which it is enabled.
type planned struct {
	transition uint32
	cost       int64
}

type planQueue []planned

func (q planQueue) Len() int           { return len(q) }
func (q planQueue) Less(i, j int) bool { return q[i].cost < q[j].cost }
func (q planQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *planQueue) Push(x any)        { *q = append(*q, x.(planned)) }
func (q *planQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}
