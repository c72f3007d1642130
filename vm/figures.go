package vm

import (
	"fmt"
	"time"
)

// limits say which limit ended a job.
var limits = map[Termination]string{OutOfCPU: "CPU time", OutOfTime: "wall time", OutOfMem: "memory", TooMuchOut: "output", DiskFull: "files on disk"}

// Text says why jobs ended.
func (t Termination) Text() string {
	switch t {
	case Exited:
		return "ended by itself"
	case Signalled:
		return "ended by a signal"
	case Panicked:
		return "ended because the kernel of its machine died"
	}
	if limit, ok := limits[t]; ok {
		return "ended at the limit of " + limit
	}
	return "ended by " + string(t)
}

// Ended says why a job ended, with its exit code or the signal.
func (o Outcome) Ended() string {
	switch o.Termination {
	case Exited:
		return fmt.Sprintf("exited with code %d", o.ExitCode)
	case Signalled:
		return "ended by " + SignalText(o.Signal)
	}
	return o.Termination.Text()
}

// signals are the names of those signals of Linux that end programs.
var signals = map[int]string{1: "hangup", 2: "interrupt", 3: "quit", 4: "illegal instruction", 5: "trace trap", 6: "aborted", 7: "bus error",
	8: "floating point exception", 9: "killed", 10: "user signal 1", 11: "segmentation fault", 12: "user signal 2", 13: "broken pipe", 14: "alarm clock",
	15: "terminated", 16: "stack fault", 24: "CPU time limit exceeded", 25: "file size limit exceeded", 31: "bad system call"}

// SignalText returns a signal of Linux with its number and its name, where it has one.
func SignalText(signal int) string {
	if name, known := signals[signal]; known {
		return fmt.Sprintf("signal %d (%s)", signal, name)
	}
	return fmt.Sprintf("signal %d", signal)
}

// EndedAfter says why a job ended, and after which CPU time and wall time, in milliseconds.
func (o Outcome) EndedAfter() string { return o.Ended() + " after " + o.times(time.Millisecond) }

// times says CPU time and wall time, each with its name.
func (o Outcome) times(unit time.Duration) string {
	return figure("CPU time", o.CPUTime.Duration().Round(unit).String(), o.Measures(Times)) + ", wall time " + o.WallTime.Duration().Round(unit).String()
}

// Figures says the times and the memory of a run, of which of them it is only known that so
// much was seen, and its energy where that is known.
func (o Outcome) Figures() string {
	return o.times(time.Microsecond) + ", " + figure("memory", fmt.Sprintf("%.3f MB", float64(o.MemoryPeak)/1e6), o.Measures(Memory)) + o.Energy.Text()
}

// figure says what is known of a figure.
func figure(name, seen string, measured bool) string {
	if measured {
		return name + " " + seen
	}
	return name + " not measured (" + seen + " seen)"
}
