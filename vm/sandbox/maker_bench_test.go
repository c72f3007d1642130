//go:build linux

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"podium/vm/sandbox/maker"
)

// BenchmarkMaker compares the start of a maker, which ends because there are no orders,
// with that of an empty program and with that of this program as it is. They take turns,
// so that the machine is equally busy for all; see docs/first-process.md. A maker starts
// later in a larger program, such as podium.
func BenchmarkMaker(b *testing.B) {
	ways := []struct {
		name, path string
		args       []string
		wall, cpu  time.Duration
	}{
		{name: "maker", path: "/proc/self/exe", args: []string{maker.Name}},
		{name: "empty", path: emptyProgram(b), args: []string{"empty"}},
		{name: "self", path: "/proc/self/exe", args: []string{"self", "-test.run=^$"}},
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	d := &Driver{ordinary: os.Geteuid() != 0 || !hostRoot()}
	for b.Loop() {
		for i := range ways {
			w := &ways[i]
			attr := &syscall.ProcAttr{Env: []string{"GOMAXPROCS=1", "GOGC=off"}, Sys: d.processAttributes()}
			for range maker.FdFree {
				attr.Files = append(attr.Files, null.Fd())
			}
			began := time.Now()
			pid, err := syscall.ForkExec(w.path, w.args, attr)
			if err != nil {
				b.Fatal(err)
			}
			var use syscall.Rusage
			for err = syscall.EINTR; err == syscall.EINTR; {
				_, err = syscall.Wait4(pid, nil, 0, &use)
			}
			w.wall += time.Since(began)
			w.cpu += time.Duration(use.Utime.Nano() + use.Stime.Nano())
		}
	}
	for _, w := range ways {
		b.ReportMetric(float64(w.wall.Microseconds())/1000/float64(b.N), "ms/"+w.name)
		b.ReportMetric(float64(w.cpu.Microseconds())/1000/float64(b.N), "cpu-ms/"+w.name)
	}
}

// emptyProgram builds the smallest program in Go.
func emptyProgram(b *testing.B) string {
	dir := b.TempDir()
	source, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "empty")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", file, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return file
}
