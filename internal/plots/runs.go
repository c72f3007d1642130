package plots

import (
	"math"
	"math/big"
	"slices"

	"podium/scoring"
)

// Runs makes charts of the runs of a result.
type Runs struct {
	Result *scoring.Result
	Tools  []int    // of the result, in the order of lines and colours; a tool that is left out is not drawn
	Names  []string // of these, as charts show them
}

// AllRuns are the runs of all tools, in their order.
func AllRuns(r *scoring.Result, name func(string) string) *Runs {
	v := &Runs{Result: r}
	for i, t := range r.Contest.Tools {
		v.Tools, v.Names = append(v.Tools, i), append(v.Names, name(t.Name))
	}
	return v
}

// Seconds turns microseconds into seconds.
func Seconds(micro int64) float64 { return float64(micro) / 1e6 }

// Shows reports whether a tool has a run of a sheet that counts, and shows its results there.
func (v *Runs) Shows(sheet, tool int) bool {
	switch v.Result.Contest.Run(sheet, tool).Participation {
	case scoring.Absent, scoring.Void:
		return false
	}
	return !v.Result.Contest.OptedOut(sheet, tool)
}

// Number is that of a run in points of charts.
func (v *Runs) Number(sheet, tool int) int { return sheet*len(v.Result.Contest.Tools) + tool }

// Each calls do for every run of a category that is shown, or of all where it is empty. Line is
// the place of its tool.
func (v *Runs) Each(category string, do func(line, sheet, tool int, of *scoring.Run)) {
	c := v.Result.Contest
	for sheet, s := range c.Sheets {
		if category != "" && !v.Result.Covers(category, c.Exams[s.Exam].Category) {
			continue
		}
		for line, tool := range v.Tools {
			if v.Shows(sheet, tool) {
				do(line, sheet, tool, c.Run(sheet, tool))
			}
		}
	}
}

// Right counts the right values of a run.
func (v *Runs) Right(sheet, tool int) (n int) {
	if v.Result.SetAside(sheet, tool) {
		return 0
	}
	for _, m := range v.Result.RunMarks(sheet, tool) {
		if m == scoring.Right {
			n++
		}
	}
	return n
}

// Points are those of a run, as near as a chart shows them.
func (v *Runs) Points(sheet, tool int) float64 {
	if !v.Result.HasScore(sheet, tool) {
		return 0
	}
	return near(v.Result.Scheme.Points(v.Result.RunPoints(sheet, tool)))
}

func near(x *big.Rat) float64 {
	if x == nil {
		return 0
	}
	f, _ := x.Float64()
	return f
}

// Cactus draws values answered right against CPU time.
func (v *Runs) Cactus(category, title string) *Chart {
	return Cactus(title, v.Names, v.pieces(category, func(sheet, tool int) float64 { return float64(v.Right(sheet, tool)) }))
}

// Quantile draws accumulated points against CPU time.
func (v *Runs) Quantile(category, title string) *Chart {
	c, of := v.Result.Contest, v.Result.Weights(category)
	weighed := func(sheet, tool int) float64 {
		return v.Points(sheet, tool) * near(of[c.Exams[c.Sheets[sheet].Exam].Category])
	}
	pieces, starts := v.pieces(category, weighed), make([]float64, len(v.Tools))
	for line := range pieces {
		pieces[line] = slices.DeleteFunc(pieces[line], func(x Piece) bool { return x.Gain < 0 })
	}
	v.Each(category, func(line, sheet, tool int, _ *scoring.Run) { starts[line] += math.Min(0, weighed(sheet, tool)) })
	return Quantile(title, v.Names, pieces, starts)
}

// PointsOver draws the points of the runs that ended within a CPU time.
func (v *Runs) PointsOver() *Chart {
	gains := NewGains(len(v.Tools))
	v.Each("", func(line, sheet, tool int, of *scoring.Run) {
		if x := v.Points(sheet, tool); x != 0 && of.CPU != scoring.Unmeasured {
			gains.Add(line, Piece{Time: Seconds(of.CPU), Gain: x, Run: v.Number(sheet, tool)})
		}
	})
	return gains.Chart("Points within a CPU time", "CPU time of the run (s)", "points", v.Names)
}

// pieces are what the runs of a category gained at their CPU time, by line.
func (v *Runs) pieces(category string, gain func(sheet, tool int) float64) [][]Piece {
	pieces := make([][]Piece, len(v.Tools))
	v.Each(category, func(line, sheet, tool int, of *scoring.Run) {
		if x := gain(sheet, tool); x != 0 && of.CPU != scoring.Unmeasured {
			pieces[line] = append(pieces[line], Piece{Time: Seconds(of.CPU), Gain: x, Run: v.Number(sheet, tool)})
		}
	})
	return pieces
}

// Measured is a measure of a run that has a right value: below 0 where it has none, and no number
// where the measure, [scoring.Unmeasured], was not taken.
func (v *Runs) Measured(sheet, tool int, measure int64) float64 {
	switch {
	case !v.Shows(sheet, tool) || v.Right(sheet, tool) == 0:
		return -1
	case measure == scoring.Unmeasured:
		return math.NaN()
	}
	return float64(measure) / 1e6
}

// Pairs are the runs of two tools, each with its measure, that at least one of them has right
// values in. Those that were not measured are left out.
func (v *Runs) Pairs(a, b int, x, y func(*scoring.Run) int64) (pairs []Pair) {
	c := v.Result.Contest
	for sheet := range c.Sheets {
		at := Pair{X: v.Measured(sheet, a, x(c.Run(sheet, a))), Y: v.Measured(sheet, b, y(c.Run(sheet, b))), Run: v.Number(sheet, a)}
		if at.X < 0 {
			at.Run = v.Number(sheet, b) // the one that solved it
		}
		if !math.IsNaN(at.X) && !math.IsNaN(at.Y) && (at.X >= 0 || at.Y >= 0) {
			pairs = append(pairs, at)
		}
	}
	return pairs
}
