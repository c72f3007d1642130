package contest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"podium/internal/results"
)

// BenchInfo gives what a campaign knows of the runs of each tool: when they began,
// on which machines, and under which limits.
func (j *Judged) BenchInfo() func(tool string) results.BenchInfo {
	p := &j.Campaign.Plan
	common := results.BenchInfo{Benchmark: p.Name}
	var first time.Time
	for _, f := range j.Log.Finished {
		if first.IsZero() || f.Outcome.Started.Before(first) {
			first = f.Outcome.Started
		}
	}
	if !first.IsZero() {
		common.Date, common.Start = first.UTC().Format("2006-01-02 15:04:05 MST"), first.UTC().Format("2006-01-02T15:04:05-07:00")
	}
	for _, w := range j.Log.Workers {
		m := w.Machine
		system := results.BenchSystem{Host: w.Host, OS: m.System, CPUModel: m.Processor, CPUCores: fmt.Sprint(m.Cores), RAM: fmt.Sprintf("%dB", m.Memory)}
		if !slices.Contains(common.Systems, system) {
			common.Systems = append(common.Systems, system)
		}
	}
	slices.SortFunc(common.Systems, func(a, b results.BenchSystem) int { return cmp.Compare(a.Host, b.Host) })
	return func(tool string) results.BenchInfo {
		info := common
		for _, t := range p.Tools {
			if t.Name != tool {
				continue
			}
			c := p.Sequential
			if t.Concurrent {
				c = p.Concurrent
			}
			info.Version, info.Cores = t.Version, fmt.Sprint(c.Cores)
			if c.CPUTime > 0 {
				info.TimeLimit = fmt.Sprintf("%ds", c.CPUTime/1e6)
			}
			if c.Memory > 0 {
				info.MemLimit = fmt.Sprintf("%dB", c.Memory)
			}
		}
		return info
	}
}
