package vmtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"podium/vm"
)

// Fake is a driver without real machines. The zero value boots every machine
// and ends every job with exit code 0. Its methods may be called from several
// goroutines; the fields are set before.
type Fake struct {
	// Capabilities is what Probe tells; the driver's name is "fake" if empty.
	Capabilities vm.Capabilities
	// OnBoot may refuse a machine. Its error is wrapped in a *vm.BootError.
	OnBoot func(ctx context.Context, spec vm.Spec) error
	// OnExec plays the job: it may print, wait for ctx, fail. Where it returns
	// no Termination, the job has exited.
	OnExec func(ctx context.Context, spec vm.Spec, job vm.Job) (vm.Outcome, error)

	mu         sync.Mutex
	open       map[string]bool
	specs      []vm.Spec
	jobs       []vm.Job
	most       int
	violations []string
	closed     bool
}

var _ vm.Driver = (*Fake)(nil)

// Say is an OnExec that prints a text and ends with an outcome.
func Say(text string, out vm.Outcome) func(context.Context, vm.Spec, vm.Job) (vm.Outcome, error) {
	return func(_ context.Context, _ vm.Spec, job vm.Job) (vm.Outcome, error) {
		out := out
		if job.Stdout != nil {
			if _, err := io.WriteString(job.Stdout, text); err != nil {
				return out, err
			}
		}
		out.OutputBytes = int64(len(text))
		return out, nil
	}
}

// Probe returns Capabilities.
func (f *Fake) Probe(context.Context) (vm.Capabilities, error) {
	c := f.Capabilities
	if c.Driver == "" {
		c.Driver = "fake"
	}
	return c, nil
}

// Boot keeps the specification, for Specs.
func (f *Fake) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	if err := ctx.Err(); err != nil {
		return nil, &vm.BootError{Err: err}
	}
	f.mu.Lock()
	f.specs = append(f.specs, spec)
	f.check(!f.closed, "machine %s was booted after Close", spec.Name)
	f.check(spec.Cores >= 1, "machine %s has %d cores", spec.Name, spec.Cores)
	f.check(spec.CPUs == nil || len(spec.CPUs) == spec.Cores, "machine %s has %d cores pinned to %v", spec.Name, spec.Cores, spec.CPUs)
	f.mu.Unlock()
	if f.OnBoot != nil {
		if err := f.OnBoot(ctx, spec); err != nil {
			return nil, &vm.BootError{Err: err}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.check(!f.open[spec.Name], "two machines are called %q at the same time", spec.Name)
	if f.open == nil {
		f.open = map[string]bool{}
	}
	f.open[spec.Name] = true
	f.most = max(f.most, len(f.open))
	return &fakeMachine{fake: f, spec: spec}, nil
}

// Close ends the driver.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.check(len(f.open) == 0, "%d machines were open at Close", len(f.open))
	f.closed = true
	return nil
}

// check keeps a violation; the caller holds the lock.
func (f *Fake) check(ok bool, format string, args ...any) {
	if !ok {
		f.violations = append(f.violations, fmt.Sprintf(format, args...))
	}
}

// Specs returns the machines that were asked for, in order.
func (f *Fake) Specs() []vm.Spec {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]vm.Spec(nil), f.specs...)
}

// Jobs returns the jobs that were run, in the order of their start.
func (f *Fake) Jobs() []vm.Job {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]vm.Job(nil), f.jobs...)
}

// Most returns the greatest number of machines that were open at one time.
func (f *Fake) Most() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.most
}

// Violations returns a sentence for each breach of the contract of package vm by
// the user of the driver; machines that are still open are breaches, too.
func (f *Fake) Violations() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := append([]string(nil), f.violations...)
	for name := range f.open {
		v = append(v, fmt.Sprintf("machine %s was not closed", name))
	}
	return v
}

type fakeMachine struct {
	fake   *Fake
	spec   vm.Spec
	used   bool
	closed bool
}

func (m *fakeMachine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	m.fake.mu.Lock()
	m.fake.check(!m.used, "machine %s was used twice", m.spec.Name)
	m.fake.check(!m.closed, "machine %s was used after Close", m.spec.Name)
	m.fake.check(len(job.Command) > 0, "machine %s got a job without a command", m.spec.Name)
	wrong := m.used || m.closed || len(job.Command) == 0
	m.used = true
	m.fake.jobs = append(m.fake.jobs, job)
	m.fake.mu.Unlock()
	if wrong {
		return vm.Outcome{}, errors.New("the machine cannot run this job")
	}
	out, err := vm.Outcome{}, error(nil)
	started := time.Now()
	if m.fake.OnExec != nil {
		out, err = m.fake.OnExec(ctx, m.spec, job)
	}
	if out.Termination == "" {
		out.Termination = vm.Exited
	}
	if out.Started.IsZero() {
		out.Started = started
	}
	if out.Measured == "" {
		out.Measured = "fake"
	}
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}

func (m *fakeMachine) Close() error {
	m.fake.mu.Lock()
	defer m.fake.mu.Unlock()
	if !m.closed {
		m.closed = true
		delete(m.fake.open, m.spec.Name)
	}
	return nil
}
