package results

import (
	"fmt"
	"io"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/scoring"
	"podium/scoring/explain"
)

// Report counts how many cells of a published file agree with an edition.
type Report struct {
	Edition string          `json:"edition"`
	Rows    int             `json:"rows"`
	Columns []ColumnReport  `json:"columns"` // score, mask, flags, bonus, estimated result, weights
	Result  *scoring.Result `json:"-"`
}

// ColumnReport counts the cells of one judged column.
type ColumnReport struct {
	Name    string      `json:"column"`
	Agree   int         `json:"agree"`
	Deviate int         `json:"deviate"`
	First   []Deviation `json:"first"` // the first deviations, at most maxDeviations
}

// Deviation is one cell that differs from what the edition gives.
type Deviation struct {
	Column     string `json:"-"`
	Line       int    `json:"line"` // of the file
	Tool       string `json:"tool"`
	Instance   string `json:"instance"`
	Exam       string `json:"examination"`
	Published  string `json:"published"`
	Recomputed string `json:"recomputed"`
}

// String is one line that names run and both texts.
func (d Deviation) String() string {
	return fmt.Sprintf("line %d, %s on %s of %s: published %q, recomputed %q", d.Line, d.Tool, d.Exam, d.Instance, d.Published, d.Recomputed)
}

// Explain returns the account of the run, or of the elected values of the sheet,
// that explains the recomputed text of a deviation.
func (r *Report) Explain(d Deviation) string {
	c := r.Result.Contest
	sheet, tool := c.SheetOf(d.Instance, examinations.ID(d.Exam)), c.ToolNamed(d.Tool)
	if sheet < 0 || tool < 0 {
		return ""
	}
	if d.Column != "estimated result" && d.Column != "weights" {
		return explain.Run(r.Result, sheet, tool).String()
	}
	text := ""
	s := c.Sheets[sheet]
	for v := int(s.First); v < int(s.First+s.Values); v++ {
		text += explain.Value(r.Result, sheet, v).String()
	}
	return text
}

// maxDeviations is the number of deviations that are kept for each column.
const maxDeviations = 5

// Deviations is the number of cells that differ, over all columns.
func (r *Report) Deviations() int {
	n := 0
	for _, c := range r.Columns {
		n += c.Deviate
	}
	return n
}

// Verify recomputes a published table from its answers and measurements alone and
// compares every judged cell. The report is nil when the table cannot be read as
// a contest of the edition.
func Verify(t *Table, e *edition.Edition, p Participants) (*Report, diagnostic.List) {
	c, found := t.Contest(e, p)
	if c == nil {
		return nil, found
	}
	report := &Report{Edition: e.ID, Rows: len(t.Rows), Result: e.Score(c)}
	for _, name := range []string{"score", "mask", "flags", "bonus", "estimated result", "weights"} {
		report.Columns = append(report.Columns, ColumnReport{Name: name})
	}
	judge := newJudge(e, report.Result)
	for i := range t.Rows {
		row := &t.Rows[i]
		want, err := judge.row(row)
		if err != nil {
			found.Add(diagnostic.Diagnostic{File: t.Name, Line: i + 2, Code: "table-row", Message: err.Error()})
			return nil, found
		}
		published := publishedJudgement(row)
		for k, pair := range [][2]string{
			{published.Score, want.Score}, {published.Mask, want.Mask}, {published.Flags, want.Flags}, {published.Bonus, want.Bonus},
			{published.Estimated, want.Estimated}, {published.Weights, want.Weights},
		} {
			report.Columns[k].compare(i+2, row, pair[0], pair[1])
		}
	}
	return report, found
}

// publishedJudgement reads the judged columns of a row.
func publishedJudgement(row *Row) Judgement {
	parts := strings.SplitN(row[JudgementColumn], ":", 4)
	for len(parts) < 4 {
		parts = append(parts, "")
	}
	return Judgement{Flags: parts[0], Bonus: parts[1], Score: parts[2], Mask: parts[3],
		Estimated: row[EstimatedColumn], Weights: row[WeightsColumn]}
}

func (c *ColumnReport) compare(line int, row *Row, published, recomputed string) {
	if published == recomputed {
		c.Agree++
		return
	}
	c.Deviate++
	if len(c.First) < maxDeviations {
		c.First = append(c.First, Deviation{c.Name, line, row[ToolColumn], row[InputColumn], row[ExaminationColumn], published, recomputed})
	}
}

// WriteText writes the report for people: columns, podiums, the first deviations.
func (r *Report) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "%s under edition %s\n\n", wording.Count(r.Rows, "row", "rows"), r.Edition)
	w := wording.Numbers(out)
	fmt.Fprintln(w, "agree\tdeviate\t  column\t")
	for _, c := range r.Columns {
		fmt.Fprintf(w, "%d\t%d\t  %s\t\n", c.Agree, c.Deviate, c.Name)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, b := range r.Result.Boards() {
		fmt.Fprintf(out, "%s\n", b.Name)
		for _, p := range b.Places {
			fmt.Fprintf(out, "  %d. %s %s\n", p.Rank, r.Result.Contest.Tools[p.Tool].Name, b.Standings[p.Tool].Points.FloatString(2))
		}
	}
	for _, c := range r.Columns {
		for _, d := range c.First {
			fmt.Fprintf(out, "%s: %s\n", c.Name, d)
		}
	}
	return nil
}
