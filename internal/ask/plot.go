package ask

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"podium/internal/plots"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// The measures of runs that tools are compared by, as pages ask for them.
const (
	MeasureCPU    = "cpu"
	MeasureWall   = "wall"
	MeasureMemory = "memory"
)

// measureLabels are the labels of axes.
var measureLabels = map[string]string{MeasureCPU: "CPU time (s)", MeasureWall: "wall time (s)", MeasureMemory: "memory (MB)"}

const (
	leastMegabyte   = 0.1    // where memory begins on axes
	mostSpots       = 20_000 // bounds the points that a page can point at
	millionsOfBytes = 1e6
)

// PlotRequest asks for a plot of the contest of a question.
type PlotRequest struct {
	Question string `json:"question"`
	Plot     string `json:"plot"`
	Category string `json:"category"`
	// The tools and measures of a plot of a tool against another.
	X, Y               string
	XMeasure, YMeasure string
}

// Plot is a plot as SVG: Body stands inside of the element, and has the classes of the
// style sheet of room plots.
type Plot struct {
	Title  string  `json:"title"`
	Body   string  `json:"body"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Spots  []Spot  `json:"spots"`
	Left   int     `json:"left"` // points that are runs, and of which a page knows no place: there are too many
}

// Spot is a point of a plot that is a run: where it stands, and the number of the run.
type Spot [3]float64

// RunRequest asks which run a point is, by its number, on a plot of the contest of a question.
type RunRequest struct {
	Question string `json:"question"`
	Run      int    `json:"run"`
}

// RunOfPlot says which run a point of a plot is.
type RunOfPlot struct {
	Text string `json:"text"`
	Path string `json:"path"` // from the root of the site
}

// plotted is the contest of the last question that was asked.
type plotted struct {
	question string
	result   *scoring.Result
}

// asked scores a question, or gives the result when it was the last one.
func (s *Session) asked(text string) (*scoring.Result, error) {
	if s.last != nil && s.last.question == text {
		return s.last.result, nil
	}
	q, err := Parse(text)
	if err != nil {
		return nil, err
	}
	r, err := q.Score(s.official, s.edition)
	if err != nil {
		return nil, err
	}
	s.last = &plotted{text, r}
	return r, nil
}

// Plot draws a plot of the contest of a question.
func (s *Session) Plot(p PlotRequest) (*Plot, error) {
	r, err := s.asked(p.Question)
	if err != nil {
		return nil, err
	}
	chart, err := chartOf(r, p)
	if err != nil {
		return nil, err
	}
	s.colour(chart)
	d := chart.Draw()
	out := &Plot{Title: chart.Title, Body: d.Body, Width: d.Width, Height: d.Height, Spots: []Spot{}}
	for _, spot := range share(d.Spots, len(r.Contest.Tools), mostSpots) {
		out.Spots = append(out.Spots, Spot{spot.X, spot.Y, float64(spot.Run)})
	}
	out.Left = len(d.Spots) - len(out.Spots)
	return out, nil
}

// colour gives the lines of tools the colours that pages have for them, by the order of the
// names of all tools of the contest.
func (s *Session) colour(chart *plots.Chart) {
	var names []string
	for i := range s.contest.Tools {
		names = append(names, s.contest.Tools[i].Name)
	}
	slices.Sort(names)
	for i := range chart.Lines {
		line := &chart.Lines[i]
		if at := slices.IndexFunc(names, func(name string) bool { return diagnostic.Clean(name) == line.Name }); at >= 0 {
			line.Colour = at
		}
	}
}

// share keeps so many spots at most: as many of each tool, or all of a tool that has fewer,
// and of those of a tool some of its whole line.
func share(spots []plots.Spot, tools, most int) []plots.Spot {
	if len(spots) <= most {
		return spots
	}
	of := make([][]plots.Spot, tools)
	for _, spot := range spots {
		of[spot.Run%tools] = append(of[spot.Run%tools], spot)
	}
	slices.SortStableFunc(of, func(a, b []plots.Spot) int { return cmp.Compare(len(a), len(b)) })
	var kept []plots.Spot
	for i, list := range of {
		n := min(len(list), (most-len(kept))/(tools-i))
		for k := range n {
			kept = append(kept, list[k*len(list)/n])
		}
	}
	return kept
}

// chartOf makes the chart of a plot.
func chartOf(r *scoring.Result, p PlotRequest) (*plots.Chart, error) {
	v := &plotView{r: r, tools: len(r.Contest.Tools)}
	var names []string
	for i := range r.Contest.Tools {
		names = append(names, diagnostic.Clean(r.Contest.Tools[i].Name))
	}
	category := diagnostic.Clean(p.Category)
	switch p.Plot {
	case plots.ByValues:
		return plots.Cactus(category, names, v.pieces(p.Category, v.right)), nil
	case plots.ByPoints:
		of, weights := r.Weights(p.Category), make([]float64, len(r.Contest.Exams)) // by examination
		for i, e := range r.Contest.Exams {
			if weight := of[e.Category]; weight != nil {
				weights[i], _ = weight.Float64()
			}
		}
		weighed := func(run int) float64 { return v.points(run) * weights[r.Contest.Sheets[run/v.tools].Exam] }
		pieces, starts := v.pieces(p.Category, weighed), make([]float64, v.tools)
		for tool := range pieces {
			pieces[tool] = slices.DeleteFunc(pieces[tool], func(x plots.Piece) bool { return x.Gain < 0 })
		}
		v.each(p.Category, func(run, tool int, _ *scoring.Run) { starts[tool] += math.Min(0, weighed(run)) })
		return plots.Quantile(category, names, pieces, starts), nil
	case plots.ValuesOver:
		gains := plots.NewGains(v.tools)
		v.each("", func(run, tool int, of *scoring.Run) {
			if of.Wall != scoring.Unmeasured {
				gains.Add(tool, plots.Piece{Time: seconds(of.Wall), Gain: v.right(run), Run: run})
			}
		})
		return gains.Chart("Values of the runs that ended within a wall time", "wall time of the run (s)", "values answered right", names), nil
	case plots.PointsOver:
		gains := plots.NewGains(v.tools)
		v.each("", func(run, tool int, of *scoring.Run) {
			if of.CPU != scoring.Unmeasured {
				gains.Add(tool, plots.Piece{Time: seconds(of.CPU), Gain: v.points(run), Run: run})
			}
		})
		return gains.Chart("Points within a CPU time", "CPU time of the run (s)", "points", names), nil
	case plots.ToolsApart:
		return v.against(p)
	}
	return nil, fmt.Errorf("there is no plot %q", diagnostic.Cut(p.Plot))
}

// plotView looks at the runs of a result.
type plotView struct {
	r     *scoring.Result
	tools int
}

func seconds(micro int64) float64 { return float64(micro) / 1e6 }

// shows tells that a tool has a run of a sheet that counts, and shows its results there.
func (v *plotView) shows(sheet, tool int) bool {
	switch v.r.Contest.Run(sheet, tool).Participation {
	case scoring.Absent, scoring.Void:
		return false
	}
	return !v.r.Contest.OptedOut(sheet, tool)
}

// each calls do for every run of a category that is shown, or of all.
func (v *plotView) each(category string, do func(run, tool int, of *scoring.Run)) {
	c := v.r.Contest
	for i, s := range c.Sheets {
		if category != "" && !v.within(category, c.Exams[s.Exam].Category) {
			continue
		}
		for tool := range c.Tools {
			if v.shows(i, tool) {
				do(i*v.tools+tool, tool, c.Run(i, tool))
			}
		}
	}
}

// within tells whether a category is another, or a part of it.
func (v *plotView) within(whole, part string) bool {
	if whole == part {
		return true
	}
	for i, m := range v.r.Scheme.Metas {
		if m.Name == whole {
			return slices.ContainsFunc(m.Of, func(name string) bool {
				// Parts stand before what is made of them, so that this ends.
				at := slices.IndexFunc(v.r.Scheme.Metas, func(m scoring.Meta) bool { return m.Name == name })
				return name == part || at >= 0 && at < i && v.within(name, part)
			})
		}
	}
	return false
}

// right counts the right values of a run.
func (v *plotView) right(run int) float64 {
	sheet, tool := run/v.tools, run%v.tools
	n := 0
	if !v.r.SetAside(sheet, tool) {
		for _, m := range v.r.RunMarks(sheet, tool) {
			if m == scoring.Right {
				n++
			}
		}
	}
	return float64(n)
}

// points are the points of a run, as near as a plot shows them.
func (v *plotView) points(run int) float64 {
	sheet, tool := run/v.tools, run%v.tools
	if !v.r.HasScore(sheet, tool) {
		return 0
	}
	x, _ := v.r.Scheme.Points(v.r.RunPoints(sheet, tool)).Float64()
	return x
}

// pieces are what the runs of a category gained at their CPU time, by tool.
func (v *plotView) pieces(category string, gain func(run int) float64) [][]plots.Piece {
	pieces := make([][]plots.Piece, v.tools)
	v.each(category, func(run, tool int, of *scoring.Run) {
		if x := gain(run); x != 0 && of.CPU != scoring.Unmeasured {
			pieces[tool] = append(pieces[tool], plots.Piece{Time: seconds(of.CPU), Gain: x, Run: run})
		}
	})
	return pieces
}

// measure is a measure of a run; below 0 where it has no right value, and no number where it
// was not measured.
func (v *plotView) measure(name string, run int) float64 {
	of := v.r.Contest.Run(run/v.tools, run%v.tools)
	x, unit := of.CPU, 1e6
	switch name {
	case MeasureWall:
		x = of.Wall
	case MeasureMemory:
		x, unit = of.Memory, millionsOfBytes
	}
	switch {
	case !v.shows(run/v.tools, run%v.tools) || v.right(run) == 0:
		return -1
	case x == scoring.Unmeasured:
		return math.NaN()
	}
	return float64(x) / unit
}

// against compares the runs of two tools by a measure of each.
func (v *plotView) against(p PlotRequest) (*plots.Chart, error) {
	c := v.r.Contest
	a, b := c.ToolNamed(p.X), c.ToolNamed(p.Y)
	if a < 0 || b < 0 {
		return nil, fmt.Errorf("the question leaves no tool %q", diagnostic.Cut([]string{p.X, p.Y}[min(1, max(0, a+1))]))
	}
	for _, m := range []string{p.XMeasure, p.YMeasure} {
		if measureLabels[m] == "" {
			return nil, fmt.Errorf("runs have no measure %q", diagnostic.Cut(m))
		}
	}
	least := plots.LeastTime
	if p.XMeasure == MeasureMemory && p.YMeasure == MeasureMemory {
		least = leastMegabyte
	}
	var pairs []plots.Pair
	for i := range c.Sheets {
		at := plots.Pair{X: v.measure(p.XMeasure, i*v.tools+a), Y: v.measure(p.YMeasure, i*v.tools+b), Run: i*v.tools + a}
		if at.X < 0 {
			at.Run = i*v.tools + b // the one that solved it
		}
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) && (at.X >= 0 || at.Y >= 0) {
			pairs = append(pairs, at)
		}
	}
	return plots.Against("Run by run", measureLabels[p.XMeasure]+" of "+diagnostic.Clean(p.X), measureLabels[p.YMeasure]+" of "+diagnostic.Clean(p.Y), least, pairs), nil
}

// RunAt says which run a point of a plot is.
func (s *Session) RunAt(p RunRequest) (*RunOfPlot, error) {
	r, err := s.asked(p.Question)
	if err != nil {
		return nil, err
	}
	run, c := p.Run, r.Contest
	if run < 0 || run >= len(c.Runs) {
		return nil, fmt.Errorf("no plot has a run %d", run)
	}
	v := &plotView{r: r, tools: len(c.Tools)}
	sheet, of := c.Sheets[run/v.tools], c.Runs[run]
	inst, exam, tool := &c.Instances[sheet.Instance], string(c.Exams[sheet.Exam].ID), c.Tools[run%v.tools].Name
	text := fmt.Sprintf("%s on %s, %s: %.0f of %d values right", tool, inst.Name, exam, v.right(run), sheet.Values)
	if of.CPU != scoring.Unmeasured {
		text += fmt.Sprintf(", %.3g s of CPU time", seconds(of.CPU))
	}
	if of.Memory != scoring.Unmeasured {
		text += fmt.Sprintf(", %.3g MB", float64(of.Memory)/millionsOfBytes)
	}
	return &RunOfPlot{Text: diagnostic.Clean(text), Path: s.runPath(tool, inst.Name, exam)}, nil
}
