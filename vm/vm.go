// Package vm is the contract for the machines in which tools run (E-5.x): a
// [Driver] boots a fresh [Machine], the machine runs one [Job] under [Limits],
// and is then closed so that nothing of it remains. The comments of the types
// say what every driver must do; package vmtest tests it.
//
// There are two kinds of failure. A failure of the tool is data: it is in the
// [Outcome], and final. A failure of the host (boot, disk, agent) is an error:
// the attempt is void and may be tried again in another fresh machine.
package vm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// Driver makes fresh machines. Its methods may be called from several
// goroutines.
type Driver interface {
	// Probe tells what this host can enforce, or why it cannot run machines.
	Probe(ctx context.Context) (Capabilities, error)
	// Boot returns a fresh machine. A failure is ours, a *BootError with what
	// the console said; nothing of the machine is left then.
	Boot(ctx context.Context, spec Spec) (Machine, error)
	// Close releases what the driver holds. Machines are closed before.
	io.Closer
}

// Machine is used once: Exec, then Close.
type Machine interface {
	// Exec runs the job to its end or to its first exceeded limit and returns
	// when no process of it is left: the job ends with its command, and what
	// that left running is killed. An error is our fault (a writer of the job
	// that fails is ours, too); the tool's fate is in the Outcome. When ctx
	// ends, the job is killed and Exec returns ctx.Err() with what was
	// measured.
	Exec(ctx context.Context, job Job) (Outcome, error)
	// Close halts and discards the machine; it may be called twice.
	io.Closer
}

// Use records whether a machine has run its job, because each machine runs one
// job only. Drivers keep one for each machine; the zero value belongs to a
// fresh machine.
type Use struct{ begun bool }

// Begin records that the job starts. It returns an error when the machine was
// used before, when the job has no command, or when ctx has ended.
func (u *Use) Begin(ctx context.Context, machine string, job *Job) error {
	if u.begun {
		return fmt.Errorf("machine %s was used before", machine)
	}
	u.begun = true
	if len(job.Command) == 0 {
		return errors.New("the job has no command")
	}
	return ctx.Err()
}

// Spec describes the machine that is wanted (E-5.2, E-5.3).
type Spec struct {
	Name   string // unique among the machines of this host, [A-Za-z0-9._-]+
	Cores  int    // number of cores, at least 1
	CPUs   []int  // host cores to be pinned to, nil for any; else len == Cores
	Nodes  []int  // host nodes that memory is taken from, nil for any
	Memory int64  // bytes, 0 for no bound; a job that needs more ends by OutOfMem, whatever its own limits say
	Image  string // file of `podium image build` or `import` that the machine boots and whose file system the tool sees, "" for the driver's own
	Tool   string // directory on the host that becomes $HOME/BenchKit/bin's parent, read-only in the machine; "" for the one in the image
	Input  string // instance directory on the host; the machine gets a private writable view of it; "" for an empty one
	// Writable are directories of the tool, relative to it, that its programs may write to:
	// in each machine they are empty at first, and what is in them counts like TMPDIR.
	// They are there in the tool, and hold nothing ([CheckWritable]).
	Writable []string
	// Stdin is what the job reads; nil for nothing. A driver that cannot give it refuses it:
	// only machines on this host can.
	Stdin *os.File
	// Hide are directories of the host that the job must not see, such as the
	// campaign and the tools of others, where machines see a part of the host.
	// Those of Tool and Input are hidden in any case.
	Hide []string
}

// Job is one command in a machine. The command runs in the machine's copy of
// the instance directory.
type Job struct {
	Command []string  // program, relative to the tool directory or absolute in the machine, and arguments
	Env     []string  // NAME=value; the machine adds PATH, HOME, TMPDIR, BIN_DIR, BK_BIN_PATH and BK_RESULT_DIR
	Limits  Limits    // zero fields do not limit
	Stdout  io.Writer // receives what is printed, as it is printed; nil discards
	Stderr  io.Writer // the same for standard error; the two writers are never called at the same time
	SideOut string    // host directory, or "": regular files that the job leaves in BK_RESULT_DIR are copied there
	// SideLimit bounds what is copied.
	SideLimit SideLimit
}

// SideLimit limits the files of a SideOut: only names that end in Suffix, at
// most Files of them with at most Bytes together; 0 is no limit. Files beyond
// it are left out, with a warning, and the run stays valid.
type SideLimit struct {
	Suffix string
	Files  int
	Bytes  int64
}

// Limits limit a job. A job that reaches one is ended; what it printed before
// counts.
type Limits struct {
	CPUTime   time.Duration // user and system time of all processes together
	WallTime  time.Duration
	Memory    int64 // bytes, all processes together
	Processes int   // processes and threads at one time
	Output    int64 // bytes of standard output and error together
	Disk      int64 // bytes that the machine's private file systems take
}

// Termination says why a job ended.
type Termination string

// The reasons. Every job ends by exactly one of them.
const (
	Exited     Termination = "exited"   // on its own, with ExitCode
	Signalled  Termination = "signal"   // by a signal that was not ours
	OutOfCPU   Termination = "cputime"  // Limits.CPUTime
	OutOfTime  Termination = "walltime" // Limits.WallTime
	OutOfMem   Termination = "memory"   // Limits.Memory
	TooMuchOut Termination = "output"   // Limits.Output
	DiskFull   Termination = "disk"     // Limits.Disk, where the driver can tell it from an ordinary exit
	Panicked   Termination = "panic"    // the guest's kernel died under the job
)

// Outcome is how a job ended, with its measurements. Bytes are not rounded. Its JSON
// is what guests send and journals keep; what is empty is left out.
type Outcome struct {
	Termination Termination `json:"termination"`
	ExitCode    int         `json:"exit_code,omitzero"` // when Exited; 127 for a missing command and 126 for one that cannot be executed, with a warning
	Signal      int         `json:"signal,omitzero"`    // when Signalled
	Started     time.Time   `json:"started"`
	CPUTime     Micros      `json:"cpu_us,omitzero"` // user and system, all descendants
	UserTime    Micros      `json:"user_us,omitzero"`
	SystemTime  Micros      `json:"system_us,omitzero"`
	WallTime    Micros      `json:"wall_us,omitzero"`
	MemoryPeak  int64       `json:"memory_bytes,omitzero"` // all processes together
	OutputBytes int64       `json:"output_bytes,omitzero"` // printed before the end
	// Measured says by what CPU time and memory were measured and limited:
	// "cgroup2", "cgroup1", ByRlimit, "guest:cgroup2", or ByHost.
	Measured string `json:"measured_by,omitzero"`
	// HostCPUTime and HostMemoryPeak are the control figures of the machine as
	// a whole, 0 where machine and job are one.
	HostCPUTime    Micros `json:"host_cpu_us,omitzero"`
	HostMemoryPeak int64  `json:"host_memory_bytes,omitzero"`
	// Start says how the machine came about, "" where there is one way only.
	// WhyBooted is the reason, in one line, of a machine that was booted where it
	// would have been restored.
	Start     Start  `json:"start,omitzero"`
	WhyBooted string `json:"why_booted,omitzero"`
	// Unmeasured names the figures that could not be measured, or are not to be
	// trusted; a warning says why of each. They are shown, but earn no bonus.
	Unmeasured []Figure `json:"unmeasured,omitempty"`
	// Curve is the run over time, empty where nobody sampled it.
	Curve Curve `json:"curve,omitempty"`
	// Energy is what the processors used, nil where the host has no counters of it.
	Energy *Energy `json:"energy,omitzero"`
	// Warnings are sentences about what could not be enforced or looks wrong.
	Warnings []string `json:"warnings,omitempty"`
}

// NotStarted reports whether a program was not found or could not be executed, by the exit codes of a
// shell.
func (o Outcome) NotStarted() bool {
	return o.Termination == Exited && (o.ExitCode == 126 || o.ExitCode == 127)
}

// CannotExecute begins the reason in the warning of a job whose command could not be executed.
const CannotExecute = "could not be executed: "

// NotFound reports whether the command itself was not found, or the program that its first line
// names. A command that ran and returned 127 itself was found.
func (o Outcome) NotFound() bool {
	return o.ExitCode == 127 && slices.ContainsFunc(o.Warnings, func(w string) bool { return strings.Contains(w, CannotExecute) })
}

// Waited reports whether a job used less than a hundredth of its time, as one does that waits for
// something.
func (o Outcome) Waited() bool { return o.Measures(Times) && o.CPUTime < o.WallTime/100 }

// EndedAt returns when the job ended.
func (o Outcome) EndedAt() time.Time { return o.Started.Add(o.WallTime.Duration()) }

// Micros is a duration in whole microseconds.
type Micros int64

// Took returns a duration in whole microseconds.
func Took(d time.Duration) Micros { return Micros(d.Microseconds()) }

// Duration returns it as Go keeps durations. What is longer than Go can keep is the longest
// that it can.
func (m Micros) Duration() time.Duration {
	const most = Micros(math.MaxInt64 / int64(time.Microsecond))
	return time.Duration(min(max(m, -most), most)) * time.Microsecond
}

// Microseconds returns it as a plain number.
func (m Micros) Microseconds() int64 { return int64(m) }

// String returns it as Go writes durations.
func (m Micros) String() string { return m.Duration().String() }

// LeftRunning is the warning of a job whose command ended before processes that it had
// started. They were killed, and their times count.
const LeftRunning = "Processes that the tool had started were still running when it ended, and were killed."

// Energy is what processor packages used while a job ran, in microjoules. A figure of 0
// was not measured.
type Energy struct {
	Package  int64  `json:"package_uj,omitzero"` // all of the packages
	Core     int64  `json:"core_uj,omitzero"`    // of it the cores
	Uncore   int64  `json:"uncore_uj,omitzero"`  // of it the rest, such as graphics
	DRAM     int64  `json:"dram_uj,omitzero"`    // memory, beside the packages
	Estimate bool   `json:"estimate,omitzero"`   // a share by CPU time: the job did not have whole packages
	Why      string `json:"why,omitzero"`        // why figures are missing, or how they were estimated
}

// State is "measured", "estimate" or "not measured"; empty where nobody looked.
func (e *Energy) State() string {
	switch {
	case e == nil:
		return ""
	case e.Package == 0:
		return "not measured"
	case e.Estimate:
		return "estimate"
	}
	return "measured"
}

// Text says it as the end of a sentence about a run; empty where nobody looked.
func (e *Energy) Text() string {
	if e == nil {
		return ""
	}
	text := ", energy " + e.State()
	if e.Package > 0 {
		text = fmt.Sprintf(", energy %.3f J (%s)", float64(e.Package)/1e6, e.State())
	}
	if e.Why != "" {
		text += ": " + e.Why
	}
	return text
}

// Start says how a machine was started.
type Start string

// How machines are started.
const (
	Booted   Start = "booted"   // a kernel was booted for the run
	Restored Start = "restored" // from a machine that was booted and saved before it knew of any run
)

// Origin says in words whether the machine was booted or restored; it is empty
// where the driver knows one way only.
func (o Outcome) Origin() string {
	switch {
	case o.Start == Restored:
		return "restored from a template"
	case o.WhyBooted != "":
		return "booted: " + o.WhyBooted
	}
	return string(o.Start)
}

// Figure names measurements of an outcome.
type Figure string

// The figures that may be unmeasured.
const (
	Times  Figure = "time"   // CPU time and wall time
	Memory Figure = "memory" // MemoryPeak
)

// ByRlimit is the Outcome.Measured of a host without control groups. There the
// CPU time of descendants that nobody waited for is missing, and memory is the
// greatest of some samples: the true figures are at least these, and may be
// larger by any amount.
const ByRlimit = "rlimit"

// ByHost is the Outcome.Measured of a machine that boots a system of the tool's own, which
// is not believed: CPU time and memory are those of the machine as a whole.
const ByHost = "host:process"

// Distrust notes that a figure was not measured, with a sentence that says why.
func (o *Outcome) Distrust(f Figure, why string) {
	if !slices.Contains(o.Unmeasured, f) {
		o.Unmeasured = append(o.Unmeasured, f)
	}
	o.Warnings = append(o.Warnings, why)
}

// Measures reports whether a figure was measured. Records from before Unmeasured
// was added say it by Measured alone.
func (o Outcome) Measures(f Figure) bool {
	return !slices.Contains(o.Unmeasured, f) && !strings.HasSuffix(o.Measured, ByRlimit)
}

// Capabilities are what a driver can enforce on a host.
type Capabilities struct {
	Driver     string // "sandbox", "libvirt"
	Measured   string // as in Outcome
	ForRecord  bool   // fit for a contest's record, not only for rehearsals
	Emulated   bool   // processors are emulated in software: the same answers, other times
	Cores      []int  // host cores that may be pinned
	Memory     int64  // bytes free for machines
	Enforced   []string
	Unenforced []string // each with the reason, a full sentence
	NoEnergy   string   // why no outcome has its energy; empty where some may
}

// BootError says that no machine could be made.
type BootError struct {
	Console string // what the console printed last, may be empty
	Err     error
}

// Error returns the cause and the end of the console's text.
func (e *BootError) Error() string {
	if e.Console == "" {
		return fmt.Sprintf("no machine could be booted: %v", e.Err)
	}
	return fmt.Sprintf("no machine could be booted: %v; console: %s", e.Err, e.Console)
}

// Unwrap gives the cause.
func (e *BootError) Unwrap() error { return e.Err }
