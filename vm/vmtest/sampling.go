//go:build linux

package vmtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// One-second sampling as BenchKit does it, to compare with: once a second the
// whole machine is looked at; CPU time is the part of each second in which it
// was neither idle nor waiting for the disk, memory the most that was not free.
// The run begins one second after the sampling, and the second that it ends in
// is lost. (BenchKit, lib/benchkit.lib.sh: sadc -S XALL 1; sadf)

// sampled plays a role as a child and prints the samples beside what it prints.
func sampled(role ...string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, append([]string{actorWord}, role...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	ended := make(chan error, 1)
	last, err := look()
	if err != nil {
		return err
	}
	first := last
	var busy time.Duration
	var memory int64
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for seconds := 0; ; seconds++ {
		select {
		case err := <-ended:
			fmt.Printf("%ssampled %d %d %d\n", out.String(), busy.Nanoseconds(), memory, first.memory)
			return err
		case <-tick.C:
		}
		now, err := look()
		if err != nil {
			return errors.Join(err, cmd.Process.Kill())
		}
		if seconds == 0 {
			if err := cmd.Start(); err != nil {
				return err
			}
			go func() { ended <- cmd.Wait() }()
			first = now
		} else {
			busy += now.busy - last.busy
			memory = max(memory, now.memory)
		}
		last = now
	}
}

// glance is what /proc tells of a whole machine.
type glance struct {
	busy   time.Duration // of all cores, since the machine started
	memory int64         // bytes that are not free
}

func look() (glance, error) {
	stat, err1 := os.ReadFile("/proc/stat")
	info, err2 := os.ReadFile("/proc/meminfo")
	if err := errors.Join(err1, err2); err != nil {
		return glance{}, err
	}
	var g glance
	line, _, _ := strings.Cut(string(stat), "\n")
	for i, f := range strings.Fields(line) {
		// user nice system idle iowait irq softirq steal; the others are parts.
		if i == 0 || i == 4 || i == 5 || i > 8 {
			continue
		}
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return glance{}, err
		}
		g.busy += time.Duration(n) * (time.Second / 100)
	}
	for line := range strings.Lines(string(info)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		n, err := strconv.ParseInt(f[1], 10, 53)
		if err != nil {
			return glance{}, err
		}
		switch f[0] {
		case "MemTotal:":
			g.memory += n << 10
		case "MemFree:":
			g.memory -= n << 10
		}
	}
	return g, nil
}

// sampled plays a workload and returns what sampling says of it, in nanoseconds
// or bytes, and the truth.
func (b *bench) sampled(w workload, cpus []int) (got, truth int64) {
	b.Helper()
	spec := b.spec()
	spec.CPUs = cpus
	r := b.doIn(spec, actor(append([]string{"sampled"}, w.role...)...))
	b.wantExit(r, 0)
	head, samples, ok := strings.Cut(r.stdout, "sampled ")
	var busy, memory, before int64
	if _, err := fmt.Sscanf(samples, "%d %d %d\n", &busy, &memory, &before); !ok || err != nil {
		b.Fatalf("the sampling actor printed %q: %v", r.stdout, err)
	}
	if w.memory > 0 {
		return max(0, memory-before), w.memory
	}
	if _, err := fmt.Sscanf(head, "cpu %d\n", &truth); err != nil {
		b.Fatalf("the actor printed %q: %v", head, err)
	}
	return busy, truth
}
