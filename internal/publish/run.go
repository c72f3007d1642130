package publish

import (
	"iter"
	"math/big"
	"slices"

	"podium/examinations"
	"podium/internal/judged"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
)

// run is a run on pages: its numbers in the contest, how it went, and what it earned.
type run struct {
	judged.Ran
	of          *Contest
	sheet, tool int // of the result
	points      *big.Rat
	noScore     string // why the run has no score, a clause with its rule; empty when it has one
	setAside    bool   // its answers are no votes and neither right nor wrong
}

// scored is the contest with its answers, without scores.
func (c *Contest) scored() *scoring.Contest { return c.Judged.Result.Contest }

// makeRuns makes the runs that are shown, and counts those of tools that opt out of the category.
func (c *Contest) makeRuns() {
	c.points = ratios{}
	r := c.Judged.Result
	for sheet := range r.Contest.Sheets {
		for tool := range r.Contest.Tools {
			ran, there := c.Judged.Facts.Ran(sheet, tool)
			switch {
			case !there || c.onlyRuns && r.Contest.Run(sheet, tool).Participation == scoring.Absent:
			case r.Contest.OptedOut(sheet, tool):
				c.optedOut++
			default:
				c.runs = append(c.runs, run{ran, c, sheet, tool, c.points.shared(r.Scheme.Points(r.RunPoints(sheet, tool))), r.NoScore(sheet, tool), r.SetAside(sheet, tool)})
			}
		}
	}
}

func (r *run) toolName() string { return r.of.scored().Tools[r.tool].Name }

func (r *run) instance() models.ID {
	c := r.of.scored()
	return c.Instances[c.Sheets[r.sheet].Instance].ID
}

func (r *run) exam() examinations.ID {
	c := r.of.scored()
	return c.Exams[c.Sheets[r.sheet].Exam].ID
}

// said returns what the run answered. A mark is one of pages: Right, Wrong, Unjudged, Missing or
// Ignored, which they call set aside.
func (r *run) said() iter.Seq[judged.Said] {
	return func(yield func(judged.Said) bool) {
		for a := range r.of.Judged.Facts.Said(r.sheet, r.tool) {
			switch {
			case a.Mark == scoring.Excluded || a.Mark == scoring.Missing:
				a.Mark = scoring.Missing
			case r.setAside:
				a.Mark = scoring.Ignored
			case a.Mark == scoring.Open:
				a.Mark = scoring.Unjudged
			}
			if r.of.team.names(a.Witness.Detail) {
				a.Witness.Proved, a.Witness.Detail, a.Witness.Format, a.Witness.Malformed = "", hidden, "", false
			}
			if !yield(a) {
				return
			}
		}
	}
}

// sortedAnswers returns the answers of a run in the order of their values, in the memory
// of room.
func (r *run) sortedAnswers(room []judged.Said) []judged.Said {
	list := slices.AppendSeq(room[:0], r.said())
	slices.SortStableFunc(list, func(a, b judged.Said) int { return compareItems(a.Item, b.Item) })
	return list
}

// flags says what each flag of the run found and does, with its rule.
func (r *run) flags() []string {
	if r.Void != "" && !r.of.FromFiles {
		return nil
	}
	return r.of.team.scrubAll(explain.FlagTexts(r.of.Judged.Result, r.sheet, r.tool))
}

// warnings are sentences about the run.
func (r *run) warnings() []string { return r.of.team.scrubAll(r.AllWarnings()) }

// item names the value that an addend is for; empty for the run as a whole.
func (r *run) item(a *scoring.Addend) string {
	if a.Item.Value < 0 {
		return ""
	}
	c := r.of.scored()
	return c.Items[c.Sheets[r.sheet].First+a.Item.Value]
}

// reason says why an addend was booked.
func (r *run) reason(a *scoring.Addend) string { return r.of.team.scrub(a.Item.Text()) }

// emulated reports whether the processor of the machine was emulated in software: the times are
// no record.
func (r *run) emulated() bool { return r.By != nil && r.By.Emulated }

// walled reports whether the wall time is known: a file of results may not say it.
func (r *run) walled() bool { return !r.of.FromFiles || r.WallTime != 0 }

// memory writes the peak of memory, or nothing where it was not measured.
func (r *run) memory(write func(int64) string) string {
	if !r.Memory() {
		return ""
	}
	return write(r.MemoryPeak)
}
