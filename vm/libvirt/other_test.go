//go:build !(linux && cgo && libvirt_dlopen)

package libvirt

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"podium/vm"
)

// TestOther wants a build without libvirt to say what is missing.
func TestOther(t *testing.T) {
	d, err := Open(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Probe(t.Context()); err == nil || !strings.Contains(err.Error(), "make build") {
		t.Error(err)
	}
	var be *vm.BootError
	if _, err := d.Boot(t.Context(), vm.Spec{Name: "x", Cores: 1}); !errors.As(err, &be) {
		t.Error(err)
	}
	if err := d.Export(t.Context(), "x", new(bytes.Buffer)); err == nil {
		t.Error("a disk was read")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
