package space

import (
	"cmp"
	"encoding/binary"
	"slices"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// sleepSets tells which firings may be left out because another one leads to the
// same marking. It is a sleep set (P. Godefroid, 1990) that looks one step back,
// and like sleep sets it misses no marking.
//
// Let u lead from p to m, where m was found, and let t be enabled in m and come
// before u in a fixed order. When u puts no token where t takes some, t is
// enabled in p already, and when t takes none that u needs, u is enabled after
// it: p t u is p u t. Then t is left out in m. The marking is found all the same:
// of all its predecessors at the least distance from the initial marking look
// at one; if the firing t of it is left out, the marking after p t is another
// predecessor at that distance, with the firing u, which comes later in the
// order. So the last one is not left out, the marking is found, and at its least
// distance. What leads back to p, or from m to m, is left out too.
type sleepSets struct {
	budget *memory.Budget
	labels [][]uint16 // per marking to be expanded: the action by which it was found
	found  []uint32   // per action: markings found by it
	skips  []uint64   // per action, rowWords words: the actions left out after it; nil before learn
	row    int
}

const (
	labelBlock = 1 << 14
	noLabel    = 1<<16 - 1
	learnAfter = 1 << 12 // markings expanded before any firing is left out
)

// newSleepSets returns nil when the net has so many transitions that the table
// would need more than a sixteenth of the memory.
func newSleepSets(b *memory.Budget, actions int) *sleepSets {
	row := (actions + 63) / 64
	if actions == 0 || actions >= noLabel || int64(actions)*int64(row)*8 > b.Limit()/16 {
		return nil
	}
	return &sleepSets{budget: b, found: make([]uint32, actions), row: row}
}

func (d *sleepSets) close() {
	if d == nil {
		return
	}
	for _, l := range d.labels {
		memory.Release(d.budget, l)
	}
	memory.Release(d.budget, d.skips)
	d.labels, d.skips = nil, nil
}

// note keeps by which action marking i was found; it reports whether there was
// room.
func (d *sleepSets) note(i uint32, label uint16) bool {
	if int(i/labelBlock) == len(d.labels) {
		block := memory.Allocate[uint16](d.budget, labelBlock)
		if block == nil {
			return false
		}
		d.labels = append(d.labels, block)
	}
	d.labels[i/labelBlock][i%labelBlock] = label
	d.count(label)
	return true
}

// count counts a marking for what is to be learnt, until it is.
func (d *sleepSets) count(label uint16) {
	if d.skips == nil && label != noLabel {
		d.found[label]++
	}
}

// spare is how many markings from i on can be noted without an allocation.
func (d *sleepSets) spare(i uint32) uint32 { return uint32(len(d.labels)*labelBlock - int(i)) }

// expanded gives the labels of the markings before i back. It is called with
// ascending indexes.
func (d *sleepSets) expanded(i uint32) {
	if i%labelBlock == 0 && i > 0 {
		memory.Release(d.budget, d.labels[i/labelBlock-1])
		d.labels[i/labelBlock-1] = nil
	}
}

// needed returns those of the actions that are not left out in marking i, in the
// same array.
func (d *sleepSets) needed(ready []uint32, labels [][]uint16, i uint32) []uint32 {
	label := int(labels[i/labelBlock][i%labelBlock])
	if d.skips == nil || label == noLabel {
		return ready
	}
	row := d.skips[label*d.row : (label+1)*d.row]
	n := 0
	for _, a := range ready {
		ready[n] = a
		n += int(^row[a/64] >> (a % 64) & 1)
	}
	return ready[:n]
}

// learn makes the table. The order puts actions that have found many markings
// last, so that much comes before what markings are found by. It reports whether
// there was room.
func (d *sleepSets) learn(clock *clock.Clock, net *pnml.Net, p *packed.Program) bool {
	skips := memory.Allocate[uint64](d.budget, len(d.found)*d.row)
	if skips == nil {
		return false
	}
	order := make([]int, len(d.found))
	for a := range order {
		order[a] = a
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(d.found[a], d.found[b]) })
	c := newConflicts(clock, net, p)
	before := make([]uint64, d.row)
	for _, u := range order {
		row := skips[u*d.row : (u+1)*d.row]
		clock.Work(len(row) + len(c.back[c.effect[u].undo]) + len(c.back[""]))
		copy(row, before)
		c.drop(row, u)
		for _, a := range c.back[c.effect[u].undo] {
			memory.Put(row, a)
		}
		for _, a := range c.back[""] {
			memory.Put(row, a)
		}
		memory.Put(before, uint32(u))
	}
	d.skips = skips
	return true
}

// conflicts are the ways in which actions are not independent.
type conflicts struct {
	clock         *clock.Clock
	takers, users [][]uint32 // per place: actions that lessen it, that need tokens of it
	effect        []changeKeys
	back          map[string][]uint32 // actions by what they do
	net           *pnml.Net
	p             *packed.Program
}

// changeKeys are what an action does, and what would undo it, as keys of a map.
type changeKeys struct{ do, undo string }

func newConflicts(clock *clock.Clock, net *pnml.Net, p *packed.Program) *conflicts {
	c := &conflicts{clock: clock, takers: make([][]uint32, net.Places.Len()), users: make([][]uint32, net.Places.Len()), effect: make([]changeKeys, p.Actions()), back: map[string][]uint32{}, net: net, p: p}
	for a := range uint32(p.Actions()) {
		clock.Work(64)
		var do, undo []byte
		for e := range tokens.Effects(net, int(p.Transition(a))) {
			if e.Pre > 0 {
				c.users[e.Place] = append(c.users[e.Place], a)
			}
			if e.Post < e.Pre {
				c.takers[e.Place] = append(c.takers[e.Place], a)
			}
			if e.Post != e.Pre {
				do, undo = binary.AppendUvarint(do, uint64(e.Place)), binary.AppendUvarint(undo, uint64(e.Place))
				do, undo = binary.AppendUvarint(do, e.Post-e.Pre), binary.AppendUvarint(undo, e.Pre-e.Post)
			}
		}
		c.effect[a] = changeKeys{string(do), string(undo)}
		c.back[string(do)] = append(c.back[string(do)], a)
	}
	return c
}

// drop takes from the row of action u those that it may enable and those that
// take tokens it needs.
func (c *conflicts) drop(row []uint64, u int) {
	for e := range tokens.Effects(c.net, int(c.p.Transition(uint32(u)))) {
		c.clock.Work(2 + len(c.users[e.Place]) + len(c.takers[e.Place]))
		if e.Post > e.Pre {
			for _, a := range c.users[e.Place] {
				memory.Drop(row, a)
			}
		}
		if e.Pre > 0 {
			for _, a := range c.takers[e.Place] {
				memory.Drop(row, a)
			}
		}
	}
}
