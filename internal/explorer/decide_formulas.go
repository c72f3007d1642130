package explorer

import (
	"cmp"
	"fmt"
	"slices"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/check"
	"podium/internal/explorer/cover"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
	"podium/pnml"
)

// upperBounds keeps the largest sums; they are bounds once all markings are
// seen. A covering that adds to one of the places makes its bound infinite.
func (d *decision) upperBounds(props []formula.Property) {
	o := &bounds{}
	var items []string
	for _, p := range props {
		b, ok := p.Formula.(*formula.Bound)
		if !ok {
			d.refuse(p, fmt.Errorf("%T is no place-bound", p.Formula))
			continue
		}
		places, err := d.lookup.PlacesOf(b.Places)
		if err != nil {
			d.refuse(p, err)
			continue
		}
		o.sums, o.most, items = append(o.sums, state.Sum{Places: places}), append(o.most, pnml.Total{}), append(items, p.ID)
		o.at = append(o.at, 0)
	}
	if len(items) == 0 {
		return
	}
	complete := d.run(o, func(c *cover.Graph) bool {
		for k, item := range items {
			if most, infinite := c.Bound(o.sums[k].Places); infinite {
				d.prove(item, examinations.Infinite, func() *Witness {
					return cmp.Or(d.coveringOf(o.sums[k].Places)(), unbounded(c, o.sums[k].Places))
				})
			} else {
				d.bounded(item, most, o, k)
			}
		}
		return true
	})
	for k, item := range items {
		if complete {
			d.bounded(item, o.most[k], o, k)
		} else if w := d.coveringOf(o.sums[k].Places)(); w != nil {
			d.prove(item, examinations.Infinite, func() *Witness { return w })
		}
	}
}

// unbounded returns a run with inner cycles that shows the sum of places unbounded,
// nil when the coverability graph has none.
func unbounded(c *cover.Graph, places []uint32) *Witness {
	run, cycles, ok := c.Unbounded(places)
	if !ok {
		return nil
	}
	return &Witness{Stem: run, Inner: cycles}
}

// bounded gives a finite bound, with a run to a marking that reaches it, if one
// was met.
func (d *decision) bounded(item string, most pnml.Total, o *bounds, k int) {
	value := examinations.Value{Kind: examinations.Nat, Text: most.String()}
	if o.most[k] != most {
		d.say(item, value)
		return
	}
	d.reached(item, value, o.at[k])
}

// coveringOf returns the covering that was found when it adds to one of the
// places, else nil.
func (d *decision) coveringOf(places []uint32) func() *Witness {
	return func() *Witness {
		c := d.search.Unbounded()
		if c == nil {
			return nil
		}
		more := c.Growing(d.net)
		if !slices.ContainsFunc(places, func(p uint32) bool { return more[p] }) {
			return nil
		}
		return coveringWitness(c)
	}
}

// branching decides reachability and CTL formulas. Formulas of the form EF f
// and AG f, f without temporal operators, are decided while the search runs;
// the others by labelling, first when the search pauses, with what is known by
// then.
func (d *decision) branching(props []formula.Property) {
	o := &targets{found: func(t target, i uint32) { d.reached(t.item, t.found, i) }}
	var rest []labelled
	for _, p := range props {
		t, ok, err := newTarget(d.lookup, p)
		if ok {
			o.pending = append(o.pending, t)
		} else if err == nil {
			l := labelled{item: p.ID, source: p.Formula}
			if l.f, l.atoms, err = d.ctl(p.Formula); err == nil {
				rest = append(rest, l)
			}
		}
		if err != nil {
			d.refuse(p, err)
		}
	}
	if len(o.pending)+len(rest) > 0 {
		d.explore(o, rest)
	}
}

// ctl translates a formula of CTL, and its state formulas.
func (d *decision) ctl(f formula.Formula) (g temporal.CTL, atoms []state.Formula, err error) {
	var list temporal.Atoms
	if g, err = temporal.NewCTL(&list, f); err == nil {
		atoms, err = d.lookup.Formulas(list)
	}
	return g, atoms, err
}

// ltl translates a formula of LTL, and its state formulas.
func (d *decision) ltl(f formula.Formula) (path *temporal.LTL, holds bool, atoms []state.Formula, err error) {
	var list temporal.Atoms
	if path, holds, err = temporal.NewLTL(&list, f); err == nil {
		atoms, err = d.lookup.Formulas(list)
	}
	return path, holds, atoms, err
}

// labelled is a formula that waits to be decided by labelling.
type labelled struct {
	item   string
	f      temporal.CTL
	atoms  []state.Formula
	source formula.Formula
}

func (d *decision) explore(o *targets, rest []labelled) {
	o.others = len(rest) > 0
	s := d.newSearch(o, o.others)
	sure := map[string]bool{} // found in the coverability graph; the search may give a witness
	s.OnCovering = d.coverable(func(c *cover.Graph) bool {
		o.pending = slices.DeleteFunc(o.pending, func(t target) bool {
			holds, ok := state.OnNodes(d.clock, d.net, t.f)
			found := ok && c.Reaches(holds)
			switch {
			case ok && !found:
				d.say(t.item, t.missed)
			case ok && !d.opt.Witnesses:
				d.say(t.item, t.found)
			case ok:
				run, met := c.Run(holds)
				if sure[t.item] = !met; !met {
					return false
				}
				d.prove(t.item, t.found, func() *Witness { return &Witness{Stem: run} })
			}
			return ok
		})
		return len(o.pending)+len(rest) == 0
	})
	s.OnPause = func() bool {
		rest = d.label(rest)
		o.others = len(rest) > 0
		return len(o.pending)+len(rest) == 0
	}
	s.Run(d.searching)
	for _, t := range o.pending {
		switch {
		case s.Complete():
			d.say(t.item, t.missed)
		case sure[t.item]:
			d.say(t.item, t.found)
		}
	}
	if !s.Lost() {
		d.label(rest)
	}
}

// label tries the formulas on the space as it is and returns those that remain.
func (d *decision) label(rest []labelled) (undecided []labelled) {
	if len(rest) == 0 {
		return nil
	}
	l, err := check.NewLabels(d.search.Space)
	if err != nil {
		return rest
	}
	defer l.Close()
	for _, r := range rest {
		if holds, known, err := l.Decide(r.f, r.atoms); err == nil && known {
			d.prove(r.item, examinations.Truth(holds), func() *Witness { return d.pathWitness(r.source, examinations.Truth(holds)) })
		} else {
			undecided = append(undecided, r)
		}
	}
	return undecided
}

// newTarget recognises EF f and AG f, also below negations.
func newTarget(l *state.Lookup, p formula.Property) (t target, ok bool, err error) {
	f, negated := p.Formula, false
	for {
		not, is := f.(*formula.Not)
		if !is {
			break
		}
		f, negated = not.F, !negated
	}
	goal, holds := temporal.Goal(f)
	if goal == nil || !formula.IsState(goal) {
		return target{}, false, nil
	}
	holds = holds != negated
	t = target{item: p.ID, found: examinations.Truth(holds), missed: examinations.Truth(!holds)}
	t.f, err = l.Formula(goal)
	return t, err == nil, err
}

// linear decides LTL formulas, each by the emptiness of an automaton: when the
// search pauses, with what is known by then, and at its end.
func (d *decision) linear(props []formula.Property) {
	var rest []linearQuestion
	for _, p := range props {
		path, holds, atoms, err := d.ltl(p.Formula)
		if err != nil {
			d.refuse(p, err)
			continue
		}
		if a, err := temporal.NewAutomaton(d.clock, path); err == nil {
			rest = append(rest, linearQuestion{p.ID, a, atoms, examinations.Truth(holds), examinations.Truth(!holds)})
		}
	}
	if len(rest) == 0 {
		return
	}
	s := d.newSearch(nil, true)
	s.OnPause = func() bool {
		rest = d.linearRound(rest)
		return len(rest) == 0
	}
	s.Run(d.searching)
	if !s.Lost() {
		d.linearRound(rest)
	}
}

// linearQuestion asks for a run of an automaton.
type linearQuestion struct {
	item          string
	a             *temporal.Automaton
	atoms         []state.Formula
	found, missed examinations.Value // the answer when there is a run, and when there is none
}

// linearRound tries the questions on the space as it is and returns those that
// remain.
func (d *decision) linearRound(rest []linearQuestion) (undecided []linearQuestion) {
	for _, q := range rest {
		if !d.answerLinear(q) {
			undecided = append(undecided, q)
		}
	}
	return undecided
}

// answerLinear reports whether what is explored decides the question.
func (d *decision) answerLinear(q linearQuestion) bool {
	p, err := check.NewProduct(d.search.Space, q.a, q.atoms)
	if err != nil {
		return false
	}
	defer p.Close()
	found, err := p.Accepted()
	switch {
	case err != nil || !found && p.Open:
		return false
	case found:
		d.prove(q.item, q.found, func() *Witness {
			stem, cycle := p.Lasso()
			return &Witness{Stem: stem, Cycle: cycle}
		})
	default:
		d.say(q.item, q.missed)
	}
	return true
}
