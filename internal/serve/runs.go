package serve

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/judged"
	"podium/vm"
)

// runs is what the journals say of the runs of a campaign.
type runs struct {
	c     *campaign.Campaign
	log   *campaign.Log
	plans int // that there were when the campaign was opened

	going    forecast.Left // until all runs have an end
	expected map[campaign.Run]forecast.Expected
	thought  time.Time // when it was thought over
	next     time.Time // when it is to be again
}

func readRuns(ctx context.Context, c *campaign.Campaign) (*runs, error) {
	log, err := c.ReadEnds(ctx)
	if err != nil {
		return nil, err
	}
	return &runs{c: c, log: log, plans: plansIn(c.Dir)}, nil
}

func plansIn(dir string) int {
	list, _ := filepath.Glob(filepath.Join(dir, "campaign-*.json"))
	return len(list)
}

// fate is what became of a run.
type fate uint8

const (
	missing fate = iota
	running
	done    // ended by itself
	stopped // by a limit
	crashed // by a signal, or with an exit code that is not 0
	void    // given up, by a fault that is not the tool's
	fates
)

// String is the word of pages, and their class.
func (f fate) String() string {
	return [...]string{"missing", "running", "done", "stopped", "crashed", "void"}[f]
}

// fateOf is what became of a run that has an end.
func fateOf(f *campaign.Finished) fate {
	switch f.Outcome.Termination {
	case vm.Exited:
		if f.Outcome.ExitCode == 0 {
			return done
		}
		return crashed
	case vm.Signalled, vm.Panicked:
		return crashed
	}
	return stopped
}

// tally counts runs by what became of them.
type tally [fates]int

// All and the others are what templates ask.
func (t tally) All() (n int) {
	for _, k := range t {
		n += k
	}
	return n
}

// Ended counts those that nothing is to be waited for.
func (t tally) Ended() int   { return t.All() - t[missing] - t[running] }
func (t tally) Missing() int { return t[missing] }
func (t tally) Running() int { return t[running] }
func (t tally) Stopped() int { return t[stopped] }
func (t tally) Crashed() int { return t[crashed] }
func (t tally) Void() int    { return t[void] }

// Trouble names those that did not end well.
func (t tally) Trouble() string {
	t[missing], t[running], t[done] = 0, 0, 0
	return wordsOf(t)
}

// picture is what the live page shows of the runs at one time.
type picture struct {
	Name, Edition string
	All           tally
	Tools         []string
	Exams, Models []row // a tally for each tool
	Now           []current
	Hosts         []host
	Wrong         []mishap // the newest first
	MoreNow       int      // that are not listed
	MoreWrong     int
	Going         forecast.Left
	Thought       time.Time
	Last          time.Time // end of the run that ended last
	Hidden        bool      // some models are not named
	Damage        int
}

// row is an examination or a model.
type row struct {
	Name  string
	Cells []tally
}

// current is a run that is under way. Expected and Latest are zero where they are not known.
type current struct {
	Tool, Instance, Host string
	Exam                 examinations.ID
	Again                int // repetition
	Attempt              int
	Since, End, Latest   time.Time
}

// host is a computer that workers ran on.
type host struct {
	Name, Processor string
	Cores           int
	Memory          int64
	Workers         int
	Running, Ended  int
	Last            time.Time
}

// mishap is a run that did not end by itself with exit code 0.
type mishap struct {
	Tool, Instance string
	Exam           examinations.ID
	Fate           fate
	What           string
	At             time.Time
	Page           string // of the site, where the run is shown; empty where it is not yet
}

// The most lines that lists of the live page have.
const (
	mostNow   = 200
	mostWrong = 100
)

// hiddenName stands for the models that may not be named yet.
const hiddenName = "surprise models"

// picture draws what the log says now.
func (r *runs) picture(now time.Time) (*picture, error) {
	p := &r.c.Plan
	under, err := r.log.UnderWay()
	if err != nil {
		return nil, err
	}
	shown := judged.Public(r.c, now)
	s := &picture{Name: shown.Campaign().Plan.Name, Edition: p.Edition, Hidden: !shown.Complete(), Damage: len(r.log.Damage)}
	begun := forecast.Begun{}
	for _, u := range under {
		begun[u.Run] = u.Since
	}
	r.forecast(begun, now)
	s.Going, s.Thought = r.going, r.thought
	named := func(instance string) string {
		if shown.Hides(instance) {
			return "a surprise model"
		}
		return instance
	}
	s.count(r, begun, shown, named)
	for _, u := range under {
		c := current{Tool: u.Run.Tool, Instance: named(u.Run.Instance), Exam: u.Run.Exam, Host: u.Host, Again: u.Run.Repetition, Attempt: u.Attempt, Since: u.Since}
		if x := r.expected[u.Run]; x.Middle > 0 {
			c.End = u.Since.Add(time.Duration(x.Middle) * time.Microsecond)
		}
		if tool, ok := p.Tool(u.Run.Tool); ok {
			asked, _ := p.Instance(u.Run.Instance)
			if limit := p.Confinement(tool, asked).WallTime; limit > 0 {
				c.Latest = u.Since.Add(time.Duration(limit) * time.Microsecond)
			}
		}
		s.Now = append(s.Now, c)
	}
	s.hosts(r.log, under)
	slices.SortFunc(s.Wrong, func(a, b mishap) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Exam, b.Exam))
	})
	s.Now, s.MoreNow = first(s.Now, mostNow)
	s.Wrong, s.MoreWrong = first(s.Wrong, mostWrong)
	return s, nil
}

func first[T any](list []T, most int) (some []T, more int) {
	some = list[:min(most, len(list))]
	return some, len(list) - len(some)
}

// count fills the tables and the list of what went wrong.
func (s *picture) count(r *runs, begun forecast.Begun, shown *judged.Shown, named func(string) string) {
	p := &r.c.Plan
	tools, exams, models := map[string]int{}, map[examinations.ID]int{}, map[string]int{}
	for i, t := range p.Tools {
		tools[t.Name], s.Tools = i, append(s.Tools, t.Name)
	}
	for i, exam := range p.Examinations {
		exams[exam], s.Exams = i, append(s.Exams, row{string(exam), make([]tally, len(p.Tools))})
	}
	rows := map[string]string{} // of instances
	for _, i := range p.Instances {
		rows[i.ID] = i.Family
		if shown.Hides(i.ID) {
			rows[i.ID] = hiddenName
		}
		if name := rows[i.ID]; name != hiddenName {
			models[name] = 0
		}
	}
	for name := range models {
		s.Models = append(s.Models, row{name, make([]tally, len(p.Tools))})
	}
	slices.SortFunc(s.Models, func(a, b row) int { return cmp.Compare(a.Name, b.Name) })
	if s.Hidden {
		s.Models = append(s.Models, row{hiddenName, make([]tally, len(p.Tools))})
	}
	for i := range s.Models {
		models[s.Models[i].Name] = i
	}
	for _, unit := range p.Units() {
		for run := range p.RunsOf(unit) {
			became := s.fate(r.log, run, begun, shown, named)
			tool := tools[run.Tool]
			s.All[became]++
			s.Exams[exams[run.Exam]].Cells[tool][became]++
			s.Models[models[rows[run.Instance]]].Cells[tool][became]++
		}
	}
}

// fate says what became of a run, and keeps what went wrong.
func (s *picture) fate(log *campaign.Log, run campaign.Run, begun forecast.Begun, shown *judged.Shown, named func(string) string) fate {
	f, finished := log.Finished[run]
	v, gaveUp := log.Void[run]
	became := missing
	m := mishap{Tool: run.Tool, Instance: named(run.Instance), Exam: run.Exam}
	switch {
	case finished:
		became, m.What, m.At = fateOf(f), f.Outcome.EndedAfter(), f.Outcome.EndedAt()
		if m.At.After(s.Last) {
			s.Last = m.At
		}
	case gaveUp:
		became, m.What, m.At = void, v.Reason, v.At
		if shown.Hides(run.Instance) {
			m.What = "given up, by a fault that is not the tool's"
		}
	}
	if m.Fate = became; became > done {
		s.Wrong = append(s.Wrong, m)
	}
	if _, now := begun[run]; now {
		return running
	}
	return became
}

// hosts sums up workers by their hosts.
func (s *picture) hosts(log *campaign.Log, under []campaign.UnderWay) {
	type key struct{ name, machine string }
	at, of := map[key]int{}, map[string]int{} // by host, by worker
	for _, w := range log.Workers {
		k := key{w.Host, w.Node.Machine}
		if _, known := at[k]; !known {
			at[k] = len(s.Hosts)
			s.Hosts = append(s.Hosts, host{Name: w.Host, Processor: w.Machine.Processor, Cores: w.Machine.Cores, Memory: w.Machine.Memory})
		}
		h := &s.Hosts[at[k]]
		h.Workers++
		of[w.Worker] = at[k]
	}
	for _, f := range log.Finished {
		if i, known := of[f.Worker]; known {
			h := &s.Hosts[i]
			h.Ended++
			if end := f.Outcome.EndedAt(); end.After(h.Last) {
				h.Last = end
			}
		}
	}
	for _, u := range under {
		if i, known := of[u.Worker]; known {
			s.Hosts[i].Running++
		}
	}
	slices.SortFunc(s.Hosts, func(a, b host) int {
		return cmp.Or(b.Running-a.Running, cmp.Compare(a.Name, b.Name), b.Ended-a.Ended, b.Last.Compare(a.Last))
	})
}

// forecast thinks over how long the campaign goes on, now and then: it draws many
// samples.
func (r *runs) forecast(begun forecast.Begun, now time.Time) {
	if now.Before(r.next) {
		return
	}
	from := time.Now()
	r.going, r.expected = forecast.Going(&r.c.Plan, r.log, begun, now)
	r.thought = now
	r.next = now.Add(max(5*time.Second, forecastRest*time.Since(from)))
}

// forecastRest is the time between two forecasts, as a multiple of what one takes.
const forecastRest = 100
