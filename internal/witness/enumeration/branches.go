package enumeration

import (
	"errors"
	"fmt"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// branches is the part of a reachability graph that a witness visits, and what it says of
// these markings.
type branches struct {
	*Graph
	out     [][]step                   // by marking, each transition once
	parts   []formula.Formula          // with path quantifiers, by number
	number  map[formula.Formula]int    // of a part
	atoms   map[formula.Formula][]bool // by marking
	claims  []map[int32]claim          // by part
	byPlace [][]int                    // transitions by the first place that they take from
	free    []int                      // transitions that take from none
	total   map[int32]int              // how many transitions a marking enables, where it was asked
}

// step is a firing.
type step struct {
	transition uint32
	to         int32
}

// claim says that a part holds in a marking, or does not. Rank says how many claims about
// the part stand before it.
type claim struct {
	holds bool
	rank  int
}

// Branches returns the value of a CTL formula that follows from what a witness says of the
// markings that it visits. The error says what does not follow.
func Branches(c *clock.Clock, view unfold.View, limits Limits, w *witness.Branches, f formula.Formula) (holds bool, err error) {
	b := &branches{Graph: &Graph{clock: c, view: view, net: view.Net, at: make([]uint64, view.Net.Places.Len())},
		parts: formula.Quantified(f), number: map[formula.Formula]int{}, atoms: map[formula.Formula][]bool{}, total: map[int32]int{}}
	b.byPlace, b.free = byFirstPlace(view.Net)
	b.Graph.enables = b.enables
	if err := b.visit(w.Ways, limits); err != nil {
		return false, err
	}
	for k, part := range b.parts {
		b.number[part] = k
		b.claims = append(b.claims, map[int32]claim{})
	}
	if err := b.evaluate(f); err != nil {
		return false, err
	}
	for _, list := range w.Claims {
		if list.Part < 0 || list.Part >= len(b.parts) {
			return false, fmt.Errorf("the formula has no part %d with a path quantifier, but %d of them, from 0", list.Part, len(b.parts))
		}
		known := b.claims[list.Part]
		for _, i := range list.Markings {
			if i < 0 || i >= len(b.markings) {
				return false, fmt.Errorf("there is no marking %d, but %d of them, from 0", i, len(b.markings))
			}
			if _, twice := known[int32(i)]; twice {
				return false, fmt.Errorf("part %d is claimed twice in marking %d", list.Part, i)
			}
			known[int32(i)] = claim{list.Holds, len(known)}
		}
	}
	for _, list := range w.Claims {
		for _, i := range list.Markings {
			if !b.shown(list.Part, int32(i)) {
				return false, fmt.Errorf("nothing shows what is said of part %d in marking %d", list.Part, i)
			}
		}
	}
	switch b.value(f, 0) {
	case Yes:
		return true, nil
	case No:
		return false, nil
	}
	return false, errors.New("what is said of the parts of the formula does not decide it in the initial marking")
}

// visit fires the transitions of a witness. A marking gets the next number when it is met for
// the first time; the initial one is 0.
func (b *branches) visit(ways []witness.Way, limits Limits) error {
	index, memory := map[string]int32{}, 0
	var key []byte
	add := func(marked []uint32) int32 {
		key = appendMarking(key[:0], b.at, marked)
		i, met := index[string(key)]
		if !met {
			i = int32(len(b.markings))
			b.markings, b.out = append(b.markings, string(key)), append(b.out, nil)
			index[b.markings[i]] = i
			memory += len(key) + 128
		}
		return i
	}
	var all []uint32
	for p, n := range b.net.Initial {
		b.at[p], all = n, append(all, uint32(p))
	}
	add(all)
	b.marked = all
	var after []uint32
	for _, way := range ways {
		if way.From < 0 || way.From >= len(b.markings) {
			return fmt.Errorf("there is no marking %d, but %d of them so far, from 0", way.From, len(b.markings))
		}
		from := int32(way.From)
		b.decode(way.From)
		for _, t := range way.Fire {
			if int(t) >= b.net.Transitions.Len() {
				return fmt.Errorf("there is no transition number %d", t)
			}
			if !Enabled(b.net, int(t), b.at) {
				return fmt.Errorf("transition %q is not enabled in marking %d or behind it", b.net.Transitions.At(int(t)), way.From)
			}
			if err := fire(b.net, int(t), b.at, 1); err != nil {
				return err
			}
			gives, _ := b.net.Post.Row(int(t))
			after = merge(after[:0], b.marked, gives)
			b.marked, after = after, b.marked
			b.clock.Work(32 + 4*len(b.marked))
			to := add(b.marked)
			b.out[from] = append(b.out[from], step{t, to})
			from = to
			if len(b.markings) > limits.Markings || memory > limits.Memory {
				return fmt.Errorf("the witness visits more than %d markings, or they take more than %d MB", limits.Markings, limits.Memory>>20)
			}
		}
	}
	return nil
}

// maxTruths bounds what is kept of state formulas in markings.
const maxTruths = 1 << 30

// evaluate finds where the state formulas in a formula hold.
func (b *branches) evaluate(f formula.Formula) (err error) {
	if !formula.IsState(f) {
		for _, g := range formula.Operands(f) {
			err = errors.Join(err, b.evaluate(g))
		}
		return err
	}
	if len(b.atoms)*len(b.markings) > maxTruths {
		return errLarge
	}
	b.atoms[f], err = b.Sat(f)
	return err
}

// enables returns how many transitions a marking enables.
func (b *branches) enables(i int32) int {
	n, asked := b.total[i]
	if asked {
		return n
	}
	b.decode(int(i))
	count := func(list []int) {
		b.clock.Work(8 * len(list))
		for _, t := range list {
			if Enabled(b.net, t, b.at) {
				n++
			}
		}
	}
	count(b.free)
	for _, p := range b.marked {
		count(b.byPlace[p])
	}
	b.total[i] = n
	return n
}

// complete reports whether a witness fires every transition that a marking enables.
func (b *branches) complete(i int32) bool {
	fired := map[uint32]bool{}
	for _, s := range b.out[i] {
		fired[s.transition] = true
	}
	return len(fired) == b.enables(i)
}

// value is what is known of a formula in a marking.
func (b *branches) value(f formula.Formula, i int32) Truth {
	return Known(f, func(f formula.Formula) (Truth, bool) {
		b.clock.Work(8)
		if set, ok := b.atoms[f]; ok {
			return TruthOf(set[i]), true
		}
		if k, ok := b.number[f]; ok {
			if x, ok := b.claims[k][i]; ok {
				return TruthOf(x.holds), true
			}
		}
		return Unknown, false
	})
}

// shown reports whether a claim about a part follows from those about the parts inside of it,
// from claims about it in the markings that follow, and from the marking itself.
func (b *branches) shown(k int, i int32) bool {
	x := b.claims[k][i]
	b.clock.Work(16 * len(b.out[i]))
	_, all := b.parts[k].(*formula.AllPaths)
	switch op := formula.Operands(b.parts[k])[0].(type) {
	case *formula.Next:
		return b.follows(i, all == x.holds, func(j int32) bool { return b.value(op.F, j) == TruthOf(x.holds) })
	case *formula.Finally:
		return b.until(k, i, x, x.holds, all, Yes, b.value(op.F, i))
	case *formula.Globally: // A G f is not E F not f
		return b.until(k, i, x, !x.holds, !all, Yes, -b.value(op.F, i))
	case *formula.Until:
		return b.until(k, i, x, x.holds, all, b.value(op.Before, i), b.value(op.Reach, i))
	}
	return false
}

// until is shown for "before until reach" on all paths, or on some. What is reached is
// reached in finitely many steps: each goes to a marking that was claimed earlier. What is
// never reached needs no such order.
func (b *branches) until(k int, i int32, x claim, holds, all bool, before, reach Truth) bool {
	same := func(j int32) bool {
		next, claimed := b.claims[k][j]
		return claimed && next.holds == x.holds && (!holds || next.rank < x.rank)
	}
	if holds {
		return reach == Yes || before == Yes && b.follows(i, all, same) && (!all || b.enables(i) > 0)
	}
	return reach == No && (before == No || b.follows(i, !all, same) || all && b.enables(i) == 0)
}

// follows reports whether every marking that follows satisfies a condition, or one of those
// that the witness visits.
func (b *branches) follows(i int32, every bool, condition func(j int32) bool) bool {
	for _, s := range b.out[i] {
		if condition(s.to) != every {
			return !every
		}
	}
	return every && b.complete(i)
}
