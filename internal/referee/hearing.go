package referee

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer"
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
	instance   models.Instance
	digest     string
	files      *formula.Files
	net        *net          // of the examination, nil until it is wanted
	whole      *net          // unfolded as it is, nil until it is wanted
	merged     *net          // with merged colours, nil until it is wanted
	merging    *pnml.Merging // nil until it is looked for
	skeleton   *net          // of a coloured net, nil where it has none
	size       size
	drawing    drawing
	facts      facts
	given      []formula.Property // of the examination
	properties []formula.Property // the same, or smaller ones that have the same values
	refused    bool               // some make no sense, which was said

	limited context.Context // ends with the budget of the examination
	stop    context.CancelFunc
	began   time.Duration // processor time when the budget began
	keptAt  int64         // when what is kept now was found, as passed gives it; 0: now
	doing   string        // what, and with what
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
	h.began = clock.ProcessorTime()
	h.limited, h.stop = clock.Budget(ctx, h.Budget)
}

// passed is how many microseconds of the budget had been used when what is kept now was found.
func (h *hearing) passed() int64 {
	return cmp.Or(h.keptAt, (clock.ProcessorTime() - h.began).Microseconds())
}

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
	properties, err := h.formulas(exam)
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

// formulas reads the properties of an examination; without a file of them the
// error is os.ErrNotExist.
func (h *hearing) formulas(exam examinations.ID) (properties []formula.Property, err error) {
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
	proof.Asked, h.given, h.properties, h.refused = len(proof.Exam.Items(formula.IDs(properties))), properties, properties, false
	before := h.passed()
	for _, n := range h.looked() {
		n.witnesses = nil
	}
	h.withoutColours(&proof, 1./16)
	if len(h.openItems(&proof)) == 0 {
		proof.Ended = "every value is proved without colours"
	} else if err := h.view(ctx, proof.Exam); err != nil {
		return proof, err
	} else if h.net.Net == nil {
		proof.Ended = h.net.why
		h.withoutColours(&proof, 1) // of what is left of the budget
	} else {
		h.follow(&proof, order)
		var err error
		if proof, err = h.join(proof); err != nil {
			return proof, err
		}
		h.follow(&proof, evidenceOrder)
		proof.Ended = cmp.Or(proof.Ended, "every value is proved without enumeration")
	}
	if ctx.Err() != nil {
		return proof, ctx.Err()
	}
	proof.Took = h.passed() - before
	return proof, clock.Until(ctx, func(c *clock.Clock) error { return h.leave(c, h.instance.ID, h.digest, proof.Exam) })
}

// view sees to the net as the explorer sees it.
func (h *hearing) view(ctx context.Context, exam examinations.ID) error {
	look, merging := h.netFor(exam)
	if !look {
		return nil
	}
	var err error
	if limits := (unfold.Limits{Arcs: uint64(h.Memory) / 256}); merging != nil {
		h.net.View, err = unfold.Merged(h.limited, h.files.Document.Symmetric, merging, limits)
	} else {
		h.net.View, err = unfold.Of(h.limited, h.files.Document, limits)
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

// few is how many markings are enumerated before anything else is tried, or where an unbounded net
// would fill the memory.
const few = 1 << 14

// fewMarkings enumerates few markings: on a small net they decide everything, with the shortest runs.
func (h *hearing) fewMarkings(ctx context.Context, p *oracle.Proof) { h.explore(ctx, p, few) }

// enumerate enumerates markings.
func (h *hearing) enumerate(ctx context.Context, p *oracle.Proof) { h.explore(ctx, p, 0) }

// explore enumerates markings for what is open, and keeps what they decide; most is how many, 0 for any
// number.
func (h *hearing) explore(ctx context.Context, p *oracle.Proof, most uint64) {
	open := h.openItems(p)
	left, _ := clock.Left(ctx)
	report, err := explorer.Decide(ctx, h.net.View, p.Exam, h.openProperties(p),
		explorer.Options{Memory: h.Memory - h.drawing.bytes(), SearchTime: max(left*7/8, 1), MaxStates: most, Cores: h.Cores, Witnesses: true},
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
	if err != nil && !h.refused {
		h.refused = true
		file := h.instance.File(p.Exam.FormulaFile())
		_, found := formula.ReadOf(bytes.NewReader(h.files.Texts[p.Exam.FormulaFile()]), file, p.Exam, formula.NamesIn(h.files.Document))
		if found.Err() == nil {
			found = diagnostic.List{{File: file, Code: "certify-formula", Message: err.Error()}}
		}
		h.leaveOpen(found)
	}
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
