package publish

import (
	"html/template"
	"iter"
	"slices"
)

// instanceRow is an instance in the list of instances.
type instanceRow struct {
	Name, Path, Family, Class, Kind string
	Facts                           []Named
	Right, Wrong, Asked, Splits     int
}

func (s *site) writeInstances() error {
	body := struct {
		Facts []string
		Rows  iter.Seq[instanceRow]
	}{s.factNames(), func(yield func(instanceRow) bool) {
		for i := range s.insts {
			if !yield(s.instanceRow(i)) {
				return
			}
		}
	}}
	if err := s.render("instances", "instances.html", page{Here: "instances", Title: "Instances", Body: body}); err != nil {
		return err
	}
	return inParallel(len(s.insts), func(i int) error {
		if err := s.writeInstance(i); err != nil {
			return err
		}
		return s.writeLogs(i)
	})
}

// factNames are the facts that every instance has, in the order of the first.
func (s *site) factNames() []string {
	var names []string
	if len(s.insts) == 0 {
		return nil
	}
	for _, f := range s.insts[0].Facts {
		everywhere := !slices.ContainsFunc(s.insts, func(i *Instance) bool {
			return !slices.ContainsFunc(i.Facts, func(g Named) bool { return g.Name == f.Name })
		})
		if everywhere {
			names = append(names, f.Name)
		}
	}
	return names
}

func (s *site) instanceRow(i int) instanceRow {
	inst := s.insts[i]
	row := instanceRow{Name: inst.ID.String(), Path: s.instPath(i), Family: inst.ID.Family, Class: inst.Class.String(), Kind: inst.ID.Kind.String()}
	for _, name := range s.factNames() {
		at := slices.IndexFunc(inst.Facts, func(f Named) bool { return f.Name == name })
		row.Facts = append(row.Facts, inst.Facts[at])
	}
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

type instanceBody struct {
	instanceRow
	Digest   string
	AllFacts []Named
	Tools    []toolColumn
	Grid     []gridRow
	Logs     string // the page of its logs, empty when none was kept
	Parts    iter.Seq[template.HTML]
}

func (s *site) writeInstance(i int) error {
	inst := s.insts[i]
	cells := s.cells[i*len(s.c.Examinations) : (i+1)*len(s.c.Examinations)]
	body := instanceBody{instanceRow: s.instanceRow(i), Digest: inst.Digest, AllFacts: slices.Concat(inst.Facts, inst.Record), Tools: s.toolColumns()}
	if s.hasLogs(i) {
		body.Logs = s.logPage(i)
	}
	for e, exam := range s.c.Examinations {
		body.Grid = append(body.Grid, gridRow{Name: string(exam.ID), Path: body.Path + "#" + safeName(string(exam.ID)), Cells: s.runCells(&cells[e])})
	}
	body.Parts = func(yield func(template.HTML) bool) {
		m := &markup{}
		for e := range cells {
			if !yield(s.examPart(&cells[e], m)) {
				return
			}
		}
	}
	return s.render("instance", body.Path, page{Here: "instances", Title: body.Name, Body: body, Trail: []link{{"instances.html", "Instances"}},
		About: "Every run on instance " + body.Name + "."})
}
