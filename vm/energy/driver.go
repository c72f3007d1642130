package energy

import (
	"context"

	"podium/vm"
)

// Metered is a driver whose machines measure the energy of their jobs.
func Metered(d vm.Driver, m *Meter) vm.Driver { return driver{d, m} }

type driver struct {
	vm.Driver
	meter *Meter
}

// Probe implements vm.Driver.
func (d driver) Probe(ctx context.Context) (vm.Capabilities, error) {
	c, err := d.Driver.Probe(ctx)
	c.NoEnergy, _ = d.meter.Why()
	return c, err
}

// Boot implements vm.Driver.
func (d driver) Boot(ctx context.Context, spec vm.Spec) (vm.Machine, error) {
	m, err := d.Driver.Boot(ctx, spec)
	if why, _ := d.meter.Why(); err != nil || why != "" {
		return m, err
	}
	return machine{m, d.meter, spec.CPUs}, nil
}

type machine struct {
	vm.Machine
	meter *Meter
	cpus  []int
}

// Exec implements vm.Machine.
func (m machine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	span := m.meter.Begin()
	o, err := m.Machine.Exec(ctx, job)
	use := Use{CPUs: m.cpus}
	switch {
	case o.HostCPUTime > 0: // a virtual machine: the guest's own time is within it
		use.CPUTime = o.HostCPUTime.Duration()
	case o.Measures(vm.Times):
		use.CPUTime = o.CPUTime.Duration()
	}
	e := span.End(use)
	o.Energy = &e
	return o, err
}
