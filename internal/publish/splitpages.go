package publish

import (
	"iter"
	"slices"
	"strings"

	"podium/examinations"
)

// splitRow is a disagreement in the list of disagreements.
type splitRow struct {
	Path, Item     string
	Anchor         string
	Inst           link
	Exam           string
	Elected        examinations.Value
	State          State
	Camps          []campView
	Losers, Silent []string // who answered otherwise than the reference value, with a vote and without
	Doubts         []string
	Rule, Clause   string
	Question, Full string
	XML            string // of the formula
	Ruling         Ruling
	Neighbours     []neighbour
	Commands       []string
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

	Family     string  // of which the tool is a variant
	Took       string  // CPU time and memory of the run
	Said       string  // when the answer was given
	Techniques string  // that it names
	Witness    Witness // that came with it
}

func (s *site) writeDisagreements() error {
	rows := func(yield func(splitRow) bool) {
		for n := range s.splits {
			if !yield(s.splitRow(n, false)) {
				return
			}
		}
	}
	if err := s.render("disagreements", "disagreements.html", page{Here: "disagreements", Title: "Disagreements", Body: iter.Seq[splitRow](rows)}); err != nil {
		return err
	}
	trust := s.trustRows()
	insts := s.splitsByInstance()
	return inParallel(len(insts), func(i int) error { return s.writeSplits(insts[i], trust) })
}

// splitsByInstance are the numbers of the first disagreement of each instance
// that has any, and of the first of the next.
func (s *site) splitsByInstance() (list [][2]int) {
	for n, sp := range s.splits {
		if n == 0 || s.splits[n-1].cell.inst != sp.cell.inst {
			list = append(list, [2]int{n, n})
		}
		list[len(list)-1][1]++
	}
	return list
}

// writeSplits writes the page of the disagreements on one instance.
func (s *site) writeSplits(numbers [2]int, trust []trustRow) error {
	inst := s.splits[numbers[0]].cell.inst
	name := s.insts[inst].ID.String()
	rows := func(yield func(splitRow) bool) {
		for n := numbers[0]; n < numbers[1]; n++ {
			row := s.splitRow(n, true)
			for i := range row.Camps {
				for j := range row.Camps[i].Votes {
					vote := &row.Camps[i].Votes[j]
					vote.Trust = trust[s.toolAt[vote.Tool.Text]]
				}
			}
			if !yield(row) {
				return
			}
		}
	}
	return s.render("disagreement", s.splitPage(inst), page{Here: "disagreements", Title: "Disagreements on " + name, Body: iter.Seq[splitRow](rows),
		Trail: []link{{"disagreements.html", "Disagreements"}, {s.instPath(inst), name}}, About: "Tools differ on " + name + "."})
}

// splitRow shows a disagreement, with the runs of the votes or without.
func (s *site) splitRow(n int, runs bool) splitRow {
	sp := s.splits[n]
	r := sp.cell.refs[sp.item]
	inst := r.Key.Instance.String()
	row := splitRow{Path: s.splitPath(n), Anchor: s.splitAnchor(n), Item: itemWithin(inst, r.Key.Item), Full: shortItem(r), Inst: link{s.instPath(sp.cell.inst), inst},
		Exam: string(r.Key.Exam), Elected: r.Value, State: r.State, Rule: r.Rule, Clause: clean(r.Clause), Question: clean(r.Question), XML: r.QuestionXML, Doubts: r.Doubts, Ruling: r.ruling()}
	if runs {
		row.Neighbours, row.Commands = s.neighbours(sp.cell), s.commands(r)
	}
	for _, c := range r.camps() {
		row.Camps = append(row.Camps, s.campView(sp.cell, r, c, runs))
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

func (s *site) campView(c *cell, r *Reference, camp camp, runs bool) campView {
	view := campView{Value: camp.value, Weight: weight(camp.weight), Exact: exact(camp.weight), Elected: r.known() && camp.value == r.Value,
		Width: shareWidth(camp.weight, r)}
	for _, vote := range camp.votes {
		vv := voteView{Tool: link{s.toolPath(vote.Tool), vote.Tool}, Weight: weight(vote.Weight), Exact: exact(vote.Weight), Mark: Missing}
		if run := c.run(vote.Tool); runs && run != nil {
			s.fillVote(&vv, run, r.Key.Item)
		}
		view.Votes = append(view.Votes, vv)
	}
	for _, x := range camp.silent {
		vv := voteView{Tool: link{s.toolPath(x.Tool), x.Tool}, Why: clean(x.Why), Mark: Missing}
		if run := c.run(x.Tool); runs && run != nil {
			s.fillVote(&vv, run, r.Key.Item)
		}
		view.Silent = append(view.Silent, vv)
	}
	return view
}

func (s *site) fillVote(vv *voteView, run *Run, item string) {
	vv.Run, vv.Took = s.runPath(run), cost(run)
	if t := s.tools[s.toolAt[run.Tool]]; t.Family != t.Name {
		vv.Family = clean(t.Family)
	}
	for a := range run.answers() {
		if a.Item == item {
			vv.Mark, vv.Log = run.judged(a.Mark), s.answerPath(run, a.Offset)
			vv.Techniques, vv.Witness = clean(a.Techniques), a.Witness
			if a.At >= 0 {
				vv.Said = duration(a.At)
			}
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
