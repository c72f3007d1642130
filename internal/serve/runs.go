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
	"podium/internal/progress"
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

// picture is what the live page shows of the runs at one time.
type picture struct {
	Name, Edition string
	All           progress.Tally
	Tools         []string
	Exams, Models []row // a tally for each tool
	Now           []progress.Current
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
	Cells []progress.Tally
}

// host is a computer that workers ran on.
type host struct {
	Name string
	campaign.Machine
	Workers        int
	Running, Ended int
	Last           time.Time
}

// mishap is a run that did not end by itself with exit code 0.
type mishap struct {
	Tool, Instance string
	Exam           examinations.ID
	Fate           progress.Fate
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
	snapshot, err := progress.NewSnapshot(p, r.log)
	if err != nil {
		return nil, err
	}
	shown := judged.Public(r.c, now)
	s := &picture{Name: shown.Campaign().Plan.Name, Edition: p.Edition, Hidden: !shown.Complete(), Damage: len(r.log.Damage)}
	r.forecast(snapshot.Begun, now)
	s.Going, s.Thought = r.going, r.thought
	named := func(instance string) string {
		if shown.Hides(instance) {
			return "a surprise model"
		}
		return instance
	}
	s.count(snapshot, shown, named)
	for _, u := range snapshot.Under {
		c := snapshot.Current(u, r.expected[u.Run])
		c.Instance = named(c.Instance)
		s.Now = append(s.Now, c)
	}
	s.hosts(r.log, snapshot.Under)
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
func (s *picture) count(snapshot *progress.Snapshot, shown *judged.Shown, named func(string) string) {
	p := snapshot.Plan
	tools, exams, models := map[string]int{}, map[examinations.ID]int{}, map[string]int{}
	for i, t := range p.Tools {
		tools[t.Name], s.Tools = i, append(s.Tools, t.Name)
	}
	for i, exam := range p.Examinations {
		exams[exam], s.Exams = i, append(s.Exams, row{string(exam), make([]progress.Tally, len(p.Tools))})
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
		s.Models = append(s.Models, row{name, make([]progress.Tally, len(p.Tools))})
	}
	slices.SortFunc(s.Models, func(a, b row) int { return cmp.Compare(a.Name, b.Name) })
	if s.Hidden {
		s.Models = append(s.Models, row{hiddenName, make([]progress.Tally, len(p.Tools))})
	}
	for i := range s.Models {
		models[s.Models[i].Name] = i
	}
	for run := range snapshot.Runs {
		tool := tools[run.Tool]
		s.All[run.Fate]++
		s.Exams[exams[run.Exam]].Cells[tool][run.Fate]++
		s.Models[models[rows[run.Instance]]].Cells[tool][run.Fate]++
		m := mishap{Tool: run.Tool, Instance: named(run.Instance), Exam: run.Exam, Fate: run.Last}
		switch {
		case run.End != nil:
			m.What, m.At = run.End.Outcome.EndedAfter(), run.End.Outcome.EndedAt()
			if m.At.After(s.Last) {
				s.Last = m.At
			}
		case shown.Hides(run.Instance):
			m.What, m.At = "given up, by a fault that is not the tool's", run.Void.At
		default:
			m.What, m.At = run.Void.Reason, run.Void.At
		}
		if m.Fate > progress.Done {
			s.Wrong = append(s.Wrong, m)
		}
	}
}

// hosts sums up workers by their hosts.
func (s *picture) hosts(log *campaign.Log, under []campaign.UnderWay) {
	type key struct{ name, machine string }
	at, of := map[key]int{}, map[string]int{} // by host, by worker
	for _, w := range log.Workers {
		k := key{w.Host, w.Node.Machine}
		if _, known := at[k]; !known {
			at[k] = len(s.Hosts)
			s.Hosts = append(s.Hosts, host{Name: w.Host, Machine: w.Machine})
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
