//go:build linux && cgo && libvirt_dlopen

package libvirt

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/guest"
	"podium/vm/guest/image"
)

// bench is a driver and a tool whose script says answer and then sleeps.
type bench struct {
	*Driver
	tool string
}

func newBench(t *testing.T) bench {
	for _, program := range []string{"qemu-system-x86_64", "libvirtd", "sqfstar", "busybox"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED, no virtual machine is tried: %v", err)
		}
	}
	d, err := Open(Options{Dir: StateDir()})
	if err == nil {
		err = d.bootErr
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	tool := t.TempDir()
	if err := os.WriteFile(filepath.Join(tool, "BenchKit_head.sh"), []byte("#!/bin/sh\necho answer\nsleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return bench{d, tool}
}

func (b bench) machine(t *testing.T, name string) *machine {
	m, err := b.start(t.Context(), vm.Spec{Name: name, Cores: 1, Memory: 256 << 20, Tool: b.tool}, b.accelerator())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// runThen runs the job, and does something to the machine when it has answered.
func (m *machine) runThen(t *testing.T, limits vm.Limits, then func() error) (vm.Outcome, error) {
	t.Helper()
	var said bytes.Buffer
	answered := false
	job := vm.Job{Command: []string{"BenchKit_head.sh"}, Limits: limits, Stdout: writerFunc(func(b []byte) (int, error) {
		if !answered {
			answered = true
			if err := then(); err != nil {
				t.Error(err)
			}
		}
		return said.Write(b)
	})}
	out, err := m.Exec(t.Context(), job)
	if said.String() != "answer\n" || out.OutputBytes != 7 {
		t.Errorf("printed %q, %d bytes", &said, out.OutputBytes)
	}
	return out, err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// StateDir is the directory of the drivers of tests that run side by side. It is removed at
// the end of the process, because the hypervisor in this process keeps using the directory
// that it was given first. Its path is short, because the path of a socket has 108 bytes.
var StateDir = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "pd")
	if err != nil {
		panic(err)
	}
	return dir
})

// TestHostile does to machines what a tool that has taken over its guest could.
func TestHostile(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	t.Run("attacked", b.attacked)
	t.Run("next run is unaffected", func(t *testing.T) {
		var said bytes.Buffer
		out, err := b.machine(t, "next").Exec(t.Context(), vm.Job{Command: []string{"/bin/echo", "answer"}, Stdout: &said})
		if err != nil || out.Termination != vm.Exited || out.ExitCode != 0 || said.String() != "answer\n" {
			t.Errorf("%+v, %v, %q", out, err, &said)
		}
	})
	t.Run("no boot", func(t *testing.T) {
		defer func(good image.Boot) { b.boot = good }(b.boot)
		b.boot.Initramfs = filepath.Join(t.TempDir(), "empty")
		if err := os.WriteFile(b.boot.Initramfs, make([]byte, 512), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := b.Boot(t.Context(), vm.Spec{Name: "noboot", Cores: 1, Memory: 256 << 20, Tool: b.tool})
		var be *vm.BootError
		if !errors.As(err, &be) || !strings.Contains(be.Console, "Kernel panic") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("boot without end", func(t *testing.T) {
		defer func(o Options) { b.options = o }(b.options)
		b.options.BootPatience, b.options.Start = 50*time.Millisecond, StartCold
		_, err := b.Boot(t.Context(), vm.Spec{Name: "slow", Cores: 1, Memory: 256 << 20, Tool: b.tool})
		var be *vm.BootError
		if !errors.As(err, &be) || !strings.Contains(err.Error(), "not ready in time") {
			t.Errorf("err = %v", err)
		}
	})
}

// attacked is about machines to which something happens while their job runs.
func (b bench) attacked(t *testing.T) {
	t.Run("panic", func(t *testing.T) {
		t.Parallel()
		m := b.machine(t, "panic")
		out, err := m.runThen(t, vm.Limits{WallTime: 2 * time.Minute}, func() error { return m.domain.InjectNMI(0) })
		if err != nil || out.Termination != vm.Panicked || out.WallTime <= 0 {
			t.Errorf("%+v, %v", out, err)
		}
	})
	t.Run("stands still", func(t *testing.T) {
		t.Parallel()
		m := b.machine(t, "still")
		m.host.Grace = time.Second
		out, err := m.runThen(t, vm.Limits{WallTime: 10 * time.Second}, m.domain.Suspend)
		if err != nil || out.Termination != vm.OutOfTime || len(out.Warnings) == 0 {
			t.Errorf("%+v, %v", out, err)
		}
	})
	t.Run("stands still without a limit", func(t *testing.T) {
		t.Parallel()
		m := b.machine(t, "lost")
		m.host.Silence = 10 * time.Second
		_, err := m.runThen(t, vm.Limits{}, m.domain.Suspend)
		var lost *guest.LostError
		if !errors.As(err, &lost) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("process dies", func(t *testing.T) {
		t.Parallel()
		m := b.machine(t, "dies")
		_, err := m.runThen(t, vm.Limits{WallTime: time.Minute}, func() error { return syscall.Kill(m.pid, syscall.SIGKILL) })
		var lost *guest.LostError
		if !errors.As(err, &lost) {
			t.Errorf("err = %v", err)
		}
	})
}

// TestFullHostDisk wants an error that stops a worker.
func TestFullHostDisk(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can mount a small file system")
	}
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("SKIPPED: a small file system cannot be mounted: ", err)
	}
	defer syscall.Unmount(small, syscall.MNT_DETACH)
	store, err := image.OpenStore(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.tool, "large"), []byte(strings.Repeat("0123456789abcdef", 1<<16)), 0o644); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(i * i >> 8 * i)
	}
	if err := os.WriteFile(filepath.Join(b.tool, "noise"), noise, 0o644); err != nil {
		t.Fatal(err)
	}
	full := &Driver{options: b.options, name: b.name, dir: b.dir, store: store, conn: b.conn, boot: b.boot, kvm: b.kvm}
	_, err = full.Boot(context.Background(), vm.Spec{Name: "full", Cores: 1, Memory: 256 << 20, Tool: b.tool})
	var be *vm.BootError
	if !errors.As(err, &be) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("err = %v", err)
	}
}
