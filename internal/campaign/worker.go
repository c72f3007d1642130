package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"podium/internal/fault"
	"podium/internal/files"
	"podium/internal/sentinel"
	"podium/vm"
	"podium/vm/topology"
)

// Options say how a worker works.
type Options struct {
	Driver   vm.Driver
	Cores    *topology.Pool // of the host, that runs are pinned to; a run gets some for itself
	Memory   int64          // bytes that all runs together may be promised; 0 does not count
	Attempts int            // tries of a run that fails by our fault, default 3
	Version  string         // of podium, for the journal
	Record   bool           // the driver is fit for a contest's record
	Observe  func(Event)
	Replay   Replay // of the witnesses of tools; a plan that asks for witnesses needs it

	Lease time.Duration // how long this worker is believed without a sign of life, default [DefaultLease]
	Wait  bool          // wait for models that other workers hold
	Move  []string      // models that a person has moved here from another computer (E-5.1)
	Again []string      // models that a person wants done again, all their runs

	// Redo chooses runs that have an end and are done again; nil for none. The end counts
	// until the run has another one.
	Redo func(*Log, Run) bool

	Models []string // the only models to work on; nil for all of the plan

	// Sentinel is the time between two readings of a core by [sentinel.Measure]; 0 for none.
	Sentinel time.Duration

	node    Node // where this worker runs; tests say another one
	measure func(core int) (sentinel.Reading, error)
}

// complete fills in what was not said.
func (o *Options) complete() {
	if o.Attempts == 0 {
		o.Attempts = 3
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if o.Lease == 0 {
		o.Lease = DefaultLease
	}
	if o.node.IsZero() {
		o.node = thisNode()
	}
}

// models lists the models to work on, in the order of the plan.
func (o *Options) models(p *Plan) []string {
	list := p.Units()
	if o.Models == nil {
		return list
	}
	return slices.DeleteFunc(list, func(model string) bool { return !slices.Contains(o.Models, model) })
}

// redo returns the models with runs that are to be done again.
func (o *Options) redo(log *Log) map[string]bool {
	set := map[string]bool{}
	if o.Redo == nil {
		return set
	}
	for _, model := range o.models(&log.campaign.Plan) {
		if len(log.wishesOf(model, func(run Run) bool { return o.Redo(log, run) })) > 0 {
			set[model] = true
		}
	}
	return set
}

// pause is the time between two looks at models that others hold.
func (o *Options) pause() time.Duration { return min(o.Lease/10, 5*time.Second) }

// Event is a step of a worker, for progress displays. Exactly one of Started,
// Finished, Voided, Waiting, Lost and Ahead is set.
type Event struct {
	Started  *Started
	Finished *Finished
	Voided   *Voided
	Waiting  *Lease // a model is left to this other worker
	Lost     *Lease // this worker was taken for dead and a model of it taken over
	Ahead    *Ahead // a lease did not count that was dated in the future
}

// Ahead says that the lease of a model was taken over because its time lies so far in the
// future.
type Ahead struct {
	Model string
	By    time.Duration
}

// Summary is the number of runs that are done, void and left.
type Summary struct {
	Done, Void int // runs of the whole plan
	Left       int // runs of the models that were to be worked on
}

// BusyError says that all runs that are left are in the hands of other living
// workers, or pinned to other computers.
type BusyError struct {
	Held []Lease
	Away []Away
	Dir  string // of the campaign
}

func (e *BusyError) Error() string {
	if len(e.Held) > 0 {
		l := e.Held[0]
		return fmt.Sprintf("worker %s (process %d on %s) is doing what is left, so nothing is to be done here; --wait waits for it", l.Worker, l.PID, l.Host)
	}
	a, more := e.Away[0], ""
	switch n := len(e.Away) - 1; {
	case n == 1:
		more = " (and another model elsewhere)"
	case n > 1:
		more = fmt.Sprintf(" (and %d other models elsewhere)", n)
	}
	return fmt.Sprintf("model %s was begun on another computer, %s%s, and all runs of a model belong on one (E-5.1): go on there, or say `podium run --move %s %s` here, which sets the model's earlier runs aside",
		a.Model, a.Host, more, a.Model, e.Dir)
}

// ChangedError says that an input is not what was planned.
type ChangedError struct {
	What string
	How  string // how to restore it; empty: nobody but the person knows
	Else string // what can be done instead of restoring it; empty: a new campaign
}

func (e *ChangedError) Error() string {
	how := ""
	if e.How != "" {
		how = " (" + e.How + ")"
	}
	return e.What + " has changed since the campaign was planned; restore it" + how + ", or " + cmp.Or(e.Else, "plan a new campaign")
}

// Work does the runs that are not in the journal yet. It ends when none is
// left, when ctx ends, or at a failure of the host that lasts (a full disk).
// Runs that were under way then have no end, and the next worker does them
// again.
func (c *Campaign) Work(ctx context.Context, o Options) (Summary, error) {
	o.complete()
	if c.Plan.Witnesses && o.Replay == nil {
		return Summary{}, errors.New("the plan asks for witnesses, and this worker cannot replay them: Options.Replay is missing")
	}
	inputs := newInputs(c)
	if err := inputs.allTools(ctx); err != nil {
		return Summary{}, err
	}
	if err := c.Fits(o.Cores, o.Memory); err != nil {
		return Summary{}, err
	}
	log := newLog(c, true)
	if err := log.update(ctx); err != nil {
		return Summary{}, err
	}
	me, err := c.identity(time.Now(), o.node, o.Lease)
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
	if err := journal.Append(Record{Opened: &Opened{Format: JournalFormat, Campaign: c.Digest, Worker: me.Worker, Host: me.Host, Node: me.Node,
		Version: o.Version, Driver: capabilities.Driver, Record: o.Record, Emulated: capabilities.Emulated, At: time.Now().UTC(),
		Machine: thisMachine(), NoEnergy: capabilities.NoEnergy}}); err != nil {
		return Summary{}, err
	}
	packed, err := newPack(filepath.Join(c.Dir, "packs"), me.Worker+".zst")
	if err != nil {
		return Summary{}, err
	}
	defer packed.Close()
	scratch, err := files.NewScratch(filepath.Join(c.Dir, "packs"), "run")
	if err != nil {
		return Summary{}, err
	}
	defer scratch.Close()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &worker{campaign: c, options: o, me: me, journal: journal, pack: packed, scratch: scratch, cancel: cancel, log: log,
		free: newResources(o.Cores, o.Memory), inputs: inputs, hide: c.Places(), holding: map[string]bool{}, moves: setOf(o.Move), again: setOf(o.Again), redo: o.redo(log), watch: newWatch(o)}
	err = w.rounds(ctx)
	w.runs.Wait()
	err = errors.Join(err, w.read(ctx, w.watch.left()))
	if cause := context.Cause(ctx); cause != nil && (err == nil || errors.Is(err, ctx.Err())) {
		err = cause
	}
	if rerr := log.update(context.WithoutCancel(ctx)); rerr != nil {
		return Summary{}, errors.Join(err, rerr)
	}
	s := Summary{Done: len(log.Finished), Void: len(log.Void)}
	for _, model := range o.models(&c.Plan) {
		s.Left += len(w.open(model))
	}
	if err == nil && (s.Left > 0 || len(w.again)+len(w.redo) > 0) {
		err = w.whyLeft()
	}
	return s, err
}

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[word] = true
	}
	return set
}

type worker struct {
	campaign *Campaign
	options  Options
	me       Lease
	journal  *fileJournal
	pack     *pack
	scratch  *files.Scratch  // for what runs print and leave
	log      *Log            // of the goroutine that goes through the models
	moves    map[string]bool // models that are still to be moved here
	again    map[string]bool // models of which no earlier run is to count
	redo     map[string]bool // models with runs that Options.Redo chooses
	watch    *watch
	free     *resources
	inputs   *inputs
	hide     []string // directories that no run may see
	cancel   context.CancelCauseFunc
	runs     sync.WaitGroup
	observe  sync.Mutex
	mu       sync.Mutex
	holding  map[string]bool // models with runs of this worker under way
}

// rounds goes through the models until nothing is left that this worker could do,
// now or, where it waits, when others have given it back.
func (w *worker) rounds(ctx context.Context) error {
	for {
		elsewhere, err := w.models(ctx)
		if err != nil || !elsewhere || !w.options.Wait {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(w.options.pause()):
		}
	}
}

// models goes through the models, model by model, and starts what is to be
// done as soon as cores are free. It reports whether other workers hold some: its own runs are waited for
// anyhow.
func (w *worker) models(ctx context.Context) (elsewhere bool, err error) {
	for _, model := range w.options.models(&w.campaign.Plan) {
		if ctx.Err() != nil {
			return false, nil
		}
		if err := w.log.update(ctx); err != nil {
			return false, err
		}
		switch {
		case len(w.open(model)) == 0 && !w.again[model] && !w.redo[model]:
			continue
		case w.holds(model):
			continue
		}
		others, err := w.begin(ctx, model)
		if err != nil {
			return false, err
		}
		elsewhere = elsewhere || others
	}
	return elsewhere, nil
}

// open lists the runs of a model that have no end.
func (w *worker) open(model string) []Run {
	var list []Run
	for run := range w.campaign.Plan.RunsOf(model) {
		if !w.log.Done(run) {
			list = append(list, run)
		}
	}
	return list
}

// begin claims a model and starts its open runs; it reports whether the model is
// another worker's for now.
func (w *worker) begin(ctx context.Context, model string) (others bool, err error) {
	if w.elsewhere(model) {
		holder, _, err := w.campaign.holder(model, w.me.Node)
		return holder != nil, err
	}
	lease, mine, err := w.campaign.claim(model, w.log.claims.last(model), w.me)
	if err != nil {
		return false, err
	}
	if !mine {
		w.tell(Event{Waiting: &lease})
		return true, nil
	}
	if by := w.campaign.ahead(lease); by > 0 {
		w.tell(Event{Ahead: &Ahead{model, by}})
	}
	here, err := w.takeOver(ctx, lease)
	if err != nil || !here {
		return true, errors.Join(err, w.campaign.release(lease))
	}
	return false, w.model(ctx, lease)
}

// elsewhere reports whether a model belongs to another computer, and nobody has moved
// it here.
func (w *worker) elsewhere(model string) bool {
	home, known := w.log.home(model)
	return known && !home.same(w.me.place()) && !w.moves[model]
}

// takeOver pins a model that was claimed to this computer, and records how far the
// journals of those who held it before count. It returns false when the model was
// pinned to another computer in the meantime.
func (w *worker) takeOver(ctx context.Context, l Lease) (here bool, err error) {
	if err := w.log.update(ctx); err != nil || w.elsewhere(l.Model) {
		return false, err
	}
	if pin := w.log.pins[l.Model]; pin.number == 0 || !pin.place().same(l.place()) {
		if err := w.campaign.pin(l, pin.number+1); errors.Is(err, fs.ErrExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		delete(w.moves, l.Model)
	}
	// What others did before now counts, and nothing that they do later.
	if err := w.log.update(ctx); err != nil {
		return false, err
	}
	over, err := w.campaign.fences(l, w.log)
	if err != nil {
		return false, err
	}
	if !w.again[l.Model] {
		err := w.journal.Append(Record{Claimed: &Claimed{l.Model, l.Number, over, l.At}})
		if err != nil || !w.redo[l.Model] {
			return err == nil, err
		}
		delete(w.redo, l.Model)
		ends := w.log.wishesOf(l.Model, func(run Run) bool { return w.options.Redo(w.log, run) })
		if err := w.journal.Append(Record{Again: &Again{Model: l.Model, Ends: ends, At: time.Now().UTC()}}); err != nil {
			return false, err
		}
		return true, w.log.update(ctx)
	}
	delete(w.again, l.Model)
	if err := w.journal.Append(Record{Claimed: &Claimed{l.Model, l.Number, w.log.revoke(l.Model, over), l.At}}); err != nil {
		return false, err
	}
	return true, w.log.update(ctx)
}

// model starts the open runs of a model that this worker holds, and gives the
// lease back when the last of them has ended.
func (w *worker) model(ctx context.Context, l Lease) error {
	ctx, end := context.WithCancel(ctx)
	w.hold(l.Model, true)
	go w.keep(ctx, l, end)
	var ends sync.WaitGroup
	defer func() {
		w.runs.Go(func() {
			ends.Wait()
			end()
			if !w.campaign.holds(l) {
				w.tell(Event{Lost: &l})
			}
			if err := w.campaign.release(l); err != nil {
				w.cancel(err)
			}
			w.hold(l.Model, false)
		})
	}()
	for _, run := range w.open(l.Model) {
		tool, _ := w.campaign.Plan.Tool(run.Tool)
		asked, _ := w.campaign.Plan.Instance(run.Instance)
		need := w.campaign.Plan.Confinement(tool, asked)
		place, ok := w.free.take(ctx, need.Cores, need.Memory)
		if !ok {
			return nil
		}
		before := w.log.Attempts[run]
		ends.Go(func() {
			defer w.free.give(place, need.Memory)
			err := fault.Contain(run.String(), func() error {
				if err := w.read(ctx, w.watch.due(place.Cores)); err != nil {
					return err
				}
				defer w.watch.ran(place.Cores)
				return w.run(ctx, run, before, place, l)
			})
			if err != nil {
				w.cancel(err)
			}
		})
	}
	return nil
}

func (w *worker) hold(model string, held bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.holding[model] = held
}

func (w *worker) holds(model string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.holding[model]
}

// keep renews a lease until ctx ends. A lease that was taken over ends the runs
// under it: the other worker does them.
func (w *worker) keep(ctx context.Context, l Lease, lost func()) {
	tick := time.NewTicker(w.options.Lease / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !w.campaign.renew(l) {
				lost()
				return
			}
		}
	}
}

// whyLeft says why runs are left though this worker finds nothing to do: others
// work on them, or they belong to another computer. It is nil where the next worker
// will do them.
func (w *worker) whyLeft() error {
	e := &BusyError{Dir: w.campaign.Dir}
	for _, model := range w.options.models(&w.campaign.Plan) {
		if len(w.open(model)) == 0 && !w.again[model] && !w.redo[model] {
			continue
		}
		holder, _, err := w.campaign.holder(model, w.me.Node)
		switch {
		case err != nil:
			return err
		case holder != nil:
			e.Held = append(e.Held, *holder)
		case w.elsewhere(model):
			home, _ := w.log.home(model)
			e.Away = append(e.Away, Away{model, home.host})
		}
	}
	if len(e.Held)+len(e.Away) == 0 {
		return nil
	}
	return e
}

// run tries a run until it has an end. An error stops the worker. A run whose lease
// is lost meanwhile is left in doubt: the worker that has the model now does it.
func (w *worker) run(ctx context.Context, run Run, before int, place topology.Binding, l Lease) error {
	var (
		changed    *ChangedError
		unreadable *UnreadableError
	)
	for attempt := before + 1; ; attempt++ {
		if ctx.Err() != nil || !w.campaign.holds(l) {
			return nil
		}
		started := Started{Run: run, Attempt: attempt, Lease: l.Number, At: time.Now().UTC()}
		if err := w.journal.Append(Record{Started: &started}); err != nil {
			return err
		}
		w.tell(Event{Started: &started})
		var finished *Finished
		err := fault.Contain(run.String(), func() (err error) {
			finished, err = w.attempt(ctx, run, place)
			return err
		})
		if ctx.Err() != nil || !w.campaign.holds(l) {
			return nil
		}
		if err == nil {
			finished.Run, finished.Attempt, finished.Worker, finished.Lease = run, attempt, w.me.Worker, l.Number
			finished.Binding = place
			finished.bound()
			if err = w.journal.Append(Record{Finished: finished}); err == nil {
				w.tell(Event{Finished: finished})
				return nil
			}
			if !errors.As(err, &unreadable) {
				return err
			}
		}
		if errors.As(err, &changed) || isOurDisk(err) {
			return err
		}
		voided := Voided{Run: run, Attempt: attempt, Worker: w.me.Worker, Lease: l.Number, Reason: cut(err.Error(), maxSentence),
			Final: attempt >= w.options.Attempts, At: time.Now().UTC()}
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
	cores   *topology.Pool
	memory  int64
	counted bool
}

func newResources(cores *topology.Pool, memory int64) *resources {
	return &resources{changed: make(chan struct{}), cores: cores, memory: memory, counted: memory > 0}
}

// take waits for n cores and the memory; false when ctx ends first. It is
// called from one goroutine, so whoever comes first is served first.
func (r *resources) take(ctx context.Context, n int, memory int64) (topology.Binding, bool) {
	for {
		r.mu.Lock()
		if ctx.Err() == nil && (!r.counted || r.memory >= memory) {
			bound := memory
			if !r.counted {
				bound = 0
			}
			if place, ok := r.cores.Bind(n, bound); ok {
				r.memory -= memory
				r.mu.Unlock()
				return place, true
			}
		}
		changed := r.changed
		r.mu.Unlock()
		select {
		case <-ctx.Done():
			return topology.Binding{}, false
		case <-changed:
		}
	}
}

func (r *resources) give(place topology.Binding, memory int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cores.Give(place)
	r.memory += memory
	close(r.changed)
	r.changed = make(chan struct{})
}
