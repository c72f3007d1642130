//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"os"
	"testing"

	"podium/vm/libvirt"
	"podium/vm/vmtest"
)

// BenchmarkMeasuring tells how exact the figures of guests are, beside one-second
// sampling in the same guest.
func BenchmarkMeasuring(b *testing.B) {
	dir, err := os.MkdirTemp("", "pd") // paths of sockets are short
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	d, err := libvirt.Open(libvirt.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Probe(b.Context()); err != nil {
		b.Skip(err)
	}
	vmtest.BenchmarkMeasuring(b, d, vmtest.Options{Lacks: []vmtest.Need{vmtest.SharedKernel}})
}
