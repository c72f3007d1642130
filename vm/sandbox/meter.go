//go:build linux

package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/proc"
)

// usage is what a job used up to now.
type usage struct {
	cpu    time.Duration
	memory int64 // only where it is sampled
}

// exceeds names the limit that is reached.
func (u usage) exceeds(l vm.Limits) vm.Termination {
	switch {
	case l.CPUTime > 0 && u.cpu >= l.CPUTime:
		return vm.OutOfCPU
	case l.Memory > 0 && u.memory > l.Memory:
		return vm.OutOfMem
	}
	return ""
}

// meter reads the usage of a running job.
type meter struct {
	cores int
	group *group
	proc  string // the machine's /proc, where there is no control group
	peak  int64  // of the sums that were seen there
}

func (r *run) newMeter() meter {
	m := meter{cores: coresOfHost(), group: r.group}
	if n := len(r.spec.CPUs); n > 0 {
		m.cores = n
	}
	if !r.group.cpu.known() || !r.group.memory.known() {
		m.proc = r.path("/proc")
	}
	return m
}

// Pauses between two readings.
const (
	shortestPause = time.Millisecond
	samplingPause = 20 * time.Millisecond // where the kernel does not keep the sum
)

// samples reports whether the job has to be looked at while it runs.
func (m *meter) samples(l vm.Limits) bool {
	return l.CPUTime > 0 || m.proc != ""
}

// next is how long nothing can be exceeded: all cores would have to be busy
// for that long to use the rest of the CPU time.
func (m *meter) next(l vm.Limits, u usage) time.Duration {
	pause := time.Hour
	if l.CPUTime > 0 {
		pause = (l.CPUTime - u.cpu) / time.Duration(m.cores)
	}
	if m.proc != "" {
		return samplingPause
	}
	return max(pause, shortestPause)
}

// read adds up what is used. Memory is only counted where the kernel does not
// limit it.
func (m *meter) read() (usage, error) {
	var u usage
	if m.proc != "" {
		u = processUsage(m.proc)
		m.peak = max(m.peak, u.memory)
	}
	if m.group.memory.known() {
		u.memory = 0
	}
	if !m.group.cpu.known() {
		return u, nil
	}
	var err error
	u.cpu, err = m.group.cpuTime()
	return u, err
}

// processUsage adds up what the living processes of a machine use, and what
// those used that they waited for. It is for hosts without control groups; a
// process that ends between two looks may be missing.
func processUsage(proc string) usage {
	var u usage
	entries, err := os.ReadDir(proc)
	if err != nil {
		return u
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err != nil || pid == 1 {
			continue
		}
		dir := filepath.Join(proc, e.Name())
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		statm, err := os.ReadFile(filepath.Join(dir, "statm"))
		if err != nil {
			continue
		}
		u.cpu += statTime(string(stat))
		u.memory += statmPrivate(string(statm)) + sharedMemory(dir)
	}
	var st unix.Statfs_t
	if unix.Statfs(proc+"/..", &st) == nil {
		u.memory += int64(st.Blocks-st.Bfree) * st.Bsize
	}
	return u
}

// sharedMemory is the part of a process in memory that it shares with others and
// that is no file's: what each of them has to itself, and of the rest its share,
// so that the sum over all processes counts it once.
func sharedMemory(dir string) int64 {
	if status, err := os.ReadFile(filepath.Join(dir, "status")); err != nil || kilobytes(string(status), "RssShmem") == 0 {
		return 0
	}
	rollup, err := os.ReadFile(filepath.Join(dir, "smaps_rollup"))
	if err != nil {
		return 0
	}
	return kilobytes(string(rollup), "Pss_Shmem")
}

// kilobytes reads a line "Name: 17 kB" of a file of /proc, in bytes; 0 when there
// is none.
func kilobytes(text, name string) int64 {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == name+":" && f[2] == "kB" {
			const bits = 50 // no host has more
			n, err := strconv.ParseUint(f[1], 10, bits)
			if err != nil {
				return 0
			}
			return int64(n) << 10
		}
	}
	return 0
}

// clockTick is the unit of times in /proc/PID/stat, the same on all hosts.
const clockTick = time.Second / 100

// statTime reads the times of /proc/PID/stat: user and system time of the
// process and of the children that it waited for.
func statTime(line string) time.Duration {
	fields, err := proc.StatFields(line)
	if err != nil {
		return 0
	}
	var sum time.Duration
	for _, f := range fields[11:15] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * clockTick
	}
	return sum
}

// statmPrivate reads the resident memory of /proc/PID/statm without what is
// shared with files and other processes.
func statmPrivate(line string) int64 {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0
	}
	const bits = 40 // no host has more pages
	resident, err1 := strconv.ParseUint(fields[1], 10, bits)
	shared, err2 := strconv.ParseUint(fields[2], 10, bits)
	if err1 != nil || err2 != nil || shared > resident {
		return 0
	}
	return int64(resident-shared) * int64(os.Getpagesize())
}
