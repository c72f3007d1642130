package publish

import (
	"bufio"
	"fmt"
	"html/template"
	"iter"
	"slices"

	"podium/internal/publish/paths"
	"podium/models"
)

// instanceRow is an instance in the list of instances.
type instanceRow struct {
	Name, Path, Family, Class, Kind string
	Model                           link
	Facts                           []Named
	Right, Wrong, Asked, Splits     int
}

func (s *site) writeInstances() error {
	all := make([]int, len(s.insts))
	for i := range all {
		all[i] = i
	}
	facts := s.listedFacts(all)
	body := struct {
		Facts []string
		Gaps  bool // some sizes are not known
		Rows  iter.Seq[instanceRow]
	}{facts, s.gaps(all, facts), func(yield func(instanceRow) bool) {
		for i := range s.insts {
			row := s.instanceRow(i)
			row.Facts = s.factsOf(i, facts)
			if !yield(row) {
				return
			}
		}
	}}
	if err := s.render("instances", "instances.html", page{Here: "instances", Title: s.say("Instances"), Body: body}); err != nil {
		return err
	}
	return s.tree.inParallel("instances", len(s.insts), func(i int) error {
		if err := s.writeInstance(i); err != nil {
			return err
		}
		return s.writeLogs(i)
	})
}

// sizes are the facts that every net has, of whatever kind.
var sizes = []string{"places", "transitions", "arcs"}

// factNamesOf are the facts that some instances have, in their order.
func (s *site) factNamesOf(insts []int) (names []string) {
	for _, i := range insts {
		for _, f := range s.insts[i].Facts {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// listedFacts are the sizes that any of some instances has: a table of all instances has no
// room for more.
func (s *site) listedFacts(insts []int) []string {
	return slices.DeleteFunc(s.factNamesOf(insts), func(name string) bool { return !slices.Contains(sizes, name) })
}

// gaps reports whether some instances lack some of the facts.
func (s *site) gaps(insts []int, names []string) bool {
	return slices.ContainsFunc(insts, func(i int) bool {
		return slices.ContainsFunc(names, func(name string) bool { return s.fact(i, name).Text == "" })
	})
}

// fact is a fact of an instance, without a text where it is not known.
func (s *site) fact(i int, name string) Named {
	for _, f := range s.insts[i].Facts {
		if f.Name == name {
			return f
		}
	}
	return Named{Name: name}
}

func (s *site) instanceRow(i int) instanceRow {
	inst := s.insts[i]
	row := instanceRow{Name: inst.ID.String(), Path: s.instPath(i), Family: inst.ID.Family, Class: inst.Class.String(), Kind: netWord(inst.ID)}
	row.Model = link{s.families[s.familyOf[i]].path(), clean(inst.ID.Family)}
	for e := range s.c.Examinations {
		c := &s.cells[i*len(s.c.Examinations)+e]
		n := tally{}
		for _, r := range c.runs {
			n.add(c, r)
		}
		row.Right, row.Wrong, row.Asked = row.Right+n.right, row.Wrong+n.wrong, row.Asked+len(c.refs)
		for k := c.splits; k < len(s.splits) && s.splits[k].cell == c; k++ {
			row.Splits++
		}
	}
	return row
}

// netWord is PT or COL; empty for an instance whose name is not that of a net, such as a
// task.
func netWord(id models.ID) string {
	if id.Param == "" {
		return ""
	}
	return id.Kind.String()
}

// factsOf are the facts of an instance that have these names.
func (s *site) factsOf(i int, names []string) (list []Named) {
	for _, name := range names {
		list = append(list, s.fact(i, name))
	}
	return list
}

// ladderStep is an instance that stands next to another in the ladder of its model.
type ladderStep struct {
	link
	inst int
}

// steps lead to the instances of the next smaller and the next greater parameter.
func (s *site) steps(i int) (list []ladderStep) {
	of := s.byKind(&s.families[s.familyOf[i]], s.insts[i].ID.Kind)
	at := slices.Index(of, i)
	if at > 0 {
		list = append(list, ladderStep{link{s.instPath(of[at-1]), "previous: " + s.insts[of[at-1]].ID.Param}, of[at-1]})
	}
	if at+1 < len(of) {
		list = append(list, ladderStep{link{s.instPath(of[at+1]), "next: " + s.insts[of[at+1]].ID.Param}, of[at+1]})
	}
	return list
}

// netPicture draws a small net, nothing where it is large or not known.
func (s *site) netPicture(i int) template.HTML {
	inst := s.insts[i]
	if inst.Net == nil {
		return ""
	}
	places := 0
	for _, n := range inst.Net.Nodes {
		if n.Place {
			places++
		}
	}
	alt := fmt.Sprintf("The net %s: %s, %s, %s.", inst.ID, things(places, "place"), things(len(inst.Net.Nodes)-places, "transition"), things(len(inst.Net.Arcs), "arc"))
	return template.HTML(`<figure class="net" tabindex="0">` + inst.Net.SVG(alt) + `</figure>`)
}

type instanceBody struct {
	instanceRow
	Steps []ladderStep
	Form  []string // structural properties that hold
	// and those of which it is not known
	FormUnknown []string

	Picture  template.HTML
	Digest   string
	AllFacts []Named
	Tools    []toolColumn
	Grid     template.HTML
	Logs     string // the page of its logs, empty when none was kept
	Parts    template.HTML
}

func (s *site) writeInstance(i int) error {
	inst := s.insts[i]
	var cells []*cell
	for e := range s.c.Examinations {
		if c := &s.cells[i*len(s.c.Examinations)+e]; !s.elsewhere(c) {
			cells = append(cells, c)
		}
	}
	body := instanceBody{instanceRow: s.instanceRow(i), Steps: s.steps(i), Form: inst.Form, FormUnknown: inst.FormUnknown, Picture: s.netPicture(i), Digest: inst.Digest, AllFacts: slices.Concat(inst.Facts, inst.Record), Tools: s.toolColumns()}
	if s.hasLogs(i) {
		body.Logs = s.logPage(i)
	}
	body.Grid, body.Parts = byHand, byHand
	room := partRooms.Get().(*partRoom)
	defer partRooms.Put(room)
	grid := func(w *bufio.Writer) error { return s.writeInstanceGrid(w, &room.markup, body.Path, cells) }
	parts := func(w *bufio.Writer) error {
		for _, c := range cells {
			room.b = room.b[:0]
			s.examPart(c, room)
			if _, err := w.Write(room.b); err != nil {
				return err
			}
		}
		return nil
	}
	trail := []link{{"instances.html", s.say("Instances")}, body.Model}
	if body.Kind == "" {
		trail = trail[:1] // a task is its own model
	}
	var sheets []string
	if s.draws() {
		sheets = []string{"chart.css"}
	}
	return s.renderAround("instance", body.Path, page{Here: "instances", Title: body.Name, Body: body, Trail: trail, Sheets: sheets,
		About: s.say("Every run on instance ") + body.Name + "."}, grid, parts)
}

// elsewhere reports whether a task is not in a category: nothing is asked of it there, and nothing ran.
func (s *site) elsewhere(c *cell) bool {
	return s.c.Examinations[c.exam].Task && len(c.refs) == 0 && len(c.runs) == 0
}

// writeInstanceGrid writes all runs on an instance, a line for each examination.
func (s *site) writeInstanceGrid(w *bufio.Writer, m *markup, path string, cells []*cell) error {
	m.b = m.b[:0]
	for _, c := range cells {
		name := string(s.c.Examinations[c.exam].ID)
		s.writeGridRow(m, c, `<th scope="row"><a href="../`, path, "#", paths.Name(name), `">`, string(breakable(name)), "</a></th>")
	}
	_, err := w.Write(m.b)
	return err
}
