//go:build !linux

package sandbox

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"podium/vm"
)

// TestOther wants a sentence where no machine can be made.
func TestOther(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "needs Linux on x86-64 or arm64, this is "+runtime.GOOS) {
		t.Error(err)
	}
	var be *vm.BootError
	if _, err := d.Boot(t.Context(), vm.Spec{Name: "x", Cores: 1}); !errors.As(err, &be) {
		t.Error(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
