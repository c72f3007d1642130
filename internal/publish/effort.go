package publish

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/scoring"
)

// effortRow is a line of the table of answers to tasks, as pages and terminals show it: what a
// tool's answers TRUE, or FALSE, are worth, and what they took.
type effortRow struct {
	scoring.Effort
	Tool, Answer string
	figures      [4]*big.Rat    // mean and median of the CPU time in seconds, then of the energy in joules; nil without any
	Figures      []effortFigure // the same
}

// effortFigure is a mean or a median; Exact is the title of its cell.
type effortFigure struct{ Text, Exact, Key string }

// scaled turns microseconds into seconds, and microjoules into joules; nil stays nil.
func scaled(millionths *big.Rat) *big.Rat {
	if millionths == nil {
		return nil
	}
	return new(big.Rat).Quo(millionths, big.NewRat(1_000_000, 1))
}

// effortRows are the lines of the tools on the tasks of a category, or on all tasks.
func (c *Contest) effortRows(category string, of [][2]scoring.Effort) (rows []effortRow) {
	for tool, both := range of {
		t := &c.scored().Tools[tool]
		if slices.Contains(t.OptOut, category) || !c.team.shows(t.Name) {
			continue // it shows no results there
		}
		for kind, e := range both {
			row := effortRow{Effort: e, Tool: t.Name, Answer: [...]string{"TRUE", "FALSE"}[kind],
				figures: [4]*big.Rat{scaled(e.CPU.Mean), scaled(e.CPU.Median), scaled(e.Energy.Mean), scaled(e.Energy.Median)}}
			for n, x := range row.figures {
				if n < 2 {
					row.Figures = append(row.Figures, effortFigureOf(x, "s", func() string { return duration(nanoseconds(x)) }))
				} else {
					row.Figures = append(row.Figures, effortFigureOf(x, "J", func() string { return joule(x) }))
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// telling keeps the lines with right or wrong answers.
func telling(rows []effortRow) []effortRow {
	return slices.DeleteFunc(rows, func(r effortRow) bool { return r.Right+r.Wrong == 0 })
}

// allEfforts are those on all tasks.
func (c *Contest) allEfforts() []effortRow { return c.effortRows("", c.Judged.Result.Efforts("")) }

func effortFigureOf(x *big.Rat, unit string, show func() string) effortFigure {
	if x == nil {
		return effortFigure{"\u2013", notMeasured, "-1"}
	}
	return effortFigure{show(), exact(x) + " " + unit, sortKey(x)}
}

// nanoseconds rounds a number of seconds.
func nanoseconds(seconds *big.Rat) time.Duration {
	n, _ := new(big.Rat).Mul(seconds, big.NewRat(int64(time.Second), 1)).Float64()
	return time.Duration(n)
}

// Rate is the part of the right answers whose witnesses are confirmed, of those that were
// asked for one; empty where none was.
func (e effortRow) Rate() string {
	asked := e.Confirmed + e.Unconfirmed
	if asked == 0 {
		return ""
	}
	return percent(e.Confirmed, asked)
}

// witnessCount says what became of the witnesses of a tool in one format.
type witnessCount struct {
	Tool, Format                                          string
	Witnesses, Malformed, Confirmed, Unconfirmed, Refuted int
}

// witnessCounts counts the witnesses of answers to the tasks of a category.
func (s *site) witnessCounts(category string) (list []witnessCount) {
	s.eachRun(category, func(_ int, c *cell, r *run) {
		if !s.c.Examinations[c.exam].Task {
			return
		}
		for a := range r.said() {
			w := a.Witness
			if w.Format == "" {
				continue
			}
			at, known := slices.BinarySearchFunc(list, witnessCount{Tool: r.toolName(), Format: w.Format}, func(a, b witnessCount) int {
				return cmp.Or(cmp.Compare(a.Tool, b.Tool), cmp.Compare(a.Format, b.Format))
			})
			if !known {
				list = slices.Insert(list, at, witnessCount{Tool: r.toolName(), Format: w.Format})
			}
			n := &list[at]
			n.Witnesses++
			switch {
			case w.Malformed:
				n.Malformed++
			case w.State == "confirmed":
				n.Confirmed++
			case w.State == "refuted":
				n.Refuted++
			default:
				n.Unconfirmed++
			}
		}
	})
	return list
}

// hasTasks reports whether the contest has tasks of SV-COMP, perhaps beside nets.
func (v *view) hasTasks() bool {
	return slices.ContainsFunc(v.c.Examinations, func(e Examination) bool { return e.Task })
}

// taskCount says how many tasks of a property a category has.
type taskCount struct {
	Property                          string
	Tasks, Holds, Violated, NotStated int // by the expected verdict
}

func (n *taskCount) add(m taskCount) {
	n.Tasks, n.Holds, n.Violated, n.NotStated = n.Tasks+m.Tasks, n.Holds+m.Holds, n.Violated+m.Violated, n.NotStated+m.NotStated
}

// taskCounts counts the tasks of a category by property; of a meta category those of all its
// parts, each as often as it is in one.
func (v *view) taskCounts(category string) (list []taskCount) {
	for i := range v.cells {
		c := &v.cells[i]
		if exam := &v.c.Examinations[c.exam]; !exam.Task || !v.c.Judged.Result.Covers(category, exam.Category) {
			continue
		}
		for k := range c.refs {
			ref := &c.refs[k]
			property := v.insts[c.inst].Property
			at, known := slices.BinarySearchFunc(list, property, func(t taskCount, p string) int { return cmp.Compare(t.Property, p) })
			if !known {
				list = slices.Insert(list, at, taskCount{Property: property})
			}
			one := taskCount{Tasks: 1}
			switch {
			case !ref.known():
				one.NotStated = 1
			case strings.HasPrefix(ref.Value().Text, "TRUE"):
				one.Holds = 1
			default:
				one.Violated = 1
			}
			list[at].add(one)
		}
	}
	return list
}

// effort prints the answers to all tasks by tool and kind.
func (s *summary) effort(v *view) {
	rows := telling(v.c.allEfforts())
	if len(rows) == 0 {
		return
	}
	s.line("")
	const form = "%-22s %6s %6s %9s %8s %8s %7s %7s"
	s.line(form, "Answers", "right", "wrong", "confirmed", "mean CPU", "median", "energy", "median")
	for _, r := range rows {
		name := s.fit(r.Tool, 22-1-len(r.Answer)) + " " + r.Answer
		confirmed := "-"
		if asked := r.Confirmed + r.Unconfirmed; asked > 0 {
			confirmed = strconv.Itoa(r.Confirmed) + "/" + strconv.Itoa(asked)
		}
		s.line(form, name, strconv.Itoa(r.Right), strconv.Itoa(r.Wrong), confirmed, plainText(r.Figures[0].Text), plainText(r.Figures[1].Text),
			plainText(r.Figures[2].Text), plainText(r.Figures[3].Text))
	}
	s.wrap("Confirmed are so many witnesses of right answers, of those that were asked for. CPU time and energy are the mean and the median of the runs with right answers.")
}

// plainText has no blanks that terminals draw badly.
func plainText(text string) string { return strings.ReplaceAll(spaced(text), "\u00a0", " ") }
