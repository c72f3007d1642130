package publish

import (
	"fmt"
	"strings"

	"podium/scoring"
)

// The orders of columns: of certainties, and of what shows a proved value.
var (
	certaintyOrder = []scoring.Certainty{scoring.Proved, scoring.Refuted, scoring.Supplied, scoring.Undecided}
	shownOrder     = []string{"run", "proof", "enumeration", "tool"}
)

// rulings is what the referee came to, summed up.
type rulings struct {
	exams   []map[scoring.Certainty]int // by examination
	shown   []map[string]int            // by examination, as ref.shownBy says
	voted   []int                       // by examination: elected values that the referee does not know
	tools   []refutedTool               // by tool
	refuted []split                     // refuted reference values
}

// refutedTool counts what the referee refutes of a tool.
type refutedTool struct{ votes, answers, ruled int }

// rule sums up; it is nil in a contest without referee.
func (v *view) rule() *rulings {
	if !v.c.Refereed() {
		return nil
	}
	sum := &rulings{exams: make([]map[scoring.Certainty]int, len(v.c.Examinations)), shown: make([]map[string]int, len(v.c.Examinations)), voted: make([]int, len(v.c.Examinations)), tools: make([]refutedTool, len(v.tools))}
	for e := range sum.exams {
		sum.exams[e], sum.shown[e] = map[scoring.Certainty]int{}, map[string]int{}
	}
	for i := range v.cells {
		c := &v.cells[i]
		for item := range c.refs {
			r := &c.refs[item]
			certainty := r.certainty()
			sum.exams[c.exam][certainty]++
			sum.shown[c.exam][r.shownBy()]++
			if certainty == scoring.Undecided && !r.Voted().IsZero() {
				sum.voted[c.exam]++
			}
			if certainty == scoring.Refuted {
				sum.refuted = append(sum.refuted, split{c, item})
			}
			v.ruleTools(sum.tools, r)
		}
	}
	return sum
}

func (v *view) ruleTools(tools []refutedTool, r *ref) {
	if r.Proved().IsZero() {
		return
	}
	refuted, voted := r.certainty() == scoring.Refuted, r.Voted()
	for _, vote := range r.votes() {
		t := &tools[v.toolAt[vote.Tool]]
		t.ruled++
		if refuted && vote.Value == voted {
			t.votes++
		}
	}
	for _, tool := range r.refutes() {
		tools[v.toolAt[tool]].answers++
	}
}

// Refereed reports that there is a page of the referee.
func (s *site) Refereed() bool { return s.c.Refereed() }

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
	Reference     *ref
	Evidence      string // how the value was proved
	Run, Cycle    string // transitions of a run that shows it, those of Cycle repeated for ever; may be empty
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
		row.Known, row.Voted = row.All-sum.exams[e][scoring.Undecided], sum.voted[e]
		body.Exams = append(body.Exams, row)
	}
	for i, t := range s.tools {
		n := sum.tools[i]
		body.Tools = append(body.Tools, refereeTool{t.Name, s.toolPath(t.Name), n.votes, n.answers, n.ruled})
	}
	for _, at := range sum.refuted {
		r := &at.cell.refs[at.item]
		body.Decides = body.Decides || r.Value() == r.Proved()
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
	r := &at.cell.refs[at.item]
	inst := r.key().Instance.String()
	row := refutedRow{Inst: link{s.instPath(at.cell.inst), inst}, Exam: link{s.examPath(at.cell.exam), string(r.key().Exam)},
		Item: itemWithin(inst, r.item()), Question: clean(r.question().text), Reference: r}
	evidence, by := r.evidence()
	row.Evidence, row.Run, row.Cycle = evidence, clean(strings.Join(by.Run, " ")), clean(strings.Join(by.Cycle, " "))
	if n := s.split(at.cell, at.item); n >= 0 {
		row.Split = s.splitPath(n)
	}
	for _, vote := range r.votes() {
		to := link{s.toolPath(vote.Tool), vote.Tool}
		if run := at.cell.run(vote.Tool); run != nil {
			to.Path = s.runPath(run)
		}
		if vote.Value == r.Voted() {
			row.Voted = append(row.Voted, to)
		} else {
			row.Others = append(row.Others, to)
		}
	}
	return row
}
