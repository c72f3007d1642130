package publish

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"

	"podium/internal/plots"
	"podium/internal/publish/paths"
	"podium/scoring"
)

// writePlots writes every plot and the page that shows them all.
func (s *site) writePlots() error {
	type section struct {
		ID          string // of its heading, where pages lead there
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
		sections = append(sections, section{"", clean(cat.Name), "", s.categoryFigures(cat.Name)})
	}
	if err := errors.Join(s.anytime(), s.cutoff()); err != nil {
		return err
	}
	sections = append(sections, section{"", "Over time", s.say("All examinations together."), s.timeFigures()})
	if drift := s.c.driftFigures(); len(drift) > 0 {
		for i := range drift {
			if err := s.save(s.c.Drift[i].chart(), drift[i]); err != nil {
				return err
			}
		}
		sections = append(sections, section{"hosts", "Hosts over time", "What the sentinel found on each computer: work that is always the same, beside the usual time of its core. Above 100 % the computer was slower.", drift})
	}
	if err := s.tree.inParallel("plots", len(s.pairs), s.drawPair); err != nil {
		return err
	}
	if len(s.pairs) > 0 {
		text := "Every run that at least one of the two tools solved."
		if len(s.tools) > mostPaired {
			text += fmt.Sprintf(" The %d tools with the most right values are drawn.", mostPaired)
		}
		sections = append(sections, section{"pairs", "Tool against tool", text, s.pairFigures(-1)})
	}
	return s.render("plots", "plots.html", page{Here: "plots", Title: "Plots", Body: sections})
}

func plotPath(kind, name string) string { return "plots/" + kind + "-" + paths.Name(name) + ".svg" }

// categoryFigures are the plots of a category.
func (s *site) categoryFigures(name string) []figure {
	quantile := "Score-based quantile plot: each line starts at the points lost by wrong answers and gains, run by run in the order of CPU time, the points of the runs with points."
	if s.normalises(name) {
		quantile += " The points of each part are normalised, as in the ranking."
	}
	return []figure{
		{Path: plotPath("cactus", name), Alt: s.cactusAlt(name), Live: s.live(plots.ByValues, "category", name),
			Caption: "Values answered right against the CPU time of their runs; further right is more solved, lower is faster."},
		{Path: plotPath("quantile", name), Live: s.live(plots.ByPoints, "category", name), Alt: "Score-based quantile plot of category " + clean(name) + ": accumulated points against CPU time, one line per tool.",
			Caption: quantile},
	}
}

// normalises reports whether points of parts of a meta category count by other factors than 1.
func (v *view) normalises(category string) bool {
	return slices.ContainsFunc(v.c.Categories, func(c Category) bool {
		for _, weight := range c.Weights {
			if c.Name == category && weight.Cmp(big.NewRat(1, 1)) != 0 {
				return true
			}
		}
		return false
	})
}

// live is where the page Ask draws a plot: its kind, and names and values of what it shows.
func (s *site) live(kind string, of ...string) string {
	if !s.Asks() {
		return ""
	}
	address := "ask.html#plot=" + kind
	for i := 0; i+1 < len(of); i += 2 {
		address += "&plot-" + of[i] + "=" + url.QueryEscape(of[i+1])
	}
	return address
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
	list[0].Live = s.live(plots.PointsOver)
	if s.timed {
		list = append(list, anytimeFigure)
	}
	for i := range list {
		list[i].Caption = s.say(list[i].Caption)
	}
	return list
}

func (s *site) pairFigure(a, b int) figure {
	x, y := clean(s.tools[a].Name), clean(s.tools[b].Name)
	return figure{Path: "plots/pairs/" + s.toolFile[a] + "/" + s.toolFile[b] + ".svg", Square: true, X: x, Y: y, Live: s.live(plots.ToolsApart, "x", s.tools[a].Name, "y", s.tools[b].Name),
		Alt:     fmt.Sprintf("Scatter plot of the CPU time of %s against that of %s, one point per run.", x, y),
		Caption: fmt.Sprintf("Below the diagonal %s needed less CPU time, above it %s. Points on a dashed line were not solved by that tool.", y, x)}
}

// mostPaired bounds the tools that are drawn against each other: each has a plot with
// every other one.
const mostPaired = 40

// pairsOf lists the tools that are drawn against each other, all where they are not too many.
func (v *view) pairsOf() (pairs [][2]int) {
	best := make([]int, len(v.tools))
	for i := range best {
		best[i] = i
	}
	slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(v.sum(b, "").right, v.sum(a, "").right) })
	best = slices.Sorted(slices.Values(best[:min(mostPaired, len(best))]))
	for i, a := range best {
		for _, b := range best[i+1:] {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// pairFigures are the plots of a tool against others; of all tools, if it is -1.
func (s *site) pairFigures(tool int) (figures []figure) {
	for _, p := range s.pairs {
		if tool == -1 || tool == p[0] || tool == p[1] {
			figures = append(figures, s.pairFigure(p[0], p[1]))
		}
	}
	return figures
}

// eachRun calls do for every valid run of a category, or of all.
func (s *site) eachRun(category string, do func(tool int, c *cell, r *run)) {
	for i := range s.cells {
		c := &s.cells[i]
		if category != "" && !s.c.Judged.Result.Covers(category, s.c.Examinations[c.exam].Category) {
			continue
		}
		for _, r := range c.runs {
			if r.Void == "" {
				do(s.toolAt[r.toolName()], c, r)
			}
		}
	}
}

// toolNames are the names of the tools, as plots show them.
func (s *site) toolNames() (names []string) {
	for _, t := range s.tools {
		names = append(names, clean(t.Name))
	}
	return names
}

// drawnRuns are the runs as charts show them, by the names of the tools.
func (s *site) drawnRuns() *plots.Runs {
	v := &plots.Runs{Result: s.c.Judged.Result, Names: s.toolNames()}
	for _, t := range s.tools {
		v.Tools = append(v.Tools, s.c.scored().ToolNamed(t.Name))
	}
	return v
}

// cactus draws values answered right against CPU time.
func (s *site) cactus(cat int) error {
	name := s.c.Categories[cat].Name
	return s.save(s.drawnRuns().Cactus(name, clean(name)), s.categoryFigures(name)[0])
}

// quantile draws accumulated points against CPU time.
func (s *site) quantile(cat int) error {
	name := s.c.Categories[cat].Name
	return s.save(s.drawnRuns().Quantile(name, clean(name)), s.categoryFigures(name)[1])
}

// anytime draws how many right values had been said after a wall time.
func (s *site) anytime() error {
	said := plots.NewGains(len(s.tools))
	s.eachRun("", func(tool int, _ *cell, r *run) {
		for a := range r.said() {
			s.noteTechniques(tool, &a, a.Mark)
			if a.Mark == scoring.Right && a.At >= 0 {
				said.Add(tool, plots.Piece{Time: a.At.Seconds(), Gain: 1, Run: -1})
			}
		}
	})
	if s.timed = said.Any(); !s.timed {
		return nil // files of results do not say when a value was answered
	}
	return s.save(said.Chart("Values answered right over time", "wall time since the start of the run (s)", "values answered right", s.toolNames()), anytimeFigure)
}

// approximate is a number as near as a picture shows it.
func approximate(r *big.Rat) float64 {
	x, _ := r.Float64()
	return x
}

// cutoff draws the points of the runs that ended within a CPU time.
func (s *site) cutoff() error { return s.save(s.drawnRuns().PointsOver(), cutoffFigure) }

// drawPair draws the n-th pair of tools against each other.
func (s *site) drawPair(n int) error {
	a, b := s.pairs[n][0], s.pairs[n][1]
	x, y := clean(s.tools[a].Name), clean(s.tools[b].Name)
	v := s.drawnRuns()
	cpu := func(r *scoring.Run) int64 { return r.CPU }
	pairs := v.Pairs(v.Tools[a], v.Tools[b], cpu, cpu)
	return s.save(plots.Against("CPU time, run by run", "CPU time of "+x+" (s)", "CPU time of "+y+" (s)", plots.LeastTime, pairs), s.pairFigure(a, b))
}
