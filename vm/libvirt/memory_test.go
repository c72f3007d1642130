//go:build linux && cgo && libvirt_dlopen

package libvirt_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/libvirt"
	"podium/vm/vmtest"
)

// TestToolTakesAllMemory lets a tool take what its machine has, without a limit
// that would end it before: the guest's kernel kills it for want of memory. That is
// the tool's doing, since nobody else is there, and what it said before counts.
func TestToolTakesAllMemory(t *testing.T) {
	t.Parallel()
	needMachines(t)
	d := open(t, libvirt.Options{Dir: libvirt.StateDir()})
	defer d.Close()
	tool := t.TempDir()
	if err := os.Mkdir(filepath.Join(tool, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(vmtest.BuildActor(t), filepath.Join(tool, "bin", "actor")); err != nil {
		t.Fatal(err)
	}
	const memory = 256 << 20
	m, err := d.Boot(t.Context(), vm.Spec{Name: "greedy", Cores: 1, Memory: memory, Tool: tool})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var said bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", "echo answer; exec $BIN_DIR/actor vmtest-actor hog"}, Stdout: &said, Limits: vm.Limits{WallTime: 10 * time.Minute}}
	out, err := m.Exec(t.Context(), job)
	if err != nil || out.Termination != vm.OutOfMem || said.String() != "answer\n" {
		t.Errorf("%+v, %v, %q", out, err, &said)
	}
	if out.MemoryPeak < memory {
		t.Errorf("a peak of %d bytes", out.MemoryPeak)
	}
}
