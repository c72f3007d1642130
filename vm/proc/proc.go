//go:build linux

// Package proc reads from the kernel the state of this host and of its
// processes, as far as several drivers need it (proc(5)).
package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Cores are the cores that this process may use, ascending.
func Cores() []int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	var cores []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			cores = append(cores, c)
		}
	}
	return cores
}

// FreeMemory returns the memory that new processes can have without swapping, in
// bytes; 0 where the kernel does not report it.
func FreeMemory() int64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), "MemAvailable:")
	line, _, _ := strings.Cut(rest, "kB")
	n, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// Process identifies a process among all since this host was started, because
// ids are used again: its id, and its start in clock ticks since the host's
// start.
type Process struct {
	PID   int
	Start uint64
}

// Self is this process.
func Self() (Process, error) { return Find(os.Getpid()) }

// Find returns the living process with an id. The error is fs.ErrNotExist where
// there is none; a zombie is none.
func Find(pid int) (Process, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, unix.ESRCH) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Process{}, err
	}
	fields, err := StatFields(string(b))
	if err != nil {
		return Process{}, err
	}
	if fields[0] == "Z" {
		return Process{}, fs.ErrNotExist
	}
	start, err := strconv.ParseUint(fields[19], 10, 64)
	return Process{pid, start}, err
}

// StatFields splits a line of /proc/PID/stat behind the program's name, which
// may hold anything: index 0 is the state. There are 22 fields at least.
func StatFields(line string) ([]string, error) {
	i := strings.LastIndexByte(line, ')')
	if i < 0 {
		return nil, fmt.Errorf("no process status: %q", line)
	}
	fields := strings.Fields(line[i+1:])
	if len(fields) < 22 {
		return nil, fmt.Errorf("short process status: %q", line)
	}
	return fields, nil
}

// Dead reports whether the process has certainly ended.
func (p Process) Dead() bool {
	now, err := Find(p.PID)
	return errors.Is(err, fs.ErrNotExist) || err == nil && now != p
}
