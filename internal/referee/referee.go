package referee

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Options say what a referee may use, and where it keeps its results.
type Options struct {
	Budget  time.Duration // wall time for each examination of each instance
	Memory  int64         // bytes for the markings
	Cores   int           // cores that a search uses
	Version string        // of the program, for the certificate

	Dir   string // for certificate, oracle files and witnesses; empty: nothing is kept
	Again bool   // decide again what the certificate in Dir holds already
	// Replay replays the runs, proofs and branches that were left in Dir, and counts how long
	// that takes beside how long it took to find them.
	Replay bool

	Known        *oracle.Known                                    // answers to compare with, or nil
	Proved       func(p oracle.Proof)                             // receives what is proved of each examination; may be nil
	Say          func(remark string)                              // receives remarks for the person
	Contradicted func(key examinations.Key, known, proved string) // receives known answers that are refuted
}

// Referee decides instances and counts the results. Call Close at the end.
type Referee struct {
	Options
	before  *oracle.Certificate // of an earlier call, nil without one
	written *oracle.Certificate // the same, also where all is decided again
	file    *os.File            // the certificate, nil without a directory
	counts  map[examinations.ID]*Tally
	faults  error // of formulas that make no sense
}

// New makes a referee. It opens the certificate in o.Dir, or begins one.
func New(o Options) (*Referee, error) {
	r := &Referee{Options: o, counts: map[examinations.ID]*Tally{}}
	return r, r.open()
}

// Close closes the certificate. Its error also names the formulas that could
// not be read.
func (r *Referee) Close() error {
	if r.file == nil {
		return r.faults
	}
	return errors.Join(r.file.Close(), r.faults)
}

// Tally gives the counts of an examination.
func (r *Referee) Tally(exam examinations.ID) *Tally {
	if r.counts[exam] == nil {
		r.counts[exam] = &Tally{}
	}
	return r.counts[exam]
}

func (r *Referee) sayf(format string, args ...any) { r.Say(fmt.Sprintf(format, args...)) }

// Instance decides examinations of one instance. Reading and unfolding it uses
// time from the budget of the first of them. The error is that of ctx, or of
// files that cannot be read or written.
func (r *Referee) Instance(ctx context.Context, i models.Instance, exams []examinations.ID) error {
	h := &hearing{Referee: r, instance: i}
	h.begin(ctx)
	defer func() { h.stop() }()
	err := h.within(func(c *clock.Clock) error { return h.read(c, exams) })
	if errors.Is(err, context.DeadlineExceeded) {
		r.Say("  left open: to read it takes longer than the budget")
		for _, exam := range exams {
			r.Tally(exam).Undecided++
		}
		return ctx.Err()
	}
	for k := 0; k < len(exams) && err == nil; k++ {
		err = h.examine(ctx, exams[k])
	}
	debug.FreeOSMemory() // the next net may need it outside of the heap
	return err
}

// senseless keeps the error of a formula that makes no sense.
func (r *Referee) senseless(p oracle.Proof, err error) {
	r.sayf("  %s: %v", p.Exam, err)
	r.faults = errors.Join(r.faults, diagnostic.List{{File: p.Instance, Code: "certify-formula", Message: err.Error()}})
}
