package directed

import "podium/internal/witness"

// event is what was found out: a firing, or what holds in a marking.
type event struct {
	held
	fires bool
	t     uint32
	to    [2]uint64
}

// held says that a part of the formula holds in a marking, or with fails does not.
type held struct {
	at    [2]uint64 // the hash of the marking
	part  int32
	fails bool
}

// mostEvents bounds the memory of what is found out.
const mostEvents = 1 << 22

// here is what a node says of the marking at hand.
func (b *branches) here(n *node) held { return held{b.Hash, int32(n.part), !n.holds} }

// claim notes what a node says of the marking at hand.
func (b *branches) claim(n *node) {
	if x := b.here(n); !b.known[x] {
		b.known[x] = true
		b.log = append(b.log, event{held: x})
	}
}

// fires notes the firing that has led to the marking at hand.
func (b *branches) fires(from [2]uint64, t uint32) {
	b.log = append(b.log, event{held: held{at: from}, fires: true, t: t, to: b.Hash})
}

// undo forgets what was noted from some event on.
func (b *branches) undo(from int) {
	b.Clock.Work(8 * (len(b.log) - from))
	for _, e := range b.log[from:] {
		if !e.fires {
			delete(b.known, e.held)
		}
	}
	b.log = b.log[:from]
}

// written returns what was noted, of an initial marking at hand, as a witness.
func (b *branches) written() *witness.Branches {
	type firing struct {
		from [2]uint64
		t    uint32
	}
	out, noted := map[[2]uint64][]event{}, map[firing]bool{}
	for _, e := range b.log {
		b.Clock.Work(32)
		if key := (firing{e.at, e.t}); e.fires && !noted[key] {
			noted[key] = true
			out[e.at] = append(out[e.at], e)
		}
	}
	w := &witness.Branches{}
	number, order := map[[2]uint64]int{b.Hash: 0}, [][2]uint64{b.Hash}
	for k := 0; k < len(order); k++ {
		for len(out[order[k]]) > 0 {
			way := witness.Way{From: k}
			for at, fresh := order[k], true; fresh && len(out[at]) > 0; {
				b.Clock.Work(32)
				e := out[at][0]
				out[at] = out[at][1:]
				way.Fire = append(way.Fire, e.t)
				var met bool
				if _, met = number[e.to]; !met {
					number[e.to] = len(order)
					order = append(order, e.to)
				}
				at, fresh = e.to, !met
			}
			w.Ways = append(w.Ways, way)
		}
	}
	place := map[held]int{} // by part and what is said of it
	for _, e := range b.log {
		if e.fires {
			continue
		}
		b.Clock.Work(32)
		key := held{part: e.part, fails: e.fails}
		at, ok := place[key]
		if !ok {
			at = len(w.Claims)
			place[key] = at
			w.Claims = append(w.Claims, witness.Held{Part: int(e.part), Holds: !e.fails})
		}
		w.Claims[at].Markings = append(w.Claims[at].Markings, number[e.at])
	}
	return w
}
