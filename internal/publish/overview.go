package publish

import (
	"bufio"
	"fmt"
	"html/template"
	"math/big"
	"slices"
	"strings"
	"time"

	"podium/examinations/output"
	"podium/internal/publish/paths"
)

// podium is the podium of a category as the page shows it.
type podium struct {
	Name, Path string
	Places     []step
	Rest       int  // ranked tools that are not on the podium
	Demo       bool // of a demonstration, which has none
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
	for i := range s.c.Categories {
		cat := &s.c.Categories[i]
		p, standings := podium{Name: clean(cat.Name), Path: paths.Category(cat.Name), Demo: cat.Demo}, s.c.standings(cat)
		on := places(standings)
		for _, place := range on {
			p.Places = append(p.Places, step{place.Place, place.Tool, s.toolPath(place.Tool), decimal(place.Points),
				exact(place.Points), shareOf(place.Points, on[0].Points)})
		}
		for _, st := range standings {
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
			Ratio: ratioOf(conf), Width: "0", Differ: conf.Answered - conf.Agree}
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
	for k := range s.c.Categories {
		cat := &s.c.Categories[k]
		row := pointsRow{Name: clean(cat.Name), Path: paths.Category(cat.Name), Cells: make([]pointsCell, len(s.tools))}
		for i := range row.Cells {
			row.Cells[i] = pointsCell{Points: "\u2013", Key: "0"}
		}
		for _, st := range s.c.standings(cat) {
			if st.Dash {
				continue
			}
			row.Cells[s.toolAt[st.Tool]] = pointsCell{Points: decimal(st.Points), Exact: exact(st.Points), Key: sortKey(st.Points),
				Best: st.Rank == 1 && st.Points.Sign() > 0, Place: placeWords[st.Place], Ranked: true}
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
	Medals   []medalsRow
	Trust    []trustRow
	Scores   []pointsRow
	Tools    []toolColumn
	CPU      time.Duration
	Right    int
	Wrong    int
	Machines []Machine
	Plots    []figure
	Models   int
	Years    boardTable
	Leaders  []leaderRow // of tasks
}

func (s *site) writeOverview() error {
	body := overviewBody{Podiums: s.podiums(), Medals: s.medals(), Trust: s.trustRows(), Scores: s.scoreTable(), Tools: s.toolColumns(), Machines: s.c.Machines, Models: len(s.families), Leaders: s.leaders()}
	var all tally
	for i := range s.tools {
		all = all.plus(s.sum(i, ""))
	}
	body.Right, body.Wrong, body.CPU = all.right, all.wrong, microseconds(all.cpu)
	if len(s.c.runs) > 0 {
		body.Plots = s.timeFigures()
	}
	if len(s.c.Earlier) > 0 {
		body.Years = s.podiumsOfYears()
	}
	return s.render("overview", "index.html", page{Here: "overview", Title: "Results", Body: body, Follows: true,
		About: s.say(fmt.Sprintf("Podium, scores and reliability of %s on %s.", things(len(s.tools), "tool"), things(len(s.insts), "instance")))})
}

// examListRow is an examination in the list of examinations.
type examListRow struct {
	Name, Path string
	Category   link // without a path where there is no such ranking
	Cells      []pointsCell
	Order      []int // tools, the most points first
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
				sums[s.toolAt[r.toolName()]].Add(sums[s.toolAt[r.toolName()]], r.points)
			}
		}
		best := new(big.Rat)
		for i, sum := range sums {
			if !s.tools[i].OutOfCompetition && sum.Cmp(best) > 0 {
				best = sum
			}
		}
		for i, sum := range sums {
			rows[e].Cells[i] = pointsCell{Points: decimal(sum), Exact: exact(sum), Key: sortKey(sum), Ranked: s.tally[i][e].runs > 0,
				Best: best.Sign() > 0 && sum.Cmp(best) == 0 && !s.tools[i].OutOfCompetition}
			rows[e].Order = append(rows[e].Order, i)
		}
		slices.SortStableFunc(rows[e].Order, func(i, j int) int { return sums[j].Cmp(sums[i]) })
	}
	for _, sp := range s.splits {
		rows[sp.cell.exam].Splits++
	}
	body := struct {
		Rows       []examListRow
		Tools      []toolColumn
		Categories []link
		Overview   []categoryRow // of tasks
	}{rows, s.toolColumns(), s.categoryLinks(), s.categoryRows()}
	if err := s.render("examinations", "examinations.html", page{Here: "examinations", Title: s.say("Examinations"), Body: body}); err != nil {
		return err
	}
	return s.tree.inParallel("examinations", len(rows), func(e int) error { return s.writeExamination(e, &rows[e]) })
}

// cost is what a run took, in few words.
func cost(r *run) string {
	var parts []string
	if r.Times() && r.CPUTime > 0 {
		parts = append(parts, duration(r.CPUTime.Duration()))
	}
	if r.Memory() && r.MemoryPeak > 0 {
		parts = append(parts, size(r.MemoryPeak))
	}
	return strings.Join(parts, ", ")
}

// runNote says what is special about a run, in a word.
func runNote(r *run) string {
	switch {
	case r.Void != "":
		return "void"
	case r.setAside:
		return "set aside"
	case r.Stopped():
		return terminationShort(r)
	case r.Participation == output.DoesNotCompete:
		return "does not compete"
	case r.Participation == output.CannotCompute && netWord(r.instance()) == "":
		return "unknown"
	case r.Participation == output.CannotCompute:
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
	Points   []toolPoints  // the most first
	Totals   [][]countCell // by tool
	Rows     template.HTML
	Asked    string
	Splits   []link
	More     int
}

// toolPoints are the points of a tool in an examination.
type toolPoints struct {
	toolColumn
	pointsCell
	OutOfCompetition bool
}

// maxSplitLinks bounds the disagreements that the page of an examination names;
// the list of disagreements has them all.
const maxSplitLinks = 40

func (s *site) writeExamination(e int, row *examListRow) error {
	exam := s.c.Examinations[e]
	body := examinationBody{Name: string(exam.ID), Rows: byHand, Category: row.Category, Tools: s.toolColumns()}
	for _, i := range row.Order {
		if row.Cells[i].Ranked {
			body.Points = append(body.Points, toolPoints{body.Tools[i], row.Cells[i], s.tools[i].OutOfCompetition})
		}
	}
	for i := range s.tools {
		columns := countsOf(s.tally[i][e:e+1], "False alarms", "Wrong proofs", "Stopped")
		body.Totals = append(body.Totals, countCells(columns, s.tally[i][e], "tool", s.tools[i].Name, "examination", string(exam.ID)))
	}
	for n, sp := range s.splits {
		if sp.cell.exam != e {
			continue
		}
		if len(body.Splits) == maxSplitLinks {
			body.More++
			continue
		}
		body.Splits = append(body.Splits, link{s.splitPath(n), shortItem(&sp.cell.refs[sp.item])})
	}
	return s.renderAround("examination", s.examPath(e), page{Here: "examinations", Title: string(exam.ID), Body: body, Follows: true,
		Trail: []link{{"examinations.html", s.say("Examinations")}}, About: s.say("Every run of examination ") + string(exam.ID) + "."}, func(w *bufio.Writer) error { return s.writeExamRows(w, e) })
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
	return link{paths.Category(name), clean(name)}
}

func (s *site) hasCategory(name string) bool {
	return slices.ContainsFunc(s.c.Categories, func(c Category) bool { return c.Name == name })
}

// shortItem names a value of the whole contest: the identifiers of formulas
// mostly begin with the instance already.
func shortItem(r *ref) string {
	key := r.key()
	inst := key.Instance.String()
	if strings.HasPrefix(key.Item, inst) {
		return clean(key.Item)
	}
	if key.Item == string(key.Exam) {
		return inst + ", " + key.Item
	}
	return inst + ", " + string(key.Exam) + ", " + clean(key.Item)
}

// itemWithin names a value where the instance is known.
func itemWithin(inst, item string) string {
	if rest, ok := strings.CutPrefix(item, inst+"-"); ok && rest != "" {
		return clean(rest)
	}
	return clean(item)
}
