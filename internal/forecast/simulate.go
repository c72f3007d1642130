package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"podium/internal/campaign"
	"podium/internal/wording"
)

// Question says what is to be forecast, as a person asks it.
type Question struct {
	Of      string   // directory of a campaign, or a file of results: the same contest again
	History []string // more of either, whose runs are known, too
	Hosts   int
	Slots   int           // of each host
	Models  int           // so many models instead of those of the contest; 0: those
	Tools   int           // so many tools, likewise
	Limit   time.Duration // of a run, instead of that of the contest; 0: that
	Say     func(string)  // takes warnings
}

// QuestionError is a question that makes no sense.
type QuestionError struct{ what string }

func (e *QuestionError) Error() string { return e.what }

// Most that is asked for: they keep memory and time within bounds.
const (
	mostHosts  = 10_000
	mostSlots  = 1 << 12
	mostModels = 100_000
	mostTools  = 1000
	mostRuns   = 5_000_000
)

func (q *Question) check() error {
	for _, f := range []struct {
		flag        string
		n, min, max int
	}{{"hosts", q.Hosts, 1, mostHosts}, {"slots", q.Slots, 1, mostSlots}, {"models", q.Models, 0, mostModels}, {"tools", q.Tools, 0, mostTools}} {
		if f.n < f.min || f.n > f.max {
			return &QuestionError{fmt.Sprintf("--%s %d: a number from %d to %d is possible", f.flag, f.n, f.min, f.max)}
		}
	}
	if most := time.Duration(mostTime) * time.Microsecond; q.Limit != 0 && (q.Limit < time.Millisecond || q.Limit > most) {
		return &QuestionError{fmt.Sprintf("--limit %s: a limit is from 1ms to %s long, or 0 for that of the contest", q.Limit, most)}
	}
	return nil
}

// Simulate answers a question. It returns a *QuestionError where it makes no sense.
func Simulate(ctx context.Context, q Question) (*Forecast, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	h := NewHistory()
	for _, path := range q.History {
		if _, err := h.read(ctx, path, q.Say); err != nil {
			return nil, err
		}
	}
	plan, err := h.read(ctx, q.Of, q.Say)
	if err != nil {
		return nil, err
	}
	if h.Len() == 0 {
		return nil, &QuestionError{fmt.Sprintf("%s says of no run how long it took: give a campaign that was run, or raw-result-analysis.csv of an earlier contest, with --history", q.Of)}
	}
	if h.omits > 0 {
		q.Say("note: " + wording.Count(h.omits, "run is left out, since its time is", "runs are left out, since their times are") + " not known")
	}
	plan = withTools(withModels(plan, q.Models), q.Tools)
	if n := plan.Count(); n > mostRuns {
		return nil, &QuestionError{fmt.Sprintf("%s and %s: these would be %d runs, and at most %d can be simulated", wording.Count(len(plan.Tools), "tool", "tools"), wording.Count(len(plan.Units()), "model", "models"), n, mostRuns)}
	}
	return Make(plan, h, Options{Hosts: Equal(q.Hosts, q.Slots), Limit: q.Limit})
}

// withModels returns the plan with n models: some of its own, drawn under its seed, or all and
// new ones, each with as many instances as one that is drawn. 0 changes nothing.
func withModels(p *campaign.Plan, n int) *campaign.Plan {
	if n == 0 {
		return p
	}
	changed := *p
	changed.Instances = nil
	of := map[string][]campaign.PlannedInstance{}
	for _, i := range p.Instances {
		of[p.Unit(i)] = append(of[p.Unit(i)], i)
	}
	families := p.Units()
	draw(p.Seed, len(families), n, func(at int, fresh string) {
		for k, i := range of[families[at]] {
			if fresh != "" {
				i = campaign.PlannedInstance{ID: fmt.Sprintf("%s-PT-%06d", fresh, k), Family: fresh}
			}
			changed.Instances = append(changed.Instances, i)
		}
	})
	changed.Sort()
	return &changed
}

// withTools returns the plan with n tools: some of its own, drawn under its seed, or all and new
// ones, each with the cores of one that is drawn. 0 changes nothing.
func withTools(p *campaign.Plan, n int) *campaign.Plan {
	if n == 0 {
		return p
	}
	changed := *p
	changed.Tools = nil
	draw(p.Seed, len(p.Tools), n, func(at int, fresh string) {
		tool := p.Tools[at]
		tool.Name = cmp.Or(fresh, tool.Name)
		changed.Tools = append(changed.Tools, tool)
	})
	return &changed
}

// draw takes n things under a seed: some of those that there are, or all of them, and then new ones
// like one that is drawn, with fresh names.
func draw(seed uint64, there, n int, take func(at int, fresh string)) {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	order := r.Perm(there)
	for k := range n {
		if k < there {
			take(order[k], "")
		} else {
			take(r.IntN(there), fmt.Sprintf("New%d", k-there+1))
		}
	}
}
