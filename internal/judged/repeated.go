package judged

import (
	"maps"
	"math"
	"slices"

	"podium/internal/campaign"
	"podium/vm"
)

// Repeated sums up what all times took that a run was made; nil where the campaign
// repeats nothing.
func (j *Campaign) Repeated(sheet, tool int) *Repeated {
	if j.Campaign.Plan.Repeat < 2 {
		return nil
	}
	run := j.run(sheet, tool)
	r := &Repeated{}
	first, finished := j.Log.Finished[run]
	var cpu, wall, memory []int64
	for n := 1; n <= j.Campaign.Plan.Repeat; n++ {
		if n > 1 {
			run.Repetition = n
		}
		if _, void := j.Log.Void[run]; void {
			r.Void++
		}
		f, ok := j.Log.Finished[run]
		if !ok {
			continue
		}
		r.Ends++
		same, limited := finished && maps.Equal(valuesOf(f), valuesOf(first)), endings[f.Outcome.Termination].ByLimit()
		if same {
			r.Same++
		}
		if limited {
			r.Limited++
		}
		if !same || limited {
			continue
		}
		wall = append(wall, f.Outcome.WallTime.Microseconds())
		if f.Outcome.Measures(vm.Times) {
			cpu = append(cpu, f.Outcome.CPUTime.Microseconds())
		}
		if f.Outcome.Measures(vm.Memory) {
			memory = append(memory, f.Outcome.MemoryPeak)
		}
	}
	r.CPU, r.Wall, r.Memory = SpreadOf(cpu), SpreadOf(wall), SpreadOf(memory)
	return r
}

// valuesOf are the values that a run gave, by item.
func valuesOf(f *campaign.Finished) map[string]string {
	values := make(map[string]string, f.Answers.Len())
	for a := range f.Answers.All() {
		values[a.Item] = a.Text
	}
	return values
}

// Spread is what repeated measurements of one thing show, in the unit of the
// measurements, rounded to whole ones. It is zero without any.
type Spread struct {
	Runs   int   `json:"runs"` // that were measured
	Mean   int64 `json:"mean"`
	Median int64 `json:"median"` // of an even number the mean of the two in the middle
	Min    int64 `json:"min"`
	Max    int64 `json:"max"`
	SD     int64 `json:"standard_deviation"` // of the sample, with n-1; 0 of one measurement
}

// SpreadOf sums up measurements. The list is sorted.
func SpreadOf(list []int64) Spread {
	n := len(list)
	if n == 0 {
		return Spread{}
	}
	slices.Sort(list)
	var mean, squares float64
	for _, x := range list {
		mean += float64(x) / float64(n)
	}
	for _, x := range list {
		squares += (float64(x) - mean) * (float64(x) - mean)
	}
	low, high := list[(n-1)/2], list[n/2]
	return Spread{Runs: n, Mean: int64(math.Round(mean)), Median: low + (high-low)/2, Min: list[0], Max: list[n-1],
		SD: int64(math.Round(math.Sqrt(squares / float64(max(1, n-1)))))}
}

// Repeated is what a run took that was made several times. CPU, Wall and Memory are
// of the times that gave the same values as the first one and that no limit ended.
type Repeated struct {
	Ends    int `json:"ends"`        // the first one included
	Void    int `json:"void"`        // failed by our fault
	Same    int `json:"same_values"` // of the ends, those with the values of the first one
	Limited int `json:"at_limit"`    // of the ends, those that a limit of time or memory ended

	CPU    Spread `json:"cpu_us"`
	Wall   Spread `json:"wall_us"`
	Memory Spread `json:"memory_bytes"`
}
