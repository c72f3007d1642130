package forecast

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"podium/internal/campaign"
	"podium/internal/placement"
)

// Equal returns n hosts that are equal.
func Equal(n, slots int) []placement.Host {
	list := make([]placement.Host, n)
	for i := range list {
		list[i] = placement.Host{Name: fmt.Sprintf("host%0*d", len(fmt.Sprint(n)), i+1), Slots: slots}
	}
	return list
}

// Options say on what a campaign will run.
type Options struct {
	Hosts   []placement.Host
	Limit   time.Duration // of a run, instead of that of the plan; 0: that of the plan
	Samples int           // default 100
}

// Spread is what something takes, over the samples.
type Spread struct {
	P10   int64 `json:"p10"` // one sample of ten has less
	P50   int64 `json:"p50"`
	P90   int64 `json:"p90"`
	Worst int64 `json:"worst,omitempty"` // when every run goes to its limit; 0: nothing limits it
}

// Forecast is what a campaign will take.
type Forecast struct {
	Runs     int            `json:"runs"`
	Models   int            `json:"models"`
	Limit    int64          `json:"limit_us"` // of a run; 0: none
	Hosts    int            `json:"hosts"`
	Slots    int            `json:"slots"` // of all hosts
	Samples  int            `json:"samples"`
	Sources  map[string]int `json:"sources"`     // how many runs take their time from where
	CPU      Spread         `json:"cpu_us"`      // of all runs together
	Run      Spread         `json:"run_us"`      // wall time of all runs together
	End      Spread         `json:"end_us"`      // of the last run
	Occupied Spread         `json:"occupied_us"` // each host until its last run, together
	Disk     Spread         `json:"disk_bytes"`  // of journal and outputs; 0: not known

	Bound    int64    `json:"bound_us"`    // no placement is expected to end before
	Expected int64    `json:"expected_us"` // the end, if every run takes what is expected of it
	Critical Critical `json:"critical"`
	Lost     Lost     `json:"lost_host,omitzero"`
	Limits   []Option `json:"limits,omitempty"` // shorter limits
	Untimed  int      `json:"untimed"`          // runs with answers of the history of which nobody knows when they were given
	Numbers  []Fleet  `json:"fleets"`           // other numbers of hosts
}

// Critical is the model that takes longest.
type Critical struct {
	Model string `json:"model"`
	Alone int64  `json:"alone_us"` // what it takes on a host of its own
}

// Lost is what happens when a host is lost for good when half of the time has
// passed.
type Lost struct {
	Host string `json:"host"`
	End  int64  `json:"end_us"`
}

// Option is a shorter limit. Shares are of what the limit of the plan gives.
type Option struct {
	Limit int64   `json:"limit_us"`
	Run   int64   `json:"run_us"` // wall time of all runs together
	CPU   int64   `json:"cpu_us"`
	End   int64   `json:"end_us"`
	Saved float64 `json:"saved"` // of the wall time of all runs
	Lost  float64 `json:"lost"`  // of the answers
}

// Fleet is another number of hosts like those that are given.
type Fleet struct {
	Hosts int     `json:"hosts"`
	End   int64   `json:"end_us"`
	Busy  float64 `json:"busy"` // share of the slots' time until the end
}

// Make says what a plan will take.
func Make(plan *campaign.Plan, h *History, o Options) (*Forecast, error) {
	if h.Len() == 0 {
		return nil, errors.New("no run with a known time is given, and nothing can be said without one")
	}
	o.Samples = cmp.Or(o.Samples, 100)
	e := newEstimate(plan, h, nil)
	if o.Limit > 0 {
		e.limit(o.Limit.Microseconds())
	}
	f := &Forecast{Runs: plan.Count(), Models: len(e.names), Limit: e.longest(), Hosts: len(o.Hosts), Samples: o.Samples, Untimed: h.untimed, Sources: map[string]int{}}
	for i, n := range e.sources {
		f.Sources[sources[i]] = n
	}
	for _, host := range o.Hosts {
		f.Slots += host.Slots
	}
	trials, err := f.trials(e, o.Hosts)
	if err != nil {
		return nil, err
	}
	e.sample(trials, o.Samples)
	f.spread(trials[0].samples)
	f.worst(e, trials[0].placed)
	f.expect(trials[0].placed)
	f.compare(trials)
	return f, f.fleets(e, trials[0].costs, o.Hosts)
}

// limit sets another limit for all tools.
func (e *estimate) limit(time int64) {
	for i := range e.classes {
		e.classes[i] = e.classes[i].with(time)
	}
}

// longest is the longest limit of a tool; 0: none.
func (e *estimate) longest() (time int64) {
	for _, l := range e.classes {
		if l.time() == 0 {
			return 0
		}
		time = max(time, l.time())
	}
	return time
}

// quantiles of a figure of the samples.
func quantiles(list []sample, figure func(s sample) int64) Spread {
	x := make([]float64, len(list))
	for i, s := range list {
		x[i] = float64(figure(s))
	}
	slices.Sort(x)
	at := func(p float64) int64 { return int64(stat.Quantile(p, stat.Empirical, x, nil)) }
	return Spread{P10: at(0.1), P50: at(0.5), P90: at(0.9)}
}

func (f *Forecast) spread(all []sample) {
	f.Run = quantiles(all, func(s sample) int64 { return s.run })
	f.CPU = quantiles(all, func(s sample) int64 { return s.cpu })
	f.End = quantiles(all, func(s sample) int64 { return s.end })
	f.Occupied = quantiles(all, func(s sample) int64 { return s.occupied })
	f.Disk = quantiles(all, func(s sample) int64 { return s.disk })
}

// worst lets every run go to its limit.
func (f *Forecast) worst(e *estimate, p *placement.Placement) {
	var all cost
	var times []int64
	limited := true
	played := p.Play(func(model int) []int64 {
		times = times[:0]
		for _, t := range e.tasks[model] {
			most, ok := e.classes[t.class].most()
			limited = limited && ok
			all.wall, all.cpu = all.wall+most.wall, all.cpu+most.cpu
			times = append(times, most.wall)
		}
		return times
	})
	if !limited {
		return
	}
	f.Run.Worst, f.CPU.Worst, f.End.Worst = all.wall, all.cpu, played.End
	for _, h := range played.Hosts {
		f.Occupied.Worst += h.End
	}
}

// expect says what follows from the times that are expected.
func (f *Forecast) expect(p *placement.Placement) {
	played := p.Play(nil)
	f.Bound, f.Expected = placement.Bound(p.Hosts, p.Units), played.End
	for u := range p.Units {
		if alone := placement.Bound(p.Hosts, p.Units[u:u+1]); alone > f.Critical.Alone {
			f.Critical = Critical{p.Units[u].Name, alone}
		}
	}
	if played.Last < 0 {
		return
	}
	host := p.Hosts[p.On[played.Last]].Name
	if after, _, err := p.Lose(host, played.End/2, played); err == nil {
		f.Lost = Lost{host, after.Play(nil).End}
	}
}

// less is the share by which something is less than it was.
func less(now, before int64) float64 {
	if before == 0 {
		return 0
	}
	return 1 - float64(now)/float64(before)
}

// middle is the mean of samples.
func middle(list []sample) sample {
	var m sample
	n := int64(len(list))
	for _, s := range list {
		m.run, m.cpu, m.end, m.answers = m.run+s.run/n, m.cpu+s.cpu/n, m.end+s.end/n, m.answers+s.answers
	}
	m.answers /= len(list)
	return m
}

// fleets tries other numbers of hosts, where all are equal.
func (f *Forecast) fleets(e *estimate, costs *prices, hosts []placement.Host) error {
	for _, h := range hosts {
		if h.Slots != hosts[0].Slots || h.Class != hosts[0].Class {
			return nil
		}
	}
	n := len(hosts)
	numbers := []int{n / 4, n / 2, n, 2 * n, 4 * n}
	for _, n := range slices.Compact(numbers) {
		if n == 0 {
			continue
		}
		p, err := e.place(Equal(n, hosts[0].Slots), costs)
		if err != nil {
			return err
		}
		var work int64
		for _, u := range p.Units {
			for _, t := range u.Runs {
				work += t
			}
		}
		played := p.Play(nil)
		f.Numbers = append(f.Numbers, Fleet{n, played.End, busy(work, played.End, n*hosts[0].Slots)})
	}
	return nil
}

func busy(work, end int64, slots int) float64 {
	if end == 0 {
		return 0
	}
	return float64(work) / float64(end) / float64(slots)
}
