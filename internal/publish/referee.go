package publish

import (
	"fmt"
	"strings"

	"podium/examinations"
)

// Certainty compares an elected value with what the referee has proved.
type Certainty string

// The certainties.
const (
	Undecided Certainty = "undecided" // the referee does not know the value
	Proved    Certainty = "proved"
	Refuted   Certainty = "refuted"
	Supplied  Certainty = "supplied" // nothing was elected, and the referee knows the value
)

// certaintyOrder is the order of columns.
var certaintyOrder = []Certainty{Proved, Refuted, Supplied, Undecided}

// Ruling is the referee's result for one value.
type Ruling struct {
	Certainty Certainty
	Elected   examinations.Value // by the vote; the reference differs from it where proofs decide
	Proved    examinations.Value // zero when undecided
	Evidence  string             // how it was proved, a sentence without final stop
	// Run and Cycle are the transitions of a run that shows the value, Cycle
	// those that may be repeated for ever; both may be empty.
	Run, Cycle []string
	Against    []string // tools whose answer differs from what is proved
	// Shown is how a replay shows what is proved: run, proof or enumeration, or tool where the
	// witness of a tool does; empty when nothing does.
	Shown string
}

// shownOrder is the order of columns of Ruling.Shown.
var shownOrder = []string{"run", "proof", "enumeration", "tool"}

// rulings is what the referee came to, summed up.
type rulings struct {
	exams   []map[Certainty]int // by examination
	shown   []map[string]int    // by examination, of Ruling.Shown
	voted   []int               // by examination: elected values that the referee does not know
	tools   []refutedTool       // by tool
	refuted []split             // refuted reference values
}

// refutedTool counts what the referee refutes of a tool.
type refutedTool struct{ votes, answers, ruled int }

// rule sums up; it is nil in a contest without referee.
func (v *view) rule() *rulings {
	if !v.c.Refereed {
		return nil
	}
	sum := &rulings{exams: make([]map[Certainty]int, len(v.c.Examinations)), shown: make([]map[string]int, len(v.c.Examinations)), voted: make([]int, len(v.c.Examinations)), tools: make([]refutedTool, len(v.tools))}
	for e := range sum.exams {
		sum.exams[e], sum.shown[e] = map[Certainty]int{}, map[string]int{}
	}
	for i := range v.cells {
		c := &v.cells[i]
		for item, r := range c.refs {
			sum.exams[c.exam][r.Ruling.Certainty]++
			sum.shown[c.exam][r.Ruling.Shown]++
			if r.Ruling.Certainty == Undecided && !r.Ruling.Elected.IsZero() {
				sum.voted[c.exam]++
			}
			if r.Ruling.Certainty == Refuted {
				sum.refuted = append(sum.refuted, split{c, item})
			}
			v.ruleTools(sum.tools, r)
		}
	}
	return sum
}

func (v *view) ruleTools(tools []refutedTool, r *Reference) {
	if r.Ruling.Proved.IsZero() {
		return
	}
	for _, vote := range r.votes() {
		t := &tools[v.toolAt[vote.Tool]]
		t.ruled++
		if r.Ruling.Certainty == Refuted && vote.Value == r.Ruling.Elected {
			t.votes++
		}
	}
	for _, tool := range r.Ruling.Against {
		tools[v.toolAt[tool]].answers++
	}
}

// Refereed tells that there is a page of the referee.
func (s *site) Refereed() bool { return s.c.Refereed }

const refereePath = "referee.html"

type refereeBody struct {
	Exams []refereeExam
	Tools []refereeTool
	Rows  []refutedRow
	More  int
	Total int
	// Decides tells that proofs decide the scores of some value.
	Decides bool
	Facts   []Named
}

type refereeExam struct {
	Name, Path string
	Counts     []int // in certaintyOrder
	Shown      []int // in shownOrder
	Known      int   // proved, refuted and supplied
	Voted      int   // known by the vote only
	All        int
}

type refereeTool struct {
	Name, Path            string
	Votes, Answers, Ruled int
}

// refutedRow is a refuted reference value.
type refutedRow struct {
	Inst, Exam    link
	Item, Split   string
	Question      string
	Reference     *Reference
	Voted, Others []link
}

// maxRefuted bounds the refuted values that the page names; references.csv has
// them all.
const maxRefuted = 500

func (s *site) writeReferee() error {
	sum := s.rule()
	if sum == nil {
		return nil
	}
	body := refereeBody{Total: len(sum.refuted), Facts: s.c.RefereeFacts}
	for e, exam := range s.c.Examinations {
		row := refereeExam{Name: string(exam.ID), Path: s.examPath(e)}
		for _, c := range certaintyOrder {
			row.Counts = append(row.Counts, sum.exams[e][c])
			row.All += sum.exams[e][c]
		}
		for _, shown := range shownOrder {
			row.Shown = append(row.Shown, sum.shown[e][shown])
		}
		row.Known, row.Voted = row.All-sum.exams[e][Undecided], sum.voted[e]
		body.Exams = append(body.Exams, row)
	}
	for i, t := range s.tools {
		n := sum.tools[i]
		body.Tools = append(body.Tools, refereeTool{t.Name, s.toolPath(t.Name), n.votes, n.answers, n.ruled})
	}
	for _, at := range sum.refuted {
		r := at.cell.refs[at.item]
		body.Decides = body.Decides || r.Value == r.Ruling.Proved
		if len(body.Rows) == maxRefuted {
			body.More++
			continue
		}
		body.Rows = append(body.Rows, s.refutedRow(at))
	}
	return s.render("referee", refereePath, page{Here: "referee", Title: "Referee", Body: body,
		About: fmt.Sprintf("%s refuted by proof.", things(len(sum.refuted), "reference value"))})
}

func (s *site) refutedRow(at split) refutedRow {
	r := at.cell.refs[at.item]
	inst := r.Key.Instance.String()
	row := refutedRow{Inst: link{s.instPath(at.cell.inst), inst}, Exam: link{s.examPath(at.cell.exam), string(r.Key.Exam)},
		Item: itemWithin(inst, r.Key.Item), Question: clean(r.Question), Reference: r}
	if n := s.split(at.cell, at.item); n >= 0 {
		row.Split = s.splitPath(n)
	}
	for _, vote := range r.sortedVotes() {
		to := link{s.toolPath(vote.Tool), vote.Tool}
		if run := at.cell.run(vote.Tool); run != nil {
			to.Path = s.runPath(run)
		}
		if vote.Value == r.Ruling.Elected {
			row.Voted = append(row.Voted, to)
		} else {
			row.Others = append(row.Others, to)
		}
	}
	return row
}

// RunText gives the run as text, one transition after the other.
func (r *Ruling) RunText() string { return clean(strings.Join(r.Run, " ")) }

// CycleText gives the part of the run that may be repeated.
func (r *Ruling) CycleText() string { return clean(strings.Join(r.Cycle, " ")) }
