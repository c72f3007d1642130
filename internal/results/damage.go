package results

import (
	"fmt"

	"podium/pnml/diagnostic"
)

// rowKey names the run of a row.
type rowKey struct{ tool, input, exam string }

func (r *Row) key() rowKey {
	return rowKey{r[ToolColumn], r[InputColumn], r[ExaminationColumn]}
}

// damage looks at a table as a whole: a last row that was cut is an error, and rows
// that are missing at the end of the file are a warning.
func (t *Table) damage() diagnostic.List {
	var found diagnostic.List
	if len(t.Rows) == 0 {
		return nil
	}
	last := len(t.Rows) - 1
	at := diagnostic.Diagnostic{File: t.Name, Line: last + 2}
	if t.open {
		at.Col = t.Rows[last].length() + 1
		at.Severity, at.Code, at.Message = diagnostic.Warning, "table-open", "the last row has no line end: was the file cut here?"
		if other := t.contradicts(last); other >= 0 {
			at.Severity, at.Code = diagnostic.Error, "table-cut"
			at.Message = fmt.Sprintf("the file ends inside of this row: its elected values and weights are not those of line %d, which is of the same examination", other+2)
			at.Hint = "get the whole file again"
		}
		found.Add(at)
	}
	if tool, lacks, of := t.gaps(); lacks > 0 {
		at.Col, at.Severity, at.Code, at.Hint = 0, diagnostic.Warning, "table-rows", "get the whole file again if so"
		at.Message = fmt.Sprintf("%s has no row for %d of %d examinations of instances: was the file cut after this line?", tool, lacks, of)
		found.Add(at)
	}
	return found
}

// length is the number of bytes of the row.
func (r *Row) length() int {
	n := int(columns) - 1
	for _, field := range r {
		n += len(field)
	}
	return n
}

// contradicts finds a row of the same examination of the same instance that shows
// other elected values or weights, or -1: all rows of a run's rivals show the same.
func (t *Table) contradicts(row int) int {
	r := &t.Rows[row]
	for i := range t.Rows {
		o := &t.Rows[i]
		if o[InputColumn] == r[InputColumn] && o[ExaminationColumn] == r[ExaminationColumn] &&
			(o[EstimatedColumn] != r[EstimatedColumn] || o[WeightsColumn] != r[WeightsColumn]) {
			return i
		}
	}
	return -1
}

// mostGaps is the part of its rows, 1/mostGaps, that a tool may lack: published
// files lack a few.
const mostGaps = 100

// gaps finds the tool that lacks the most rows, if it lacks many.
func (t *Table) gaps() (tool string, lacks, of int) {
	sheets, rows := map[rowKey]bool{}, map[string]int{}
	for i := range t.Rows {
		key := t.Rows[i].key()
		rows[key.tool]++
		key.tool = ""
		sheets[key] = true
	}
	of = len(sheets)
	for name, n := range rows {
		if missing := of - n; missing*mostGaps > of && (missing > lacks || missing == lacks && name < tool) {
			tool, lacks = name, missing
		}
	}
	return tool, lacks, of
}
