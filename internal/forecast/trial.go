package forecast

import (
	"cmp"
	"slices"
	"time"

	"podium/internal/placement"
)

// sample is what a contest takes in one sample.
type sample struct {
	run, cpu, end, occupied int64 // microseconds
	disk                    int64 // bytes
	answers                 int
}

// trial is the plan under one limit.
type trial struct {
	limit   int64 // microseconds
	costs   *prices
	placed  *placement.Placement
	samples []sample
}

func (e *estimate) trial(limit int64, classes []limits, hosts []placement.Host) (*trial, error) {
	t := &trial{limit: limit, costs: e.prices(classes)}
	var err error
	t.placed, err = e.place(hosts, t.costs)
	return t, err
}

// sample plays n samples of the first trial, and of the others as many as it takes to
// compare them.
func (e *estimate) sample(trials []*trial, n int) {
	drawn := make([][]int32, len(e.tasks))
	for i := range n {
		g := e.guise(i)
		for m := range drawn {
			drawn[m] = e.draw(g, m, drawn[m])
		}
		for k, t := range trials {
			if k == 0 || i < fewSamples {
				t.samples = append(t.samples, e.play(t, drawn))
			}
		}
	}
}

// play plays one sample.
func (e *estimate) play(t *trial, drawn [][]int32) (s sample) {
	var times []int64
	played := t.placed.Play(func(model int) []int64 {
		times = times[:0]
		for k, run := range drawn[model] {
			c := &t.costs.of[e.tasks[model][k].class][run]
			s.run, s.cpu, s.answers = s.run+c.wall, s.cpu+c.cpu, s.answers+c.answers
			s.disk += e.history.diskOf(run)
			times = append(times, c.wall)
		}
		return times
	})
	s.end = played.End
	for _, h := range played.Hosts {
		s.occupied += h.End
	}
	return s
}

// shorter returns the limits that are tried, in microseconds: of an hour, and where
// nothing limits the runs, 1 to 45 minutes.
func shorter(limit int64) (list []int64) {
	limit = cmp.Or(limit, time.Hour.Microseconds())
	for _, sixtieths := range []int64{1, 2, 5, 10, 20, 30, 45} {
		step := int64(1e6)
		if limit < 600e6 {
			step = 1e5
		}
		if t := limit * sixtieths / 60 / step * step; t > 0 {
			list = append(list, t)
		}
	}
	return list
}

// fewSamples are enough to compare limits: the same samples are drawn under each.
const fewSamples = 20

// trials are the plan as it is, and under shorter limits.
func (f *Forecast) trials(e *estimate, hosts []placement.Host) ([]*trial, error) {
	first, err := e.trial(f.Limit, e.classes, hosts)
	if err != nil {
		return nil, err
	}
	list := []*trial{first}
	for _, time := range shorter(f.Limit) {
		classes := slices.Clone(e.classes)
		for i := range classes {
			if l := classes[i].time(); l == 0 || time < l {
				classes[i] = classes[i].with(time)
			}
		}
		t, err := e.trial(time, classes, hosts)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// compare says what shorter limits save and lose.
func (f *Forecast) compare(trials []*trial) {
	all := trials[0].samples
	before := middle(all[:min(len(all), fewSamples)])
	for _, t := range trials[1:] {
		s := middle(t.samples)
		f.Limits = append(f.Limits, Option{t.limit, s.run, s.cpu, s.end, less(s.run, before.run), less(int64(s.answers), int64(before.answers))})
	}
}
