package scoring

import (
	"cmp"
	"slices"
)

// Success is a run with a right value and no wrong one: what a quantile plot
// shows.
type Success struct {
	CPU    int64 // microseconds
	Points int64 // units
}

// Step is a point of a quantile function: so many results, or so much score, is
// reached within the time.
type Step struct {
	X   int64
	CPU int64 // microseconds
}

// Quantile is the function of SV-COMP 2012: step x says that the greatest CPU time
// of the x fastest right results is y.
func Quantile(runs []Success) []Step {
	steps := make([]Step, len(runs))
	for i, run := range byTime(runs) {
		steps[i] = Step{int64(i + 1), run.CPU}
	}
	return steps
}

// ScoreQuantile is the score-based function of later years. It begins at start,
// the sum of the points of all runs that are not right, which is not positive;
// every right result, in the order of time, moves it to the right by its points.
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

// Successes gives the successful runs of a tool in a category, for the quantile
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
