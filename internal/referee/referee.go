package referee

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/fault"
	"podium/internal/wording"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Options say what a referee may use, and where it keeps its results.
type Options struct {
	Budget  time.Duration // processor time for each examination of each instance, see [clock.Budget]
	Memory  int64         // bytes for the markings
	Cores   int           // cores that a search uses
	Version string        // of the program, for the certificate

	Dir   string // for certificate, oracle files and witnesses; empty: nothing is kept
	Again bool   // decide again what the certificate in Dir holds already
	// Without leaves out some of [Techniques]. What stays open then may be decided with all of them, so
	// Dir is empty.
	Without []string
	// Replay replays the runs, proofs and branches that were left in Dir, and counts how long
	// that takes beside how long it took to find them.
	Replay bool

	Known    *oracle.Known        // answers to compare with, or nil
	Proved   func(p oracle.Proof) // receives what is proved of each examination; may be nil
	Say      func(remark string)  // receives remarks for the person
	Compared func(Comparison)     // receives known answers that are refuted, or one tool's alone
}

// Referee decides instances and counts the results. Call Close at the end.
type Referee struct {
	Options
	before  *oracle.Certificate // of an earlier call, nil without one
	written *oracle.Certificate // the same, also where all is decided again
	file    *os.File            // the certificate, nil without a directory
	counts  map[examinations.ID]*Tally
	works   []*Work
	amiss   error // what was left out, and why
}

// New makes a referee. It opens the certificate in o.Dir, or begins one.
func New(o Options) (*Referee, error) {
	r := &Referee{Options: o, counts: map[examinations.ID]*Tally{}}
	return r, r.open()
}

// Close closes the certificate. Its error also names all that was left open because it could
// not be read, or because something failed inside podium, a [*fault.Error].
func (r *Referee) Close() error {
	if r.file == nil {
		return r.amiss
	}
	return errors.Join(r.file.Close(), r.amiss)
}

// Tally returns the counts of an examination.
func (r *Referee) Tally(exam examinations.ID) *Tally {
	if r.counts[exam] == nil {
		r.counts[exam] = &Tally{}
	}
	return r.counts[exam]
}

func (r *Referee) sayf(format string, args ...any) { r.Say(fmt.Sprintf(format, args...)) }

// Instance decides examinations of one instance. Reading and unfolding it uses
// time from the budget of the first of them. What cannot be read, or fails inside podium,
// stays open, and the others go on; [Referee.Close] gives it. The error is that of ctx, or of
// files that cannot be written.
func (r *Referee) Instance(ctx context.Context, i models.Instance, exams []examinations.ID) error {
	h := &hearing{Referee: r, instance: i}
	h.begin(ctx)
	defer func() { h.stop() }()
	defer debug.FreeOSMemory() // the next net may need it outside of the heap
	late := false
	read, err := h.attempt(ctx, i.ID.String(), func() error {
		err := h.within(func(c *clock.Clock) error { return h.read(c, exams) })
		if late = errors.Is(err, context.DeadlineExceeded); late {
			r.Say("  left open: to read it takes longer than the budget")
			return ctx.Err()
		}
		return err
	})
	if !read || late {
		for _, exam := range exams {
			r.Tally(exam).Undecided++
		}
		return err
	}
	for _, exam := range exams {
		done, err := h.attempt(ctx, fmt.Sprintf("%s %s", i.ID, exam), func() error { return h.examine(ctx, exam) })
		if err != nil {
			return err
		}
		if !done {
			r.Tally(exam).Undecided++
		}
	}
	return nil
}

// attempt does something of which an error, or a failure of podium, takes nothing else down:
// then it is not done. err is an error after which nothing can go on.
func (h *hearing) attempt(ctx context.Context, about string, do func() error) (done bool, err error) {
	err = fault.Contain(about, do)
	var unwritten *unwrittenError
	switch {
	case err == nil:
		return true, nil
	case ctx.Err() != nil || errors.As(err, &unwritten):
		return false, err
	}
	h.leaveOpen(err)
	h.begin(ctx)
	return false, nil
}

// leaveOpen says at once, and again at the end, why something stays open.
func (r *Referee) leaveOpen(err error) {
	why, _, _ := strings.Cut(err.Error(), "\n")
	if found, ok := errors.AsType[diagnostic.List](err); ok && len(found) > 0 {
		why = found[0].File + " has " + wording.Count(found.Count(diagnostic.Error), "error", "errors")
	}
	r.Say("  left open: " + why)
	r.amiss = errors.Join(r.amiss, err)
}

// unwrittenError is that of a file which could not be written: the results of the next
// examination could not be kept either.
type unwrittenError struct{ error }

func (e *unwrittenError) Unwrap() error { return e.error }

// kept marks an error of writing; nil stays nil.
func kept(err error) error {
	if err != nil {
		return &unwrittenError{err}
	}
	return nil
}
