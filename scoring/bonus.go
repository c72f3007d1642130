package scoring

import (
	"cmp"

	"podium/confidence"
)

// Metric is the measurement that a bonus compares.
type Metric uint8

// The metrics of bonuses.
const (
	CPUTime  Metric = iota // CPU time of the run
	WallTime               // wall-clock time
	Memory                 // greatest memory
)

// of returns the metric of a run, Unmeasured included.
func (m Metric) of(r *Run) int64 {
	switch m {
	case WallTime:
		return r.Wall
	case Memory:
		return r.Memory
	}
	return r.CPU
}

// Bonus is the rule that gives points to the runs with the least value of a
// metric (E-4.1, E-4.3).
type Bonus struct {
	Metric Metric
	Letter Letters
	// Points is what the bonus adds, in units; 0 where it is only displayed.
	Points int64
	// MinShare is the share of the required values that must be answered;
	// values without a reference count as answered.
	MinShare confidence.Ratio
	// FirstItem lets the first named value of an examination stand for all of
	// them: the number of states is enough in StateSpace.
	FirstItem bool
	// NeedsRight asks for one right value at least.
	NeedsRight bool
	// FirstOfEquals gives the bonus to one run, the first by Run.Order; otherwise
	// all equally good runs get it.
	FirstOfEquals bool
	// Within shares the bonus with every run that is no farther from the best
	// than this part of the best: the error of measurement.
	Within confidence.Ratio
}

// Apply gives the bonus to the best of the runs that are allowed to get it. It
// is the Apply of a [Rule].
func (b Bonus) Apply(p *Peers, id string) {
	first := -1 // the best run, the first of equals
	for i := range p.Scores {
		s := &p.Scores[i]
		if x := b.Metric.of(s.Run); x != Unmeasured && b.eligible(p.Exam, s) && (first < 0 || b.before(s.Run, p.Scores[first].Run)) {
			first = i
		}
	}
	if first < 0 {
		return
	}
	best := b.Metric.of(p.Scores[first].Run)
	for i := range p.Scores {
		s := &p.Scores[i]
		x := b.Metric.of(s.Run)
		if x == Unmeasured || !b.eligible(p.Exam, s) || !b.close(x, best) || b.FirstOfEquals && b.Within.Num() == 0 && i != first {
			continue
		}
		s.Letters |= b.Letter
		s.add(Item{Rule: id, Reason: LeastOf, Value: wholeRun, Points: b.Points, A: int64(b.Metric), B: x})
	}
}

// before orders runs by the metric and then by their place in the file.
func (b Bonus) before(x, y *Run) bool {
	return cmp.Or(cmp.Compare(b.Metric.of(x), b.Metric.of(y)), cmp.Compare(x.Order, y.Order)) < 0
}

// close reports whether x is at most best x (1 + Within).
func (b Bonus) close(x, best int64) bool {
	return x == best || b.Within.Num() > 0 && confidence.NewRatio(x-best, max(best, 1)).Cmp(b.Within) <= 0
}

func (b Bonus) eligible(exam *Examination, s *Score) bool {
	if s.SetAside || s.wrong > 0 || s.given == 0 || b.NeedsRight && s.right == 0 {
		return false
	}
	if b.FirstItem && exam.Items != nil && s.Marks[0].Given() {
		return true
	}
	return int64(s.given)*b.MinShare.Den() >= int64(exam.Required)*b.MinShare.Num()
}
