package forecast

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"podium/internal/campaign"
	"podium/internal/placement"
)

// Rest forecasts what is left of a campaign from its own runs, while it is run. One
// goroutine at a time calls its methods.
type Rest struct {
	plan    *campaign.Plan
	history *History
	log     *campaign.Log              // what had ended before
	again   []string                   // models of which that does not count
	ended   map[campaign.Run]bool      // what has ended since
	since   map[campaign.Run]time.Time // what is under way
	away    map[string]bool            // models that other workers hold
	slots   int                        // most runs under way at one time
	beside  time.Duration              // what runs that have ended since needed beside their wall time

	shown smooth    // what [Rest.Remark] says
	width int       // slots when it was thought over
	next  time.Time // when it is to be
}

// Left is what is left of a campaign. Times are microseconds.
type Left struct {
	Runs   int   `json:"runs"`
	Least  int64 `json:"least_us"`  // of the samples; 0, as the most, where too little is known
	Middle int64 `json:"middle_us"` // the mean of the samples; 0 where nothing is known
	Most   int64 `json:"most_us"`
	Worst  int64 `json:"worst_us,omitempty"` // when every run goes to its limit; 0: nothing limits it
}

const (
	restSamples = 40
	restRuns    = 10_000 // about so many are drawn in each sample, and taken from the log, at most
	restModels  = 3      // so many are known before one is forecast of which nothing is
	restTries   = 8      // to draw a run that takes longer than it has taken already
)

// RestOptions say what is known beside the campaign's own runs.
type RestOptions struct {
	Again   []string     // models that are done again: what has ended of them before does not count
	History []string     // campaigns and files of results whose runs are known, too
	Say     func(string) // takes warnings about the history
}

// NewRest forecasts the rest of a campaign of which the log says what has ended.
func NewRest(ctx context.Context, plan *campaign.Plan, log *campaign.Log, o RestOptions) (*Rest, error) {
	r := newRest(plan, log)
	r.again = o.Again
	for _, path := range o.History {
		if _, err := r.history.read(ctx, path, o.Say); err != nil {
			return nil, err
		}
	}
	r.addLog()
	return r, nil
}

func newRest(plan *campaign.Plan, log *campaign.Log) *Rest {
	return &Rest{plan: plan, history: NewHistory(), log: log, ended: map[campaign.Run]bool{}, since: map[campaign.Run]time.Time{}, away: map[string]bool{}}
}

// addLog adds what has ended, of many runs some.
func (r *Rest) addLog() {
	r.history.earlier = int32(r.history.Len())
	each := 1 + len(r.log.Finished)/restRuns
	for i, run := range slices.SortedFunc(maps.Keys(r.log.Finished), campaign.Run.Compare) {
		if i%each == 0 {
			r.history.Add(run, takenOf(r.log.Finished[run]))
		}
	}
}

// Observe takes a step of the worker.
func (r *Rest) Observe(e campaign.Event, now time.Time) {
	switch {
	case e.Started != nil:
		r.since[e.Started.Run] = now
		r.slots = max(r.slots, len(r.since))
		delete(r.away, r.model(e.Started.Run))
	case e.Finished != nil:
		run := e.Finished.Run
		if since, ok := r.since[run]; ok {
			r.beside += max(0, now.Sub(since)-e.Finished.Outcome.WallTime.Duration())
		}
		r.history.Add(run, takenOf(e.Finished))
		r.end(run)
	case e.Voided != nil && e.Voided.Final:
		r.end(e.Voided.Run)
	case e.Waiting != nil:
		r.away[e.Waiting.Model] = true
	case e.Lost != nil:
		r.away[e.Lost.Model] = true
		maps.DeleteFunc(r.since, func(run campaign.Run, _ time.Time) bool { return r.model(run) == e.Lost.Model })
	}
}

func (r *Rest) end(run campaign.Run) {
	delete(r.since, run)
	r.ended[run] = true
	r.shown.left.Runs--
}

func (r *Rest) model(run campaign.Run) string {
	i, _ := r.plan.Instance(run.Instance)
	return r.plan.Unit(i)
}

// Time is how long this worker goes on, if it does all that is left but the models that
// others hold.
func (r *Rest) Time(now time.Time) Left {
	var beside int64 // each run
	if n := int64(len(r.ended)); n > 0 {
		beside = r.beside.Microseconds() / n
	}
	return r.sketch(now).left(beside, max(1, r.slots))
}

// open lists the runs that are left.
func (r *Rest) open() (list []campaign.Run) {
	for _, model := range r.plan.Units() {
		if r.away[model] {
			continue
		}
		counts := !slices.Contains(r.again, model)
		for run := range r.plan.RunsOf(model) {
			if !r.ended[run] && !(counts && r.log.Done(run)) {
				list = append(list, run)
			}
		}
	}
	return list
}

// sketch is an estimate of the rest. Of many runs it keeps some, drawn.
type sketch struct {
	*estimate
	runs, kept int
}

func (r *Rest) sketch(now time.Time) *sketch {
	list := r.open()
	s := &sketch{runs: len(list)}
	spent := map[campaign.Run]int64{} // of the runs that are kept
	draw := rand.New(rand.NewPCG(r.plan.Seed, uint64(s.runs)))
	for _, run := range list {
		if since, ok := r.since[run]; ok {
			spent[run] = max(0, now.Sub(since).Microseconds())
		} else if s.runs <= restRuns || draw.IntN(s.runs) < restRuns {
			spent[run] = 0
		}
	}
	s.kept = len(spent)
	s.estimate = newEstimate(r.plan, r.history, func(run campaign.Run) (int64, bool) {
		us, ok := spent[run]
		return us, ok
	})
	return s
}

// known reports whether enough is known to say how sure a forecast is.
func (s *sketch) known() bool {
	of := s.history.instancesOf
	return len(of) >= restModels || !slices.ContainsFunc(s.names, func(model string) bool { return len(of[model]) == 0 })
}

// left plays what is left on a number of slots; each run needs some time beside its own.
func (s *sketch) left(beside int64, slots int) Left {
	l := Left{Runs: s.runs, Worst: s.worst(beside, slots)}
	if s.kept == 0 || s.history.Len() == 0 {
		return l
	}
	costs := s.prices(s.classes)
	var sum float64
	paces := s.paces(costs)
	for i := range restSamples {
		end := s.end(s.times(s.guise(i), costs, paces, beside), slots)
		sum += float64(end)
		if i == 0 || end < l.Least {
			l.Least = end
		}
		l.Most = max(l.Most, end)
	}
	l.Middle = int64(sum / restSamples)
	if l.Worst > 0 {
		l.Middle = max(1, l.Middle) // 0 says that nothing is known
	}
	if !s.known() {
		l.Least, l.Most = 0, 0
	}
	return l
}

// worst is the time that is left when every run goes to its limit; 0 where none limits it.
func (s *sketch) worst(beside int64, slots int) int64 {
	var times []int64
	for m := range s.tasks {
		for i := range s.tasks[m] {
			t := &s.tasks[m][i]
			most, ok := s.classes[t.class].most()
			if !ok {
				return 0
			}
			times = append(times, max(0, most.wall+beside-t.spent))
		}
	}
	return s.end(times, slots)
}

// times draws what each run that is kept takes still, in the order of the plan.
func (s *sketch) times(g *guise, costs *prices, paces paces, beside int64) (times []int64) {
	var drawn []int32
	r := rand.New(rand.NewPCG(s.plan.Seed, uint64(g.number)))
	next := paces.draw(r)
	for m := range s.tasks {
		drawn = s.draw(g, m, drawn)
		pace := next()
		for i, n := range drawn {
			t := &s.tasks[m][i]
			time := s.longer(t, costs, n, beside, r)
			if n < s.history.earlier {
				time = int64(pace * float64(time))
				if most, ok := s.classes[t.class].most(); ok {
					time = min(time, most.wall+beside)
				}
			}
			times = append(times, max(0, time-t.spent))
		}
	}
	return times
}

// paces are the times of models whose runs are known of the campaign and of an earlier
// contest.
type paces []struct{ own, before int64 }

func (s *sketch) paces(costs *prices) (list paces) {
	of := costs.of[0] // the limits of one tool do for a proportion
	for _, model := range slices.Sorted(maps.Keys(s.history.pairs)) {
		list = append(list, struct{ own, before int64 }{})
		for _, p := range s.history.pairs[model] {
			last := &list[len(list)-1]
			last.own, last.before = last.own+of[p.own].wall, last.before+of[p.before].wall
		}
	}
	return list
}

// draw draws for one sample how long the runs of a model take in proportion to those of
// the earlier contest: as those of one that is known, the longer it took the more often.
// It is 1 while few are known.
func (list paces) draw(r *rand.Rand) (next func() float64) {
	drawn, all := make(paces, len(list)), int64(0)
	for i := range drawn {
		drawn[i] = list[r.IntN(len(list))]
		all += drawn[i].before
	}
	if len(list) < restModels || all == 0 {
		return func() float64 { return 1 }
	}
	return func() float64 {
		at, i := r.Int64N(all), 0
		for at >= drawn[i].before {
			at, i = at-drawn[i].before, i+1
		}
		return float64(drawn[i].own) / float64(drawn[i].before)
	}
}

// longer is what a run takes in all that was drawn as run n of the history, with what it
// needs beside: longer than it has taken already.
func (s *sketch) longer(t *task, costs *prices, n int32, beside int64, r *rand.Rand) int64 {
	for range restTries {
		if took := costs.of[t.class][n].wall + beside; took >= t.spent {
			return took
		} else if t.own >= 0 {
			break
		}
		n = s.pools[t.pool][r.IntN(len(s.pools[t.pool]))]
	}
	l := s.classes[t.class]
	most, limited := l.most()
	if computes := min(l.cpu, most.wall) + beside; computes > t.spent { // it ends there if it computes all the time
		return computes
	}
	if limited { // it waits, or shares its core: it may end soon
		return max(t.spent, min(2*t.spent, most.wall+beside))
	}
	return 2 * t.spent
}

// end is when runs end that begin in this order on so many slots. Where only some of
// many are kept, the last ones do not matter.
func (s *sketch) end(times []int64, slots int) int64 {
	if len(times) == 0 {
		return 0
	}
	if s.kept < s.runs {
		var sum float64
		for _, t := range times {
			sum += float64(t)
		}
		return int64(sum * float64(s.runs) / float64(s.kept) / float64(slots))
	}
	placed, err := placement.Place(Equal(1, slots), []placement.Unit{{Name: "rest", Runs: times}}, s.plan.Seed)
	if err != nil {
		return 0
	}
	return placed.Play(nil).End
}

// Remark says, behind what is done, how long this worker goes on and how sure that is:
// ", left: about 3h20m (2h10m to 5h00m)", or nothing where nothing is known. It is
// thought over now and then, and counted down in between.
func (r *Rest) Remark(now time.Time) string {
	if !now.Before(r.next) {
		begun := time.Now()
		if r.width != r.slots { // what was said was about another number of slots
			r.width, r.shown = r.slots, smooth{}
		}
		r.shown.add(r.Time(now), now)
		r.next = now.Add(max(time.Second, remarkShare*time.Since(begun)))
	}
	if left := r.shown.left.after(now.Sub(r.shown.at)).String(); left != "" {
		return ", left: " + left
	}
	return ""
}

// remarkShare is the time between two forecasts, as a multiple of what one takes: runs
// are measured meanwhile.
const remarkShare = 500

// after is what is left when some time has gone by.
func (l Left) after(gone time.Duration) Left {
	for _, us := range []*int64{&l.Least, &l.Middle, &l.Most, &l.Worst} {
		if *us > 0 {
			*us = max(1, *us-gone.Microseconds())
		}
	}
	return l
}

// farWorse is so many times what is expected: a worst case beyond says nothing of it.
const farWorse = 10

// String is "about 3h20m (2h10m to 5h00m)"; "about 3h20m or more", or what it is at most, where less is
// known; and empty where nothing is.
func (l Left) String() string {
	about, least, most := "about "+roughly(l.Middle), roughly(l.Least), roughly(l.Most)
	switch {
	case l.Runs <= 0:
		return ""
	case l.Most > 0 && least == most:
		return about
	case l.Most > 0:
		return about + " (" + least + " to " + most + ")"
	case l.Middle > 0 && (l.Worst == 0 || l.Worst/l.Middle >= farWorse):
		return about + " or more"
	case l.Middle > 0:
		return about + ", at most " + roughly(l.Worst)
	case l.Worst > 0:
		return "at most " + roughly(l.Worst)
	}
	return ""
}

// roughly returns microseconds in at most two units.
func roughly(us int64) string {
	d := time.Duration(us) * time.Microsecond
	switch {
	case d < 2*time.Minute:
		return d.Round(time.Second).String()
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Round(time.Minute).Minutes()))
	case d < 48*time.Hour:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	d = d.Round(time.Hour)
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}
