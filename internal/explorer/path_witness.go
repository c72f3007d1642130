package explorer

import (
	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/check"
	"podium/internal/explorer/temporal"
	"podium/internal/witness/replay"
)

// pathWitness returns runs for a CTL formula that was decided by labelling, when
// runs can prove it: for each of its paths one from the emptiness check of LTL. It
// gives nil when there are none, or not enough memory.
func (d *decision) pathWitness(f formula.Formula, value examinations.Value) *Witness {
	if !replay.Provable(d.exam, f, value) {
		return nil
	}
	w, all := &Witness{}, true
	for _, path := range outerPaths(f) {
		run, ok := d.runWith(path)
		all = all && ok
		switch {
		case !ok:
		case len(w.Cycle) == 0:
			w.Further = append(w.Further, w.Stem)
			w.Stem, w.Cycle = run.Stem, run.Cycle
		default:
			w.Further = append(w.Further, run.Stem)
		}
	}
	// On a reduced net the ids of the formula mean nothing: lifted checks the run.
	if reduced := d.lookup.Reduced != nil; reduced && !all || !reduced && w.Prove(d.ctx, d.view, d.exam, f, value) != nil {
		return nil
	}
	return w
}

// runWith returns a run that shows E f, or one that violates A f.
func (d *decision) runWith(f formula.Formula) (Witness, bool) {
	path, _, atoms, err := d.ltl(f)
	if err != nil {
		return Witness{}, false
	}
	a, err := temporal.NewAutomaton(d.clock, path)
	if err != nil {
		return Witness{}, false
	}
	p, err := check.NewProduct(d.search.Space, a, atoms)
	if err != nil {
		return Witness{}, false
	}
	defer p.Close()
	if found, err := p.Accepted(); err != nil || !found {
		return Witness{}, false
	}
	stem, cycle := p.Lasso()
	run := Witness{Stem: stem, Cycle: cycle}
	_, next := formula.Operands(f)[0].(*formula.Next)
	// A dead marking stutters in LTL, and has no successor in CTL.
	return run, !next || len(run.Stem)+len(run.Cycle) > 0
}

// outerPaths returns the parts E f and A f of a formula that are inside no other.
func outerPaths(f formula.Formula) (list []formula.Formula) {
	switch f.(type) {
	case *formula.AllPaths, *formula.ExistsPath:
		return []formula.Formula{f}
	}
	for _, g := range formula.Operands(f) {
		list = append(list, outerPaths(g)...)
	}
	return list
}
