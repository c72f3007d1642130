package judged

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"podium/internal/campaign"
	"podium/internal/results"
	"podium/scoring"
)

// BenchInfo returns, by tool, when its runs began, on which machines, and under
// which limits.
func (j *Campaign) BenchInfo() func(tool string) results.BenchInfo {
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
		t := j.Planned(tool)
		c := p.Confinement(t, campaign.PlannedInstance{})
		info.Version, info.Cores = t.Version, fmt.Sprint(c.Cores)
		if c.CPUTime > 0 {
			info.TimeLimit = fmt.Sprintf("%ds", c.CPUTime/1e6)
		}
		if c.Memory > 0 {
			info.MemLimit = fmt.Sprintf("%dB", c.Memory)
		}
		return info
	}
}

// Planned is a tool as the campaign knows it.
func (j *Campaign) Planned(tool string) campaign.PlannedTool {
	for _, t := range j.Campaign.Plan.Tools {
		if t.Name == tool {
			return t
		}
	}
	return campaign.PlannedTool{}
}

// RowDetails returns the columns of a published file that come from the journal.
func (j *Campaign) RowDetails(sheet, tool int) results.RowDetails {
	run := j.run(sheet, tool)
	d := results.RowDetails{IOWait: scoring.Unmeasured, Cores: j.Campaign.Plan.Confinement(j.Planned(run.Tool), campaign.PlannedInstance{}).Cores}
	f, ok := j.Log.Finished[run]
	if !ok {
		return d
	}
	for a := range f.Answers.All() {
		for _, word := range strings.Fields(a.Techniques) {
			if !slices.Contains(d.Techniques, word) {
				d.Techniques = append(d.Techniques, word)
			}
		}
	}
	return d
}
