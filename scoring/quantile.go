package scoring

import (
	"cmp"
	"slices"
)

// Success is a run with a right value and no wrong one, as a quantile plot
// shows it.
type Success struct {
	CPU    int64 // microseconds
	Points int64 // units
}

// Step is a point of a quantile function: X results, or X points, are reached
// when each run may take at most CPU.
type Step struct {
	X   int64
	CPU int64 // microseconds
}

// Quantile returns the quantile function of SV-COMP 2012: at step x stands the
// greatest CPU time of the x fastest right results.
func Quantile(runs []Success) []Step {
	steps := make([]Step, len(runs))
	for i, run := range byTime(runs) {
		steps[i] = Step{int64(i + 1), run.CPU}
	}
	return steps
}

// ScoreQuantile returns the score-based quantile function of later years. It
// begins at start, the sum of the points of all runs that are not right, which
// is at most 0. Each right result, by ascending time, adds its points.
func ScoreQuantile(runs []Success, start int64) []Step {
	steps := make([]Step, len(runs))
	for i, run := range byTime(runs) {
		start += run.Points
		steps[i] = Step{start, run.CPU}
	}
	return steps
}

func byTime(runs []Success) []Success {
	sorted := slices.Clone(runs)
	slices.SortFunc(sorted, func(a, b Success) int {
		return cmp.Or(cmp.Compare(a.CPU, b.CPU), cmp.Compare(b.Points, a.Points))
	})
	return sorted
}

// Successes returns the successful runs of a tool in a category, for the quantile
// functions, and the sum of the points of its other runs. Runs without a
// measurement are left out.
func (r *Result) Successes(category string, tool int) (runs []Success, rest int64) {
	for i, s := range r.Contest.Sheets {
		run := r.Contest.Run(i, tool)
		if r.Contest.Exams[s.Exam].Category != category || !r.HasScore(i, tool) {
			continue
		}
		right, wrong := false, false
		for _, m := range r.RunMarks(i, tool) {
			right, wrong = right || m == Right, wrong || m == Wrong
		}
		switch {
		case !right || wrong:
			rest += r.RunPoints(i, tool)
		case run.CPU != Unmeasured:
			runs = append(runs, Success{run.CPU, r.RunPoints(i, tool)})
		}
	}
	return runs, rest
}
