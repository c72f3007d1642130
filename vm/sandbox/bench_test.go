//go:build linux

package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/sandbox"
	"podium/vm/vmtest"
)

// benchTool is a tool directory with the smallest of tools.
func benchTool(b *testing.B) (tool, input string) {
	tool, input = b.TempDir(), b.TempDir()
	truth, err := os.ReadFile("/bin/true")
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tool, "true"), truth, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(input, "model.pnml"), []byte("<pnml/>"), 0o644); err != nil {
		b.Fatal(err)
	}
	return tool, input
}

// BenchmarkRun is a whole run: boot, a job that does nothing, close. The
// engine's cost is the difference to BenchmarkBareExec.
func BenchmarkRun(b *testing.B) {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	tool, input := benchTool(b)
	limits := vm.Limits{CPUTime: time.Minute, WallTime: time.Minute, Memory: 1 << 30, Processes: 100, Output: 1 << 20, Disk: 1 << 30}
	var booting, running, closing time.Duration
	for b.Loop() {
		t0 := time.Now()
		m, err := d.Boot(context.Background(), vm.Spec{Name: "bench", Cores: 1, Tool: tool, Input: input})
		if err != nil {
			b.Fatal(err)
		}
		t1 := time.Now()
		if _, err := m.Exec(context.Background(), vm.Job{Command: []string{"true"}, Limits: limits}); err != nil {
			b.Fatal(err)
		}
		t2 := time.Now()
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		booting, running, closing = booting+t1.Sub(t0), running+t2.Sub(t1), closing+time.Since(t2)
	}
	b.ReportMetric(float64(booting.Nanoseconds())/float64(b.N), "ns/boot")
	b.ReportMetric(float64(running.Nanoseconds())/float64(b.N), "ns/exec")
	b.ReportMetric(float64(closing.Nanoseconds())/float64(b.N), "ns/close")
}

// BenchmarkBareExec starts the same program without any confinement.
func BenchmarkBareExec(b *testing.B) {
	tool, _ := benchTool(b)
	for b.Loop() {
		if err := exec.Command(filepath.Join(tool, "true")).Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMeasuring tells how exact the sandbox measures.
func BenchmarkMeasuring(b *testing.B) {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	vmtest.BenchmarkMeasuring(b, d, vmtest.Options{})
}
