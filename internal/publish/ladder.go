package publish

import (
	"fmt"
	"html/template"
	"iter"
	"math"
	"strconv"
	"strings"

	"podium/internal/plots"
)

// The size of a ladder plot, and the room around it, in units of its drawing.
const (
	ladderWidth, ladderHeight = 380.0, 230.0
	ladderLeft, ladderRight   = 52.0, 24.0
	ladderTop, ladderBottom   = 10.0, 34.0
)

// ladderScale is the axis of times of the plots of a page, in powers of ten.
type ladderScale struct{ low, high int }

func (l ladderScale) y(seconds float64) float64 {
	share := (plots.LogTime(seconds) - float64(l.low)) / float64(l.high-l.low)
	return ladderTop + (1-share)*(ladderHeight-ladderTop-ladderBottom)
}

// ladderPlots draws for each examination the CPU time of each tool against the
// parameter. They are written into the page: a file for each would be too many.
func (s *site) ladderPlots(m *model, insts []int, scale ladderScale) iter.Seq[template.HTML] {
	return func(yield func(template.HTML) bool) {
		out := &markup{}
		for e := range s.c.Examinations {
			if !s.anySolved(insts, e) {
				continue
			}
			out.b = out.b[:0]
			s.ladder(out, m, insts, e, scale)
			if !yield(out.html()) {
				return
			}
		}
	}
}

// ladderScale covers the times of all plots of a page, so that they can be compared.
func (s *site) ladderScale(insts []int) ladderScale {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range insts {
		for e := range s.c.Examinations {
			c := &s.cells[i*len(s.c.Examinations)+e]
			for n, r := range c.runs {
				if r.Void == "" && r.Times() && solvedness(c.masks[n]) != solvedNone {
					low, high = min(low, plots.LogTime(r.CPUTime.Duration().Seconds())), max(high, plots.LogTime(r.CPUTime.Duration().Seconds()))
				}
			}
		}
	}
	if low > high {
		return ladderScale{0, 1}
	}
	scale := ladderScale{int(math.Floor(low)), int(math.Ceil(high))}
	if scale.low == scale.high {
		scale.high++
	}
	return scale
}

func (s *site) anySolved(insts []int, exam int) bool {
	for _, i := range insts {
		c := &s.cells[i*len(s.c.Examinations)+exam]
		for n, r := range c.runs {
			if r.Void == "" && r.Times() && solvedness(c.masks[n]) != solvedNone {
				return true
			}
		}
	}
	return false
}

// ladder draws the plot of an examination: a line for each tool, broken where it has
// no right answer; a large dot where it answered all values right, a small one where some.
func (s *site) ladder(m *markup, of *model, insts []int, exam int, scale ladderScale) {
	name := string(s.c.Examinations[exam].ID)
	m.raw(`<figure class="ladder"><figcaption>`)
	m.link("../", s.examPath(exam), name)
	m.raw(`</figcaption><svg viewBox="0 0 `, coordinate(ladderWidth), " ", coordinate(ladderHeight), `" role="group" aria-label="`)
	m.text(s.ladderAlt(of, insts, exam))
	m.raw(`">`)
	s.ladderAxes(m, insts, scale)
	for tool := range s.tools {
		s.ladderLine(m, insts, exam, tool, scale)
	}
	m.raw("</svg></figure>\n")
}

// ladderX is the place of the n-th of several parameters.
func ladderX(n, of int) float64 {
	span := ladderWidth - ladderLeft - ladderRight
	if of == 1 {
		return ladderLeft + span/2
	}
	const inner = 8 // dots stay off the axis
	return ladderLeft + inner + (span-2*inner)*float64(n)/float64(of-1)
}

// mostTimeLabels bounds the labels of an axis of times.
const mostTimeLabels = 5

func (s *site) ladderAxes(m *markup, insts []int, scale ladderScale) {
	left, right, bottom := coordinate(ladderLeft), coordinate(ladderWidth-ladderRight), ladderHeight-ladderBottom
	every := (scale.high - scale.low + mostTimeLabels - 1) / mostTimeLabels
	m.raw(`<path class="rung" d="`)
	for at := scale.low; at <= scale.high; at++ {
		m.raw("M", left, " ", coordinate(scale.y(math.Pow10(at))), "H", right)
	}
	m.raw(`"/><path class="axis" d="M`, left, " ", coordinate(ladderTop), "V", coordinate(bottom), "H", right, `"/>`)
	for at := scale.low; at <= scale.high; at++ {
		if (at-scale.low)%every == 0 {
			m.raw(`<text class="side" x="`, coordinate(ladderLeft-5), `" y="`, coordinate(scale.y(math.Pow10(at))+3.5), `">`, plots.PowerLabel(at), "\u00a0s</text>")
		}
	}
	longest := 1
	for _, i := range insts {
		longest = max(longest, len(shortParam(s.insts[i].ID.Param)))
	}
	const letter = 6.6 // of the labels
	fits := max(2, int((ladderWidth-ladderLeft-ladderRight)/(letter*float64(longest)+10)))
	step := max(1, (len(insts)+fits-2)/max(1, fits-1))
	for n, i := range insts {
		last := n == len(insts)-1
		if !last && (n%step != 0 || len(insts)-1-n < step) {
			continue // the last one is labelled
		}
		class := "below"
		if last && longest > 9 {
			class = "side" // it ends at its place, and does not leave the plot
		}
		m.raw(`<text class="`, class, `" x="`, coordinate(ladderX(n, len(insts))), `" y="`, coordinate(bottom+16), `">`)
		m.text(shortParam(s.insts[i].ID.Param))
		m.raw("</text>")
	}
	m.raw(`<path class="axis" d="`)
	for n := range insts {
		m.raw("M", coordinate(ladderX(n, len(insts))), " ", coordinate(bottom), "v4")
	}
	m.raw(`"/>`)
}

// shortParam is a parameter that fits below a plot.
func shortParam(param string) string {
	const most = 14
	if len(param) <= most {
		return param
	}
	return param[:most-1] + "\u2026"
}

// ladderLine draws the line of a tool. Each dot leads to its run. The keyboard goes to
// the table below the plots, which leads to the same runs with fewer steps.
func (s *site) ladderLine(m *markup, insts []int, exam, tool int, scale ladderScale) {
	line, dots := strings.Builder{}, &markup{}
	joined, points := false, 0
	for n, i := range insts {
		c := &s.cells[i*len(s.c.Examinations)+exam]
		at, ran := c.at(s.tools[tool].Name)
		if !ran || c.runs[at].Void != "" || !c.runs[at].Times() || solvedness(c.masks[at]) == solvedNone {
			joined = false
			continue
		}
		spot := coordinate(ladderX(n, len(insts))) + " " + coordinate(scale.y(c.runs[at].CPUTime.Duration().Seconds()))
		if joined {
			line.WriteString("L" + spot)
		} else {
			line.WriteString("M" + spot)
		}
		joined = true
		points++
		s.ladderDot(dots, c, c.runs[at], spot)
	}
	if points == 0 {
		return
	}
	colour, dash := lineClasses(tool)
	m.raw(`<g class="`, colour, `">`)
	if points > 1 {
		m.raw(`<path class="line `, dash, `" d="`, line.String(), `"/>`)
	}
	m.b = append(m.b, dots.b...)
	m.raw("</g>")
}

// ladderDot draws the dot of a run, with its tool, its values and its time as title.
func (s *site) ladderDot(m *markup, c *cell, r *run, spot string) {
	class := "some"
	if solvedness(c.mask(r)) == solvedAll {
		class = "all"
	}
	m.raw(`<a href="../`)
	m.text(s.runPath(r))
	m.raw(`" tabindex="-1"><title>`)
	m.text(r.toolName())
	m.raw(", ")
	m.text(s.insts[c.inst].ID.Param)
	m.raw(": ")
	if len(c.refs) == 1 {
		m.text(short(c.refs[0].Value()))
	} else {
		m.raw(strconv.Itoa(c.rights(r)), " of ", strconv.Itoa(len(c.refs)), " right")
	}
	m.raw(", ", duration(r.CPUTime.Duration()), `</title><path class="`, class, `" d="M`, spot, `h0"/></a>`)
}

// lineClasses are the colour and the dashes of the line of a tool: no two of the first
// 32 tools have both the same.
func lineClasses(tool int) (colour, dash string) {
	return "k" + strconv.Itoa(tool%len(palette)), "d" + strconv.Itoa(plots.DashOf(tool))
}

// key shows the line of a tool beside its name.
func (s *site) key(tool string) template.HTML {
	colour, dash := lineClasses(s.toolAt[tool])
	return template.HTML(`<svg class="key ` + colour + `" viewBox="0 0 30 10" aria-hidden="true"><path class="line ` + dash + `" d="M2 5H28"/><path class="all" d="M15 5h0"/></svg>`)
}

// ladderAlt says in words how far each tool comes.
func (s *site) ladderAlt(of *model, insts []int, exam int) string {
	var parts []string
	for tool, t := range s.tools {
		solved := 0
		for _, i := range insts {
			c := &s.cells[i*len(s.c.Examinations)+exam]
			if at, ran := c.at(s.tools[tool].Name); ran && c.runs[at].Void == "" && solvedness(c.masks[at]) == solvedAll {
				solved++
			}
		}
		if solved > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", clean(t.Name), solved))
		}
	}
	text := fmt.Sprintf("CPU time of %s by the parameter of %s. Of %s, all values were answered right on: ", s.c.Examinations[exam].ID, clean(of.name), things(len(insts), "instance"))
	if len(parts) == 0 {
		return text + "none."
	}
	return text + strings.Join(parts, ", ") + "."
}

// coordinate is a number of a drawing, to a tenth.
func coordinate(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}
