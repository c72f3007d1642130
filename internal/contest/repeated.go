package contest

import (
	"maps"

	"podium/internal/campaign"
	"podium/internal/publish"
	"podium/vm"
)

// Repeated sums up what all times took that a run was made; nil where the campaign
// repeats nothing.
func (j *Judged) Repeated(sheet, tool int) *publish.Repeated {
	if j.Campaign.Plan.Repeat < 2 {
		return nil
	}
	run := j.runOf(sheet, tool)
	r := &publish.Repeated{}
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
	r.CPU, r.Wall, r.Memory = publish.SpreadOf(cpu), publish.SpreadOf(wall), publish.SpreadOf(memory)
	return r
}

// valuesOf are the values that a run gave, by item.
func valuesOf(f campaign.Finished) map[string]string {
	values := make(map[string]string, f.Answers.Len())
	for a := range f.Answers.All() {
		values[a.Item] = a.Text
	}
	return values
}
