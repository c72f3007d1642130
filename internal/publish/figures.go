package publish

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// writePlots writes every plot and the page that shows them all.
func (s *site) writePlots() error {
	type section struct {
		Title, Text string
		Figures     []figure
	}
	var sections []section
	for i, cat := range s.c.Categories {
		if err := s.cactus(i); err != nil {
			return err
		}
		if err := s.quantile(i); err != nil {
			return err
		}
		sections = append(sections, section{clean(cat.Name), "", s.categoryFigures(cat.Name)})
	}
	if err := errors.Join(s.anytime(), s.cutoff()); err != nil {
		return err
	}
	sections = append(sections, section{"Over time", "All examinations together.", s.timeFigures()})
	var pairs []figure
	for a := range s.tools {
		for b := a + 1; b < len(s.tools); b++ {
			pairs = append(pairs, s.pairFigure(a, b))
		}
	}
	if err := inParallel(len(pairs), s.pair); err != nil {
		return err
	}
	if len(pairs) > 0 {
		sections = append(sections, section{"Tool against tool", "Every run that at least one of the two tools solved.", pairs})
	}
	return s.render("plots", "plots.html", page{Here: "plots", Title: "Plots", Body: sections})
}

func plotPath(kind, name string) string { return "plots/" + kind + "-" + safeName(name) + ".svg" }

// categoryFigures are the plots of a category.
func (s *site) categoryFigures(name string) []figure {
	return []figure{
		{Path: plotPath("cactus", name), Alt: s.cactusAlt(name),
			Caption: "Values answered right against the CPU time of their runs; further right is more solved, lower is faster."},
		{Path: plotPath("quantile", name), Alt: "Score-based quantile plot of category " + clean(name) + ": accumulated points against CPU time, one line per tool.",
			Caption: "Score-based quantile plot: each line starts at the points lost by wrong answers and gains, run by run in the order of CPU time, the points of the runs with points."},
	}
}

func (s *site) cactusAlt(name string) string {
	var parts []string
	for i, t := range s.tools {
		parts = append(parts, fmt.Sprintf("%s %s", clean(t.Name), count(s.sum(i, name).right)))
	}
	return "Cactus plot of category " + clean(name) + ", values answered right: " + strings.Join(parts, ", ") + "."
}

// The plots of all examinations together.
var (
	anytimeFigure = figure{Path: "plots/anytime.svg", Alt: "Number of values answered right within a wall time, one line per tool.",
		Caption: "Values answered right within a wall time since the start of their run, all examinations together: what each tool had said by then."}
	cutoffFigure = figure{Path: "plots/cutoff.svg", Alt: "Points of the runs that ended within a CPU time, one line per tool.",
		Caption: "Points of the runs that took at most so much CPU time, all examinations together: what a shorter limit would have left, with reference values and bonuses as they are."}
)

// timeFigures are those of them that show anything.
func (s *site) timeFigures() []figure {
	list := []figure{cutoffFigure}
	if s.timed {
		list = append(list, anytimeFigure)
	}
	return list
}

func (s *site) pairFigure(a, b int) figure {
	x, y := clean(s.tools[a].Name), clean(s.tools[b].Name)
	return figure{Path: "plots/pairs/" + s.toolFile[a] + "/" + s.toolFile[b] + ".svg", Square: true,
		Alt:     fmt.Sprintf("Scatter plot of the CPU time of %s against that of %s, one point per run.", x, y),
		Caption: fmt.Sprintf("Below the diagonal %s needed less CPU time, above it %s. Points on a dashed line were not solved by that tool.", y, x)}
}

// pairFigures are the plots of a tool against every other.
func (s *site) pairFigures(tool int) []figure {
	var figures []figure
	for other := range s.tools {
		if other != tool {
			figures = append(figures, s.pairFigure(min(tool, other), max(tool, other)))
		}
	}
	return figures
}

// eachRun calls do for every valid run of a category, or of all.
func (s *site) eachRun(category string, do func(tool int, c *cell, r *Run)) {
	for i := range s.cells {
		c := &s.cells[i]
		if category != "" && !s.within(category, s.c.Examinations[c.exam].Category) {
			continue
		}
		for _, r := range c.runs {
			if r.Void == "" {
				do(s.toolAt[r.Tool], c, r)
			}
		}
	}
}

// cactus draws values answered right against CPU time.
func (s *site) cactus(cat int) error {
	name := s.c.Categories[cat].Name
	pieces := make([][]solved, len(s.tools))
	s.eachRun(name, func(tool int, c *cell, r *Run) {
		if n := c.rights(r); n > 0 && !r.NoTimes {
			pieces[tool] = append(pieces[tool], solved{r.CPU.Seconds(), float64(n)})
		}
	})
	ch := newChart(clean(name)+": values solved", "values answered right", "CPU time of the run (s)")
	return s.saveCurves(ch, s.curves(pieces, make([]float64, len(s.tools))), s.categoryFigures(name)[0], 0)
}

// quantile draws accumulated points against CPU time. A line starts at the sum
// of the negative points and advances by the points of each run that has some.
func (s *site) quantile(cat int) error {
	name := s.c.Categories[cat].Name
	pieces, starts := make([][]solved, len(s.tools)), make([]float64, len(s.tools))
	s.eachRun(name, func(tool int, _ *cell, r *Run) {
		points := approximate(r.Points)
		if points < 0 {
			starts[tool] += points
		}
		if points > 0 && !r.NoTimes {
			pieces[tool] = append(pieces[tool], solved{r.CPU.Seconds(), points})
		}
	})
	ch := newChart(clean(name)+": points over CPU time", "accumulated points", "CPU time of the run (s)")
	return s.saveCurves(ch, s.curves(pieces, starts), s.categoryFigures(name)[1], slices.Min(append(starts, 0)))
}

func approximate(r *big.Rat) float64 {
	if r == nil {
		return 0
	}
	x, _ := r.Float64()
	return x
}

// curves are the lines of the tools that have any point.
func (s *site) curves(pieces [][]solved, starts []float64) []curve {
	var curves []curve
	for tool := range pieces {
		points := accumulate(pieces[tool], starts[tool])
		if len(points) == 0 {
			continue
		}
		if starts[tool] < 0 {
			points = slices.Insert(points, 0, plotter.XY{X: starts[tool], Y: points[0].Y})
		}
		curves = append(curves, curve{tool, points})
	}
	return curves
}

// saveCurves draws lines over a logarithmic axis of times.
func (s *site) saveCurves(ch *chart, curves []curve, f figure, left float64) error {
	right, low, high := 1.0, 0.0, 0.0
	for _, c := range curves {
		right = math.Max(right, c.points[len(c.points)-1].X)
		for _, at := range c.points {
			low, high = math.Min(low, at.Y), math.Max(high, at.Y)
		}
	}
	for i := range curves {
		curves[i].points = thin(curves[i].points, right-left)
	}
	if err := s.addCurves(ch, curves); err != nil {
		return err
	}
	ch.X.Tick.Marker, ch.Y.Tick.Marker = plot.TickerFunc(countTicks), plot.TickerFunc(timeTicks)
	ch.X.Min, ch.X.Max, ch.Y.Min, ch.Y.Max = left, left+(right-left)*1.02, math.Floor(low), math.Ceil(high)
	if ch.Y.Min == ch.Y.Max {
		ch.Y.Max++
	}
	return s.save(ch, f, plotWidth, plotHeight)
}

// anytimeSteps is the number of steps per decade of wall time.
const anytimeSteps = 40

// anytime draws how many right values had been said after a wall time.
func (s *site) anytime() error {
	said := make([][]int, len(s.tools))
	for i := range said {
		said[i] = make([]int, decades*anytimeSteps+1)
	}
	last := 3 * anytimeSteps
	s.eachRun("", func(tool int, _ *cell, r *Run) {
		answers := r.answers()
		for i := range answers {
			a := &answers[i]
			s.noteTechniques(tool, a, r.judged(a.Mark))
			if r.judged(a.Mark) == Right && a.At >= 0 {
				step := stepOf(a.At)
				said[tool][step]++
				last = max(last, step)
			}
		}
	})
	ch := newChart("Values answered right over time", "wall time since the start of the run (s)", "values answered right")
	if s.timed = len(sums(said, last)) > 0; !s.timed {
		return nil // files of results do not say when a value was answered
	}
	return s.saveSums(ch, sums(said, last), last, anytimeFigure)
}

// cutoff draws the points of the runs that ended within a CPU time.
func (s *site) cutoff() error {
	points := make([][]float64, len(s.tools))
	for i := range points {
		points[i] = make([]float64, decades*anytimeSteps+1)
	}
	last := 3 * anytimeSteps
	s.eachRun("", func(tool int, _ *cell, r *Run) {
		if r.NoTimes || r.Points == nil || r.Points.Sign() == 0 {
			return
		}
		step := stepOf(r.CPU)
		points[tool][step] += approximate(r.Points)
		last = max(last, step)
	})
	ch := newChart("Points within a CPU time", "CPU time of the run (s)", "points")
	return s.saveSums(ch, sums(points, last), last, cutoffFigure)
}

// decades of time are counted from leastTime on: more than eleven days.
const decades = 9

// stepOf is the number of the step of a time.
func stepOf(t time.Duration) int {
	return min(int(math.Ceil((logTime(t.Seconds())-logTime(0))*anytimeSteps)), decades*anytimeSteps)
}

// sums are the lines of what was gained until each step, of tools that gained anything.
func sums[N int | float64](gains [][]N, last int) (curves []curve) {
	for tool, steps := range gains {
		var points plotter.XYs
		var sum N
		any := false
		for step, n := range steps[:last+1] {
			sum += n
			any = any || n != 0
			if n != 0 || step == last {
				points = append(points, plotter.XY{X: logTime(0) + float64(step)/anytimeSteps, Y: float64(sum)})
			}
		}
		if any {
			curves = append(curves, curve{tool, points})
		}
	}
	return curves
}

// saveSums draws what was gained over time.
func (s *site) saveSums(ch *chart, curves []curve, last int, f figure) error {
	low, high := 0.0, 1.0
	for _, c := range curves {
		for _, at := range c.points {
			low, high = math.Min(low, at.Y), math.Max(high, at.Y)
		}
	}
	if err := s.addCurves(ch, curves); err != nil {
		return err
	}
	ch.X.Tick.Marker, ch.Y.Tick.Marker = plot.TickerFunc(timeTicks), plot.TickerFunc(countTicks)
	ch.X.Min, ch.X.Max, ch.Y.Min, ch.Y.Max = logTime(0), logTime(0)+float64(last)/anytimeSteps+0.1, low, low+(high-low)*1.04
	return s.save(ch, f, plotWidth, plotHeight)
}

// pair draws the n-th pair of tools against each other.
func (s *site) pair(n int) error {
	a, b := 0, 1
	for range n {
		if b++; b == len(s.tools) {
			a, b = a+1, a+2
		}
	}
	ch, err := pairChart("CPU time, run by run", "CPU time of "+clean(s.tools[a].Name)+" (s)", "CPU time of "+clean(s.tools[b].Name)+" (s)", s.pairPoints(a, b))
	if err != nil {
		return err
	}
	return s.save(ch, s.pairFigure(a, b), pairSize, pairSize+vg.Centimeter)
}

// pairTicks label times up to high, down from there every step-th power of ten,
// and the line of runs that were not solved.
func pairTicks(high, unsolved float64, step int) plot.Ticker {
	return plot.TickerFunc(func(low, _ float64) []plot.Tick {
		ticks := timeTicks(low, high)
		for i := range ticks {
			if down := int(math.Round(high - ticks[i].Value)); ticks[i].Label != "" && down%step != step-1 {
				ticks[i].Label = ""
			}
		}
		return append(ticks, plot.Tick{Value: unsolved, Label: "unsolved"})
	})
}

// guides draws the diagonal, the lines of ten times more and less, and the
// lines of runs that were not solved.
func (ch *chart) guides(low, high, unsolved float64) error {
	diagonal := draw.LineStyle{Color: limitInk, Width: 0.9}
	tenfold := draw.LineStyle{Color: limitInk, Width: 0.4}
	limit := draw.LineStyle{Color: limitInk, Width: 1, Dashes: []vg.Length{4, 3}}
	for _, guide := range []struct {
		ends  plotter.XYs
		style draw.LineStyle
	}{
		{plotter.XYs{{X: low, Y: low}, {X: high, Y: high}}, diagonal},
		{plotter.XYs{{X: low, Y: low + 1}, {X: high - 1, Y: high}}, tenfold},
		{plotter.XYs{{X: low + 1, Y: low}, {X: high, Y: high - 1}}, tenfold},
		{plotter.XYs{{X: unsolved, Y: low}, {X: unsolved, Y: high}}, limit},
		{plotter.XYs{{X: low, Y: unsolved}, {X: high, Y: unsolved}}, limit},
	} {
		line, err := plotter.NewLine(guide.ends)
		if err != nil {
			return err
		}
		line.LineStyle = guide.style
		ch.Add(line)
	}
	return nil
}

func withAlpha(c color.RGBA) color.Color { return color.NRGBA{c.R, c.G, c.B, 170} }

// pairPoints are the CPU times of two tools on the runs that at least one of
// them solved. Runs without a measured time are left out.
func (s *site) pairPoints(a, b int) (points []PairPoint) {
	time := func(c *cell, r *Run) float64 {
		if r == nil || r.Void != "" || c.rights(r) == 0 {
			return -1
		}
		if r.NoTimes {
			return math.NaN()
		}
		return r.CPU.Seconds()
	}
	for i := range s.cells {
		c := &s.cells[i]
		at := PairPoint{X: time(c, c.run(s.tools[a].Name)), Y: time(c, c.run(s.tools[b].Name))}
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) && (at.X >= 0 || at.Y >= 0) {
			points = append(points, at)
		}
	}
	return points
}

// sparse keeps one of all points that fall on the same spot of paper.
func sparse(points plotter.XYs) plotter.XYs {
	type spot struct{ x, y int }
	taken := make(map[spot]bool, len(points))
	var kept plotter.XYs
	for _, at := range points {
		where := spot{int(math.Floor(at.X * 60)), int(math.Floor(at.Y * 60))}
		if !taken[where] {
			taken[where] = true
			kept = append(kept, at)
		}
	}
	return kept
}
