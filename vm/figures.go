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
		return fmt.Sprintf("ended by signal %d", o.Signal)
	}
	return o.Termination.Text()
}

// Figures says CPU time and memory of a run, of which of them it is only known that so
// much was seen, and its energy where that is known.
func (o Outcome) Figures() string {
	figure := func(name, seen string, measured bool) string {
		if measured {
			return name + " " + seen
		}
		return name + " not measured (" + seen + " seen)"
	}
	return figure("CPU time", o.CPUTime.Round(time.Microsecond).String(), o.Measures(Times)) + ", " +
		figure("memory", fmt.Sprintf("%.3f MB", float64(o.MemoryPeak)/1e6), o.Measures(Memory)) + o.Energy.Text()
}
