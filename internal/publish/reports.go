package publish

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"podium/internal/publish/paths"
	"podium/scoring"
)

// The tables of this file are those of the reports of SV-COMP: an overview of the categories,
// the first three of each, and the other rankings.

// categoryRow is a line of the overview of the categories of tasks.
type categoryRow struct {
	taskCount
	Category   link
	Properties int
	Most       *big.Rat
	Key        string     // of Most, to sort by
	Best, New  []standing // those on rank 1, and the best of those that take part for the first time
}

// categoryRows are the categories and meta categories of tasks.
func (v *view) categoryRows() (rows []categoryRow) {
	for i := range v.c.Categories {
		cat := &v.c.Categories[i]
		counts := v.taskCounts(cat.Name)
		if len(counts) == 0 {
			continue
		}
		row := categoryRow{Category: link{paths.Category(cat.Name), clean(cat.Name)}, Properties: len(counts), Most: cat.Most, Key: sortKey(cat.Most)}
		for _, n := range counts {
			row.add(n)
		}
		if v.c.team == nil { // which sees no other tools
			row.Best = firstOf(v.c.standings(cat), func(standing) bool { return true })
			row.New = firstOf(v.c.standings(cat), func(st standing) bool { return v.first(st.Tool) })
		}
		rows = append(rows, row)
	}
	return rows
}

// firstOf are the standings with the least rank of those that are taken; only points above
// zero count.
func firstOf(standings []standing, taken func(standing) bool) (list []standing) {
	for _, st := range standings {
		if st.Rank > 0 && st.Points != nil && st.Points.Sign() > 0 && taken(st) && (len(list) == 0 || list[0].Rank == st.Rank) {
			list = append(list, st)
		}
	}
	return list
}

// first reports whether a tool takes part for the first time.
func (v *view) first(tool string) bool { return v.tools[v.toolAt[tool]].FirstTime }

// leaderRow is one of the first three of a category.
type leaderRow struct {
	standing
	Category  link
	Path, Key string // page of the tool, and its points to sort by
	New       bool   // the tool takes part for the first time
}

// Word is the place in a word, as in the style sheet.
func (r leaderRow) Word() string { return placeWords[r.Place] }

// leaders are the first three of each category of tasks.
func (s *site) leaders() (rows []leaderRow) {
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		if s.c.team != nil || !s.ofTasks(cat.Name) {
			continue
		}
		for _, st := range places(s.c.standings(cat)) {
			rows = append(rows, leaderRow{st, link{paths.Category(cat.Name), clean(cat.Name)}, s.toolPath(st.Tool), sortKey(st.Points), s.first(st.Tool)})
		}
	}
	return rows
}

// ofTasks reports whether a category has tasks.
func (v *view) ofTasks(category string) bool {
	return slices.ContainsFunc(v.c.Examinations, func(e Examination) bool { return e.Task && v.c.Judged.Result.Covers(category, e.Category) })
}

// CPU shows the time of the runs with right answers.
func (st standing) CPU() string {
	if st.Right == 0 {
		return "\u2013"
	}
	return duration(st.Took())
}

// Energy shows the energy of the runs with right answers.
func (st standing) Energy() string {
	switch {
	case st.Right == 0:
		return "\u2013"
	case st.Metered() == 0:
		return notMeasured
	}
	return joule(big.NewRat(st.Metered(), 1_000_000))
}

// joule shows an energy with three significant digits and its unit.
func joule(x *big.Rat) string {
	switch j := approximate(x); {
	case j >= 999_500:
		return threeDigits(j/1e6) + "\u00a0MJ"
	case j >= 999.5:
		return threeDigits(j/1000) + "\u00a0kJ"
	default:
		return threeDigits(j) + "\u00a0J"
	}
}

// rankedLine is a line of another ranking with what the tool did in the category.
type rankedLine struct {
	scoring.Measured
	Of             standing
	Key, PointsKey string // to sort by
}

// rankingView is another ranking of a category (SV-COMP) as pages and tables show it: Correct,
// Green, New.
type rankingView struct {
	Name, Unit string // Unit of the measures
	Rows       []rankedLine
}

// BesidePoints reports whether the measure is something else than the points.
func (r rankingView) BesidePoints() bool { return r.Unit != "points" }

// Measured is the heading of the measures.
func (r rankingView) Measured() string { return strings.ToUpper(r.Unit[:1]) + r.Unit[1:] }

func (c *Contest) rankingViews(cat *Category) (list []rankingView) {
	if c.team != nil {
		return nil // it sees no other tools
	}
	for _, a := range c.Judged.Result.Scheme.Alternatives {
		view, standings := rankingView{Name: a.String(), Unit: a.Unit()}, c.standings(cat)
		for _, m := range a.Rank(c.scored(), &cat.Board) {
			at := slices.IndexFunc(standings, func(st standing) bool { return st.Tool == c.scored().Tools[m.Tool].Name })
			view.Rows = append(view.Rows, rankedLine{m, standings[at], sortKey(m.Measure), sortKey(standings[at].Points)})
		}
		list = append(list, view)
	}
	return list
}

// reports prints the first three of each category of tasks, with what the reports say of
// them, and the best of the new tools where it is none of these.
func (s *summary) reports(v *view) {
	rows := v.categoryRows()
	if len(rows) == 0 {
		return
	}
	const form = "%-26s %8s %6s %6s %6s %9s %12s"
	s.line("")
	s.line(form, "First three", "points", "solved", "alarms", "proofs", "CPU time", "energy")
	for i := range v.c.Categories {
		cat := &v.c.Categories[i]
		at := slices.IndexFunc(rows, func(r categoryRow) bool { return r.Category.Text == clean(cat.Name) })
		if at < 0 {
			continue
		}
		row := rows[at]
		text := cat.Name + ": " + things(row.Tasks, "task")
		if row.NotStated < row.Tasks {
			text += " (" + strconv.Itoa(row.Holds) + " true, " + strconv.Itoa(row.Violated) + " false)"
		}
		if row.Most != nil {
			text += ", at most " + spaced(decimal(row.Most)) + unitOf(decimal(row.Most))
		}
		s.line("%s", text)
		show := func(rank string, st standing) {
			name := s.fit(st.Tool, 26-3-len(rank))
			if v.first(st.Tool) {
				name = s.fit(st.Tool, 26-9-len(rank)) + " (new)"
			}
			s.line(form, "  "+rank+" "+name, spaced(decimal(st.Points)), strconv.Itoa(st.Right), strconv.Itoa(st.FalseAlarms), strconv.Itoa(st.WrongProofs),
				plainText(st.CPU()), plainText(st.Energy()))
		}
		on := places(v.c.standings(cat))
		for _, st := range on {
			show(strconv.Itoa(st.Place)+".", st)
		}
		for _, st := range row.New {
			if st.Place == 0 {
				show(strconv.Itoa(st.Rank)+".", st)
			}
		}
	}
	s.wrap("Alarms are wrong answers FALSE, proofs are wrong answers TRUE. CPU time and energy are those of the runs with right answers.")
}
