package publish

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"podium/internal/columns"
	"podium/internal/judged"
	"podium/internal/plots"
	"podium/vm"
)

// leastDrawn is how many samples a run has that is worth a picture: others took less than a
// tenth of a second.
const leastDrawn = 10

// mostDrawn is how many samples a picture shows: pages of 250,000 runs stay small. The table of
// curves has all of them.
const mostDrawn = 64

// draws reports whether pages of instances may have curves of runs.
func (v *view) draws() bool { return len(v.c.runs) > 0 && !v.c.FromFiles }

// writeCurve draws a run over time, with its answers.
func (s *site) writeCurve(m *markup, r *run, said []judged.Said) {
	if r.of.FromFiles || r.Void != "" {
		return
	}
	curve, need, err := r.of.Judged.Facts.Curve(r.sheet, r.tool)
	switch {
	case err != nil:
		m.raw(`<p class="empty">The run over time cannot be read: `)
		m.text(err.Error())
		m.raw(".</p>\n")
		return
	case len(curve) == 0:
		m.raw(`<p class="dim">The run was not sampled.</p>`, "\n")
		return
	case len(curve) < leastDrawn:
		return
	}
	curve = curve.Coarse(mostDrawn)
	cores := max(need.Cores, 1)
	var busy, held []plots.Level
	most := int64(1)
	for part := range curve.Stretches() {
		most = max(most, part.Memory)
	}
	for part := range curve.Stretches() {
		from, to := part.From.Seconds(), part.To.Seconds()
		busy = append(busy, plots.Level{From: from, To: to, Share: part.Cores() / float64(cores)})
		held = append(held, plots.Level{From: from, To: to, Share: float64(part.Memory) / float64(most)})
	}
	if len(busy) == 0 {
		return // a hostile guest has said that it took no time
	}
	var answers []float64
	for _, a := range said {
		if a.At >= 0 {
			answers = append(answers, a.At.Seconds())
		}
	}
	slices.Sort(answers)
	memory := size(most)
	if need.Memory > 0 {
		memory += " of " + size(need.Memory)
	}
	d := plots.Usage("CPU use of "+things(cores, "core"), "memory ("+memory+")", busy, held, curve.Length().Seconds(), answers).Draw()
	m.raw(`<figure class="plot course"><svg class="chart" role="img" aria-label="CPU use and memory of the run over time" viewBox="0 0 `,
		strconv.Itoa(int(d.Width)), " ", strconv.Itoa(int(d.Height)), `">`, "\n", d.Body, "</svg></figure>\n")
}

// ofSamples has a line for each sample of runs that were sampled. Curves that are lost are left
// out; the facts have noted them.
func (v *view) ofSamples(yield func(*line) bool) {
	for l := range v.ofRuns {
		curve, _, err := v.c.Judged.Facts.Curve(l.run.sheet, l.run.tool)
		if lost := (*judged.UnreadableLog)(nil); err != nil && !errors.As(err, &lost) {
			v.failed = fmt.Errorf("curve of %s on %s of %s: %w", l.run.toolName(), l.run.exam(), l.run.instance(), err)
			return
		}
		for _, l.sample = range curve {
			if !yield(l) {
				return
			}
		}
	}
}

func (v *view) tableOfCurves() columns.Table {
	micros := func(name, about string, get func(vm.Sample) vm.Micros) column {
		return columns.New(name, columns.Duration, about, func(l *line) value { return columns.Int(get(l.sample).Microseconds()) })
	}
	return columns.Of("curves", "one sample of a run over time, at most 200 of each run; campaigns only", v.ofSamples, ofTool, ofInstance, ofExam,
		micros("at", "since the tool started", func(s vm.Sample) vm.Micros { return s.At }),
		micros("cpu", "CPU time up to then", func(s vm.Sample) vm.Micros { return s.CPU }),
		columns.New("memory_bytes", columns.Integer, "the most since the sample before", func(l *line) value { return columns.Int(l.sample.Memory) }))
}
