package directed

import (
	"container/heap"
	"math"
	"slices"

	"podium/internal/explorer/tokens"
)

// planner says which transitions bring a target nearer, by a plan that forgets that
// firings take tokens away (the relaxed plans of Hoffmann and Nebel, "The FF planning
// system", 2001): then each transition has a least cost at which it comes to be enabled,
// the sum of the costs of the tokens that it lacks.
type planner struct {
	*walker
	price []int64  // by transition: of one firing, drawn again for each walk
	cost  []int64  // by transition: until it is enabled; -1 where it is not known
	open  []int32  // by transition: places that it lacks tokens of and whose cost is not known
	by    []uint32 // by place: the transition that adds tokens at the least cost, or noTransition
	gain  []int64  // by place: how many it adds
	queue planQueue
	seen  map[uint32]bool
	steps []firings // of the plan: of enabled transitions
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
	return &planner{walker: w, price: make([]int64, len(w.Effects)), cost: make([]int64, len(w.Effects)), open: make([]int32, len(w.Effects)),
		by: make([]uint32, len(w.At)), gain: make([]int64, len(w.At))}
}

// course is a walk by plans.
type course struct {
	*planner
	goal  *tokens.Goal
	plans int       // that may still be made
	steps []firings // of the last plan that are left
}

// course begins a walk to a goal, with new prices of firings.
func (p *planner) course(goal *tokens.Goal, plans int) *course {
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
		if x.times--; x.times >= 0 && c.Fireable(x.transition) {
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
	p.Clock.Work(4 * (len(p.cost) + len(p.by)))
	p.effort -= (len(p.cost) + len(p.by)) / 16
	copy(p.open, p.Lacks)
	for t := range p.cost {
		p.cost[t] = -1
	}
	for q := range p.by {
		p.by[q] = noTransition
	}
	p.queue = p.queue[:0]
	for _, t := range p.Enabled {
		p.queue = append(p.queue, planned{t, 0})
	}
	for len(p.queue) > 0 {
		x := p.queue.least()
		if p.cost[x.transition] >= 0 {
			continue
		}
		p.cost[x.transition] = x.cost
		p.Clock.Work(32)
		for _, e := range p.Effects[x.transition] {
			if e.By <= 0 || p.by[e.Place] != noTransition {
				continue
			}
			p.by[e.Place], p.gain[e.Place] = x.transition, e.By
			p.Clock.Work(4 * len(p.Users[e.Place]))
			for _, u := range p.Users[e.Place] {
				if p.At[e.Place] >= u.Tokens {
					continue
				}
				if p.open[u.Transition]--; p.open[u.Transition] == 0 {
					p.queue.add(planned{u.Transition, p.lacking(u.Transition)})
				}
			}
		}
	}
}

// lacking is the cost of the tokens that a transition lacks.
func (p *planner) lacking(t uint32) (cost int64) {
	places, weights := p.Net.Pre.Row(int(t))
	p.Clock.Work(8 * len(places))
	for k, q := range places {
		if w := min(weights.At(k), tokens.MaxTokens); p.At[q] < w {
			cost = min(cost+p.fetching(q, int64(w-p.At[q])), mostCost)
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
	return (n + p.gain[place] - 1) / p.gain[place]
}

// towards puts what brings a target nearer into the plan. False says that nothing does.
func (p *planner) towards(g *tokens.Goal) bool {
	if p.Distance(g) == 0 {
		return true
	}
	switch g.Kind {
	case tokens.All:
		for _, part := range g.Parts {
			if !p.towards(part) {
				return false
			}
		}
		return true
	case tokens.One:
		best, least := (*tokens.Goal)(nil), int64(math.MaxInt64)
		for _, part := range g.Parts {
			if cost := p.costOf(part); cost < least {
				best, least = part, cost
			}
		}
		return best != nil && p.towards(best)
	case tokens.Some:
		best := noTransition
		for _, t := range g.Transitions {
			if p.cost[t] >= 0 && (best == noTransition || p.cost[t] < p.cost[best]) {
				best = t
			}
		}
		return best != noTransition && p.enabling(best, 1)
	case tokens.None:
		for _, t := range g.Transitions {
			if !p.Fireable(t) {
				continue
			}
			places, _ := p.Net.Pre.Row(int(t))
			best := noTransition
			for _, q := range places {
				best = p.cheapest(p.Takers[q], best)
			}
			if best == noTransition || !p.firing(best, 1) {
				return false
			}
		}
		return true
	}
	best, gain := p.reducing(g)
	return best != noTransition && p.firing(best, (p.Distance(g)+gain-1)/gain)
}

// costOf is about the cost of a target; math.MaxInt64 where nothing leads there.
func (p *planner) costOf(g *tokens.Goal) (cost int64) {
	if p.Distance(g) == 0 {
		return 0
	}
	switch g.Kind {
	case tokens.All:
		for _, part := range g.Parts {
			cost = tokens.AddCosts(cost, p.costOf(part))
		}
		return cost
	case tokens.One:
		cost = math.MaxInt64
		for _, part := range g.Parts {
			cost = min(cost, p.costOf(part))
		}
		return cost
	case tokens.Some:
		cost = math.MaxInt64
		for _, t := range g.Transitions {
			if p.cost[t] >= 0 {
				cost = min(cost, p.cost[t])
			}
		}
		return cost
	case tokens.None:
		return p.Distance(g)
	}
	best, gain := p.reducing(g)
	if best == noTransition {
		return math.MaxInt64
	}
	return min(p.Distance(g)/gain+1, 1<<16) * (p.price[best] + min(p.cost[best], 1<<24))
}

func (p *planner) cheapest(list []uint32, best uint32) uint32 {
	p.Clock.Work(4 * len(list))
	for _, t := range list {
		if p.cost[t] >= 0 && (best == noTransition || p.cost[t]+p.price[t] < p.cost[best]+p.price[best]) {
			best = t
		}
	}
	return best
}

// reducing returns the transition that makes a sum smaller at the least cost, and by how
// much.
func (p *planner) reducing(g *tokens.Goal) (best uint32, gain int64) {
	best = noTransition
	least := 0.0
	list, gains := p.Lowering(g)
	p.Clock.Work(8 * len(list))
	for k, t := range list {
		if p.cost[t] < 0 {
			continue
		}
		if cost := float64(p.cost[t]+p.price[t]) / float64(gains[k]); best == noTransition || cost < least {
			best, gain, least = t, gains[k], cost
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
	places, weights := p.Net.Pre.Row(int(t))
	for k, q := range places {
		w, at := int64(min(weights.At(k), tokens.MaxTokens)), int64(p.At[q])
		if at >= w {
			continue
		}
		if slices.ContainsFunc(p.Effects[t], func(e tokens.Change) bool { return e.Place == q && e.By < 0 }) {
			w = min(w, mostCost/times) * times
		}
		if !p.firing(p.by[q], p.repeats(q, w-at)) {
			return false
		}
	}
	return true
}

// firing puts firings of a transition into the plan.
func (p *planner) firing(t uint32, times int64) bool {
	p.Clock.Work(32)
	if !p.Fireable(t) {
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
func (q *planQueue) Push(any)          { panic("directed: use add") }
func (q *planQueue) Pop() any          { panic("directed: use least") }

// add is heap.Push without an allocation.
func (q *planQueue) add(x planned) {
	*q = append(*q, x)
	heap.Fix(q, len(*q)-1)
}

// least is heap.Pop without one.
func (q *planQueue) least() planned {
	x, last := (*q)[0], len(*q)-1
	(*q)[0] = (*q)[last]
	*q = (*q)[:last]
	heap.Fix(q, 0)
	return x
}
