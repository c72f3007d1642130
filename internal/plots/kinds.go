package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Names of plots that follow a question, as addresses of pages name them.
const (
	ByValues   = "values"      // values answered right against CPU time, of a category
	ByPoints   = "points"      // accumulated points against CPU time, of a category
	ValuesOver = "values-over" // values answered right by runs that ended within a wall time
	PointsOver = "points-over" // points of the runs that ended within a CPU time
	ToolsApart = "tools"       // a tool against another
)

// Piece is a gain, of values or points, at a time in seconds.
type Piece struct {
	Time, Gain float64
	Run        int
}

// Cactus draws the values of a category that each tool answered right, against the CPU time
// of their runs.
func Cactus(category string, tools []string, pieces [][]Piece) *Chart {
	c := &Chart{Title: category + ": values solved", X: Axis{Label: "values answered right"}}
	return c.solved(tools, pieces, make([]float64, len(tools)), timeScale{"CPU time of the run (s)", LogTime, LogTicks})
}

// Quantile draws accumulated points against CPU time. A line starts at the sum of the
// negative points and advances by the points of each run that has some. The axis of times is that
// of SV-COMP: linear up to one second, and logarithmic above.
func Quantile(category string, tools []string, pieces [][]Piece, starts []float64) *Chart {
	c := &Chart{Title: category + ": points over CPU time", X: Axis{Label: "accumulated points"}}
	return c.solved(tools, pieces, starts, timeScale{"CPU time (s), linear up to 1 s", secondTime, secondTicks})
}

// timeScale is an axis of times: where it shows a number of seconds, and its ticks.
type timeScale struct {
	label string
	at    func(seconds float64) float64
	ticks func(low, high float64) []Tick
}

// solved makes the lines of gains over an axis of times.
func (c *Chart) solved(tools []string, pieces [][]Piece, starts []float64, scale timeScale) *Chart {
	for tool := range pieces {
		points := accumulate(pieces[tool], starts[tool], scale)
		if len(points) == 0 {
			continue
		}
		if starts[tool] < 0 {
			points = slices.Insert(points, 0, Point{starts[tool], points[0].Y, -1})
		}
		c.Lines = append(c.Lines, Line{tools[tool], tool, points})
	}
	left, right := span(c.Lines, func(p Point) float64 { return p.X }, slices.Min(append(slices.Clone(starts), 0)), 1)
	low, high := span(c.Lines, func(p Point) float64 { return p.Y }, 0, 0)
	for i := range c.Lines {
		c.Lines[i].Points = thin(c.Lines[i].Points, right-left)
	}
	c.X.Min, c.X.Max = left, left+(right-left)*1.02
	c.Y = Axis{Label: scale.label, Min: math.Floor(low), Max: math.Ceil(high)}
	if c.Y.Min == c.Y.Max {
		c.Y.Max++
	}
	c.X.Ticks, c.Y.Ticks = countTicks(c.X.Min, c.X.Max), scale.ticks(c.Y.Min, c.Y.Max)
	return c
}

// accumulate turns gains into a line of sums from start on.
func accumulate(pieces []Piece, start float64, scale timeScale) (points []Point) {
	slices.SortStableFunc(pieces, func(a, b Piece) int { return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Gain, b.Gain)) })
	sum := start
	for _, piece := range pieces {
		sum += piece.Gain
		points = append(points, Point{sum, scale.at(piece.Time), piece.Run})
	}
	return points
}

// stepsOfDecade is the number of steps of each decade of time, and decades is how many
// decades of time are counted from LeastTime on: more than eleven days.
const stepsOfDecade, decades = 40, 9

// Gains sums up what each tool gained by steps of time, so that millions of gains fit.
type Gains struct {
	sums [][]float64
	runs [][]int
	last int
}

// NewGains makes the sums of so many tools.
func NewGains(tools int) *Gains {
	g := &Gains{sums: make([][]float64, tools), runs: make([][]int, tools), last: 3 * stepsOfDecade}
	for i := range g.sums {
		g.sums[i], g.runs[i] = make([]float64, decades*stepsOfDecade+1), make([]int, decades*stepsOfDecade+1)
		for step := range g.runs[i] {
			g.runs[i][step] = -1
		}
	}
	return g
}

// Add notes a gain of a tool.
func (g *Gains) Add(tool int, p Piece) {
	step := max(0, min(int(math.Ceil((LogTime(p.Time)-LogTime(0))*stepsOfDecade)), decades*stepsOfDecade))
	g.sums[tool][step] += p.Gain
	g.runs[tool][step] = p.Run
	g.last = max(g.last, step)
}

// Any reports whether something was gained.
func (g *Gains) Any() bool {
	return slices.ContainsFunc(g.sums, func(steps []float64) bool {
		return slices.ContainsFunc(steps, func(x float64) bool { return x != 0 })
	})
}

// Chart draws what each tool had gained by a time.
func (g *Gains) Chart(title, x, y string, tools []string) *Chart {
	c := &Chart{Title: title}
	for tool, steps := range g.sums {
		var points []Point
		sum, any := 0.0, false
		for step, gain := range steps[:g.last+1] {
			sum += gain
			any = any || gain != 0
			if gain != 0 || step == g.last {
				points = append(points, Point{LogTime(0) + float64(step)/stepsOfDecade, sum, g.runs[tool][step]})
			}
		}
		if any {
			c.Lines = append(c.Lines, Line{tools[tool], tool, points})
		}
	}
	low, high := span(c.Lines, func(p Point) float64 { return p.Y }, 0, 1)
	c.X = Axis{Label: x, Min: LogTime(0), Max: LogTime(0) + float64(g.last)/stepsOfDecade + 0.1}
	c.Y = Axis{Label: y, Min: low, Max: low + (high-low)*1.04}
	c.X.Ticks, c.Y.Ticks = LogTicks(c.X.Min, c.X.Max), countTicks(c.Y.Min, c.Y.Max)
	return c
}

// Course draws values in percent over hours, with lines at the usual and at bounds beside it.
func Course(title, y string, lines []Line, bounds ...float64) *Chart {
	c := &Chart{Title: title, Y: Axis{Label: y}, X: Axis{Label: "time since the first reading (h)", Max: 1}}
	_, c.X.Max = span(lines, func(p Point) float64 { return p.X }, 0, 0)
	unit := 1.0
	if c.X.Max < 3 {
		c.X.Label, unit = "time since the first reading (min)", 60
	}
	for _, l := range lines {
		points := make([]Point, len(l.Points))
		for i, at := range l.Points {
			points[i] = Point{at.X * unit, at.Y, at.Run}
		}
		c.Lines = append(c.Lines, Line{l.Name, l.Colour, evenly(points)})
	}
	c.X.Max = math.Max(c.X.Max*unit, 1)
	low, high := span(c.Lines, func(p Point) float64 { return p.Y }, 80, 120)
	c.Y.Min, c.Y.Max = math.Floor(low/10)*10, math.Ceil(high/10)*10
	for _, at := range append([]float64{100}, bounds...) {
		weight := Dashed
		if at == 100 {
			weight = Plain
		}
		c.Guides = append(c.Guides, Guide{"", Point{X: 0, Y: at}, Point{X: c.X.Max, Y: at}, weight})
	}
	c.X.Ticks, c.Y.Ticks = countTicks(c.X.Min, c.X.Max), countTicks(c.Y.Min, c.Y.Max)
	return c
}

// Level is a share that something had for some time, in seconds.
type Level struct{ From, To, Share float64 }

// Usage draws a run over time: shares of what there is of processors, and of the most memory
// that it had, with its answers, in order. Times are in seconds.
func Usage(processors, memory string, busy, held []Level, length float64, answers []float64) *Chart {
	c := &Chart{Flat: true, Y: Axis{Max: 100, Ticks: []Tick{{0, "0"}, {50, "50"}, {100, "100 %"}}}, X: Axis{Label: "wall time (h)"}}
	unit := 1.0 / 3600
	for _, u := range []struct {
		below, unit float64
		label       string
	}{{3, 1000, "wall time (ms)"}, {300, 1, "wall time (s)"}, {18000, 1.0 / 60, "wall time (min)"}} {
		if length < u.below {
			c.X.Label, unit = u.label, u.unit
			break
		}
	}
	c.X.Max = length * unit
	c.Lines = []Line{{processors, 0, steps(busy, unit)}, {memory, 1, steps(held, unit)}}
	last := -c.X.Max
	for _, at := range answers {
		x := min(max(at, 0), length) * unit
		if x-last < c.X.Max/Width {
			continue // on the same spot
		}
		name := ""
		if len(c.Guides) == 0 {
			name = fmt.Sprintf("answers (%s)", number(len(answers)))
		}
		c.Guides, last = append(c.Guides, Guide{name, Point{X: x, Y: 0}, Point{X: x, Y: c.Y.Max}, Dashed}), x
	}
	c.X.Ticks = countTicks(0, c.X.Max)
	return c
}

// steps is the line of levels, without the steps that nobody sees.
func steps(levels []Level, unit float64) (points []Point) {
	for _, l := range levels {
		at := 100 * min(max(l.Share, 0), 1) // there is no more than all
		if n := len(points); n > 0 && math.Abs(at-points[n-1].Y) < 0.5 {
			points[n-1].X = l.To * unit
			continue
		}
		points = append(points, Point{l.From * unit, at, -1}, Point{l.To * unit, at, -1})
	}
	return points
}

// mostOfCourse bounds the points of a line over time.
const mostOfCourse = 4000

// evenly keeps of too many points the highest and the lowest of each stretch.
func evenly(points []Point) []Point {
	if len(points) <= mostOfCourse {
		return points
	}
	var kept []Point
	stretch := (2*len(points) + mostOfCourse - 1) / mostOfCourse
	for part := range slices.Chunk(points, stretch) {
		byY := func(a, b Point) int { return cmp.Compare(a.Y, b.Y) }
		low, high := slices.MinFunc(part, byY), slices.MaxFunc(part, byY)
		if high.X < low.X {
			low, high = high, low
		}
		kept = append(kept, low, high)
	}
	return kept
}

// Pair is a run of two tools, or of two times: a measure of each, below 0 where it solved
// nothing.
type Pair struct {
	X, Y float64
	Run  int
}

// Against draws pairs on logarithmic axes that begin at least: runs that both solved, runs
// that one of them solved, lines of the same, ten times more and ten times less, and the
// regression line of what both solved.
func Against(title, x, y string, least float64, pairs []Pair) *Chart {
	logOf := func(v float64) float64 { return math.Log10(math.Max(v, least)) }
	low, high := math.Log10(least), math.Log10(least)+3
	for _, at := range pairs {
		for _, v := range []float64{at.X, at.Y} {
			if v >= 0 {
				high = math.Max(high, logOf(v))
			}
		}
	}
	high = math.Ceil(high)
	unsolved := high + 1.3 // room for its label beside that of the last power
	place := func(v float64) float64 {
		if v < 0 {
			return unsolved
		}
		return logOf(v)
	}
	var both, one []Point
	for _, at := range pairs {
		spot := Point{place(at.X), place(at.Y), at.Run}
		if at.X < 0 || at.Y < 0 {
			one = append(one, spot)
		} else {
			both = append(both, spot)
		}
	}
	c := &Chart{Title: title, Square: true, Guides: []Guide{
		{"", Point{X: low, Y: low}, Point{X: high, Y: high}, Plain},
		{"", Point{X: low, Y: low + 1}, Point{X: high - 1, Y: high}, Thin},
		{"", Point{X: low + 1, Y: low}, Point{X: high, Y: high - 1}, Thin},
		{"", Point{X: unsolved, Y: low}, Point{X: unsolved, Y: high}, Dashed},
		{"", Point{X: low, Y: unsolved}, Point{X: high, Y: unsolved}, Dashed},
	}, Marks: []Marks{
		{fmt.Sprintf("both solved (%s)", number(len(both))), 0, false, sparse(both)},
		{fmt.Sprintf("only one solved (%s)", number(len(one))), 1, true, sparse(one)},
	}}
	if g, ok := regression(both, low, high); ok {
		c.Guides = append(c.Guides, g)
	}
	c.X = Axis{x, low, unsolved + 0.1, unsolvedTicks(low, high, unsolved, 2)}
	c.Y = Axis{y, low, unsolved + 0.1, unsolvedTicks(low, high, unsolved, 1)}
	return c
}

// leastFitted is how many points a regression line needs.
const leastFitted = 10

// regression is the line of least squares through logarithms, within a square. There is
// none where the points say nothing about one.
func regression(points []Point, low, high float64) (Guide, bool) {
	n := float64(len(points))
	var sx, sy, sxx, sxy float64
	for _, p := range points {
		sx, sy, sxx, sxy = sx+p.X, sy+p.Y, sxx+p.X*p.X, sxy+p.X*p.Y
	}
	under := n*sxx - sx*sx
	if len(points) < leastFitted || under < 1e-9*n*n {
		return Guide{}, false
	}
	slope := (n*sxy - sx*sy) / under
	start := (sy - slope*sx) / n
	from, to := low, high
	if slope > 0 {
		from, to = math.Max(low, (low-start)/slope), math.Min(high, (high-start)/slope)
	} else if slope < 0 {
		from, to = math.Max(low, (high-start)/slope), math.Min(high, (low-start)/slope)
	}
	if from >= to {
		return Guide{}, false
	}
	return Guide{fmt.Sprintf("regression: y \u2248 %.3g\u00b7x^%.2f", math.Pow(10, start), slope), Point{X: from, Y: start + slope*from}, Point{X: to, Y: start + slope*to}, Strong}, true
}

// unsolvedTicks label values up to high, down from there every step-th power of ten, and the
// line of runs that were not solved.
func unsolvedTicks(low, high, unsolved float64, step int) []Tick {
	ticks := LogTicks(low, high)
	for i := range ticks {
		if down := int(math.Round(high - ticks[i].At)); ticks[i].Label != "" && down%step != step-1 {
			ticks[i].Label = ""
		}
	}
	return append(ticks, Tick{unsolved, "unsolved"})
}
