package publish

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"podium/internal/publish/paths"
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
	Best, New  []Standing // those on rank 1, and the best of those that take part for the first time
}

// categoryRows are the categories and meta categories of tasks.
func (v *view) categoryRows() (rows []categoryRow) {
	for _, cat := range v.c.Categories {
		counts := v.taskCounts(cat.Name)
		if len(counts) == 0 {
			continue
		}
		row := categoryRow{Category: link{paths.Category(cat.Name), clean(cat.Name)}, Properties: len(counts), Most: cat.Most, Key: sortKey(cat.Most)}
		for _, n := range counts {
			row.add(n)
		}
		if v.c.Team == "" { // which sees no other tools
			row.Best = firstOf(cat.Standings, func(Standing) bool { return true })
			row.New = firstOf(cat.Standings, func(st Standing) bool { return v.first(st.Tool) })
		}
		rows = append(rows, row)
	}
	return rows
}

// firstOf are the standings with the least rank of those that are taken; only points above
// zero count.
func firstOf(standings []Standing, taken func(Standing) bool) (list []Standing) {
	for _, st := range sortedStandings(standings) {
		if st.Rank > 0 && st.Points != nil && st.Points.Sign() > 0 && taken(st) && (len(list) == 0 || list[0].Rank == st.Rank) {
			list = append(list, st)
		}
	}
	return list
}

// first tells that a tool takes part for the first time.
func (v *view) first(tool string) bool { return v.tools[v.toolAt[tool]].FirstTime }

// leaderRow is one of the first three of a category.
type leaderRow struct {
	Standing
	Category  link
	Path, Key string // page of the tool, and its points to sort by
	New       bool   // the tool takes part for the first time
}

// Word is the place in a word, as in the style sheet.
func (r leaderRow) Word() string { return placeWords[r.Place] }

// leaders are the first three of each category of tasks.
func (s *site) leaders() (rows []leaderRow) {
	for _, cat := range s.c.Categories {
		if s.c.Team != "" || !s.ofTasks(cat.Name) {
			continue
		}
		for _, st := range places(cat.Standings) {
			rows = append(rows, leaderRow{st, link{paths.Category(cat.Name), clean(cat.Name)}, s.toolPath(st.Tool), sortKey(st.Points), s.first(st.Tool)})
		}
	}
	return rows
}

// ofTasks tells that a category has tasks.
func (v *view) ofTasks(category string) bool {
	return slices.ContainsFunc(v.c.Examinations, func(e Examination) bool { return e.Task && v.within(category, e.Category) })
}

// CPU shows the time of the runs with right answers.
func (st Standing) CPU() string {
	if st.Solved == 0 {
		return "\u2013"
	}
	return duration(st.SuccessCPU)
}

// Energy shows the energy of the runs with right answers.
func (st Standing) Energy() string {
	switch {
	case st.Solved == 0:
		return "\u2013"
	case st.SuccessEnergy == 0:
		return notMeasured
	}
	return joule(big.NewRat(st.SuccessEnergy, 1_000_000))
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
	RankingLine
	Of             Standing
	Key, PointsKey string // to sort by
}

// rankingView is another ranking as pages and tables show it.
type rankingView struct {
	Ranking
	Rows []rankedLine
}

// BesidePoints tells that the measure is something else than the points.
func (r rankingView) BesidePoints() bool { return r.Unit != "points" }

// Measured is the heading of the measures.
func (r rankingView) Measured() string { return strings.ToUpper(r.Unit[:1]) + r.Unit[1:] }

func (c *Category) rankingViews() (list []rankingView) {
	for _, r := range c.Rankings {
		view := rankingView{Ranking: r}
		for _, line := range r.Lines {
			at := slices.IndexFunc(c.Standings, func(st Standing) bool { return st.Tool == line.Tool })
			view.Rows = append(view.Rows, rankedLine{line, c.Standings[at], sortKey(line.Measure), sortKey(c.Standings[at].Points)})
		}
		list = append(list, view)
	}
	return list
}

func (v *view) csvRankings(t *csvTable) {
	t.row("category", "ranking", "rank", "tool", "measure", "measure_decimal", "unit", "points", "success_cpu_s", "success_energy_j", "solved", "wrong")
	for _, cat := range v.c.Categories {
		for _, r := range cat.rankingViews() {
			for _, line := range r.Rows {
				t.row(cat.Name, r.Name, strconv.Itoa(line.Rank), line.Tool, exact(line.Measure), plainDecimal(line.Measure), r.Unit,
					exact(line.Of.Points), seconds(line.Of.SuccessCPU), joules(line.Of.SuccessEnergy), strconv.Itoa(line.Of.Solved), strconv.Itoa(line.Of.Wrong))
			}
		}
	}
}

func (v *view) csvCategories(t *csvTable) {
	t.row("category", "properties", "tasks", "expected_true", "expected_false", "not_stated", "maximal_points", "best", "best_points", "best_new", "best_new_points")
	for _, row := range v.categoryRows() {
		best, points := firstText(row.Best)
		newer, newPoints := firstText(row.New)
		t.row(row.Category.Text, strconv.Itoa(row.Properties), strconv.Itoa(row.Tasks), strconv.Itoa(row.Holds), strconv.Itoa(row.Violated), strconv.Itoa(row.NotStated),
			ratOrEmpty(row.Most), best, points, newer, newPoints)
	}
}

// ratOrEmpty is a number in a table, nothing where there is none.
func ratOrEmpty(x *big.Rat) string {
	if x == nil {
		return ""
	}
	return plainDecimal(x)
}

// firstText names tools that share a rank, and their points.
func firstText(list []Standing) (names, points string) {
	if len(list) == 0 {
		return "", ""
	}
	var all []string
	for _, st := range list {
		all = append(all, st.Tool)
	}
	return strings.Join(all, ", "), plainDecimal(list[0].Points)
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
	for _, cat := range v.c.Categories {
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
		show := func(rank string, st Standing) {
			name := s.fit(st.Tool, 26-3-len(rank))
			if v.first(st.Tool) {
				name = s.fit(st.Tool, 26-9-len(rank)) + " (new)"
			}
			s.line(form, "  "+rank+" "+name, spaced(decimal(st.Points)), strconv.Itoa(st.Solved), strconv.Itoa(st.FalseAlarms), strconv.Itoa(st.WrongProofs),
				plainText(st.CPU()), plainText(st.Energy()))
		}
		on := places(cat.Standings)
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
