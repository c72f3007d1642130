package results

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"podium/confidence"
	"podium/edition"
	"podium/examinations"
	"podium/scoring"
)

// Judgement is the judged part of a row, in the texts of published files.
type Judgement struct {
	Flags     string // T or F for each flag of the edition
	Bonus     string // P fastest, M smallest memory, - none
	Score     string // whole number of units, or "-" for a run without score
	Mask      string
	Estimated string // elected values
	Weights   string // sums of the confidences that elected them
}

// Cell is the column flags:bonus:scores:mask.
func (j Judgement) Cell() string {
	return j.Flags + ":" + j.Bonus + ":" + j.Score + ":" + j.Mask
}

// judgeRun leaves the columns out that all runs of a sheet share.
func judgeRun(r *scoring.Result, sheet, tool int) Judgement {
	j := Judgement{
		Flags: r.FlagLetters(sheet, tool),
		Bonus: r.RunLetters(sheet, tool).String(),
		Score: "-",
		Mask:  r.Mask(sheet, tool),
	}
	if r.HasScore(sheet, tool) {
		j.Score = strconv.FormatInt(r.RunPoints(sheet, tool), 10)
	}
	return j
}

// Elected returns the texts of the elected values of a sheet and of their weights.
// An unknown truth value is "? " unless it is the last, an unknown number is "?"; the answer of
// a single tool that is not trusted stands in parentheses; a sheet that no run
// answered has a single "?" and the weight "0".
func Elected(e *edition.Edition, r *scoring.Result, sheet int) (estimated, weights string) {
	s := r.Contest.Sheets[sheet]
	exam := r.Contest.Exams[s.Exam].ID
	var values, sums []string
	if !answered(r.Contest, sheet) && !ofTask(e, &r.Contest.Exams[s.Exam]) {
		return "?", "0"
	}
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		if ref, known := r.ReferenceValue(v); known && ofTask(e, &r.Contest.Exams[s.Exam]) {
			values = append(values, taskText(ref, scoring.Unasked))
		} else {
			values = append(values, electedText(r, v, e.Kinds[exam]))
		}
		sums = append(sums, weightText(r, sheet, v))
	}
	separator := ""
	if e.Kinds[exam] == examinations.Nat {
		separator = " "
	}
	return strings.TrimSuffix(strings.Join(values, separator), " "), strings.Join(sums, " ")
}

// answered reports whether some run of the sheet has a vector, be it of open values.
func answered(c *scoring.Contest, sheet int) bool {
	for tool := range c.Tools {
		if c.Run(sheet, tool).Participation == scoring.Answered {
			return true
		}
	}
	return false
}

func electedText(r *scoring.Result, value int, kind examinations.Kind) string {
	ref := r.References[value]
	text := displayedText(r, ref.Answer)
	switch {
	case ref.Known():
		return text
	case ref.Weak():
		return "(" + text + ")"
	case kind == examinations.Bool:
		return "? "
	}
	return "?"
}

// displayedText is the text of an answer in published files: shortened where the
// edition compares shortened numbers, else only where no digit is lost.
func displayedText(r *scoring.Result, a confidence.Answer) string {
	if r.Scheme.Display != nil && !r.Contest.AsDisplayed {
		return scoring.Displayed(r.Contest.Values[a])
	}
	return losslessText(r.Contest.Values[a])
}

// losslessText is the text of a value in published files, unless it stands for
// another value.
func losslessText(v examinations.Value) string {
	text := scoring.Displayed(v)
	if shown, ok := examinations.ParseValue(text, v.Kind); v.Kind == examinations.Nat && (!ok || shown != v) {
		return v.Text
	}
	return text
}

// sourceText is the canonical text of a value, for a number that was read from a
// published file the file's own.
func sourceText(c *scoring.Contest, v examinations.Value) string {
	if c.AsDisplayed && v.Kind == examinations.Nat {
		return losslessText(v)
	}
	return v.Text
}

// weightText writes a weight with two decimals, half up; without decimals when
// every supporter has confidence 1; "0" when nobody answered.
func weightText(r *scoring.Result, sheet, value int) string {
	if r.References[value].Answer == confidence.None {
		return "0"
	}
	weight, whole := new(big.Rat), true
	for _, tool := range r.Supporters(sheet, value) {
		c := r.Confidence[tool]
		weight.Add(weight, c.Rat())
		whole = whole && c.IsInt() && c.Num() == 1
	}
	if whole {
		return weight.RatString()
	}
	return weight.FloatString(2)
}

// Judged returns a copy of the table in which the last three columns are what the
// result says. The result must be that of the table's contest.
func (t *Table) Judged(e *edition.Edition, r *scoring.Result) (*Table, error) {
	out := *t
	out.Rows = make([]Row, len(t.Rows))
	copy(out.Rows, t.Rows)
	judge := newJudge(e, r)
	for i := range out.Rows {
		j, err := judge.row(&out.Rows[i])
		if err != nil {
			return nil, err
		}
		out.Rows[i][JudgementColumn], out.Rows[i][EstimatedColumn], out.Rows[i][WeightsColumn] = j.Cell(), j.Estimated, j.Weights
	}
	return &out, nil
}

// judge finds the sheet and the tool of rows and writes every sheet's elected
// values once.
type judge struct {
	edition *edition.Edition
	result  *scoring.Result
	sheets  map[scoring.SheetName]int
	tools   map[string]int
	elected map[int][2]string
}

func newJudge(e *edition.Edition, r *scoring.Result) *judge {
	j := &judge{edition: e, result: r, sheets: r.Contest.SheetIndex(), tools: map[string]int{}, elected: map[int][2]string{}}
	for i := range r.Contest.Tools {
		j.tools[r.Contest.Tools[i].Name] = i
	}
	return j
}

// find returns the sheet and tool of a row.
func (j *judge) find(row *Row) (sheet, tool int, err error) {
	sheet, okSheet := j.sheets[scoring.SheetName{Instance: row[InputColumn], Exam: examinations.ID(row[ExaminationColumn])}]
	tool, okTool := j.tools[row[ToolColumn]]
	if !okSheet || !okTool {
		return 0, 0, fmt.Errorf("the result holds no run of %s on %s of %s", row[ToolColumn], row[ExaminationColumn], row[InputColumn])
	}
	return sheet, tool, nil
}

func (j *judge) row(row *Row) (Judgement, error) {
	sheet, tool, err := j.find(row)
	if err != nil {
		return Judgement{}, err
	}
	out := judgeRun(j.result, sheet, tool)
	texts, ok := j.elected[sheet]
	if !ok {
		texts[0], texts[1] = Elected(j.edition, j.result, sheet)
		j.elected[sheet] = texts
	}
	out.Estimated, out.Weights = texts[0], texts[1]
	return out, nil
}
