package ask

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"podium/internal/plots"
	"podium/internal/wording"
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
	X, Y     string // the tools of a plot of a tool against another, or empty
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
	v, category := plots.AllRuns(r, diagnostic.Clean), diagnostic.Clean(p.Category)
	switch p.Plot {
	case plots.ByValues:
		return v.Cactus(p.Category, category), nil
	case plots.ByPoints:
		return v.Quantile(p.Category, category), nil
	case plots.ValuesOver:
		gains := plots.NewGains(len(v.Tools))
		v.Each("", func(line, sheet, tool int, of *scoring.Run) {
			if of.Wall != scoring.Unmeasured {
				gains.Add(line, plots.Piece{Time: plots.Seconds(of.Wall), Gain: float64(v.Right(sheet, tool)), Run: v.Number(sheet, tool)})
			}
		})
		return gains.Chart("Values of the runs that ended within a wall time", "wall time of the run (s)", "values answered right", v.Names), nil
	case plots.PointsOver:
		return v.PointsOver(), nil
	case plots.ToolsApart:
		return against(v, p)
	}
	return nil, fmt.Errorf("there is no plot %q", diagnostic.Cut(p.Plot))
}

// measures are those of runs; memory counts in bytes as times do in microseconds, so that a
// million is the unit of axes.
var measures = map[string]func(*scoring.Run) int64{
	MeasureCPU:    func(r *scoring.Run) int64 { return r.CPU },
	MeasureWall:   func(r *scoring.Run) int64 { return r.Wall },
	MeasureMemory: func(r *scoring.Run) int64 { return r.Memory },
}

// against compares the runs of two tools by a measure of each.
func against(v *plots.Runs, p PlotRequest) (*plots.Chart, error) {
	a, b := v.Result.Contest.ToolNamed(p.X), v.Result.Contest.ToolNamed(p.Y)
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
	return plots.Against("Run by run", measureLabels[p.XMeasure]+" of "+diagnostic.Clean(p.X), measureLabels[p.YMeasure]+" of "+diagnostic.Clean(p.Y), least,
		v.Pairs(a, b, measures[p.XMeasure], measures[p.YMeasure])), nil
}

// RunAt says which run a point of a plot is, and of a plot of a tool against another, which two.
func (s *Session) RunAt(p RunRequest) (*RunOfPlot, error) {
	r, err := s.asked(p.Question)
	if err != nil {
		return nil, err
	}
	run, c := p.Run, r.Contest
	if run < 0 || run >= len(c.Runs) {
		return nil, fmt.Errorf("no plot has a run %d", run)
	}
	n, of := run/len(c.Tools), []int{run % len(c.Tools)}
	if x, y := c.ToolNamed(p.X), c.ToolNamed(p.Y); x >= 0 && y >= 0 {
		of = []int{x, y}
	}
	inst, exam := c.Instances[c.Sheets[n].Instance].Name, string(c.Exams[c.Sheets[n].Exam].ID)
	text := inst + ", " + exam + ": "
	for i, tool := range of {
		if i > 0 {
			text += "; "
		}
		text += runText(r, n, tool)
	}
	return &RunOfPlot{Text: diagnostic.Clean(text), Path: s.runPath(c.Tools[run%len(c.Tools)].Name, inst, exam)}, nil
}

// runText says what a run made, and what it took.
func runText(r *scoring.Result, sheet, tool int) string {
	v, c := plots.Runs{Result: r}, r.Contest
	text := fmt.Sprintf("%s %d of %d values right", c.Tools[tool].Name, v.Right(sheet, tool), c.Sheets[sheet].Values)
	of := c.Run(sheet, tool)
	if of.CPU != scoring.Unmeasured {
		text += ", " + figures(plots.Seconds(of.CPU)) + " s of CPU time"
	}
	if of.Memory != scoring.Unmeasured {
		text += ", " + figures(float64(of.Memory)/millionsOfBytes) + " MB"
	}
	return text
}

// figures writes a number with three figures or more.
func figures(x float64) string {
	if x < 100 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return wording.Grouped(strconv.FormatFloat(x, 'f', 0, 64))
}
