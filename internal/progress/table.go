package progress

import (
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Row counts the runs of a tool on an examination. Each run is in one of Done,
// Running, Missing and Void.
type Row struct {
	Tool        string          `json:"tool"`
	Examination examinations.ID `json:"examination"`
	counts
}

type counts struct {
	Planned    int `json:"planned"`
	Done       int `json:"done"`       // an end of them counts
	Running    int `json:"running"`    // a living worker is at them, also when they are done again
	Missing    int `json:"missing"`    // neither: not begun, or begun by a worker that is gone
	Void       int `json:"void"`       // given up, by our fault
	Suspicious int `json:"suspicious"` // of those that are done
}

func (c *counts) add(o counts) {
	c.Planned += o.Planned
	c.Done += o.Done
	c.Running += o.Running
	c.Missing += o.Missing
	c.Void += o.Void
	c.Suspicious += o.Suspicious
}

// makeTable makes the rows, all counts 0.
func (r *Status) makeTable(p *campaign.Plan) {
	r.Table = make([]Row, 0, len(p.Tools)*len(p.Examinations))
	r.rows = map[rowKey]*Row{}
	for _, t := range p.Tools {
		for _, exam := range p.Examinations {
			r.Table = append(r.Table, Row{Tool: t.Name, Examination: exam})
			r.rows[rowKey{t.Name, exam}] = &r.Table[len(r.Table)-1]
		}
	}
}

// trimTable adds up the rows, and leaves out those without runs: nothing of them was
// chosen.
func (r *Status) trimTable() {
	for i := range r.Table {
		r.all.add(r.Table[i].counts)
	}
	r.Table = slices.DeleteFunc(r.Table, func(row Row) bool { return row.Planned == 0 })
	r.rows = nil
}

// columns is the width of all text.
const columns = 80

// numbersWidth is that of the numbers of a row.
const numbersWidth = 8 + 9 + 9 + 7 + 12

// writeTable writes the rows, those of one tool together, under a line for the tool.
func (r *Status) writeTable(out io.Writer) {
	if len(r.Table) == 0 {
		return
	}
	width := len("  tool, examination")
	for _, row := range r.Table {
		width = max(width, utf8.RuneCountInString(row.Tool), 2+len(row.Examination))
	}
	width = min(width, columns-numbersWidth)
	line := func(name string, c counts) {
		fmt.Fprintf(out, "%-*s%8d%9d%9d%7d%12d\n", width, wording.Cut(name, width), c.Done, c.Running, c.Missing, c.Void, c.Suspicious)
	}
	fmt.Fprintf(out, "\n%-*s%8s%9s%9s%7s%12s\n", width, "tool, examination", "done", "running", "missing", "void", "suspicious")
	for i := 0; i < len(r.Table); {
		tool, all, end := r.Table[i].Tool, counts{}, i
		for ; end < len(r.Table) && r.Table[end].Tool == tool; end++ {
			all.add(r.Table[end].counts)
		}
		line(diagnostic.Line(tool), all)
		for _, row := range r.Table[i:end] {
			line("  "+string(row.Examination), row.counts)
		}
		i = end
	}
}

// writeRunning writes the runs that are under way.
func (r *Status) writeRunning(out io.Writer) {
	if len(r.Running) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s under way (times in UTC)\n", wording.Count(len(r.Running), "run is", "runs are"))
	for _, c := range r.Running {
		tool := wording.Cut(diagnostic.Line(c.Tool), 20)
		exam := string(c.Examination)
		if c.Repetition > 0 {
			exam += fmt.Sprintf(" #%d", c.Repetition)
		}
		instance := wording.Cut(c.Instance, columns-4-utf8.RuneCountInString(tool)-len(exam))
		fmt.Fprintf(out, "  %s %s %s\n    %s\n", tool, instance, exam, c.where(r.at))
	}
}

// where says on which host a run is, since when, and until when about.
func (c *Current) where(now time.Time) string {
	line := fmt.Sprintf("on %s since %s", wording.Cut(diagnostic.Line(c.Host), 12), moment(c.Since, now))
	limit := ""
	if !c.Latest.IsZero() {
		limit = fmt.Sprintf(" (limit %s)", c.Latest.Sub(c.Since).Round(time.Second))
	}
	if c.Expected.IsZero() {
		return line + limit
	}
	return line + ", end about " + moment(c.Expected, now) + limit
}

// moment is a time of day (UTC), with the day where that is another one than now.
func moment(t, now time.Time) string {
	t = t.UTC()
	if t.Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return t.Format("15:04:05")
	}
	return t.Format("Jan _2 15:04")
}
