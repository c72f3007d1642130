//go:build !linux

package sandbox

import (
	"context"

	"podium/vm"
)

// Driver makes machines, but not on this system.
type Driver struct{}

// Open tries what this host offers, and removes what dead engines left behind.
// On a host that cannot run machines Open succeeds; Probe and Boot return the
// reason.
func Open(Options) (*Driver, error) { return &Driver{}, nil }

// Probe returns what Open found out.
func (*Driver) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "sandbox"}, errSystem
}

// Boot makes the machine. When it returns, the namespaces and the file system
// of the machine exist, and its first process waits for the job.
func (*Driver) Boot(context.Context, vm.Spec) (vm.Machine, error) {
	return nil, &vm.BootError{Err: errSystem}
}

// Close releases the resources of the driver.
func (*Driver) Close() error { return nil }
