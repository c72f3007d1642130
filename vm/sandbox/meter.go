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
	memory int64 // the most since the last reading, where the kernel tells it
}

// exceeds names the limit that is reached. The kernel may hold the limit of memory itself.
func (m *meter) exceeds(l vm.Limits, u usage) vm.Termination {
	switch {
	case l.CPUTime > 0 && u.cpu >= l.CPUTime:
		return vm.OutOfCPU
	case l.Memory > 0 && u.memory > l.Memory && !m.group.memory.known():
		return vm.OutOfMem
	}
	return ""
}

// meter reads the usage of a running job.
type meter struct {
	cores int
	group *group
	proc  string // the machine's /proc, where there is no control group
	peak  int64  // that was seen up to now

	began time.Time // of the job
	curve vm.Sampler
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

// next is how long nothing can be exceeded, as all cores would have to be busy for that
// long to use the rest of the CPU time; or less, when the curve wants a sample before.
func (m *meter) next(l vm.Limits, u usage) time.Duration {
	pause := m.curve.Pause()
	if l.CPUTime > 0 {
		pause = min(pause, max((l.CPUTime-u.cpu)/time.Duration(m.cores), shortestPause))
	}
	if m.proc != "" {
		pause = samplingPause
	}
	return pause
}

// read adds up what is used, and puts it on the curve.
func (m *meter) read() (u usage, err error) {
	if m.proc != "" {
		u = processUsage(m.proc)
	}
	if !m.group.memory.known() {
		m.peak = max(m.peak, u.memory)
	} else if u.memory, err = m.memory(); err != nil {
		return u, err
	}
	if m.group.cpu.known() {
		if u.cpu, err = m.group.cpuTime(); err != nil {
			return u, err
		}
	}
	m.curve.Add(vm.Sample{At: vm.Took(time.Since(m.began)), CPU: vm.Took(u.cpu), Memory: u.memory})
	return u, nil
}

// memory is what the group holds, or held at a time since the last reading that was a new
// peak.
func (m *meter) memory() (int64, error) {
	peak, err := m.group.memoryPeak()
	if err == nil && peak <= m.peak {
		return m.group.memoryNow()
	}
	m.peak = peak
	return peak, err
}

// end returns the curve of a job with these figures.
func (m *meter) end(o vm.Outcome) vm.Curve {
	last := vm.Sample{At: o.WallTime, CPU: o.CPUTime}
	if o.MemoryPeak > m.peak {
		last.Memory = o.MemoryPeak
	}
	return m.curve.End(last)
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
