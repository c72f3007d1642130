package vm

import (
	"fmt"
	"time"
)

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
