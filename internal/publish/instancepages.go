package publish

import (
	"iter"
	"slices"
	"strings"

	"podium/examinations"
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
		return s.writeRuns(i)
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
	Asked    []askedExam
}

// askedExam is what an examination asked of the instance, with the reference
// values.
type askedExam struct {
	Name, Path string
	Rows       []askedRow
}

type askedRow struct {
	Item     string
	Full     string
	Value    examinations.Value
	State    State
	Rule     string
	Question string
	Votes    int
	Split    string
	Certainty
}

func (s *site) writeInstance(i int) error {
	inst := s.insts[i]
	body := instanceBody{instanceRow: s.instanceRow(i), Digest: inst.Digest, AllFacts: slices.Concat(inst.Facts, inst.Record), Tools: s.toolColumns()}
	for e, exam := range s.c.Examinations {
		c := &s.cells[i*len(s.c.Examinations)+e]
		body.Grid = append(body.Grid, gridRow{Name: string(exam.ID), Path: s.examPath(e), Cells: s.runCells(c)})
		if len(c.refs) > 0 {
			body.Asked = append(body.Asked, askedExam{string(exam.ID), s.examPath(e), s.askedRows(c)})
		}
	}
	return s.render("instance", body.Path, page{Here: "instances", Title: body.Name, Body: body, Trail: []link{{"instances.html", "Instances"}},
		About: "Every run on instance " + body.Name + "."})
}

func (s *site) askedRows(c *cell) []askedRow {
	var rows []askedRow
	for k, r := range c.refs {
		row := askedRow{itemWithin(r.Key.Instance.String(), r.Key.Item), clean(r.Key.Item), r.Value, r.State, clean(r.Rule), clean(r.Question), len(r.Votes), "", r.Ruling.Certainty}
		if n := s.split(c, k); n >= 0 {
			row.Split = s.splitPath(n)
		}
		rows = append(rows, row)
	}
	return rows
}

// splitRow is a disagreement in the list of disagreements.
type splitRow struct {
	Path, Item     string
	Inst           link
	Exam           string
	Elected        examinations.Value
	State          State
	Camps          []campView
	Losers, Silent []string // who answered otherwise than the reference value, with a vote and without
	Doubts         []string
	Rule, Clause   string
	Question, Full string
	Ruling         Ruling
}

// campView is a camp as pages show it.
type campView struct {
	Value   examinations.Value
	Weight  string
	Exact   string
	Width   string // percentage of all weight, for the bar
	Elected bool
	Votes   []voteView
	Silent  []voteView // answers that are no votes
}

// voteView is a vote as pages show it.
type voteView struct {
	Tool     link
	Trust    trustRow
	Weight   string
	Exact    string
	Mark     Mark
	Run, Log string
	Points   string
	Why      string // why the answer is no vote
}

func (s *site) writeDisagreements() error {
	rows := func(yield func(splitRow) bool) {
		for n := range s.splits {
			if !yield(s.splitRow(n)) {
				return
			}
		}
	}
	if err := s.render("disagreements", "disagreements.html", page{Here: "disagreements", Title: "Disagreements", Body: iter.Seq[splitRow](rows)}); err != nil {
		return err
	}
	trust := s.trustRows()
	return inParallel(len(s.splits), func(n int) error {
		row := s.splitRow(n)
		for i := range row.Camps {
			for j := range row.Camps[i].Votes {
				vote := &row.Camps[i].Votes[j]
				vote.Trust = trust[s.toolAt[vote.Tool.Text]]
			}
		}
		return s.render("disagreement", row.Path, page{Here: "disagreements", Title: row.Full, Body: row,
			Trail: []link{{"disagreements.html", "Disagreements"}, row.Inst}, About: "Tools differ on " + row.Full + "."})
	})
}

func (s *site) splitRow(n int) splitRow {
	sp := s.splits[n]
	r := sp.cell.refs[sp.item]
	inst := r.Key.Instance.String()
	row := splitRow{Path: s.splitPath(n), Item: itemWithin(inst, r.Key.Item), Full: shortItem(r), Inst: link{s.instPath(sp.cell.inst), inst},
		Exam: string(r.Key.Exam), Elected: r.Value, State: r.State, Rule: r.Rule, Clause: clean(r.Clause), Question: clean(r.Question), Doubts: r.Doubts, Ruling: r.Ruling}
	for _, c := range r.camps() {
		row.Camps = append(row.Camps, s.campView(sp.cell, r, c))
		if r.known() && c.value != r.Value {
			for _, vote := range c.votes {
				row.Losers = append(row.Losers, vote.Tool)
			}
			for _, x := range c.silent {
				row.Silent = append(row.Silent, x.Tool)
			}
		}
	}
	slices.Sort(row.Losers)
	slices.Sort(row.Silent)
	return row
}

func (s *site) campView(c *cell, r *Reference, camp camp) campView {
	view := campView{Value: camp.value, Weight: weight(camp.weight), Exact: exact(camp.weight), Elected: r.known() && camp.value == r.Value,
		Width: shareWidth(camp.weight, r)}
	for _, vote := range camp.votes {
		vv := voteView{Tool: link{s.toolPath(vote.Tool), vote.Tool}, Weight: weight(vote.Weight), Exact: exact(vote.Weight), Mark: Missing}
		if run := c.run(vote.Tool); run != nil {
			s.fillVote(&vv, run, r.Key.Item)
		}
		view.Votes = append(view.Votes, vv)
	}
	for _, x := range camp.silent {
		vv := voteView{Tool: link{s.toolPath(x.Tool), x.Tool}, Why: clean(x.Why), Mark: Missing}
		if run := c.run(x.Tool); run != nil {
			s.fillVote(&vv, run, r.Key.Item)
		}
		view.Silent = append(view.Silent, vv)
	}
	return view
}

func (s *site) fillVote(vv *voteView, run *Run, item string) {
	vv.Run = s.runPath(run)
	for _, a := range run.Answers {
		if a.Item == item {
			vv.Mark, vv.Log = run.judged(a.Mark), s.answerPath(run, a)
		}
	}
	if vv.Points = signed(pointsFor(run, item)); run.NoScore != "" {
		vv.Points = "\u2013"
	}
}

// Class is the class of the mark in the style sheet.
func (v voteView) Class() string { return markClass[v.Mark] }

// Verdict says in a sentence what a disagreement came to.
func (r splitRow) Verdict() string {
	if r.Elected.IsZero() || r.State == Weak {
		return "No value was elected: nobody gains or loses points by this value."
	}
	var texts []string
	if len(r.Losers) > 0 {
		texts = append(texts, clean(strings.Join(r.Losers, ", "))+" answered otherwise than the reference value.")
	}
	if len(r.Silent) > 0 {
		texts = append(texts, clean(strings.Join(r.Silent, ", "))+" answered otherwise without a vote.")
	}
	return strings.Join(texts, " ")
}
