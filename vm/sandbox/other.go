//go:build !(linux && amd64)

package sandbox

import (
	"context"
	"errors"
	"runtime"

	"podium/vm"
)

// Driver makes machines, but not on this system.
type Driver struct{}

var errSystem = errors.New("the sandbox needs Linux on x86-64, this is " + runtime.GOOS + " on " + runtime.GOARCH)

// Open gives a driver that says why it makes no machines.
func Open(Options) (*Driver, error) { return &Driver{}, nil }

// Probe fails.
func (*Driver) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "sandbox"}, errSystem
}

// Boot fails.
func (*Driver) Boot(context.Context, vm.Spec) (vm.Machine, error) {
	return nil, &vm.BootError{Err: errSystem}
}

// SetRoot does nothing.
func (*Driver) SetRoot(string) {}

// Close does nothing.
func (*Driver) Close() error { return nil }
