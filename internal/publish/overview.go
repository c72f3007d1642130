package publish

import (
	"cmp"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"
	"time"
)

// podium is the podium of a category as the page shows it.
type podium struct {
	Name, Path string
	Places     []step
	Rest       int // ranked tools that are not on the podium
}

// step is one tool on a podium.
type step struct {
	Place  int
	Tool   string
	Path   string
	Points string
	Exact  string
	Share  string // of the winner's points
}

// placeWords name the places.
var placeWords = map[int]string{1: "first", 2: "second", 3: "third"}

// Word is the place in a word, as in the style sheet.
func (s step) Word() string { return placeWords[s.Place] }

func (s *site) podiums() []podium {
	var all []podium
	for _, cat := range s.c.Categories {
		p := podium{Name: clean(cat.Name), Path: categoryPath(cat.Name)}
		on := places(cat.Standings)
		for _, place := range on {
			p.Places = append(p.Places, step{place.Place, place.Tool, s.toolPath(place.Tool), decimal(place.Points),
				exact(place.Points), shareOf(place.Points, on[0].Points)})
		}
		for _, st := range cat.Standings {
			if st.Rank > 0 {
				p.Rest++
			}
		}
		p.Rest -= len(on)
		all = append(all, p)
	}
	return all
}

// shareOf is a percentage of the winner's points, empty where it means nothing.
func shareOf(points, best *big.Rat) string {
	if points == nil || best == nil || best.Sign() <= 0 || points.Sign() < 0 {
		return ""
	}
	share := new(big.Rat).Quo(points, best)
	return share.Mul(share, big.NewRat(100, 1)).FloatString(1) + " %"
}

// trustRow is the reliability of a tool.
type trustRow struct {
	Tool, Path      string
	Agree, Answered int
	Ratio           *big.Rat
	Width           string // percentage for the bar
	Differ          int
}

func (s *site) trustRows() []trustRow {
	var rows []trustRow
	for i, t := range s.tools {
		conf := s.trust[i]
		row := trustRow{Tool: t.Name, Path: s.toolPath(t.Name), Agree: conf.Agree, Answered: conf.Answered,
			Ratio: conf.ratio(), Width: "0", Differ: conf.Answered - conf.Agree}
		if row.Ratio != nil {
			row.Width = new(big.Rat).Mul(row.Ratio, big.NewRat(100, 1)).FloatString(2)
		}
		rows = append(rows, row)
	}
	return rows
}

// pointsRow is a line of a table of points by tool.
type pointsRow struct {
	Name, Path string
	Cells      []pointsCell // by tool
}

type pointsCell struct {
	Points string
	Exact  string
	Key    string
	Best   bool
	Place  string
	Ranked bool
}

// scoreTable is categories against tools.
func (s *site) scoreTable() []pointsRow {
	var rows []pointsRow
	for _, cat := range s.c.Categories {
		row := pointsRow{Name: clean(cat.Name), Path: categoryPath(cat.Name), Cells: make([]pointsCell, len(s.tools))}
		for i := range row.Cells {
			row.Cells[i] = pointsCell{Points: "\u2013", Key: "0"}
		}
		for _, st := range cat.Standings {
			if st.Dash {
				continue
			}
			row.Cells[s.toolAt[st.Tool]] = pointsCell{Points: decimal(st.Points), Exact: exact(st.Points), Key: sortKey(st.Points),
				Best: st.Rank == 1 && st.Points != nil && st.Points.Sign() > 0, Place: placeWords[st.Place], Ranked: true}
		}
		rows = append(rows, row)
	}
	return rows
}

// toolColumns are the tools as headings of columns.
type toolColumn struct{ Name, Path string }

func (s *site) toolColumns() []toolColumn {
	var columns []toolColumn
	for _, t := range s.tools {
		columns = append(columns, toolColumn{t.Name, s.toolPath(t.Name)})
	}
	return columns
}

type overviewBody struct {
	Podiums  []podium
	Trust    []trustRow
	Scores   []pointsRow
	Tools    []toolColumn
	CPU      time.Duration
	Right    int
	Wrong    int
	Machines []Machine
	Plots    []figure
	Models   int
}

func (s *site) writeOverview() error {
	body := overviewBody{Podiums: s.podiums(), Trust: s.trustRows(), Scores: s.scoreTable(), Tools: s.toolColumns(), Machines: s.c.Machines, Models: len(s.families)}
	var all tally
	for i := range s.tools {
		all = all.plus(s.sum(i, ""))
	}
	body.Right, body.Wrong, body.CPU = all.right, all.wrong, microseconds(all.cpu)
	if len(s.c.Runs) > 0 {
		body.Plots = s.timeFigures()
	}
	return s.render("overview", "index.html", page{Here: "overview", Title: "Results", Body: body,
		About: fmt.Sprintf("Podium, scores and reliability of %d tools on %d instances.", len(s.tools), len(s.insts))})
}

// categoryBody is the page of a category.
type categoryBody struct {
	Podium   podium
	Parts    []link // of a meta category
	Rows     []standingRow
	Rankings []Ranking
	Exams    []link
	Plots    []figure
	Wrong    []wrongSentence
	Margins  []marginView
	Without  []Without
	Tools    []toolColumn
	Models   iter.Seq[modelPoints]
}

// marginView is a margin with the pages of its decisions.
type marginView struct {
	Margin
	Decisions []decisiveView
}

type decisiveView struct {
	Decisive
	Value link // without a path where nobody disagreed
}

// marginViews finds the pages of disputed values.
func (s *site) marginViews(list []Margin) (views []marginView) {
	for _, m := range list {
		view := marginView{Margin: m}
		for _, d := range m.Decisions {
			shown := decisiveView{Decisive: d, Value: link{Text: d.Key.Instance.String() + ", " + string(d.Key.Exam) + ", " + clean(d.Key.Item)}}
			if c, err := s.find(d.Key.Instance, d.Key.Exam); err == nil {
				shown.Value.Path = s.instPath(c.inst) + "#" + safeName(string(d.Key.Exam))
				if item, ok := c.item(d.Key.Item); ok {
					shown.Value.Text = shortItem(c.refs[item])
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

// modelPoints is a line of the points of each tool on a model.
type modelPoints struct {
	Name, Path string
	Cells      []pointsCell
}

// pointsByModel sums up the points of a category by model and tool.
func (s *site) pointsByModel(category string) iter.Seq[modelPoints] {
	return func(yield func(modelPoints) bool) {
		exams := make([]bool, len(s.c.Examinations))
		for e, exam := range s.c.Examinations {
			exams[e] = s.within(category, exam.Category)
		}
		for m := range s.families {
			sums := make([]*big.Rat, len(s.tools)) // nil: no run
			var best *big.Rat
			for e, points := range s.modelSums(m) {
				if !exams[e] {
					continue
				}
				for tool, sum := range points {
					if sum != nil {
						sums[tool] = new(big.Rat).Add(cmp.Or(sums[tool], new(big.Rat)), sum)
					}
				}
			}
			row := modelPoints{Name: clean(s.families[m].name), Path: s.families[m].path(), Cells: make([]pointsCell, len(sums))}
			for _, sum := range sums {
				if sum != nil && (best == nil || sum.Cmp(best) > 0) {
					best = sum
				}
			}
			if best == nil {
				continue
			}
			for tool, sum := range sums {
				row.Cells[tool] = pointsCell{Points: "\u2013", Key: "0"}
				if sum != nil {
					row.Cells[tool] = pointsCell{Points: decimal(sum), Exact: exact(sum), Key: sortKey(sum), Best: best.Sign() > 0 && sum.Cmp(best) == 0}
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

func (s *site) addPoints(sums []*big.Rat, c *cell) {
	for _, r := range c.runs {
		if r.Void != "" {
			continue
		}
		tool := s.toolAt[r.Tool]
		if sums[tool] == nil {
			sums[tool] = new(big.Rat)
		}
		if r.Points != nil && r.Points.Sign() != 0 {
			sums[tool].Add(sums[tool], r.Points)
		}
	}
}

type standingRow struct {
	Standing
	Path  string
	Exact string
	Key   string
	Tally tally
	CPU   time.Duration
}

// Counts of the tally, for templates.
func (r standingRow) Right() int    { return r.Tally.right }
func (r standingRow) Wrong() int    { return r.Tally.wrong }
func (r standingRow) Unjudged() int { return r.Tally.unjudged }
func (r standingRow) Missed() int   { return r.Tally.missed }
func (r standingRow) Aside() int    { return r.Tally.aside }

func (s *site) writeCategories() error {
	for i, cat := range s.c.Categories {
		body := categoryBody{Podium: s.podiums()[i], Plots: s.categoryFigures(cat.Name), Rankings: cat.Rankings,
			Wrong: s.wrongIn(cat.Name), Margins: s.marginViews(cat.Margins), Without: cat.Without, Tools: s.toolColumns(), Models: s.pointsByModel(cat.Name)}
		for _, name := range cat.Of {
			if s.hasCategory(name) {
				body.Parts = append(body.Parts, link{categoryPath(name), clean(name)})
			}
		}
		for _, st := range sortedStandings(cat.Standings) {
			n := s.sum(s.toolAt[st.Tool], cat.Name)
			st.Note = clean(st.Note)
			body.Rows = append(body.Rows, standingRow{st, s.toolPath(st.Tool), exact(st.Points), sortKey(st.Points), n, microseconds(n.cpu)})
		}
		for e, exam := range s.c.Examinations {
			if s.within(cat.Name, exam.Category) {
				body.Exams = append(body.Exams, link{s.examPath(e), string(exam.ID)})
			}
		}
		err := s.render("category", categoryPath(cat.Name), page{Here: "examinations", Title: "Category " + clean(cat.Name), Body: body, Trail: []link{{"examinations.html", "Examinations"}},
			About: "Ranking of the tools in category " + clean(cat.Name) + "."})
		if err != nil {
			return err
		}
	}
	return nil
}

// examListRow is an examination in the list of examinations.
type examListRow struct {
	Name, Path string
	Category   link // without a path where there is no such ranking
	Cells      []pointsCell
	Values     int
	Splits     int
}

func (s *site) writeExaminations() error {
	rows := make([]examListRow, len(s.c.Examinations))
	for e, exam := range s.c.Examinations {
		rows[e] = examListRow{Name: string(exam.ID), Path: s.examPath(e), Category: s.categoryLink(exam.Category), Cells: make([]pointsCell, len(s.tools))}
		sums := make([]*big.Rat, len(s.tools))
		for i := range sums {
			sums[i] = new(big.Rat)
		}
		for i := range s.insts {
			c := &s.cells[i*len(rows)+e]
			rows[e].Values += len(c.refs)
			for _, r := range c.runs {
				if r.Points != nil {
					sums[s.toolAt[r.Tool]].Add(sums[s.toolAt[r.Tool]], r.Points)
				}
			}
		}
		for i, sum := range sums {
			rows[e].Cells[i] = pointsCell{Points: decimal(sum), Exact: exact(sum), Key: sortKey(sum), Ranked: s.tally[i][e].runs > 0}
		}
	}
	for _, sp := range s.splits {
		rows[sp.cell.exam].Splits++
	}
	body := struct {
		Rows       []examListRow
		Tools      []toolColumn
		Categories []link
	}{rows, s.toolColumns(), s.categoryLinks()}
	if err := s.render("examinations", "examinations.html", page{Here: "examinations", Title: "Examinations", Body: body}); err != nil {
		return err
	}
	return inParallel(len(rows), s.writeExamination)
}

// gridRow is a line of runs: one per tool.
type gridRow struct {
	Name, Path string
	Class      string
	Kind       string
	Cells      []runCell
}

// runCell is a run in a grid.
type runCell struct {
	Path   string // empty when there is no run
	Label  string // for those who do not see the grid
	Mask   []Mark
	Note   string // void, DNC, CC, or why the run was stopped
	Points *big.Rat
	Key    string

	NoScore string // why there are no points
	Cost    string // CPU time and memory, as far as they were measured
}

// runCells are the runs of a cell of the contest, one per tool.
func (s *site) runCells(c *cell) []runCell {
	cells := make([]runCell, len(s.tools))
	for i, t := range s.tools {
		r := c.run(t.Name)
		if r == nil {
			cells[i].Key = "-999999"
			continue
		}
		cells[i] = runCell{Path: s.runPath(r), Points: r.Points, Key: sortKey(r.Points), Note: runNote(r), NoScore: clean(r.NoScore), Cost: cost(r),
			Label: fmt.Sprintf("%s on %s of %s", t.Name, r.Exam, r.Instance)}
		if mask := c.mask(r); r.Void == "" && slices.ContainsFunc(mask, func(m Mark) bool { return m != Missing }) {
			cells[i].Mask = mask
		}
	}
	return cells
}

// cost is what a run took, in few words.
func cost(r *Run) string {
	var parts []string
	if !r.NoTimes && r.CPU > 0 {
		parts = append(parts, duration(r.CPU))
	}
	if !r.NoMemory && r.MemoryPeak > 0 {
		parts = append(parts, size(r.MemoryPeak))
	}
	return strings.Join(parts, ", ")
}

// runNote says what is special about a run, in a word.
func runNote(r *Run) string {
	switch {
	case r.Void != "":
		return "void"
	case r.SetAside:
		return "set aside"
	case r.stopped():
		return terminationShort(r)
	case r.Participation == DoNotCompete:
		return "does not compete"
	case r.Participation == CannotCompute:
		return "cannot compute"
	case r.ExitCode != 0:
		return fmt.Sprintf("exit code %d", r.ExitCode)
	}
	return ""
}

type examinationBody struct {
	Name     string
	Category link
	Tools    []toolColumn
	Totals   []pointsCell
	Rows     iter.Seq[gridRow]
	Asked    string
	Splits   []link
	More     int
}

// maxSplitLinks bounds the disagreements that the page of an examination names;
// the list of disagreements has them all.
const maxSplitLinks = 40

func (s *site) writeExamination(e int) error {
	exam := s.c.Examinations[e]
	body := examinationBody{Name: string(exam.ID), Category: s.categoryLink(exam.Category), Tools: s.toolColumns()}
	body.Rows = func(yield func(gridRow) bool) {
		for i, inst := range s.insts {
			if !yield(gridRow{inst.ID.String(), s.instPath(i), inst.Class.String(), netWord(inst.ID), s.runCells(&s.cells[i*len(s.c.Examinations)+e])}) {
				return
			}
		}
	}
	for i := range s.tools {
		n := s.tally[i][e]
		body.Totals = append(body.Totals, pointsCell{Points: fmt.Sprintf("%s right, %s wrong", count(n.right), count(n.wrong))})
	}
	for n, sp := range s.splits {
		if sp.cell.exam != e {
			continue
		}
		if len(body.Splits) == maxSplitLinks {
			body.More++
			continue
		}
		body.Splits = append(body.Splits, link{s.splitPath(n), shortItem(sp.cell.refs[sp.item])})
	}
	return s.render("examination", s.examPath(e), page{Here: "examinations", Title: string(exam.ID), Body: body,
		Trail: []link{{"examinations.html", "Examinations"}}, About: "Every run of examination " + string(exam.ID) + "."})
}

// categoryLinks lead to all categories.
func (s *site) categoryLinks() (list []link) {
	for _, cat := range s.c.Categories {
		list = append(list, s.categoryLink(cat.Name))
	}
	return list
}

// categoryLink names a category, with its page where it has one.
func (s *site) categoryLink(name string) link {
	if !s.hasCategory(name) {
		return link{Text: clean(name)}
	}
	return link{categoryPath(name), clean(name)}
}

func (s *site) hasCategory(name string) bool {
	for _, cat := range s.c.Categories {
		if cat.Name == name {
			return true
		}
	}
	return false
}

// shortItem names a value of the whole contest: the identifiers of formulas
// mostly begin with the instance already.
func shortItem(r *Reference) string {
	inst := r.Key.Instance.String()
	if strings.HasPrefix(r.Key.Item, inst) {
		return clean(r.Key.Item)
	}
	if r.Key.Item == string(r.Key.Exam) {
		return inst + ", " + r.Key.Item
	}
	return inst + ", " + string(r.Key.Exam) + ", " + clean(r.Key.Item)
}

// itemWithin names a value where the instance is known.
func itemWithin(inst, item string) string {
	if rest, ok := strings.CutPrefix(item, inst+"-"); ok && rest != "" {
		return clean(rest)
	}
	return clean(item)
}
