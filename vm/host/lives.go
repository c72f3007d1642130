package host

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"podium/vm"
)

// Way is one way in which a driver makes machines.
type Way struct {
	Name string
	Open func() (vm.Driver, error)
}

// Lives are the steps of machines that were made in one way, and why there are
// no more of them.
type Lives struct {
	Way      string      `json:"way"`
	Machines [][]vm.Step `json:"machines"`
	Failure  string      `json:"failure,omitempty"`
}

// Try makes machines in each way, one after the other, and runs a job in each. It
// is an error where no way gives a machine. Say receives what a driver cannot enforce.
func Try(ctx context.Context, say func(remark string), ways []Way, spec vm.Spec, runs int) (all []Lives, err error) {
	var first error
	failed := 0
	for _, w := range ways {
		l, err := w.try(ctx, say, spec, runs)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			first, failed = cmp.Or(first, err), failed+1
			l.Failure = strings.Join(strings.Fields(err.Error()), " ")
		}
		all = append(all, l)
	}
	if failed == len(ways) {
		return nil, first
	}
	return all, nil
}

// try makes machines. One more comes before them, so that what is made once is
// there.
func (w Way) try(ctx context.Context, say func(remark string), spec vm.Spec, runs int) (Lives, error) {
	l := Lives{Way: w.Name}
	d, err := w.Open()
	if err != nil {
		return l, err
	}
	defer d.Close()
	able, err := d.Probe(ctx)
	if err != nil {
		return l, &vm.BootError{Err: err}
	}
	for _, sentence := range able.Unenforced {
		say(sentence)
	}
	for n := range runs + 1 {
		spec.Name = fmt.Sprintf("probe-%d", n)
		steps, err := live(ctx, d, spec)
		if err != nil {
			return l, err
		}
		if n > 0 {
			l.Machines = append(l.Machines, steps)
		}
	}
	return l, nil
}

// live takes a machine from its request to its end.
func live(ctx context.Context, d vm.Driver, spec vm.Spec) ([]vm.Step, error) {
	began := time.Now()
	m, err := d.Boot(ctx, spec)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	var steps []vm.Step
	if timed, ok := m.(vm.Timed); ok {
		steps = append(steps, timed.Timeline()...)
	} else {
		steps = append(steps, vm.Step{What: "ready", At: time.Since(began)})
	}
	out, err := m.Exec(ctx, vm.Job{Command: []string{"BenchKit_head.sh"}, Limits: vm.Limits{WallTime: time.Minute}})
	if err != nil {
		return nil, err
	}
	steps = append(steps, vm.Step{What: "tool started", At: out.Started.Sub(began)},
		vm.Step{What: "tool ended", At: out.EndedAt().Sub(began)}, vm.Step{What: "outcome known", At: time.Since(began)})
	err = m.Close()
	return append(steps, vm.Step{What: "gone", At: time.Since(began)}), err
}

// Median returns the median time of a step since the machine was asked for, and
// false when the machines do not have the step.
func (l Lives) Median(what string) (time.Duration, bool) {
	var at []float64
	for _, steps := range l.Machines {
		if i := slices.IndexFunc(steps, func(s vm.Step) bool { return s.What == what }); i >= 0 {
			at = append(at, float64(steps[i].At))
		}
	}
	if len(at) == 0 {
		return 0, false
	}
	return median(at), true
}

// median sorts times and returns the middle one; of two in the middle, the shorter.
func median(times []float64) time.Duration {
	slices.Sort(times)
	return time.Duration(stat.Quantile(0.5, stat.Empirical, times, nil))
}
