package unfold

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// Limits bounds an unfolding. The zero value is ready for use.
type Limits struct {
	Exact       bool   // keep what can never be marked or fire: no pruning
	EveryPlace  bool   // keep one colour of a place none of which is ever marked, so that it has a name
	Places      uint64 // colours of all places together, 0 for 2^27
	Transitions uint64 // bindings, 0 for 2^27
	Arcs        uint64 // 0 for 2^30; at most 2^32-1 each way
	Steps       uint64 // values tried while bindings are counted, 0 for 2^32
}

func (l Limits) filled() Limits {
	set := func(field *uint64, value uint64) {
		if *field == 0 {
			*field = value
		}
	}
	set(&l.Places, 1<<27)
	set(&l.Transitions, 1<<27)
	set(&l.Arcs, 1<<30)
	set(&l.Steps, 1<<32)
	l.Places, l.Transitions = min(l.Places, 1<<31-1), min(l.Transitions, 1<<31-1)
	l.Arcs = min(l.Arcs, math.MaxUint32)
	return l
}

// TooLarge is the error of an unfolding beyond its Limits: there would be Least
// or more of What ("places", "transitions", ...), and only Limit are allowed.
type TooLarge struct {
	What         string
	Least, Limit uint64
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("the unfolding is too large: %d %s or more, the limit is %d", e.Least, e.What, e.Limit)
}

// Unfolding is a P/T net together with the coloured nodes that its nodes come
// from. Unfolded places come in the order of the coloured places and of
// colours, unfolded transitions in the order of the coloured transitions.
type Unfolding struct {
	Net    *pnml.Net
	Source *pnml.Symmetric

	placeStart []uint32 // first unfolded place of each coloured place
	transStart []uint32 // first unfolded transition of each coloured one
	colours    []uint32 // of every unfolded place
	bindings   bindings // of every unfolded transition
	variables  [][]int  // of every coloured transition
}

// PlaceOf returns the coloured place of an unfolded place, and its colour.
func (u *Unfolding) PlaceOf(i int) (place int, colour uint64) {
	return owner(u.placeStart, i), uint64(u.colours[i])
}

// PlacesOf returns the unfolded places of a coloured place: [from, to).
func (u *Unfolding) PlacesOf(place int) (from, to int) {
	return int(u.placeStart[place]), int(u.placeStart[place+1])
}

// TransitionOf returns the coloured transition of an unfolded transition, and the
// values of its variables, see [Unfolding.Variables].
func (u *Unfolding) TransitionOf(i int) (transition int, values []uint64) {
	transition = owner(u.transStart, i)
	variables := u.variables[transition]
	values = make([]uint64, len(variables))
	rest := u.bindings.at(i)
	for k := len(variables) - 1; k >= 0; k-- {
		size := u.Source.Sorts[u.Source.Variables[variables[k]].Sort].Size
		values[k], rest = rest%size, rest/size
	}
	return transition, values
}

// TransitionsOf returns the unfolded transitions of a coloured one: [from, to).
func (u *Unfolding) TransitionsOf(transition int) (from, to int) {
	return int(u.transStart[transition]), int(u.transStart[transition+1])
}

// Variables returns the variables of a coloured transition, in the order of their
// declaration.
func (u *Unfolding) Variables(transition int) []int { return u.variables[transition] }

// owner finds the range of starts that holds i.
func owner(starts []uint32, i int) int {
	k, _ := slices.BinarySearch(starts, uint32(i)+1)
	return k - 1
}

// Unfold returns the unfolding of a net that was read without errors; the package
// comment defines it. The error is a *TooLarge, that of the context, or says
// what is missing in the net.
func Unfold(ctx context.Context, s *pnml.Symmetric, limits Limits) (u *Unfolding, err error) {
	err = compiled(ctx, s, limits, func(b *builder) (err error) {
		u, err = b.rest()
		return err
	})
	return u, err
}

// compiled makes the plans of all transitions, and does something with them.
func compiled(ctx context.Context, s *pnml.Symmetric, limits Limits, do func(b *builder) error) error {
	b := &builder{net: s, limits: limits.filled()}
	all := func(c *clock.Clock) error {
		b.clock, b.effort.clock = c, c
		if err := b.placesOf(); err != nil {
			return err
		}
		if err := b.compile(); err != nil {
			return err
		}
		return do(b)
	}
	return clock.Until(ctx, all)
}

// rest makes the unfolding, where the plans are made.
func (b *builder) rest() (*Unfolding, error) {
	if b.limits.Exact {
		b.order()
	} else {
		b.restrict()
	}
	if err := b.size(); err != nil {
		return nil, err
	}
	b.emit()
	if b.limits.Exact {
		b.reached = fullBitset(int(b.base[len(b.base)-1]))
	} else {
		b.prune()
		b.keepEveryPlace()
	}
	return b.result(), nil
}

// keepEveryPlace keeps the first colour of places that would be left out whole.
func (b *builder) keepEveryPlace() {
	for p := 0; b.limits.EveryPlace && p < len(b.net.PlaceSort); p++ {
		from, to := int(b.base[p]), int(b.base[p+1])
		if b.reached.next(from, to, 0) == to {
			b.reached.add(uint32(from))
		}
	}
}

// builder holds the state of one unfolding. Until it is pruned, the place (p, c)
// has the number base[p] + c.
type builder struct {
	net    *pnml.Symmetric
	clock  *clock.Clock
	limits Limits
	base   []uint64  // per coloured place, and the total
	marked [][]entry // per coloured place: the initial marking, by colour
	plans  []*plan

	starts   []uint32 // first unfolded transition of each coloured one
	effort   effort
	bindings bindings
	pre      rows
	post     rows
	reached  bitset // places that are kept
}

func (b *builder) placesOf() error {
	b.base = make([]uint64, 1, len(b.net.PlaceSort)+1)
	total := uint64(0)
	for p, sort := range b.net.PlaceSort {
		if sort < 0 {
			return fmt.Errorf("place %s has no sort", b.net.Places.At(p))
		}
		size := b.net.Sorts[sort].Size
		if size == 0 {
			return fmt.Errorf("the sort of place %s has no colours", b.net.Places.At(p))
		}
		if total += size; size > b.limits.Places || total > b.limits.Places {
			return &TooLarge{"places", max(size, total), b.limits.Places}
		}
		b.base = append(b.base, total)
	}
	return nil
}

// compile makes the plan of every transition, and the initial marking.
func (b *builder) compile() error {
	n := b.net
	b.marked = make([][]entry, len(n.PlaceSort))
	c := &compiler{net: n, clock: b.clock, most: b.limits.Places}
	for p, m := range n.Initial {
		if m == nil {
			continue
		}
		list, err := c.ground(make([]entry, 0, min(c.groundSize(m), b.limits.Places)), m)
		if err != nil {
			return err
		}
		b.marked[p] = slices.DeleteFunc(merged(b.clock, list), func(e entry) bool { return e.count == 0 })
	}
	b.plans = make([]*plan, len(n.Pre))
	for t := range n.Pre {
		p, err := b.plan(t)
		if err != nil {
			return fmt.Errorf("transition %s: %w", n.Transitions.At(t), err)
		}
		b.plans[t] = p
	}
	return nil
}

func (b *builder) plan(t int) (*plan, error) {
	n := b.net
	c := &compiler{net: n, clock: b.clock, slots: slices.Repeat([]int{-1}, len(n.Variables)), most: b.limits.Places}
	p := &plan{}
	use := func(x *pnml.Term) {
		b.clock.Work(1)
		if x.Op == pnml.OpVariable && c.slots[x.Value] < 0 {
			c.slots[x.Value] = 0
		}
	}
	if n.Guards[t] != nil {
		n.Guards[t].Walk(use)
	}
	for _, arcs := range [2][]pnml.ColouredArc{n.Pre[t], n.Post[t]} {
		for _, a := range arcs {
			a.Term.Walk(use)
		}
	}
	for v := range c.slots {
		if c.slots[v] < 0 {
			continue
		}
		c.slots[v] = len(p.variables)
		p.variables = append(p.variables, v)
	}
	if err := p.wholeSorts(b.clock, n); err != nil {
		return nil, err
	}
	var err error
	if p.pre, err = c.arcs(n.Pre[t]); err != nil {
		return nil, err
	}
	if p.post, err = c.arcs(n.Post[t]); err != nil {
		return nil, err
	}
	if p.tests, err = c.guard(n.Guards[t]); err != nil {
		return nil, err
	}
	p.filter(b.clock)
	return p, nil
}

// order chooses the orders of the variables, after what may remove values.
func (b *builder) order() {
	for _, p := range b.plans {
		p.order(b.clock)
	}
}

// wholeSorts gives every variable all values of its sort.
func (p *plan) wholeSorts(clock *clock.Clock, n *pnml.Symmetric) error {
	product := uint64(1)
	for _, v := range p.variables {
		size := n.Sorts[n.Variables[v].Sort].Size
		if size > 1<<28 {
			return &TooLarge{"values of variable " + n.Variables[v].ID, size, 1 << 28}
		}
		if product > math.MaxUint64/max(size, 1) {
			return errors.New("more than 2^64 combinations of values")
		}
		product *= size
		clock.Work(int(size))
		p.product = product
		p.weight += int(size)
		values := make([]uint32, size)
		set := newColourSet(size)
		for i := range values {
			values[i] = uint32(i)
			set.add(uint64(i))
		}
		p.domains = append(p.domains, values)
		p.inDomain = append(p.inDomain, set)
	}
	return nil
}

// filter applies the tests that look at no variable, and those that look at one to
// its domain, once.
func (p *plan) filter(clock *clock.Clock) {
	binding := make([]uint32, len(p.variables))
	p.tests = slices.DeleteFunc(p.tests, func(t *test) bool {
		switch len(t.slots) {
		case 0:
			p.never = p.never || !t.holds(nil)
			return true
		case 1:
		default:
			return false
		}
		slot := t.slots[0]
		set := newColourSet(p.inDomain[slot].size)
		p.domains[slot] = slices.DeleteFunc(p.domains[slot], func(v uint32) bool {
			clock.Work(t.work)
			binding[slot] = v
			if !t.holds(binding) {
				return true
			}
			set.add(uint64(v))
			return false
		})
		p.inDomain[slot] = set
		return true
	})
}

// arcs compiles the arcs of one direction, by place.
func (c *compiler) arcs(arcs []pnml.ColouredArc) ([]arcPlan, error) {
	var list []arcPlan
	for _, a := range arcs {
		c.clock.Work(len(list))
		k := slices.IndexFunc(list, func(x arcPlan) bool { return x.place == a.Place })
		if k < 0 {
			k = len(list)
			list = append(list, arcPlan{a.Place, &bag{}})
		}
		if err := c.bag(a.Term, 1, list[k].bag); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(x, y arcPlan) int { return x.place - y.place })
	return list, nil
}

// restrict takes from the search what can never be marked, by the fix point of
// domains, tables of places that never get a new colour, relations and pairs, and
// orders it.
func (b *builder) restrict() {
	d := newDomains(b.clock, b.net)
	for p, list := range b.marked {
		for _, e := range list {
			d.put(p, e.colour)
		}
	}
	d.fix(b.plans)
	tables := b.tables()
	for _, p := range b.plans {
		for i := range p.pre {
			a := &p.pre[i]
			if tables[a.place] == nil || len(a.bag.minus) > 0 {
				continue
			}
			for k := range a.bag.flat {
				p.tests = append(p.tests, member(a.bag.flat[k].pattern, tables[a.place]))
			}
		}
		p.filter(b.clock)
	}
	b.relate(smallSize, smallShare)
	b.order()
	b.pairs(smallSize, maxLarge)
}

func member(x pattern, colours *colourSet) *test {
	t := &test{op: opMember, left: x, colours: colours, work: 1 + len(x.parts)}
	t.slots = t.variables(nil)
	slices.Sort(t.slots)
	t.slots = slices.Compact(t.slots)
	return t
}

// tables returns the initial colours of each place that never gets a new one,
// because every transition only puts back colours that it takes. A place that
// has all colours from the start restricts nothing.
func (b *builder) tables() []*colourSet {
	tables := make([]*colourSet, len(b.net.PlaceSort))
	for p := range tables {
		size := b.net.Sorts[b.net.PlaceSort[p]].Size
		if uint64(len(b.marked[p])) == size || b.everGains(p) {
			continue
		}
		tables[p] = newColourSet(size)
		for _, e := range b.marked[p] {
			tables[p].add(e.colour)
		}
	}
	return tables
}

func (b *builder) everGains(place int) bool {
	return slices.ContainsFunc(b.plans, func(p *plan) bool {
		b.clock.Work(1 + len(p.pre) + len(p.post))
		post := p.arcTo(p.post, place)
		if p.never || post == nil {
			return false
		}
		pre := p.arcTo(p.pre, place)
		if pre == nil || len(post.minus) > 0 {
			return true
		}
		return slices.ContainsFunc(post.flat, func(x weighted) bool {
			b.clock.Work(4 * len(pre.flat))
			return !slices.ContainsFunc(pre.flat, func(y weighted) bool { return x.pattern.equal(&y.pattern) })
		})
	})
}

func (p *plan) arcTo(list []arcPlan, place int) *bag {
	k := slices.IndexFunc(list, func(a arcPlan) bool { return a.place == place })
	if k < 0 {
		return nil
	}
	return list[k].bag
}

func (p *pattern) equal(q *pattern) bool {
	return p.base == q.base && slices.EqualFunc(p.parts, q.parts, func(x, y part) bool {
		return x.slot == y.slot && x.add == y.add && x.stride == y.stride && len(x.table) == len(y.table) && (len(x.table) == 0 || &x.table[0] == &y.table[0])
	})
}
