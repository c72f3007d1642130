package publish

import (
	"fmt"
	"html/template"

	"podium/internal/plots"
	"podium/internal/publish/paths"
	"podium/internal/sentinel"
)

// Drift is how fast a computer was over time.
type Drift struct {
	Host     string
	Bound    float64         // how much slower or faster than usual marks a run
	Readings []sentinel.Step // by time
}

func (d *Drift) chart() *plots.Chart {
	lines := []plots.Line{{Name: "computing", Colour: 0}, {Name: "passes through memory", Colour: 1}, {Name: "jumps in memory", Colour: 2}}
	for _, r := range d.Readings {
		for i, ratio := range []float64{r.Compute, r.Stream, r.Jump} {
			lines[i].Points = append(lines[i].Points, plots.Point{X: r.At.Sub(d.Readings[0].At).Hours(), Y: 100 * ratio, Run: -1})
		}
	}
	return plots.Course(clean(d.Host)+": speed of the computer", "time beside the usual (%)", lines, 100*(1+d.Bound), 100/(1+d.Bound))
}

// mostDrifts bounds the computers that are drawn.
const mostDrifts = 100

// driftFigures are the plots of the computers, at most mostDrifts.
func (c *Contest) driftFigures() (list []figure) {
	drifts := c.Drift[:min(len(c.Drift), mostDrifts)]
	var names []string
	for _, d := range drifts {
		names = append(names, d.Host)
	}
	for i, file := range paths.Names(names) {
		d := &drifts[i]
		slowest := 1.0
		for _, r := range d.Readings {
			slowest = max(slowest, r.Compute, r.Stream, r.Jump)
		}
		list = append(list, figure{Path: "plots/hosts/" + file + ".svg",
			Alt:     fmt.Sprintf("Speed of the computer %s over time, in %s readings; the slowest took %.0f %% of the usual time.", clean(d.Host), count(len(d.Readings)), 100*slowest),
			Caption: fmt.Sprintf("Readings of the sentinel on all cores of %s. Beyond a dashed line, computing and jumps mark the runs next to them.", clean(d.Host))})
	}
	return list
}

// DriftFigures shows the plots of the computers as they lie in a site. The number tells a
// browser that they are others than before.
func DriftFigures(c *Contest, number int) template.HTML {
	m := &markup{}
	for _, f := range c.driftFigures() {
		m.raw(`<figure class="plot"><img src="`)
		m.text(f.Path)
		m.raw(fmt.Sprintf(`?%d" alt="`, number))
		m.text(f.Alt)
		m.raw(`" width="756" height="454"/><figcaption>`)
		m.text(f.Caption)
		m.raw("</figcaption></figure>\n")
	}
	return m.html()
}
