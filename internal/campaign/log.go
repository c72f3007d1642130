package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"podium/internal/sentinel"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// Log is the content of all journals of a campaign.
//
// An end of a run counts when it was made under a lease that its worker still
// held, and on the computer that the model is pinned to. Of several such ends
// the one that started first counts, whatever the order of the files.
type Log struct {
	Workers  []Opened
	Finished map[Run]*Finished   // the end of every run that has one
	Void     map[Run]Voided      // runs whose last attempt was void, final
	Doubt    map[Run]Started     // started, no end
	Attempts map[Run]int         // void attempts that count
	Further  map[Run][]*Finished // ends that do not count; [Log.Standing] says why
	Damage   diagnostic.List

	campaign *Campaign
	keysOnly bool // leave the answers out: many want to know only what is done
	read     map[string]*source
	voided   []Voided
	claims   claims
	readings readings
	wished   wished
	decided  decided
	fixed    bool                                // what was decided is given, and not read
	hear     func(from *source, r *Record) error // looks at each record first; nil for nobody
	rereads  map[endKey]*Reread                  // the last of each end
	pins     map[string]pinned
	touched  map[Run]bool    // runs with several ends, or one that did not count
	stale    map[string]bool // models of which ends may stand otherwise now
}

// source is a journal as far as it was read.
type source struct {
	position
	opened   *Opened
	noEnergy *vm.Energy // of every run without figures: the reason, if the worker says one
	plan     int        // number of the plan that it was written under
}

// made says where and when an attempt was recorded.
type made struct {
	by    *Opened
	model string
	end   int64 // of the record in the journal, bytes
	old   bool  // by a version of the tool that takes no part any more
}

// Standing says whether an end of a run counts.
type Standing uint8

// The standings.
const (
	Counts   Standing = iota
	Repeated          // another end of the run counts
	Lost              // made under a lease that was lost before
	Aside             // made on another computer than the one that the model is pinned to (E-5.1)
	Redone            // a person had it done again
	Replaced          // made with a version of the tool that another one has replaced
)

// String says why an end does not count.
func (s Standing) String() string {
	return [...]string{Counts: "it counts", Repeated: "another end counts", Lost: "its lease was lost",
		Aside: "made on another computer than the model's (E-5.1)", Redone: "it was done again (podium run --again, or a decision)",
		Replaced: "another version has replaced the tool (podium extend --replace)"}[s]
}

// Read replays the journals of the campaign, unless ctx ends. Answers that the
// witnesses of another tool contradict are refuted.
func (c *Campaign) Read(ctx context.Context) (*Log, error) {
	l := newLog(c, false)
	err := l.update(ctx)
	if c.Plan.Witnesses {
		l.crossExamine()
	}
	return l, err
}

// ReadUnder is Read under other decisions than those that are written: revokes gives
// the number of the decision that each revokes, see [InForce].
func (c *Campaign) ReadUnder(ctx context.Context, revokes []int) (*Log, error) {
	l := newLog(c, false)
	if _, err := c.readDecided(&l.decided); err != nil {
		return nil, err
	}
	l.decided.enforce(revokes)
	l.fixed = true
	err := l.update(ctx)
	if c.Plan.Witnesses {
		l.crossExamine()
	}
	return l, err
}

// ReadEnds replays the journals without answers and witnesses: it says what is done,
// and what it took.
func (c *Campaign) ReadEnds(ctx context.Context) (*Log, error) {
	l := newLog(c, true)
	return l, l.update(ctx)
}

func newLog(c *Campaign, keysOnly bool) *Log {
	return &Log{Finished: map[Run]*Finished{}, Void: map[Run]Voided{}, Doubt: map[Run]Started{}, Attempts: map[Run]int{},
		Further: map[Run][]*Finished{}, campaign: c, keysOnly: keysOnly, read: map[string]*source{}, pins: map[string]pinned{},
		touched: map[Run]bool{}, stale: map[string]bool{}, claims: claims{held: map[string]map[int64]map[string]bool{}, fences: map[fenced]int64{}},
		readings: readings{map[string][]sentinel.Reading{}, map[string]*sentinel.Host{}}, wished: newWished(), rereads: map[endKey]*Reread{}}
}

// update takes in what was appended to the journals since the last time.
func (l *Log) update(ctx context.Context) error {
	moved, err := l.campaign.readPins(l.pins)
	if err != nil {
		return err
	}
	for _, model := range moved {
		l.stale[model] = true
	}
	if !l.fixed {
		news, err := l.campaign.readDecided(&l.decided)
		if err != nil {
			return err
		}
		if news {
			l.heedAll()
		}
	}
	files, err := filepath.Glob(filepath.Join(l.campaign.Dir, "journal", "*.jsonl"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		if err := l.campaign.missesJournal(); err != nil {
			return err
		}
	}
	slices.Sort(files)
	for _, file := range files {
		if err := l.take(ctx, file); err != nil {
			return err
		}
	}
	l.settle()
	return nil
}

// missesJournal refuses a campaign without the directory of the journals, which every plan makes:
// all that was done would be done again.
func (c *Campaign) missesJournal() error {
	dir := filepath.Join(c.Dir, "journal")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return diagnostic.List{{File: dir, Code: "journal-missing", Message: "the directory with the journals is missing: they say what was run, and how it ended",
		Hint: "restore it from a copy or an archive of the campaign; if nothing was run yet, make an empty directory"}}
}

// take reads one journal on.
func (l *Log) take(ctx context.Context, file string) error {
	from := l.read[file]
	if from == nil {
		from = &source{}
		l.read[file] = from
	}
	for r, err := range from.records(file, !l.keysOnly) {
		var damage diagnostic.Diagnostic
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // removed since the listing
			return nil
		case from.opened == nil:
			if err = l.open(from, file, r, err); err == nil {
				err = l.heard(from, &r)
			}
		case errors.As(err, &damage):
			l.Damage.Add(damage)
			continue
		case err == nil:
			if err = l.heard(from, &r); err == nil {
				err = l.add(from, r)
			}
		}
		if err != nil {
			return refusal(file, from.line, err)
		}
	}
	return nil
}

func (l *Log) heard(from *source, r *Record) error {
	if l.hear == nil {
		return nil
	}
	return l.hear(from, r)
}

// refusal says which record of a journal is not of this campaign.
func refusal(file string, line int, err error) error {
	return diagnostic.List{{File: file, Line: line, Code: "journal-foreign", Message: err.Error(),
		Hint: "if the file does not belong here, move it out of journal/: what only it records will be done again"}}
}

// open takes the first record in: a journal is of this campaign, in a format that
// is known, or it is refused.
func (l *Log) open(from *source, file string, r Record, err error) error {
	o := r.Opened
	switch {
	case err != nil:
		return fmt.Errorf("the first record, which says whose journal it is, cannot be read: %w", err)
	case o == nil:
		return errors.New("the first record does not say whose journal it is")
	case o.Format != JournalFormat:
		return fmt.Errorf("the journal has the format %q, and this program reads %q: use the version of podium that began the campaign", o.Format, JournalFormat)
	case l.campaign.planOfDigest(o.Campaign) == 0 && l.campaign.extendedSince():
		return errors.New("the campaign was extended while this command worked; call it again")
	case l.campaign.planOfDigest(o.Campaign) == 0:
		return fmt.Errorf("the journal is of another campaign: its plan has a digest that begins with %.12s, that of the plan here with %.12s", o.Campaign, l.campaign.Digest)
	case o.Worker+".jsonl" != filepath.Base(file):
		return fmt.Errorf("the journal belongs to worker %s: its name is %s.jsonl", o.Worker, o.Worker)
	}
	from.opened, from.plan = o, l.campaign.planOfDigest(o.Campaign)
	if o.NoEnergy != "" {
		from.noEnergy = &vm.Energy{Why: o.NoEnergy}
	}
	if o.Driver != "" { // else nothing was run there: see [Campaign.Revoke]
		l.Workers = append(l.Workers, *o)
	}
	return nil
}

// add takes a record in.
func (l *Log) add(from *source, r Record) error {
	switch {
	case r.Claimed != nil:
		if l.claims.add(r.Claimed, from.opened.Worker) {
			l.stale[r.Claimed.Model] = true
		}
		return nil
	case r.Sentinel != nil:
		l.readings.add(from.opened.computer(), r.Sentinel.Readings)
		return nil
	case r.Again != nil:
		return l.wish(r.Again)
	case r.Reread != nil:
		return l.takeReading(r.Reread, from.opened.Worker)
	case r.Opened != nil:
		return errors.New("a journal is opened a second time")
	}
	run := r.run()
	model, err := l.campaign.Plan.model(run)
	if err != nil {
		return err
	}
	at := made{from.opened, model, from.offset, l.campaign.replacedSince(run.Tool, from.plan)}
	switch {
	case r.Started != nil:
		if !at.old {
			r.Started.made = at
			l.Doubt[run] = *r.Started
		}
	case r.Finished != nil:
		if l.keysOnly {
			r.Finished.Witnesses = nil
		}
		r.Finished.made = at
		if r.Finished.Outcome.Energy == nil {
			r.Finished.Outcome.Energy = from.noEnergy
		}
		l.ended(r.Finished)
	case r.Voided != nil:
		r.Voided.made = at
		l.voided = append(l.voided, *r.Voided)
	}
	return nil
}

// ended takes an end in. Nearly all runs have one, which counts.
func (l *Log) ended(f *Finished) {
	if len(l.rereads) > 0 {
		if r := l.rereads[f.key()]; r != nil {
			r.supersede(f)
		}
	}
	_, again := l.Finished[f.Run]
	if !again && len(l.Further[f.Run]) == 0 && l.standing(f.Lease, f.made) == Counts {
		l.Finished[f.Run] = f
		delete(l.Doubt, f.Run)
		return
	}
	l.Further[f.Run] = append(l.Further[f.Run], f)
	l.touched[f.Run] = true
}

// repeats reports whether runs are made a time of that number.
func (p *Plan) repeats(n int) bool { return n == 0 || n >= 2 && n <= p.Repeat }

// model returns the unit of a run, a model mostly; a run that is not in the plan is an error.
func (p *Plan) model(run Run) (string, error) {
	i, planned := p.Instance(run.Instance)
	if _, ok := p.Tool(run.Tool); !ok || !planned || !slices.Contains(p.Examinations, run.Exam) || !i.Asks(run.Exam) || !p.repeats(run.Repetition) {
		return "", fmt.Errorf("the run %q is not in the plan", run.String())
	}
	return p.Unit(i), nil
}

// settle decides which ends count, where that is not plain.
func (l *Log) settle() {
	l.touchStale()
	for run := range l.touched {
		l.choose(run)
	}
	clear(l.touched)
	clear(l.Void)
	clear(l.Attempts)
	for _, v := range l.voided {
		if l.standing(v.Lease, v.made) != Counts {
			continue
		}
		l.Attempts[v.Run]++
		if !v.Final {
			continue
		}
		if v.At.After(l.wished.void[v.Run]) {
			l.wished.void[v.Run] = v.At
		}
		if _, finished := l.Finished[v.Run]; !finished && v.At.After(l.wished.at[v.Run]) {
			l.Void[v.Run] = v
		}
	}
	for run := range l.Doubt {
		if l.Done(run) {
			delete(l.Doubt, run)
		}
	}
}

// touchStale touches the runs of the models of which ends may stand otherwise now.
func (l *Log) touchStale() {
	if len(l.stale) == 0 {
		return
	}
	for run, f := range l.Finished {
		if l.stale[f.made.model] && l.standing(f.Lease, f.made) != Counts {
			l.touched[run] = true
		}
	}
	for run, list := range l.Further {
		if l.stale[list[0].made.model] {
			l.touched[run] = true
		}
	}
	clear(l.stale)
}

// choose says which of the ends of a run counts.
func (l *Log) choose(run Run) {
	all := l.Further[run]
	if f, ok := l.Finished[run]; ok {
		all = append(all, f)
	}
	delete(l.Finished, run)
	delete(l.Further, run)
	first := -1
	for i, f := range all {
		if l.standing(f.Lease, f.made) == Counts && (first < 0 || l.better(f, all[first])) {
			first = i
		}
	}
	if first >= 0 {
		l.Finished[run] = all[first]
		all = slices.Delete(all, first, first+1)
	}
	if len(all) > 0 {
		l.Further[run] = all
	}
}

// better tells which of two ends of a run counts: not one that was asked for again.
func (l *Log) better(a, b *Finished) bool {
	x, y := l.wishedEnd(a), l.wishedEnd(b)
	if x != y {
		return y
	}
	if since, other := l.wished.ends[a.key()], l.wished.ends[b.key()]; x && !since.Equal(other) {
		return since.After(other) // it counted when it was asked for again
	}
	return a.before(b)
}

// before orders the ends of a run by their start, and then by their worker.
func (f *Finished) before(o *Finished) bool {
	if c := f.Outcome.Started.Compare(o.Outcome.Started); c != 0 {
		return c < 0
	}
	return f.made.by.Worker < o.made.by.Worker
}

// standing reports whether what was made counts, when nothing else of the run does.
func (l *Log) standing(lease int64, m made) Standing {
	if m.old {
		return Replaced
	}
	if fence, lost := l.claims.fences[fenced{m.model, lease, m.by.Worker}]; lost && m.end > fence {
		if fence == 0 {
			return Redone
		}
		return Lost
	}
	where := place{m.by.Node, m.by.Host}
	if pin, ok := l.pins[m.model]; ok && where.known() && !where.same(pin.place()) {
		return Aside
	}
	return Counts
}

// revoke returns fences after which nothing counts that was made of a model so far.
func (l *Log) revoke(model string, over []Fence) []Fence {
	all := map[Fence]bool{}
	for _, f := range over {
		all[Fence{f.Lease, f.Worker, 0}] = true
	}
	note := func(lease int64, m made) {
		if m.model == model {
			all[Fence{lease, m.by.Worker, 0}] = true
		}
	}
	for _, f := range l.Finished {
		note(f.Lease, f.made)
	}
	for _, list := range l.Further {
		for _, f := range list {
			note(f.Lease, f.made)
		}
	}
	for _, v := range l.voided {
		note(v.Lease, v.made)
	}
	return slices.Collect(maps.Keys(all))
}

// Standing says why an end in Further does not count.
func (l *Log) Standing(f *Finished) Standing {
	if s := l.standing(f.Lease, f.made); s != Counts {
		return s
	}
	if l.wishedEnd(f) {
		return Redone
	}
	return Repeated
}

// Done reports whether a run has an end, and nobody wants another one.
func (l *Log) Done(r Run) bool {
	_, finished := l.Finished[r]
	_, void := l.Void[r]
	return finished && !l.Wanted(r) || void
}

// DropAnswers forgets what runs answered, which is most of a log.
func (l *Log) DropAnswers() {
	for _, f := range l.Finished {
		f.Answers = Answers{}
	}
	for _, list := range l.Further {
		for _, f := range list {
			f.Answers = Answers{}
		}
	}
}

// SetAside counts the ends that were made on another computer than their model's.
func (l *Log) SetAside() (n int) {
	for _, list := range l.Further {
		for _, f := range list {
			if l.Standing(f) == Aside {
				n++
			}
		}
	}
	return n
}

// home is where a model belongs: its pin, or, where none was written, the place of
// its runs so far.
func (l *Log) home(model string) (place, bool) {
	if p, ok := l.pins[model]; ok {
		return p.place(), true
	}
	var home place
	var first *Finished
	for _, f := range l.Finished {
		if p := (place{f.made.by.Node, f.made.by.Host}); f.made.model == model && p.known() && (first == nil || f.before(first)) {
			home, first = p, f
		}
	}
	return home, home.known()
}

// readOf is how far the journal of a worker has been read, in bytes.
func (l *Log) readOf(c *Campaign, worker string) int64 {
	if s := l.read[filepath.Join(c.Dir, "journal", worker+".jsonl")]; s != nil {
		return s.offset
	}
	return 0
}

// claims are the leases that the journals speak of.
type claims struct {
	held   map[string]map[int64]map[string]bool // by model and number: the workers
	fences map[fenced]int64                     // how far a journal counts for a lease, bytes
}

type fenced struct {
	model  string
	lease  int64
	worker string
}

// add takes a record in and reports whether ends of the model may stand otherwise now.
func (c *claims) add(r *Claimed, worker string) (changed bool) {
	if c.held[r.Model] == nil {
		c.held[r.Model] = map[int64]map[string]bool{}
	}
	if c.held[r.Model][r.Lease] == nil {
		c.held[r.Model][r.Lease] = map[string]bool{}
	}
	c.held[r.Model][r.Lease][worker] = true
	for _, f := range r.Over {
		key := fenced{r.Model, f.Lease, f.Worker}
		if at, ok := c.fences[key]; !ok || f.Bytes < at {
			c.fences[key] = f.Bytes
			changed = true
		}
	}
	return changed
}

// last is the highest number that a model was claimed under.
func (c *claims) last(model string) (n int64) {
	for number := range c.held[model] {
		n = max(n, number)
	}
	return n
}

// holders are the workers that claimed a model under a number.
func (c *claims) holders(model string, n int64) map[string]bool {
	all := maps.Clone(c.held[model][n])
	if all == nil {
		all = map[string]bool{}
	}
	return all
}

// run is the run that a record speaks of.
func (r *Record) run() Run {
	switch {
	case r.Started != nil:
		return r.Started.Run
	case r.Finished != nil:
		return r.Finished.Run
	}
	return r.Voided.Run
}
