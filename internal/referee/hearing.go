package referee

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
	"podium/internal/fault"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// hearing is an instance before the referee.
type hearing struct {
	*Referee
	instance models.Instance
	digest   string
	files    *formula.Files
	net      *net          // of the examination, nil until it is wanted
	whole    *net          // unfolded as it is, nil until it is wanted
	merged   *net          // with merged colours, nil until it is wanted
	merging  *pnml.Merging // nil until it is looked for
	skeleton *net          // of a coloured net, nil where it has none
	size     size
	drawing  drawing
	facts    facts
	given    []formula.Property // of the examination; other techniques may see smaller ones

	limited context.Context // ends with the budget of the examination
	stop    context.CancelFunc
	began   time.Time // the budget
	keptAt  int64     // when what is kept now was found, as passed gives it; 0: now
	doing   string    // what, and with what
}

// net is a net as the explorer sees it, and the witnesses of an examination.
type net struct {
	unfold.View        // without a Net when the net is too large
	why         string // there is none
	witnesses   []*witness.Witness

	mutex  sync.Mutex
	proofs *prover.Net // nil until a proof is looked for
}

// forProofs is what all searches for proofs about the net share.
func (n *net) forProofs(c *clock.Clock) *prover.Net {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.proofs == nil {
		n.proofs = prover.NewNet(c, n.View)
	}
	return n.proofs
}

// begin begins the budget of the next examination.
func (h *hearing) begin(ctx context.Context) {
	if h.stop != nil {
		h.stop()
	}
	h.began = time.Now()
	h.limited, h.stop = context.WithTimeout(ctx, h.Budget)
}

// passed is how many microseconds of the budget had passed when what is kept now was found.
func (h *hearing) passed() int64 { return cmp.Or(h.keptAt, time.Since(h.began).Microseconds()) }

// found adds a value to a proof.
func (h *hearing) found(p *oracle.Proof, v oracle.ProvedValue) {
	v.After = h.passed()
	p.Values = append(p.Values, v)
}

// within does what has to be done within the budget.
func (h *hearing) within(do func(c *clock.Clock) error) error { return clock.Until(h.limited, do) }

// read reads the net and the files of formulas.
func (h *hearing) read(c *clock.Clock, exams []examinations.ID) (err error) {
	if h.digest, err = h.instance.Digest(); err != nil {
		return err
	}
	if h.files, err = formula.Open(h.instance, exams, c.Reader); err != nil {
		return err
	}
	return h.files.Found.Err()
}

// examine decides an examination, unless an earlier call has done so.
func (h *hearing) examine(ctx context.Context, exam examinations.ID) error {
	properties, err := h.properties(exam)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		h.sayf("  left open: to read %s takes longer than the budget", exam.FormulaFile())
		h.Tally(exam).Undecided++
		h.begin(ctx)
		return nil
	case err != nil:
		return err
	}
	items := exam.Items(formula.IDs(properties))
	proof, fresh := h.recall(h.instance.ID, h.digest, exam)
	if fresh {
		if proof, err = h.prove(ctx, proof, properties); err != nil {
			return err
		}
		if err := h.keep(h.instance.ID, proof, items); err != nil {
			return err
		}
		if err := h.replay(ctx, proof, properties); err != nil {
			return err
		}
		h.begin(ctx)
	}
	if h.Proved != nil {
		h.Proved(proof)
	}
	return h.compare(h.instance.ID, proof, items)
}

// properties reads the formulas of an examination; without a file of them the
// error is os.ErrNotExist.
func (h *hearing) properties(exam examinations.ID) (properties []formula.Property, err error) {
	if !exam.HasFormulas() {
		return nil, nil
	}
	text, ok := h.files.Texts[exam.FormulaFile()]
	if !ok {
		return nil, os.ErrNotExist
	}
	err = h.within(func(c *clock.Clock) error {
		var found diagnostic.List
		properties, found = formula.Read(c.Reader(bytes.NewReader(text)), h.instance.File(exam.FormulaFile()), exam)
		return found.Err()
	})
	return properties, err
}

// prove decides what it can of an examination, and leaves the witnesses.
func (h *hearing) prove(ctx context.Context, proof oracle.Proof, properties []formula.Property) (oracle.Proof, error) {
	proof.Asked, h.given = len(proof.Exam.Items(formula.IDs(properties))), properties
	began := time.Now()
	if h.net != nil {
		h.net.witnesses = nil
	}
	h.withoutColours(&proof, properties)
	if len(openItems(&proof, properties)) == 0 {
		proof.Took, proof.Ended = time.Since(began).Microseconds(), "every value is proved without colours"
	} else {
		err := h.view(ctx, proof.Exam)
		if err == nil {
			proof, err = h.decide(ctx, proof, properties)
		}
		if err != nil {
			return proof, err
		}
	}
	return proof, clock.Until(ctx, func(c *clock.Clock) error { return h.leave(c, h.instance.ID, h.digest, proof.Exam) })
}

// view sees to the net as the explorer sees it.
func (h *hearing) view(ctx context.Context, exam examinations.ID) error {
	look, merging := h.turn(exam)
	if !look {
		return nil
	}
	var err error
	if limits := (unfold.Limits{Arcs: uint64(h.Memory) / 256, Context: h.limited}); merging != nil {
		h.net.View, err = unfold.Merged(h.files.Document.Symmetric, merging, limits)
	} else {
		h.net.View, err = unfold.Of(h.files.Document, limits)
	}
	large := (*unfold.TooLarge)(nil)
	switch {
	case errors.As(err, &large):
		h.net.why = large.Error()
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		h.net.why = "the unfolding takes longer than the budget"
	default:
		return err
	}
	if h.skeleton == nil {
		h.sayf("  left open: %s", h.net.why)
	} else {
		h.sayf("  only the net without its colours is looked at: %s", h.net.why)
	}
	return nil
}

// decide fills a proof, until the budget ends.
func (h *hearing) decide(ctx context.Context, p oracle.Proof, properties []formula.Property) (oracle.Proof, error) {
	if h.net.Net == nil {
		p.Ended = h.net.why
		if h.skeleton != nil {
			h.onSkeleton(&p, properties, h.Budget) // what is left of it
		}
		return p, ctx.Err()
	}
	began := time.Now()
	properties = openProperties(&p, properties)
	deadline, _ := h.limited.Deadline()
	left := func(divisor int64) time.Duration { return time.Until(deadline) / time.Duration(divisor) }
	if p.Exam == examinations.UpperBounds {
		h.alone(&p, "bounds", func() { properties = h.proveBounds(&p, properties, left(2)) })
		if len(openItems(&p, properties)) == 0 || ctx.Err() != nil {
			p.Took, p.Ended = time.Since(began).Microseconds(), "every value is proved without enumeration"
			return p, ctx.Err()
		}
	}
	var err error
	h.alone(&p, "few markings", func() { err = h.explore(&p, properties, left(8), fewMarkings) })
	if !h.drawing.small {
		h.alone(&p, "cover", func() { h.cover(&p, left(4)) })
		h.alone(&p, "simplification", func() { properties = h.simplify(&p, properties, left(8)) })
		h.alone(&p, "walks", func() { h.walks(&p, properties, left(8)) })
		h.alone(&p, "evidence", func() { h.showRest(&p, left(8)) }) // while there is time: most take little
		if ofLTL(p.Exam) {
			h.alone(&p, "stubborn sets", func() { h.reachRest(&p, properties, left(8)) })
		}
		if p.Exam == examinations.Liveness {
			h.alone(&p, "ways back", func() { h.returnRest(&p, properties, left(8)*3) })
		}
	}
	if len(openItems(&p, properties)) > 0 {
		h.alone(&p, "diagrams", func() { h.drawEarly(p.Exam) })
		h.alone(&p, "enumeration", func() { err = h.explore(&p, properties, h.shareOfSearch(left(1), p.Exam), 0) })
	}
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	if err != nil {
		h.senseless(p, err)
	}
	p.Took = time.Since(began).Microseconds()
	h.alone(&p, "proofs", func() { h.proveRest(&p, properties) })
	if p.Exam == examinations.StateSpace {
		h.alone(&p, "diagrams", func() { h.drawRest(&p, properties) })
	}
	h.alone(&p, "conclusions", func() { h.concludeRest(&p, properties) })
	h.alone(&p, "walks", func() { h.walks(&p, properties, left(2)) })
	if p.Exam != examinations.Liveness {
		h.alone(&p, "ways back", func() { properties = h.returnRest(&p, properties, left(4)) })
	}
	h.alone(&p, "diagrams", func() { h.drawRest(&p, properties) })
	part := int64(2)
	if slices.Contains(withProofs, p.Exam) {
		part = 8 // what has a proof by the state equation has it soon
	}
	h.alone(&p, "evidence", func() { h.showRest(&p, left(part)) })
	if h.drawing.space != nil {
		h.alone(&p, "evidence by diagrams", func() { h.showDrawn(&p, left(4)) })
	}
	if p.Exam == examinations.UpperBounds && len(openItems(&p, properties)) > 0 {
		h.alone(&p, "bounds", func() { h.proveBounds(&p, openProperties(&p, properties), left(1)) })
	}
	if p.Exam == examinations.StateSpace && len(p.Values) < p.Asked && h.limited.Err() == nil {
		h.alone(&p, "enumeration", func() { h.explore(&p, properties, left(8)*7, 0) }) // its error is that of the first time
	}
	h.alone(&p, "clauses", func() { h.strengthenRest(&p, properties) })
	rest := left(1)
	if ofLTL(p.Exam) {
		rest /= 4 // walks find more of what it did not find before
	}
	h.alone(&p, "stubborn sets", func() { h.reachRest(&p, properties, rest) })
	h.alone(&p, "walks", func() { h.walks(&p, properties, left(8)*7) })
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	p.Took = time.Since(began).Microseconds()
	if p, err = h.join(p); err == nil {
		h.alone(&p, "evidence by enumeration", func() { h.enumerable(&p) })
		h.alone(&p, "evidence", func() { h.showRest(&p, min(left(1), h.Budget/4)) })
		h.alone(&p, "evidence by diagrams", func() { h.showDrawn(&p, left(1)) })
	}
	return p, errors.Join(err, ctx.Err())
}

// alone lets a technique do what it can. Where it fails inside podium, what it has not decided
// stays open for the others.
func (h *hearing) alone(p *oracle.Proof, technique string, do func()) {
	h.doing = fmt.Sprintf("%s %s, %s", h.instance.ID, p.Exam, technique)
	if err := fault.Contain(h.doing, func() error { do(); return nil }); err != nil {
		h.leaveOpen(err)
	}
}

// fewMarkings are enumerated before anything else is tried: on a small net they decide
// everything, with the shortest runs.
const fewMarkings = 1 << 14

// explore enumerates markings for some time, for what is open, and keeps what they decide;
// most is how many, 0 for any number.
func (h *hearing) explore(p *oracle.Proof, properties []formula.Property, d time.Duration, most uint64) error {
	open := openItems(p, properties)
	if len(open) == 0 {
		p.Ended = "every value is proved without enumeration"
		return nil
	}
	properties = openProperties(p, properties)
	ctx, cancel := context.WithTimeout(h.limited, d)
	defer cancel()
	report, err := explorer.Decide(ctx, h.net.View, p.Exam, properties,
		explorer.Options{Memory: h.Memory - h.drawing.bytes(), SearchTime: max(d*7/8, 1), MaxStates: most, Cores: h.Cores, Witnesses: true},
		func(a explorer.Answer) {
			if !slices.Contains(open, a.Item) {
				return
			}
			if a.Witness.Length() > longestWitness || a.Witness != nil && !h.shows(p.Exam, a) {
				a.Witness = nil
			}
			h.keepAnswer(p, a)
		})
	h.noteReport(p, report)
	return err
}

// noteReport says in a proof how far an enumeration came.
func (h *hearing) noteReport(p *oracle.Proof, report explorer.Report) {
	p.Markings, p.Firings, p.Ended = report.States, report.Firings, report.Stop.String()
	for i := range p.Values {
		v := &p.Values[i]
		switch v.By {
		case oracle.ByProof, oracle.ByStubborn, oracle.ByDiagrams, oracle.ByWalks, oracle.ByLaws:
			continue
		case oracle.BySomeMarkings:
			if report.Complete() {
				v.By = oracle.ByAllMarkings
			}
		}
		v.Markings = report.States
	}
	h.drawing.small = h.drawing.small || p.Exam == examinations.StateSpace && report.Complete()
}

// Firings of the runs that a certificate spells out, and of a witness that is
// written: more would take longer than a second.
const (
	longestRun     = 2000
	longestWitness = 1 << 22
)

// provedBy says how the explorer has decided a value.
func provedBy(view unfold.View, a explorer.Answer) oracle.ProvedValue {
	v := oracle.ProvedValue{Item: a.Item, Text: a.Value.Text, By: oracle.BySomeMarkings}
	if a.Reduced {
		v.By = oracle.ByReduced
	}
	if a.Witness == nil || a.Value.Kind == examinations.Nat && a.Value != examinations.Infinite {
		return v // of a finite number, a run shows only that it is no less
	}
	v.By, v.Length = oracle.ByRun, a.Witness.Length()
	v.Runs = 1 + len(a.Witness.Further)
	if v.Runs == 1 && len(a.Witness.Inner) == 0 && v.Length <= longestRun && view.Merging == nil { // the witness file has the others
		v.Run, v.Cycle = transitionNames(view.Net, a.Witness.Stem), transitionNames(view.Net, a.Witness.Cycle)
	}
	return v
}

func transitionNames(net *pnml.Net, run []uint32) []string {
	names := make([]string, len(run))
	for i, t := range run {
		names[i] = net.Transitions.At(int(t))
	}
	return names
}
