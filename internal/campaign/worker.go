package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"podium/vm"
)

// Options of a worker.
type Options struct {
	Driver   vm.Driver
	Cores    []int  // host cores that runs are pinned to; a run gets some for itself
	Memory   int64  // bytes that all runs together may be promised; 0 does not count
	Attempts int    // tries of a run that fails by our fault, default 3
	Version  string // of podium, for the journal
	Record   bool   // the driver is fit for a contest's record
	Observe  func(Event)
}

// Event is a step of a worker, for progress displays. Exactly one of Started,
// Finished, Voided and Waiting is set.
type Event struct {
	Started  *Started
	Finished *Finished
	Voided   *Voided
	Waiting  *Lease // a model is left to this other worker
}

// Summary is what a worker leaves behind.
type Summary struct {
	Done, Void, Left int     // runs of the whole plan
	Held             []Lease // other workers that hold the models of what is left
}

// BusyError says that everything that is left belongs to other living workers.
type BusyError struct{ Held []Lease }

func (e *BusyError) Error() string {
	l := e.Held[0]
	return fmt.Sprintf("all that is left is being worked on by worker %s (process %d on %s)", l.Worker, l.PID, l.Host)
}

// ChangedError says that an input is not what was planned.
type ChangedError struct {
	What string
	Else string // what can be done instead of restoring it; empty: a new campaign
}

func (e *ChangedError) Error() string {
	return e.What + " has changed since the campaign was planned; restore it, or " + cmp.Or(e.Else, "plan a new campaign")
}

// Work does what the journal does not have yet, until nothing is left, ctx ends
// or something of ours fails for good (a full disk). Runs that were under way
// then are in doubt and are done by the next worker.
func (c *Campaign) Work(ctx context.Context, o Options) (Summary, error) {
	if o.Attempts == 0 {
		o.Attempts = 3
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if err := c.checkTools(); err != nil {
		return Summary{}, err
	}
	if err := c.fits(o); err != nil {
		return Summary{}, err
	}
	me, err := identity(time.Now())
	if err != nil {
		return Summary{}, err
	}
	journal, err := newJournal(filepath.Join(c.Dir, "journal", me.Worker+".jsonl"))
	if err != nil {
		return Summary{}, err
	}
	defer journal.Close()
	capabilities, err := o.Driver.Probe(ctx)
	if err != nil {
		return Summary{}, err
	}
	if err := journal.Append(Record{Opened: &Opened{JournalFormat, c.Digest, me.Worker, me.Host, o.Version, capabilities.Driver,
		o.Record, capabilities.Emulated, time.Now().UTC(), thisMachine()}}); err != nil {
		return Summary{}, err
	}
	packed, err := newPack(filepath.Join(c.Dir, "packs"), me.Worker+".zst")
	if err != nil {
		return Summary{}, err
	}
	defer packed.Close()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &worker{campaign: c, options: o, me: me, journal: journal, pack: packed, cancel: cancel,
		free: newResources(o.Cores, o.Memory), inputs: newInputs(c)}
	held, err := w.models(ctx)
	w.runs.Wait()
	if cause := context.Cause(ctx); cause != nil && (err == nil || errors.Is(err, ctx.Err())) {
		err = cause
	}
	log := newLog(true)
	if rerr := log.update(context.WithoutCancel(ctx), c); rerr != nil {
		return Summary{}, errors.Join(err, rerr)
	}
	s := Summary{Done: len(log.Finished), Void: len(log.Void), Held: held}
	s.Left = c.Plan.Count() - s.Done - s.Void
	if err == nil && s.Left > 0 && len(held) > 0 {
		err = &BusyError{held}
	}
	return s, err
}

// checkTools compares the tools with the plan.
func (c *Campaign) checkTools() error {
	for _, planned := range c.Plan.Tools {
		t, err := c.openTool(planned)
		if err != nil {
			return err
		}
		digest, err := t.Digest()
		if err != nil {
			return err
		}
		if digest != planned.Digest {
			return &ChangedError{What: "tool " + planned.Name}
		}
	}
	return nil
}

// fits refuses a plan whose machines this host cannot give.
func (c *Campaign) fits(o Options) error {
	for _, t := range c.Plan.Tools {
		need := c.Plan.Confinement(t)
		if need.Cores > len(o.Cores) {
			return &vm.BootError{Err: fmt.Errorf("tool %s needs %d cores and %d are given", t.Name, need.Cores, len(o.Cores))}
		}
		if o.Memory > 0 && need.Memory > o.Memory {
			return &vm.BootError{Err: fmt.Errorf("tool %s needs %d bytes of memory and %d are given", t.Name, need.Memory, o.Memory)}
		}
	}
	return nil
}

type worker struct {
	campaign *Campaign
	options  Options
	me       Lease
	journal  *fileJournal
	pack     *pack
	free     *resources
	inputs   *inputs
	cancel   context.CancelCauseFunc
	runs     sync.WaitGroup
	observe  sync.Mutex
}

// models goes through the models, model by model, and starts what is to be
// done as soon as cores are free. It gives the workers that hold the others.
func (w *worker) models(ctx context.Context) (held []Lease, err error) {
	log := newLog(true)
	for _, family := range w.campaign.Plan.Families() {
		if ctx.Err() != nil {
			return nil, nil
		}
		if err := log.update(ctx, w.campaign); err != nil {
			return nil, err
		}
		if len(w.open(log, family)) == 0 {
			continue
		}
		mine, holder, err := w.campaign.claim(family, w.me)
		if err != nil {
			return nil, err
		}
		if !mine {
			held = append(held, holder)
			w.tell(Event{Waiting: &holder})
			continue
		}
		// What another worker did between the reading and the claim counts.
		if err := log.update(ctx, w.campaign); err != nil {
			return nil, err
		}
		if err := w.model(ctx, family, log); err != nil {
			return nil, err
		}
	}
	return held, nil
}

// open lists the runs of a model that have no end.
func (w *worker) open(log *Log, family string) []Run {
	var list []Run
	for run := range w.campaign.Plan.RunsOf(family) {
		if !log.Done(run) {
			list = append(list, run)
		}
	}
	return list
}

// model starts the open runs of a model that this worker holds, and gives the
// lease back when the last of them has ended.
func (w *worker) model(ctx context.Context, family string, log *Log) error {
	renewal, stop := context.WithCancel(ctx)
	go w.keep(renewal, family)
	var ends sync.WaitGroup
	defer func() {
		w.runs.Go(func() {
			ends.Wait()
			stop()
			if err := w.campaign.release(family, w.me); err != nil {
				w.cancel(err)
			}
		})
	}()
	for _, run := range w.open(log, family) {
		tool, _ := w.campaign.Plan.Tool(run.Tool)
		need := w.campaign.Plan.Confinement(tool)
		cores, ok := w.free.take(ctx, need.Cores, need.Memory)
		if !ok {
			return nil
		}
		before := log.Attempts[run]
		ends.Go(func() {
			defer w.free.give(cores, need.Memory)
			if err := w.run(ctx, run, before, cores); err != nil {
				w.cancel(err)
			}
		})
	}
	return nil
}

// keep renews the lease of a model until ctx ends.
func (w *worker) keep(ctx context.Context, family string) {
	tick := time.NewTicker(leaseExpiry / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !w.campaign.renew(family, w.me) {
				w.cancel(fmt.Errorf("the lease on model %s was taken over by another worker", family))
				return
			}
		}
	}
}

// run tries a run until it has an end. An error stops the worker.
func (w *worker) run(ctx context.Context, run Run, before int, cores []int) error {
	for attempt := before + 1; ; attempt++ {
		if ctx.Err() != nil {
			return nil
		}
		started := Started{run, attempt, time.Now().UTC()}
		if err := w.journal.Append(Record{Started: &started}); err != nil {
			return err
		}
		w.tell(Event{Started: &started})
		finished, err := w.attempt(ctx, run, cores)
		var changed *ChangedError
		switch {
		case ctx.Err() != nil:
			return nil // in doubt: the next worker does it again
		case err == nil:
			finished.Run, finished.Attempt, finished.Worker = run, attempt, w.me.Worker
			if err := w.journal.Append(Record{Finished: finished}); err != nil {
				return err
			}
			w.tell(Event{Finished: finished})
			return nil
		case errors.As(err, &changed) || isOurDisk(err):
			return err
		}
		voided := Voided{run, attempt, w.me.Worker, err.Error(), attempt >= w.options.Attempts, time.Now().UTC()}
		if err := w.journal.Append(Record{Voided: &voided}); err != nil {
			return err
		}
		w.tell(Event{Voided: &voided})
		if voided.Final {
			return nil
		}
	}
}

func (w *worker) tell(e Event) {
	w.observe.Lock()
	defer w.observe.Unlock()
	w.options.Observe(e)
}

// resources are the cores and the memory that runs may be promised.
type resources struct {
	mu      sync.Mutex
	changed chan struct{} // closed when something is given back
	cores   []int
	memory  int64
	counted bool
}

func newResources(cores []int, memory int64) *resources {
	return &resources{changed: make(chan struct{}), cores: slices.Clone(cores), memory: memory, counted: memory > 0}
}

// take waits for n cores and the memory; false when ctx ends first. It is
// called from one goroutine, so whoever comes first is served first.
func (r *resources) take(ctx context.Context, n int, memory int64) ([]int, bool) {
	for {
		r.mu.Lock()
		if ctx.Err() == nil && len(r.cores) >= n && (!r.counted || r.memory >= memory) {
			got := slices.Clone(r.cores[:n])
			r.cores = slices.Delete(r.cores, 0, n)
			r.memory -= memory
			r.mu.Unlock()
			return got, true
		}
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-ctx.Done():
			return nil, false
		case <-changed:
		}
	}
}

func (r *resources) give(cores []int, memory int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cores = append(r.cores, cores...)
	slices.Sort(r.cores)
	r.memory += memory
	close(r.changed)
	r.changed = make(chan struct{})
}
