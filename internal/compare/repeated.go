package compare

import (
	"cmp"
	"fmt"
	"slices"

	"podium/examinations"
	"podium/internal/judged"
	"podium/internal/wording"
	"podium/scoring"
)

// Repeated is a run that was made several times, by side; nil on a side that made it
// once.
type Repeated struct {
	Instance    string           `json:"instance"`
	Examination examinations.ID  `json:"examination"`
	Before      *judged.Repeated `json:"before,omitempty"`
	After       *judged.Repeated `json:"after,omitempty"`
}

// repeated is what all times took that a run of a side was made; nil where once.
func (s *Source) repeated(sheet, tool int) *judged.Repeated {
	if s.Repeated == nil {
		return nil
	}
	return s.Repeated(sheet, tool)
}

// times returns a run of both sides, with the medians of CPU time and memory where it
// was made several times. It lists such a run.
func (c *comparison) times(s [2]int, instance string, exam examinations.ID) (x, y *scoring.Run) {
	r := Repeated{instance, exam, c.before.repeated(s[0], c.a), c.after.repeated(s[1], c.b)}
	if r.Before != nil || r.After != nil {
		c.tool.Repeated = append(c.tool.Repeated, r)
	}
	return median(c.before.Result.Contest.Run(s[0], c.a), r.Before), median(c.after.Result.Contest.Run(s[1], c.b), r.After)
}

// median gives a run the medians of the times that gave the values of the first one and
// that no limit ended.
func median(run *scoring.Run, times *judged.Repeated) *scoring.Run {
	if times == nil {
		return run
	}
	m := *run
	if times.CPU.Runs > 0 {
		m.CPU = times.CPU.Median
	}
	if times.Memory.Runs > 0 {
		m.Memory = times.Memory.Median
	}
	return &m
}

// part is how far the CPU times of a run spread: standard deviation by mean, of the side
// where they spread more.
func (r *Repeated) part() (most float64) {
	for _, times := range []*judged.Repeated{r.Before, r.After} {
		if times != nil && times.CPU.Mean > 0 {
			most = max(most, float64(times.CPU.SD)/float64(times.CPU.Mean))
		}
	}
	return most
}

// mostRepeated bounds the repeated runs in text; JSON has all.
const mostRepeated = 10

// repetitions writes the repeated runs whose times spread most.
func (w *textWriter) repetitions(t *Tool) {
	if len(t.Repeated) == 0 {
		return
	}
	list := slices.Clone(t.Repeated)
	slices.SortStableFunc(list, func(a, b Repeated) int { return cmp.Compare(b.part(), a.part()) })
	w.line("")
	w.wrap("  ", fmt.Sprintf("%s made several times, and compared by the medians. CPU times spread by %.1f %% (standard deviation by mean) in the middle one of them, by %.1f %% at most.",
		wording.Count(len(list), "run was", "runs were"), 100*list[len(list)/2].part(), 100*list[0].part()))
	w.line("")
	w.line("  %-18s%6s%11s%11s%11s%11s%10s", "CPU time, seconds", "runs", "mean", "median", "min", "max", "sd")
	for i, r := range list {
		if i == mostRepeated {
			w.line("  and %s; --json has them all", wording.Count(len(list)-i, "more run", "more runs"))
			return
		}
		w.line("  %s", wording.Cut(r.Instance+" "+string(r.Examination), textWidth-2))
		w.side("before", r.Before)
		w.side("after", r.After)
	}
}

// side writes what the times of a side took.
func (w *textWriter) side(name string, times *judged.Repeated) {
	switch {
	case times == nil:
	case times.CPU.Runs == 0:
		w.line("    %-16s%6d  none that can be compared", name, 0)
	default:
		s := times.CPU
		seconds := func(us int64) float64 { return float64(us) / 1e6 }
		w.line("    %-16s%6d%11.3f%11.3f%11.3f%11.3f%10.3f", name, s.Runs, seconds(s.Mean), seconds(s.Median), seconds(s.Min), seconds(s.Max), seconds(s.SD))
	}
}
