//go:build linux && amd64

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// firstProcess is one way to have a first process in the namespaces of a machine.
type firstProcess struct {
	name string
	path string
	args []string

	wall, cpu time.Duration
}

// BenchmarkFirstProcess compares ways to have a first process: it starts, ends at
// once, and is waited for. The interpreter is what machines have. The others are the
// least that a first process in Go could cost: an empty program, and this program,
// which has fewer packages to initialise than podium. They take turns, so that the
// machine is equally busy for all; see docs/first-process.md.
func BenchmarkFirstProcess(b *testing.B) {
	d := &Driver{ordinary: os.Geteuid() != 0 || !hostRoot()}
	file, err := newInitFile()
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	ways := []*firstProcess{
		{name: "interpreter", path: "/proc/self/fd/" + strconv.Itoa(int(file.Fd()))},
		{name: "empty", path: emptyProgram(b)},
		{name: "self", path: "/proc/self/exe", args: []string{"-test.run=^$"}},
	}
	programs := exitProgram(b)
	defer programs.Close()
	for b.Loop() {
		for _, way := range ways {
			if err := way.run(d, programs); err != nil {
				b.Fatalf("%s: %v", way.name, err)
			}
		}
	}
	for _, way := range ways {
		b.ReportMetric(float64(way.wall.Microseconds())/1000/float64(b.N), "ms/"+way.name)
		b.ReportMetric(float64(way.cpu.Microseconds())/1000/float64(b.N), "cpu-ms/"+way.name)
	}
}

// run starts and ends one.
func (f *firstProcess) run(d *Driver, programs *os.File) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	attr := &syscall.ProcAttr{Env: []string{}, Sys: d.processAttributes()}
	for range fdProgram {
		attr.Files = append(attr.Files, null.Fd())
	}
	attr.Files = append(attr.Files, programs.Fd())
	began := time.Now()
	pid, err := syscall.ForkExec(f.path, append([]string{f.name}, f.args...), attr)
	if err != nil {
		return err
	}
	var use syscall.Rusage
	for err = syscall.EINTR; err == syscall.EINTR; {
		_, err = syscall.Wait4(pid, nil, 0, &use)
	}
	f.wall += time.Since(began)
	f.cpu += time.Duration(use.Utime.Nano() + use.Stime.Nano())
	return err
}

// exitProgram is the interpreter's program that ends at once.
func exitProgram(b *testing.B) *os.File {
	p := &program{}
	p.call("exit", unix.SYS_EXIT_GROUP, 0)
	image, err := p.link(bootAddress, bootLimit)
	if err != nil {
		b.Fatal(err)
	}
	f, err := memoryFile("podium-programs", 0)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.Write(image); err != nil {
		b.Fatal(err)
	}
	return f
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
