package publish

import (
	"iter"
	"math/big"
	"time"

	"podium/examinations"
	"podium/internal/publish/paths"
	"podium/models"
	"podium/scoring/whatif"
)

// categoryBody is the page of a category.
type categoryBody struct {
	Podium   podium
	Parts    []link   // of a meta category
	Most     *big.Rat // the maximal score; nil where there are nets
	Demo     bool     // shown, not scored
	Rows     []standingRow
	Columns  []countColumn // of the rows
	Notes    bool          // some row has one
	Rankings []rankingView
	Efforts  []effortRow // these three of a category of tasks
	Tasks    []taskCount
	Left     []witnessCount
	Exams    []link
	Plots    []figure
	Wrong    []wrongSentence
	Margins  []marginView
	Without  []without
	Tools    []toolColumn
	Models   iter.Seq[pointsLine]
	Insts    iter.Seq[pointsLine]
	Years    boardTable
}

// marginView is the distance in points between two neighbours in a ranking, with the disputed
// values that would bring the one behind nearer, the strongest first.
type marginView struct {
	whatif.Margin
	Decisions []decisiveView
}

type decisiveView struct {
	whatif.Decision
	Value link // without a path where nobody disagreed
}

// Closer says by how much the other value would bring the two closer.
func (d decisiveView) Closer() string {
	text := decimal(d.Swing)
	return text + unitOf(text) + " closer"
}

// mostDecisions bounds the disputed values that are named of a margin.
const mostDecisions = 3

// marginViews are the margins of a category, with the pages of disputed values.
func (s *site) marginViews(category string) (views []marginView) {
	ids := map[string]models.ID{}
	for _, i := range s.c.scored().Instances {
		ids[i.Name] = i.ID
	}
	for _, m := range s.c.marginsOf(category) {
		view := marginView{Margin: m}
		for _, d := range m.Decisions[:min(mostDecisions, len(m.Decisions))] {
			inst, exam := ids[d.Instance], examinations.ID(d.Exam)
			shown := decisiveView{Decision: d, Value: link{Text: inst.String() + ", " + d.Exam + ", " + clean(d.Item)}}
			if c := s.find(inst, exam); c != nil {
				shown.Value.Path = s.instPath(c.inst) + "#" + paths.Name(d.Exam)
				if item, ok := c.item(d.Item); ok {
					shown.Value.Text = shortItem(&c.refs[item])
					if n := s.split(c, item); n >= 0 {
						shown.Value.Path = s.splitPath(n)
					}
				}
			}
			view.Decisions = append(view.Decisions, shown)
		}
		views = append(views, view)
	}
	return views
}

type standingRow struct {
	standing
	Path   string
	Exact  string
	Key    string
	Counts []countCell
	Total  time.Duration // CPU time of all runs
	New    bool          // the tool takes part for the first time
}

func (s *site) writeCategories() error {
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		body := categoryBody{Podium: s.podiums()[i], Most: cat.Most, Demo: cat.Demo, Plots: s.categoryFigures(cat.Name), Rankings: s.c.rankingViews(cat), Efforts: telling(s.c.effortRows(cat.Name, cat.Efforts)), Tasks: s.taskCounts(cat.Name), Left: s.witnessCounts(cat.Name),
			Wrong: s.wrongIn(cat.Name), Margins: s.marginViews(cat.Name), Without: s.c.withoutOthers(cat), Tools: s.toolColumns(), Models: s.pointsByModel(cat.Name), Insts: s.pointsByInstance(cat.Name)}
		if len(s.c.Earlier) > 0 {
			body.Years = s.categoryOverYears(cat.Name)
		}
		for _, name := range cat.Of {
			if s.hasCategory(name) {
				body.Parts = append(body.Parts, link{paths.Category(name), clean(name)})
			}
		}
		var lines []tally
		for _, st := range s.c.standings(cat) {
			n := s.sum(s.toolAt[st.Tool], cat.Name)
			n.falseAlarms, n.wrongProofs = st.FalseAlarms, st.WrongProofs
			lines, st.Note = append(lines, n), clean(st.Note)
			body.Notes = body.Notes || st.Note != ""
			body.Rows = append(body.Rows, standingRow{st, s.toolPath(st.Tool), exact(st.Points), sortKey(st.Points), nil, microseconds(n.cpu), s.first(st.Tool)})
		}
		body.Columns = countsOf(lines, "Stopped", "Void")
		for i := range body.Rows {
			body.Rows[i].Counts = countCells(body.Columns, lines[i], append(s.categoriesOf(cat.Name), "tool", body.Rows[i].Tool)...)
		}
		for _, e := range s.examsOf(cat.Name) {
			body.Exams = append(body.Exams, link{s.examPath(e), string(s.c.Examinations[e].ID)})
		}
		err := s.render("category", paths.Category(cat.Name), page{Here: "categories", Title: "Category " + clean(cat.Name), Body: body, Follows: true, Trail: []link{{"examinations.html", s.say("Examinations")}},
			About: "Ranking of the tools in category " + clean(cat.Name) + "."})
		if err != nil {
			return err
		}
	}
	return nil
}

// pointsLine is a line of the points of each tool, on a model or an instance.
type pointsLine struct {
	Name, Path string
	Class      string // of an instance
	Cells      []pointsCell
}

// pointsByModel sums up the points of a category by model and tool.
func (s *site) pointsByModel(category string) iter.Seq[pointsLine] {
	exams := s.examsOf(category)
	return func(yield func(pointsLine) bool) {
		for m := range s.families {
			sums := make(pointSums, len(s.tools))
			for _, e := range exams {
				sums.plus(s.modelSums(m)[e])
			}
			line := pointsLine{Name: clean(s.families[m].name), Path: s.families[m].path()}
			if line.fill(sums) && !yield(line) {
				return
			}
		}
	}
}

// pointsByInstance sums up the points of a category by instance and tool.
func (s *site) pointsByInstance(category string) iter.Seq[pointsLine] {
	exams := s.examsOf(category)
	return func(yield func(pointsLine) bool) {
		for i, inst := range s.insts {
			sums := make(pointSums, len(s.tools))
			for _, e := range exams {
				s.addPoints(sums, &s.cells[i*len(s.c.Examinations)+e])
			}
			line := pointsLine{Name: inst.ID.String(), Path: s.instPath(i), Class: inst.Class.String()}
			if line.fill(sums) && !yield(line) {
				return
			}
		}
	}
}

// examsOf lists the examinations of a category.
func (s *site) examsOf(category string) (list []int) {
	for e, exam := range s.c.Examinations {
		if s.c.Judged.Result.Covers(category, exam.Category) {
			list = append(list, e)
		}
	}
	return list
}

// fill makes the cells of sums, the best of which is marked. It reports whether there is any.
func (l *pointsLine) fill(sums pointSums) bool {
	var best *big.Rat
	for _, sum := range sums {
		if sum != nil && (best == nil || sum.Cmp(best) > 0) {
			best = sum
		}
	}
	if best == nil {
		return false
	}
	l.Cells = make([]pointsCell, len(sums))
	for tool, sum := range sums {
		l.Cells[tool] = pointsCell{Points: "\u2013", Key: "0"}
		if sum != nil {
			l.Cells[tool] = pointsCell{Points: decimal(sum), Exact: exact(sum), Key: sortKey(sum), Best: best.Sign() > 0 && sum.Cmp(best) == 0}
		}
	}
	return true
}

// pointSums are points by tool; nil of a tool without a run.
type pointSums []*big.Rat

func (p pointSums) add(tool int, points *big.Rat) {
	if p[tool] == nil {
		p[tool] = new(big.Rat)
	}
	p[tool].Add(p[tool], points)
}

func (p pointSums) plus(others pointSums) {
	for tool, points := range others {
		if points != nil {
			p.add(tool, points)
		}
	}
}

// addPoints adds the points of the runs of a cell.
func (s *site) addPoints(sums pointSums, c *cell) {
	for _, r := range c.runs {
		if r.Void == "" {
			sums.add(s.toolAt[r.toolName()], r.points)
		}
	}
}
