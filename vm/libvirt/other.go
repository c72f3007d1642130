//go:build !(linux && cgo && libvirt_dlopen)

package libvirt

import (
	"context"
	"errors"
	"io"

	"podium/vm"
	"podium/vm/guest/image"
)

// Driver makes machines, but not in this build.
type Driver struct{}

var errBuild = errors.New("this podium was built without libvirt: build it on Linux with a C compiler by `make build` (cgo, and the build tag libvirt_dlopen)")

// Open returns a driver that says why it makes no machines.
func Open(Options) (*Driver, error) { return &Driver{}, nil }

// Probe fails.
func (*Driver) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "libvirt"}, errBuild
}

// Boot fails.
func (*Driver) Boot(context.Context, vm.Spec) (vm.Machine, error) {
	return nil, &vm.BootError{Err: errBuild}
}

// Export fails.
func (*Driver) Export(context.Context, string, io.Writer) error { return errBuild }

// ImportSystem fails.
func (*Driver) ImportSystem(context.Context, string, image.System, string) (string, error) {
	return "", errBuild
}

// Close does nothing.
func (*Driver) Close() error { return nil }
