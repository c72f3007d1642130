package publish

import (
	"cmp"
	"fmt"
	"html/template"
	"iter"
	"slices"
	"strings"

	"podium/examinations/output"
	"podium/internal/publish/paths"
	"podium/internal/together"
	"podium/models"
	"podium/scoring"
)

// model is the instances of one family.
type model struct {
	name, file string
	insts      []int // numbers of instances, by kind and parameter as people count
}

// models groups the instances by family. The second list gives each instance its model.
func (v *view) models() (list []model, of []int) {
	of = make([]int, len(v.insts))
	var names []string
	for i, inst := range v.insts { // by family
		if n := len(list); n == 0 || list[n-1].name != inst.ID.Family {
			list, names = append(list, model{name: inst.ID.Family}), append(names, inst.ID.Family)
		}
		of[i] = len(list) - 1
		list[of[i]].insts = append(list[of[i]].insts, i)
	}
	files := paths.Names(names)
	for m := range list {
		list[m].file = files[m]
		slices.SortStableFunc(list[m].insts, func(a, b int) int {
			x, y := v.insts[a].ID, v.insts[b].ID
			return cmp.Or(cmp.Compare(x.Kind, y.Kind), compareNumbered(x.Param, y.Param))
		})
	}
	return list, of
}

// compareNumbered orders texts as people count: digits that follow each other are a
// number, so that 9 stands before 10.
func compareNumbered(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
		if n == 0 || m == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
		if order := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); order != 0 {
			return order
		}
		x, y = x[n:], y[m:]
	}
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(a, b))
}

// digits counts the digits that a text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

func (m *model) path() string { return paths.Model(m.file) }

// byKind returns the instances of a kind, in their order.
func (s *site) byKind(m *model, kind models.Kind) (list []int) {
	for _, i := range m.insts {
		if s.insts[i].ID.Kind == kind {
			list = append(list, i)
		}
	}
	return list
}

// modelRow is a model in the list of models.
type modelRow struct {
	Name, Path, Nets, Classes    string
	Instances, Asked, Found      int // Found: values that a tool answered right
	Right, Wrong, Splits, Silent int // Silent: values that no tool answered
	Parts                        [4]int
}

// Hard shows how many tools answered the values of the model right.
func (r modelRow) Hard() template.HTML { return hardBar(r.Parts) }

// ShareKey is what the share of the values found is sorted by.
func (r modelRow) ShareKey() string {
	return fmt.Sprintf("%.6f", float64(r.Found)/float64(max(1, r.Asked)))
}

func (s *site) modelRow(m *model) modelRow {
	row := modelRow{Name: clean(m.name), Path: m.path(), Instances: len(m.insts)}
	var nets, classes []string
	for _, i := range m.insts {
		if word := netWord(s.insts[i].ID); !slices.Contains(nets, word) {
			nets = append(nets, word)
		}
		if word := s.insts[i].Class.String(); !slices.Contains(classes, word) {
			classes = append(classes, word)
		}
		of := s.instanceRow(i)
		row.Asked, row.Right, row.Wrong, row.Splits = row.Asked+of.Asked, row.Right+of.Right, row.Wrong+of.Wrong, row.Splits+of.Splits
		for e := range s.c.Examinations {
			reached, silent := s.reached(&s.cells[i*len(s.c.Examinations)+e])
			row.Silent += silent
			for k, n := range together.Hardness(reached, s.together.Taking(e)) {
				row.Parts[k] += n
			}
		}
	}
	row.Found = row.Asked - row.Parts[0]
	row.Nets, row.Classes = strings.Join(nets, ", "), strings.Join(classes, ", ")
	return row
}

// reached counts the values of a cell by the number of tools that answered them right,
// and those that no tool answered at all.
func (s *site) reached(c *cell) (by []int, silent int) {
	by = make([]int, len(s.tools)+1)
	for k := range c.refs {
		answered, hits := false, 0
		for i, r := range c.runs {
			if r.Void == "" {
				if c.masks[i][k] == scoring.Right {
					hits++
				}
				answered = answered || c.masks[i][k] != scoring.Missing
			}
		}
		by[hits]++
		if !answered {
			silent++
		}
	}
	return by, silent
}

func (s *site) writeModels() error {
	rows := make([]modelRow, len(s.families))
	if err := s.tree.inParallel("models", len(rows), func(m int) error {
		rows[m] = s.modelRow(&s.families[m])
		return s.writeModel(&s.families[m], rows[m])
	}); err != nil {
		return err
	}
	return s.render("models", "models.html", page{Here: "models", Title: s.say("Models"), Body: rows,
		About: s.say("Every model of the contest, and how well the tools did on it.")})
}

// modelBody is the page of a model.
type modelBody struct {
	modelRow
	Facts   []Named
	Tools   []toolColumn
	Exams   []link
	Ladders []ladders
	Drawn   link // the instance of the picture
	Picture template.HTML
}

// ladders are the plots and the table of the nets of one kind.
type ladders struct {
	Kind   string
	Form   []string // what the structure of the nets is, as far as it is known, in sentences
	Asked  []string // behavioural properties that the contest asks
	Known  []behaviour
	Facts  []string
	Plots  iter.Seq[template.HTML]
	Low    int // power of ten of the least time of the plots, in seconds
	Rows   iter.Seq[ladderRow]
	Anchor string
}

// ladderRow is an instance on the page of its model.
type ladderRow struct {
	Name, Path string
	Facts      []Named
	Cells      []ladderCell
}

// ladderCell is what became of an examination of an instance.
type ladderCell struct {
	Path        string
	Tools, Runs int    // tools that answered all values right; that took part
	Some        int    // tools that answered some right
	Best        string // the fastest of those that answered all right, with its time
	Class       string
}

func (s *site) writeModel(m *model, row modelRow) error {
	body := modelBody{modelRow: row, Tools: s.toolColumns()}
	for _, i := range m.insts {
		if record := s.insts[i].Record; len(record) > 0 {
			body.Facts = record
			break
		}
	}
	for _, i := range m.insts {
		if s.insts[i].Net != nil {
			body.Picture, body.Drawn = s.netPicture(i), link{s.instPath(i), s.insts[i].ID.String()}
			break
		}
	}
	for e, exam := range s.c.Examinations {
		body.Exams = append(body.Exams, link{s.examPath(e), string(exam.ID)})
	}
	for _, kind := range []models.Kind{models.COL, models.PT} {
		insts := s.byKind(m, kind)
		if len(insts) == 0 {
			continue
		}
		facts := s.factNamesOf(insts)
		of := ladders{Kind: "Place/transition nets", Anchor: kind.String(), Facts: facts}
		if kind == models.COL {
			of.Kind = "Symmetric (coloured) nets"
		} else if !s.hasNets() || s.insts[insts[0]].Property != "" {
			of.Kind = "Tasks"
		}
		if netWord(s.insts[insts[0]].ID) != "" {
			of.Form, of.Asked, of.Known = s.formOf(insts), s.behaviourAsked(), s.behaviourOf(insts)
		}
		if len(insts) > 1 {
			scale := s.ladderScale(insts)
			of.Plots, of.Low = s.ladderPlots(m, insts, scale), scale.low
		}
		of.Rows = func(yield func(ladderRow) bool) {
			for _, i := range insts {
				if !yield(s.ladderRow(i, facts)) {
					return
				}
			}
		}
		body.Ladders = append(body.Ladders, of)
	}
	return s.render("model", row.Path, page{Here: "models", Title: row.Name, Body: body, Follows: true, Trail: []link{{"models.html", s.say("Models")}},
		About: s.say("What the tools did on the instances of model ") + row.Name + "."})
}

func (s *site) ladderRow(i int, facts []string) ladderRow {
	inst := s.insts[i]
	row := ladderRow{Name: inst.ID.String(), Path: s.instPath(i), Facts: s.factsOf(i, facts)}
	for e := range s.c.Examinations {
		row.Cells = append(row.Cells, s.ladderCell(&s.cells[i*len(s.c.Examinations)+e]))
	}
	return row
}

func (s *site) ladderCell(c *cell) ladderCell {
	cell := ladderCell{Path: s.instPath(c.inst) + "#" + paths.Name(string(s.c.Examinations[c.exam].ID))}
	var best *run
	for i, r := range c.runs {
		if r.Void != "" || r.Participation == output.DoesNotCompete {
			continue
		}
		cell.Runs++
		switch solvedness(c.masks[i]) {
		case solvedAll:
			cell.Tools++
			if r.Times() && (best == nil || r.CPUTime < best.CPUTime) {
				best = r
			}
		case solvedSome:
			cell.Some++
		}
	}
	if best != nil {
		cell.Best = fmt.Sprintf("%s %s", clean(best.toolName()), duration(best.CPUTime.Duration()))
	}
	switch {
	case cell.Tools == 0 && cell.Some == 0:
		cell.Class = "h0"
	case cell.Tools == 0:
		cell.Class = "h1"
	default:
		cell.Class = fmt.Sprintf("h%d", 2+min(3, 3*cell.Tools/max(1, cell.Runs)))
	}
	return cell
}

// How much of what was asked a run answered right.
const (
	solvedNone = iota
	solvedSome
	solvedAll
)

// solvedness reports whether all marks of a run are right, or some.
func solvedness(mask []scoring.Mark) int {
	switch right := rightOf(mask); {
	case right == 0:
		return solvedNone
	case right == len(mask):
		return solvedAll
	}
	return solvedSome
}
