package results

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"podium/pnml/diagnostic"
)

// TableHeader is the first line of raw-result-analysis.csv, the same since 2019,
// with two blanks before "(MB)".
const TableHeader = "### tool,Input,Examination,nb cores,time flag,memory flag,results,techniques,max memory  (MB),CPU (ms),Time (ms),i/o wait (ms),Status,run id,flags:bonus:scores:mask,estimated result,# tools computing estimated results"

// Column is a column of a [Table].
type Column int

// The columns of raw-result-analysis.csv. The last three are judgements.
const (
	ToolColumn Column = iota
	InputColumn
	ExaminationColumn
	CoresColumn
	TimeFlagColumn
	MemoryFlagColumn
	ResultsColumn
	TechniquesColumn
	MemoryColumn // MB, decimal
	CPUColumn    // ms
	TimeColumn   // ms, wall clock
	IOWaitColumn // ms
	StatusColumn
	RunIDColumn
	JudgementColumn // flags:bonus:score:mask
	EstimatedColumn
	WeightsColumn
	columns
)

// Row holds the fields of one line, as they stand in the file.
type Row [columns]string

// Table is a raw-result-analysis.csv: one row per tool, instance and examination.
// Reading and writing a table gives the same bytes.
type Table struct {
	Name   string // of the file, for diagnostics
	Header string
	Rows   []Row
	crlf   bool           // lines end in CR LF
	open   bool           // the last line has no end
	lines  map[rowKey]int // while it is read: where the row of a run stands
}

const (
	maxLine = 1 << 20
	maxRows = 20_000_000
)

// ReadTable reads a raw-result-analysis.csv that is not compressed; see [Open]
// for files that are. A row that was cut and a run that has two rows are errors;
// many missing rows are a warning.
func ReadTable(name string, in io.Reader) (*Table, diagnostic.List) {
	t := &Table{Name: name, lines: map[rowKey]int{}}
	var found diagnostic.List
	fail := func(line, col int, code, message string) bool {
		found.Add(diagnostic.Diagnostic{File: name, Line: line, Col: col, Code: code, Message: message})
		return len(found) < maxFindings
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	for number := 1; ; number++ {
		line, err := readLine(lines)
		if err != nil && err != io.EOF {
			fail(number, 0, "table-read", err.Error())
			break
		}
		if line == "" && err == io.EOF {
			break
		}
		if number > maxRows {
			fail(number, 0, "table-too-long", fmt.Sprintf("the file has more than %d rows", maxRows))
			break
		}
		if !t.line(number, line, fail) {
			break
		}
	}
	if t.Header == "" && len(found) == 0 {
		fail(1, 1, "table-header", "the file is empty; its first line should read "+TableHeader)
	}
	t.lines = nil
	if len(found) == 0 {
		found = t.damage()
	}
	found.Sort()
	if found.Err() != nil {
		return nil, found
	}
	return t, found
}

// readLine returns a line with its end.
func readLine(in *bufio.Reader) (string, error) {
	var long []byte
	for {
		part, err := in.ReadSlice('\n')
		if err == nil && long == nil {
			return string(part), nil
		}
		long = append(long, part...)
		switch {
		case len(long) > maxLine:
			return "", fmt.Errorf("the line is longer than %d bytes", maxLine)
		case err != bufio.ErrBufferFull:
			return string(long), err
		}
	}
}

// line takes one line of the file; it is false when reading must end.
func (t *Table) line(number int, line string, fail func(line, col int, code, message string) bool) bool {
	body, ended := strings.CutSuffix(line, "\n")
	t.open = !ended
	body, crlf := strings.CutSuffix(body, "\r")
	if number == 1 {
		t.crlf = crlf && ended
		t.Header = body
		if strings.Count(body, ",") != int(columns)-1 || !strings.HasPrefix(body, "### tool,") {
			return fail(1, 1, "table-header", "the first line should read "+TableHeader) && false
		}
		return true
	}
	if crlf != t.crlf && (ended || crlf) {
		return fail(number, len(body)+1, "table-line-end", "the line ends otherwise than the first one")
	}
	var row Row
	rest, more := body, true
	for c := range row {
		if !more {
			message := fmt.Sprintf("the line has %d fields instead of %d", c, columns)
			if !ended {
				message += ": the file ends inside of this row"
			}
			return fail(number, len(body)+1, "table-fields", message)
		}
		row[c], rest, more = strings.Cut(rest, ",")
	}
	if more {
		return fail(number, len(body)-len(rest), "table-fields", fmt.Sprintf("the line has more than %d fields", columns))
	}
	for _, c := range []Column{ToolColumn, InputColumn, ExaminationColumn} {
		if row[c] == "" {
			return fail(number, 1, "table-empty", "tool, input and examination must not be empty")
		}
	}
	if first, twice := t.lines[row.key()]; twice {
		return fail(number, 1, "table-repeated", fmt.Sprintf("the run of %s on %s of %s has a row already, in line %d: one of them is to be taken out",
			row[ToolColumn], row[ExaminationColumn], row[InputColumn], first))
	}
	t.lines[row.key()] = number
	t.Rows = append(t.Rows, row)
	return true
}

// Write gives the table as it was read.
func (t *Table) Write(out io.Writer) error {
	w := bufio.NewWriterSize(out, 1<<16)
	end := "\n"
	if t.crlf {
		end = "\r\n"
	}
	w.WriteString(t.Header)
	for i := range t.Rows {
		w.WriteString(end)
		for c, field := range t.Rows[i] {
			if c > 0 {
				w.WriteByte(',')
			}
			w.WriteString(field)
		}
	}
	if !t.open {
		w.WriteString(end)
	}
	return w.Flush()
}
