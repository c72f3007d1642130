package symbolic

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"

	"github.com/dalzilio/rudd"
)

// node is the index of a node in rudd's table: a set of markings.
type node uint32

// The empty set and the set of everything.
const (
	none node = 0
	full node = 1
)

// Codes of cached operations; those of events carry the event's number above
// the low bits.
const (
	opNode uint32 = iota + 1
	opOr
	opAnd
	opDiff
	opSaturate
	opFire
	opStep
	opOnce
	opMeets
	opShift
	opQuantify
	opBits = 5
)

// errGiveUp is the reason of a computation that ended without a result: the
// limits were reached or the diagram library failed.
var errGiveUp = errors.New("given up")

// giveUp is thrown through the recursions over diagrams and caught in guard.
type giveUp struct{ err error }

// branch is one node as seen from here: its level and its two sides.
type branch struct {
	level  uint32
	lo, hi node
}

const unseen = ^uint32(0)

// diagram is a table of nodes with the operations on them.
//
// Note: rudd counts the references to a node and decrements the count in
// finalizers, which run in another goroutine, while it increments without a
// lock and stops counting at 1023. A lost increment would free a node in use,
// and results would be silently wrong. So the finalizer of every handle is
// taken off as soon as rudd returns it: nodes given out stay for ever, no
// finalizer ever runs, and room is made by copying what is needed to a new
// table (compact). Operations of rudd that make handles of their own inside
// (And and Or of several operands, Makeset) are not used. Its option
// Maxnodesize has no effect in this version; limits are watched here.
type diagram struct {
	ctx      context.Context
	bdd      *rudd.BDD
	levels   uint32
	free     uint32   // lowest levels, which belong to no place
	variable []int    // index of the node of every variable
	seen     []branch // what is known of rudd's nodes
	cache    *cache
	numbered uint32 // events numbered so far, over all relations
	memory   uint64 // bytes the process may hold
	calls    uint   // results taken since the limits were looked at
	taken    int    // results taken in all
	scratch  [3]int
	sample   []metrics.Sample
}

// defaultMemory is used when the contest states no limit.
const defaultMemory = 4 << 30

// checkEvery is the number of results between two looks at the limits.
const checkEvery = 1 << 12

// newDiagram makes a diagram of some levels that may hold memory bytes (0: a
// default).
func newDiagram(ctx context.Context, levels int, memory int64) (*diagram, error) {
	if memory <= 0 {
		memory = defaultMemory
	}
	d := &diagram{ctx: ctx, levels: uint32(levels), memory: uint64(memory), scratch: [3]int{}}
	d.sample = []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	d.cache = newCache(int(min(largestCache, memory/256)))
	return d, d.reset()
}

// reset starts with an empty table.
func (d *diagram) reset() error {
	size := max(1<<9, 8*int(d.levels))
	bdd, err := rudd.New(int(d.levels), rudd.Nodesize(size), rudd.Cachesize(size/2), rudd.Cacheratio(30), rudd.Maxnodeincrease(1<<22))
	if err != nil {
		return fmt.Errorf("the diagram library: %w", err)
	}
	d.bdd = bdd
	d.variable = make([]int, d.levels)
	for k := range d.variable {
		d.variable[k] = *bdd.Ithvar(k)
	}
	d.seen = d.seen[:0]
	d.cache.clear()
	d.taken = 0
	return nil
}

// guard runs f and turns a giveUp, or a panic of the diagram library, into an
// error that wraps errGiveUp.
func (d *diagram) guard(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case giveUp:
			err = fmt.Errorf("%w: %w", errGiveUp, r.err)
		default:
			// After a failure inside rudd its table is in no known state.
			if d.bdd != nil && d.bdd.Errored() {
				err = fmt.Errorf("%w: the diagram library: %s", errGiveUp, d.bdd.Error())
				return
			}
			panic(r)
		}
	}()
	f()
	return nil
}

func (d *diagram) check() {
	d.calls = 0
	if err := d.ctx.Err(); err != nil {
		panic(giveUp{err})
	}
	// Tables grow by copying and the runtime collects garbage late: half of the
	// memory must be left for that.
	if d.held() <= d.memory/2 {
		return
	}
	runtime.GC()
	if held := d.held(); held > d.memory/2 {
		panic(giveUp{fmt.Errorf("%d bytes of memory are in use, of %d granted", held, d.memory)})
	}
}

// held is the number of bytes in the heap, garbage included.
func (d *diagram) held() uint64 {
	metrics.Read(d.sample)
	return d.sample[0].Value.Uint64()
}

// take accepts a result of rudd.
func (d *diagram) take(n rudd.Node) node {
	if n == nil || d.bdd.Errored() {
		panic(giveUp{fmt.Errorf("the diagram library: %s", d.bdd.Error())})
	}
	id := *n
	if id > 1 {
		runtime.SetFinalizer(n, nil)
	}
	if id < 0 || int64(id) >= int64(unseen) {
		panic(giveUp{errors.New("too many nodes")})
	}
	d.taken++
	if d.calls++; d.calls >= checkEvery {
		d.check()
	}
	return node(id)
}

// handle gives the i-th scratch handle the value n; rudd keeps none of them.
func (d *diagram) handle(i int, n node) rudd.Node {
	d.scratch[i] = int(n)
	return &d.scratch[i]
}

// branch gives level and sides of a node; the level of the two constants is
// the number of levels.
func (d *diagram) branch(n node) branch {
	if n <= full {
		return branch{d.levels, n, n}
	}
	if int(n) < len(d.seen) && d.seen[n].level != unseen {
		return d.seen[n]
	}
	b := branch{level: uint32(d.bdd.Label(d.handle(0, n)))}
	b.lo = d.take(d.bdd.Low(d.handle(0, n)))
	b.hi = d.take(d.bdd.High(d.handle(0, n)))
	d.note(n, b)
	return b
}

func (d *diagram) note(n node, b branch) {
	for int(n) >= len(d.seen) {
		d.seen = append(d.seen, branch{level: unseen})
	}
	d.seen[n] = b
}

// sides gives the cofactors of n at a level not below its own.
func (d *diagram) sides(n node, level uint32) (lo, hi node) {
	b := d.branch(n)
	if b.level > level {
		return n, n
	}
	return b.lo, b.hi
}

// node is the set whose markings have an empty place at the level and lie in
// lo, or a marked one and lie in hi.
func (d *diagram) node(level uint32, lo, hi node) node {
	if lo == hi {
		return lo
	}
	if r, ok := d.cache.find(opNode, level, uint32(lo), uint32(hi)); ok {
		return r
	}
	r := d.take(d.bdd.Ite(d.handle(0, node(d.variable[level])), d.handle(1, hi), d.handle(2, lo)))
	d.note(r, branch{level, lo, hi})
	return d.cache.put(opNode, level, uint32(lo), uint32(hi), r)
}

func (d *diagram) or(a, b node) node {
	switch {
	case a == b || b == none || a == full:
		return a
	case a == none || b == full:
		return b
	}
	return d.apply(opOr, min(a, b), max(a, b), rudd.OPor)
}

func (d *diagram) and(a, b node) node {
	switch {
	case a == b || b == full || a == none:
		return a
	case a == full || b == none:
		return b
	}
	return d.apply(opAnd, min(a, b), max(a, b), rudd.OPand)
}

// diff is a without b.
func (d *diagram) diff(a, b node) node {
	switch {
	case a == b || a == none || b == full:
		return none
	case b == none:
		return a
	}
	if r, ok := d.cache.find(opDiff, 0, uint32(a), uint32(b)); ok {
		return r
	}
	// Note: not with rudd.OPdiff, whose shortcut for an empty left side gives
	// the right side in this version.
	r := d.take(d.bdd.Ite(d.handle(0, b), d.handle(1, none), d.handle(2, a)))
	return d.cache.put(opDiff, 0, uint32(a), uint32(b), r)
}

func (d *diagram) apply(code uint32, a, b node, op rudd.Operator) node {
	if r, ok := d.cache.find(code, 0, uint32(a), uint32(b)); ok {
		return r
	}
	r := d.take(d.bdd.Apply(d.handle(0, a), d.handle(1, b), op))
	return d.cache.put(code, 0, uint32(a), uint32(b), r)
}

// compact copies the given sets to a new table and drops everything else.
func (d *diagram) compact(roots ...*node) error {
	type saved struct {
		branch
		old node
	}
	var order []saved
	met := map[node]bool{none: true, full: true}
	var visit func(n node)
	visit = func(n node) {
		if met[n] {
			return
		}
		met[n] = true
		b := d.branch(n)
		visit(b.lo)
		visit(b.hi)
		order = append(order, saved{b, n})
	}
	for _, r := range roots {
		visit(*r)
	}
	if err := d.reset(); err != nil {
		return err
	}
	moved := map[node]node{none: none, full: full}
	for _, s := range order {
		moved[s.old] = d.node(s.level, moved[s.lo], moved[s.hi])
	}
	for _, r := range roots {
		*r = moved[*r]
	}
	return nil
}
