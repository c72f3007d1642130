package publish

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"podium/internal/judged"
	"podium/internal/publish/paths"
	"podium/internal/together"
	"podium/scoring"
)

// toolListRow is a tool in the list of tools.
type toolListRow struct {
	*Tool
	Path   string
	Trust  trustRow
	Tally  tally
	Counts []countCell
}

// toolsBody is the list of tools. Columns that are empty are left out.
type toolsBody struct {
	Columns                 []countColumn
	Variants, Version, Kind bool
	Rows                    []toolListRow
}

func (s *site) writeTools() error {
	s.countItems()
	var rows []toolListRow
	trust := s.trustRows()
	var body toolsBody
	var lines []tally
	for i, t := range s.tools {
		lines = append(lines, s.sum(i, ""))
		rows = append(rows, toolListRow{t, s.toolPath(t.Name), trust[i], lines[i], nil})
		body.Variants, body.Version, body.Kind = body.Variants || t.Family != "" && t.Family != t.Name, body.Version || t.Version != "", body.Kind || t.Kind != ""
	}
	body.Columns, body.Rows = countsOf(lines, "Void"), rows
	for i, t := range s.tools {
		rows[i].Counts = countCells(body.Columns, lines[i], "tool", t.Name)
	}
	if err := s.render("tools", "tools.html", page{Here: "tools", Title: "Tools", Body: body}); err != nil {
		return err
	}
	return s.tree.inParallel("tools", len(rows), func(i int) error { return s.writeTool(rows[i], i) })
}

type toolBody struct {
	toolListRow
	Siblings []link
	Ranks    []toolRank
	Exams    []toolExam
	Columns  []countColumn // of the examinations
	Wrong    []wrongAnswer
	More     int
	NoScore  []noScore
	NoMore   int
	Plots    []figure
	Record   together.Firsts
	Where    []toolModel
	Rules    []ruleRow
	Years    boardTable
}

// WrongRuns leads to the runs with wrong answers.
func (b toolBody) WrongRuns() string { return runsPath("tool", b.Name, "wrong", ">0") }

// LostRuns leads to the runs with fewer points than the best of their examination, those that lost most first.
func (b toolBody) LostRuns() string {
	return runsPath("tool", b.Name, "lost", ">0", "show", "lost", "sort", "lost down")
}

// Complete and the rest are the record of the tool, for templates.
func (b toolBody) Complete() int        { return b.Record.Complete }
func (b toolBody) CompleteAlone() int   { return b.Record.Alone }
func (b toolBody) Fastest() int         { return b.Record.Fastest }
func (b toolBody) Saved() time.Duration { return microseconds(b.Record.Saved) }

// toolModel is what a tool did on a model, beside the best tool there.
type toolModel struct {
	Name, Path   string
	Points, Best *big.Rat
	Lead         *big.Rat // above 0: ahead of all others
	By           string   // the best of the others
	Key          string
}

// pointsOf sums up the points of a tool by examination, and those that items took away.
func (s *site) pointsOf(tool int, exams []toolExam) {
	for i := range s.cells {
		c := &s.cells[i]
		r := c.run(s.tools[tool].Name)
		if r == nil || r.Void != "" {
			continue
		}
		row := &exams[c.exam]
		row.Points.Add(row.Points, r.points)
		if r.points.Sign() < 0 || slices.Contains(c.mask(r), scoring.Wrong) {
			items, _ := s.items(r)
			for _, item := range items {
				if item.Points.Sign() < 0 {
					row.Lost.Add(row.Lost, item.Points)
				}
			}
		}
	}
	for e := range exams {
		exams[e].Key, exams[e].LostKey = sortKey(exams[e].Points), sortKey(exams[e].Lost)
	}
}

// mostWhere bounds the models on which a tool won or lost most.
const mostWhere = 8

// whereOf lists the models on which a tool is most points ahead of all others, and those
// on which it is most behind, in the examinations that it takes part in.
func (s *site) whereOf(tool int) []toolModel {
	var list []toolModel
	for m := range s.families {
		sums := make(pointSums, len(s.tools))
		for e, points := range s.modelSums(m) {
			if t := s.tally[tool][e]; t.right+t.wrong+t.unjudged+t.aside > 0 {
				sums.plus(points)
			}
		}
		if sums[tool] == nil {
			continue
		}
		row := toolModel{Name: clean(s.families[m].name), Path: s.families[m].path(), Points: sums[tool]}
		for other, sum := range sums {
			if other != tool && sum != nil && (row.Best == nil || sum.Cmp(row.Best) > 0) {
				row.Best, row.By = sum, clean(s.tools[other].Name)
			}
		}
		if row.Best == nil || row.Best.Cmp(row.Points) == 0 {
			continue
		}
		row.Lead = new(big.Rat).Sub(row.Points, row.Best)
		row.Key = sortKey(row.Lead)
		list = append(list, row)
	}
	slices.SortStableFunc(list, func(a, b toolModel) int { return b.Lead.Cmp(a.Lead) })
	if len(list) > 2*mostWhere {
		list = slices.Concat(list[:mostWhere], list[len(list)-mostWhere:])
	}
	return list
}

// modelSums are the points on a model by examination and tool, nil without a run; counted
// once.
func (s *site) modelSums(m int) []pointSums {
	s.sumsOnce.Do(func() {
		s.sums = make([][]pointSums, len(s.families))
		for m := range s.families {
			for e := range s.c.Examinations {
				sums := make(pointSums, len(s.tools))
				for _, i := range s.families[m].insts {
					s.addPoints(sums, &s.cells[i*len(s.c.Examinations)+e])
				}
				s.sums[m] = append(s.sums[m], sums)
			}
		}
	})
	return s.sums[m]
}

// toolRank is the standing of a tool in a category.
type toolRank struct {
	standing
	Category, Path, Key string
	Of                  int
}

// toolExam is what a tool did in an examination.
type toolExam struct {
	Name, Path    string
	Tally         tally
	Counts        []countCell
	Runs          []countCell // their number
	Made          []countCell // wrong values and, where there are other tools, alone and missed ones
	Alone, Missed int         // values right by this tool alone; left out, and right by another
	Points        *big.Rat
	Lost          *big.Rat // what items took away; it is in the points
	Key, LostKey  string
}

// wrongAnswer is an answer that differs from its reference value.
type wrongAnswer struct {
	Run, Split link
	Exam       link
	Given      string
	Elected    string
}

// noScore is a run without score.
type noScore struct {
	Run link
	Why string
}

// maxWrong bounds the wrong answers listed on the page of a tool, and its runs without score.
const maxWrong = 200

func (s *site) writeTool(row toolListRow, tool int) error {
	body := toolBody{toolListRow: row, Plots: s.pairFigures(tool)}
	for _, t := range s.tools {
		if t.Family == row.Family && t.Name != row.Name && row.Family != "" {
			body.Siblings = append(body.Siblings, link{s.toolPath(t.Name), t.Name})
		}
	}
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		standings := s.c.standings(cat)
		for _, st := range standings {
			if st.Tool == row.Name {
				st.Note = clean(st.Note)
				body.Ranks = append(body.Ranks, toolRank{st, clean(cat.Name), paths.Category(cat.Name), sortKey(st.Points), ranked(standings)})
			}
		}
	}
	for e, exam := range s.c.Examinations {
		body.Exams = append(body.Exams, toolExam{Name: string(exam.ID), Path: s.examPath(e), Tally: s.tally[tool][e],
			Alone: s.together.Alone[tool][e], Missed: s.together.Missed[tool][e], Points: new(big.Rat), Lost: new(big.Rat)})
	}
	body.Columns = countsOf(s.tally[tool])
	for e := range body.Exams {
		x, where := &body.Exams[e], []string{"tool", row.Name, "examination", string(s.c.Examinations[e].ID)}
		x.Counts = countCells(body.Columns, s.tally[tool][e], where...)
		x.Runs = []countCell{countCell{N: s.tally[tool][e].runs}.of(where...)}
		x.Made = []countCell{countCell{N: s.tally[tool][e].wrong}.of(append(where, "wrong", ">0")...)}
		if s.Compares() {
			x.Made = append(x.Made, countCell{N: x.Alone}.of(append(where, "alone", ">0", "show", "alone")...), countCell{N: x.Missed}.of(append(where, "elsewhere", ">0", "show", "elsewhere")...))
		}
	}
	s.pointsOf(tool, body.Exams)
	body.Record = s.together.Firsts[tool]
	body.Where, body.Rules = s.whereOf(tool), s.byRule(tool)
	if len(s.c.Earlier) > 0 {
		body.Years = s.toolOverYears(row.Name)
	}
	s.lostPoints(row.Name, &body)
	return s.render("tool", row.Path, page{Here: "tools", Title: clean(row.Name), Body: body, Follows: true, Trail: []link{{"tools.html", "Tools"}},
		About: "Results of " + clean(row.Name) + "."})
}

func (b *toolBody) addNoScore(x noScore) {
	if len(b.NoScore) == maxWrong {
		b.NoMore++
		return
	}
	b.NoScore = append(b.NoScore, x)
}

// lostPoints lists what a tool has no points for: wrong answers, and runs without
// score.
func (s *site) lostPoints(tool string, body *toolBody) {
	var list []judged.Said
	for i := range s.cells {
		c := &s.cells[i]
		r := c.run(tool)
		if r == nil {
			continue
		}
		if r.noScore != "" {
			body.addNoScore(noScore{link{s.runPath(r), r.instance().String() + ", " + string(r.exam())}, clean(r.noScore)})
			continue
		}
		list = r.sortedAnswers(list)
		for _, a := range list {
			if a.Mark != scoring.Wrong {
				continue
			}
			if len(body.Wrong) == maxWrong {
				body.More++
				continue
			}
			body.Wrong = append(body.Wrong, s.wrongAnswer(c, r, a))
		}
	}
}

func (s *site) wrongAnswer(c *cell, r *run, a judged.Said) wrongAnswer {
	w := wrongAnswer{Run: link{s.answerPath(r, a.Offset), clean(a.Item)}, Exam: s.examLink(c.exam), Given: short(a.Value)}
	if !strings.HasPrefix(a.Item, r.instance().String()) {
		w.Run.Text = r.instance().String() + ", " + clean(a.Item)
	}
	if item, ok := c.item(a.Item); ok {
		w.Elected = short(c.refs[item].Value())
		if n := s.split(c, item); n >= 0 {
			w.Split = link{s.splitPath(n), map[bool]string{true: "votes", false: "answers"}[s.Votes()]}
		}
	}
	return w
}

// writeRules shows the edition, so that every rule that is cited can be read.
func (s *site) writeRules() error {
	type ruleRow struct {
		ID, Anchor, Title string
		Lines             []string
	}
	var rows []ruleRow
	seen := map[string]bool{"": true}
	for _, r := range s.c.Edition.Rules {
		row := ruleRow{ID: clean(r.Rule), Title: clean(r.Title)}
		if !seen[r.Rule] {
			seen[r.Rule], row.Anchor = true, ruleAnchor(r.Rule)
		}
		for line := range strings.Lines(r.Text) {
			row.Lines = append(row.Lines, clean(strings.TrimSuffix(line, "\n")))
		}
		rows = append(rows, row)
	}
	return s.render("rules", "rules.html", page{Here: "rules", Title: "Rules", Body: rows})
}

// dataBody is the page of files and of what went wrong on our side.
type dataBody struct {
	Files []csvRow
	Views []csvRow // for programs
	Voids []voidRow
	More  int
	// Changed is when the last run ended, or the last decision was taken; zero where nobody knows.
	Changed time.Time
}

type csvRow struct{ Path, Name, Row string }

// voidRow is a run that could not be done.
type voidRow struct {
	Run      link
	Attempts int
	Reason   string
}

// maxVoid bounds the void runs that the page names; runs.csv has them all.
const maxVoid = 500

func (s *site) writeData() error {
	body := dataBody{Changed: s.c.Finished}
	for _, d := range s.c.Decisions() {
		if d.At.After(body.Changed) {
			body.Changed = d.At
		}
	}
	for _, f := range s.tables(false) {
		body.Files = append(body.Files, csvRow{"csv/" + f.Name + ".csv", f.Name + ".csv", f.Row})
	}
	for _, f := range jsonViews {
		body.Views = append(body.Views, csvRow{"json/" + f.name + ".json", f.name + ".json", s.say(f.row)})
	}
	for i := range s.cells {
		for _, r := range s.cells[i].runs {
			if r.Void == "" {
				continue
			}
			if len(body.Voids) == maxVoid {
				body.More++
				continue
			}
			text := fmt.Sprintf("%s on %s of %s", clean(r.toolName()), r.exam(), r.instance())
			body.Voids = append(body.Voids, voidRow{link{s.runPath(r), text}, r.Attempts, clean(r.Void)})
		}
	}
	return s.render("data", "data.html", page{Here: "data", Title: "Data", Body: body})
}
