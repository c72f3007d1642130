package cmd

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/internal/edition"
	"podium/internal/results"
	"podium/scoring"
)

// exportBenchExec writes a result XML for each tool; of is nil where the source is
// no campaign.
func exportBenchExec(dir string, ed *edition.Edition, r *scoring.Result, of *scored) error {
	if dir == "" {
		return usageError{fmt.Errorf("benchexec writes a file per tool: name a directory with --out")}
	}
	for _, t := range r.Contest.Tools {
		if !filepath.IsLocal(t.Name) || strings.ContainsAny(t.Name, `/\`) {
			return usageError{fmt.Errorf("benchexec writes a file per tool, and %q cannot be the name of a file", t.Name)}
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info := func(string) results.BenchInfo { return results.BenchInfo{} }
	if of != nil {
		info = of.benchInfo()
	}
	for tool, t := range r.Contest.Tools {
		path := filepath.Join(dir, t.Name+".results.xml")
		if err := writeFile(path, func(w io.Writer) error { return results.WriteBenchExec(w, ed, r, tool, info(t.Name)) }); err != nil {
			return err
		}
	}
	return nil
}

// benchInfo gives what a campaign knows of the runs of each tool: when they began,
// on which machines, and under which limits.
func (j *scored) benchInfo() func(tool string) results.BenchInfo {
	p := &j.campaign.Plan
	common := results.BenchInfo{Benchmark: p.Name}
	var first time.Time
	for _, f := range j.log.Finished {
		if first.IsZero() || f.Outcome.Started.Before(first) {
			first = f.Outcome.Started
		}
	}
	if !first.IsZero() {
		common.Date, common.Start = first.UTC().Format("2006-01-02 15:04:05 MST"), first.UTC().Format("2006-01-02T15:04:05-07:00")
	}
	for _, w := range j.log.Workers {
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
