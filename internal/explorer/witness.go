package explorer

import (
	"errors"
	"fmt"
	"slices"

	"podium/examinations"
)

// Witness is a run that proves an answer: transitions from the initial marking,
// then some that may be repeated for ever.
//
//	EF true, AG false         the stem ends in a marking with (without) the formula
//	deadlock, not live        the stem ends in a dead marking
//	not one-safe              the stem ends in a marking with two tokens in a place
//	unbounded, bound +inf     the cycle adds tokens, and takes none away in sum
//	LTL: E true, A false      stem and cycle are a run with (without) the path;
//	                          with an empty cycle the marking is dead and stutters
type Witness struct {
	Stem, Cycle []uint32
}

// Prove replays the witness and tells what is missing to a proof that value is
// the answer. f is the formula of the item, nil where the examination has none.
func (w *Witness) Prove(v View, exam examinations.ID, f examinations.Formula, value examinations.Value) error {
	end, err := Replay(v.Net, w.Stem)
	if err != nil {
		return err
	}
	plain := newPlainMarkings(v)
	if len(w.Cycle) > 0 && exam != examinations.StateSpace && exam != examinations.UpperBounds && exam != examinations.LTLCardinality && exam != examinations.LTLFireability {
		return errors.New("the witness of this examination has no cycle")
	}
	switch exam {
	case examinations.StateSpace:
		return w.proveUnbounded(v, nil, value)
	case examinations.UpperBounds:
		return w.proveBound(v, f, value)
	case examinations.ReachabilityDeadlock, examinations.GlobalProperties:
		return plain.expect(end, deadP{}, value == examinations.True, "the marking at the end is not dead")
	case examinations.Liveness:
		return plain.expect(end, deadP{}, value == examinations.False && len(v.transitionGroups()) > 0, "the marking at the end is not dead")
	case examinations.OneSafe:
		return w.proveUnsafe(v, end, value)
	case examinations.LTLCardinality, examinations.LTLFireability:
		return w.proveLTL(v, f, value)
	case examinations.ReachabilityCardinality, examinations.ReachabilityFireability, examinations.CTLCardinality, examinations.CTLFireability:
		t, ok, err := plain.lookup.target(examinations.Property{Formula: f})
		if err != nil {
			return err
		}
		if !ok {
			return errors.New("a single run proves only formulas EF f and AG f")
		}
		return plain.expect(end, t.f, value == t.found, "the marking at the end does not decide the formula")
	}
	return fmt.Errorf("a run proves nothing about %s", exam)
}

// plainMarkings evaluates predicates on markings of one word per place.
type plainMarkings struct {
	lookup  *lookup
	layout  *layout
	program *program
}

func newPlainMarkings(v View) *plainMarkings {
	widths := make([]uint8, v.Net.Places.Len())
	for p := range widths {
		widths[p] = 64
	}
	p := &plainMarkings{newLookup(v), newLayout(v.Net, widths), &program{}}
	p.program.compileActions(v.Net, p.layout, make([]uint32, len(widths)))
	return p
}

func (p *plainMarkings) holds(f predicate, m []uint64) bool {
	if len(m) == 0 {
		m = []uint64{0}
	}
	return f.holds(p.layout, p.program, m)
}

var errWrongWay = errors.New("a run cannot prove this answer, only the opposite one")

func (p *plainMarkings) expect(m []uint64, f predicate, provable bool, otherwise string) error {
	switch {
	case !provable:
		return errWrongWay
	case !p.holds(f, m):
		return errors.New(otherwise)
	}
	return nil
}

func (w *Witness) proveUnbounded(v View, places []uint32, value examinations.Value) error {
	if value != examinations.Infinite {
		return errWrongWay
	}
	c := Covering{Run: slices.Concat(w.Stem, w.Cycle), From: len(w.Stem)}
	if err := c.Check(v.Net); err != nil || places == nil {
		return err
	}
	more := c.growing(v.Net)
	if !slices.ContainsFunc(places, func(p uint32) bool { return more[p] }) {
		return errors.New("the cycle adds no token to the places of the bound")
	}
	return nil
}

func (w *Witness) proveBound(v View, f examinations.Formula, value examinations.Value) error {
	b, ok := f.(*examinations.Bound)
	if !ok {
		return fmt.Errorf("%T is no place-bound", f)
	}
	places, err := newLookup(v).placesOf(b.Places)
	if err != nil {
		return err
	}
	return w.proveUnbounded(v, append([]uint32{}, places...), value)
}

func (w *Witness) proveUnsafe(v View, end []uint64, value examinations.Value) error {
	if value != examinations.False {
		return errWrongWay
	}
	for _, g := range v.placeGroups() {
		sum := total{}
		for _, p := range g {
			sum.add(end[p])
		}
		if (total{0, 1}).less(sum) {
			return nil
		}
	}
	return errors.New("no place holds two tokens at the end")
}

// proveLTL evaluates the path on the run, see lassoWord.
func (w *Witness) proveLTL(v View, f examinations.Formula, value examinations.Value) error {
	plain := newPlainMarkings(v)
	q, err := plain.lookup.ltlQuestion(examinations.Property{Formula: f})
	if err != nil {
		return err
	}
	if value != q.found {
		return errWrongWay
	}
	word, err := newLassoWord(v, plain, w)
	if err != nil {
		return err
	}
	if !word.holds(q.table, q.path)[0] {
		return errors.New("the run does not decide the formula")
	}
	return nil
}

// lassoWord is an infinite run as finitely many markings; after the last one
// comes number loop again.
type lassoWord struct {
	plain    *plainMarkings
	markings [][]uint64
	loop     int
}

func newLassoWord(v View, plain *plainMarkings, w *Witness) (*lassoWord, error) {
	word := &lassoWord{plain: plain, loop: len(w.Stem)}
	m := slices.Clone(v.Net.Initial)
	word.markings = append(word.markings, slices.Clone(m))
	for i, t := range slices.Concat(w.Stem, w.Cycle) {
		if int(t) >= v.Net.Transitions.Len() || !enabledIn(v.Net, int(t), m) || !fireIn(v.Net, int(t), m) {
			return nil, fmt.Errorf("step %d of the run cannot be fired", i)
		}
		word.markings = append(word.markings, slices.Clone(m))
	}
	if len(w.Cycle) == 0 {
		if !plain.holds(deadP{}, m) {
			return nil, errors.New("the run ends, but its last marking is not dead")
		}
		return word, nil
	}
	if !slices.Equal(m, word.markings[word.loop]) {
		return nil, errors.New("the cycle does not lead back to where it begins")
	}
	word.markings = word.markings[:len(word.markings)-1]
	return word, nil
}

// holds gives the positions where a formula holds, by fix points: least for U,
// greatest for R.
func (w *lassoWord) holds(t *ltlTable, f ltl) []bool {
	n := t.nodes[f]
	out := make([]bool, len(w.markings))
	next := func(k int) int {
		if k+1 < len(out) {
			return k + 1
		}
		return w.loop
	}
	fill := func(rule func(k int) bool) []bool {
		// Twice backwards: the second time round, the loop knows its end.
		for range 2 {
			for k := len(out) - 1; k >= 0; k-- {
				out[k] = rule(k)
			}
		}
		return out
	}
	switch n.op {
	case ltlFalse, ltlTrue:
		return fill(func(int) bool { return n.op == ltlTrue })
	case ltlAtom, ltlNotAtom:
		for k, m := range w.markings {
			out[k] = w.plain.holds(t.atoms[n.a], m) == (n.op == ltlAtom)
		}
		return out
	case ltlNext:
		a := w.holds(t, n.a)
		return fill(func(k int) bool { return a[next(k)] })
	}
	a, b := w.holds(t, n.a), w.holds(t, n.b)
	switch n.op {
	case ltlAnd:
		return fill(func(k int) bool { return a[k] && b[k] })
	case ltlOr:
		return fill(func(k int) bool { return a[k] || b[k] })
	case ltlUntil:
		return fill(func(k int) bool { return b[k] || a[k] && out[next(k)] })
	}
	for k := range out {
		out[k] = true
	}
	return fill(func(k int) bool { return b[k] && (a[k] || out[next(k)]) })
}
