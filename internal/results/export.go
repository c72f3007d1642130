package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// RowDetails are the columns of a row that a contest does not hold.
type RowDetails struct {
	Cores      int      // 0 where it is not known
	Techniques []string // as the tool printed them
	IOWait     int64    // microseconds, or scoring.Unmeasured
}

// TableOf writes a result as raw-result-analysis.csv, one row for each run that is
// neither absent nor void: tool by tool within each examination, as the organisers'
// files are, but for runs whose order decides among equals. details are those of a campaign; where they are nil, columns that
// nobody knows hold "-". Figures have as many digits as are known. What a table
// cannot hold is an error, with a nil table; what it leaves out is a warning.
func TableOf(name string, e *edition.Edition, r *scoring.Result, details func(sheet, tool int) RowDetails) (*Table, diagnostic.List) {
	found := misfits(e, r, details != nil)
	t := &Table{Name: name, Header: TableHeader}
	c := r.Contest
	elected := map[int][2]string{}
	for _, run := range rowOrder(c) {
		texts, ok := elected[run.sheet]
		if !ok {
			texts[0], texts[1] = Elected(e, r, run.sheet)
			elected[run.sheet] = texts
		}
		row := runRow(e, r, run.sheet, run.tool)
		if details != nil {
			row.detail(details(run.sheet, run.tool))
		}
		row[EstimatedColumn], row[WeightsColumn] = texts[0], texts[1]
		t.Rows = append(t.Rows, row)
	}
	found = append(found, t.unwritable()...)
	for i := range found {
		found[i].File = name
	}
	if found.Err() != nil {
		return nil, found
	}
	return t, found
}

// rowRun is the run of a row.
type rowRun struct{ sheet, tool int }

// rowOrder returns the runs that have rows, in the order of these.
func rowOrder(c *scoring.Contest) []rowRun {
	var runs []rowRun
	for exam := range c.Exams {
		first := len(runs)
		for tool := range c.Tools {
			for sheet, s := range c.Sheets {
				if p := c.Run(sheet, tool).Participation; int(s.Exam) == exam && p != scoring.Absent && p != scoring.Void {
					runs = append(runs, rowRun{sheet, tool})
				}
			}
		}
		slices.SortStableFunc(runs[first:], func(a, b rowRun) int {
			return cmp.Compare(c.Run(a.sheet, a.tool).Order, c.Run(b.sheet, b.tool).Order)
		})
	}
	return runs
}

func runRow(e *edition.Edition, r *scoring.Result, sheet, tool int) Row {
	c := r.Contest
	s, run := c.Sheets[sheet], c.Run(sheet, tool)
	row := Row{
		ToolColumn: c.Tools[tool].Name, InputColumn: c.Instances[s.Instance].Name, ExaminationColumn: string(c.Exams[s.Exam].ID),
		CoresColumn: "-", TimeFlagColumn: "-", MemoryFlagColumn: "-",
		ResultsColumn: vectorText(e, r, sheet, tool), TechniquesColumn: "-",
		MemoryColumn: decimal(run.Memory, 6, 3), CPUColumn: decimal(run.CPU, 3, 2), TimeColumn: decimal(run.Wall, 3, 2),
		IOWaitColumn: "-", StatusColumn: "-", RunIDColumn: known(run.Source),
		JudgementColumn: judgeRun(r, sheet, tool).Cell(),
	}
	if run.Ending == scoring.UnknownEnding {
		return row
	}
	row[TimeFlagColumn], row[StatusColumn] = "OK", "normal"
	if run.Ending.OutOfTime() {
		row[TimeFlagColumn], row[StatusColumn] = "DNF", "timeout"
	}
	switch run.Ending {
	case scoring.AtMemoryLimit, scoring.AtBothLimits:
		row[MemoryFlagColumn] = "MOVF"
	case scoring.AtTimeLimit: // answers CSV say this much, and nothing of memory
	default:
		row[MemoryFlagColumn] = "OK"
	}
	return row
}

// detail fills in what a contest does not hold.
func (r *Row) detail(d RowDetails) {
	if r[MemoryFlagColumn] == "-" {
		r[MemoryFlagColumn] = "OK"
	}
	if d.Cores > 0 {
		r[CoresColumn] = fmt.Sprint(d.Cores)
	}
	if len(d.Techniques) > 0 {
		r[TechniquesColumn] = strings.Join(d.Techniques, " ") + " "
	}
	r[IOWaitColumn] = decimal(d.IOWait, 3, 2)
}

// vectorText is the results column of published files: T, F and ? without blanks
// for truth values, texts separated by blanks for numbers, or the word of a run
// without answers.
func vectorText(e *edition.Edition, r *scoring.Result, sheet, tool int) string {
	c := r.Contest
	run := c.Run(sheet, tool)
	if run.Participation != scoring.Answered {
		return run.Participation.String()
	}
	s := c.Sheets[sheet]
	separator := ""
	if e.Kinds[c.Exams[s.Exam].ID] == examinations.Nat {
		separator = " "
	}
	texts := make([]string, run.Vector)
	for i := range texts {
		value := int(s.First) + i
		texts[i] = displayedText(r, c.Ballots.Row(value)[tool])
		if ofTask(e, &c.Exams[s.Exam]) {
			texts[i] = taskText(c.Answer(value, tool), c.Witness(value, tool))
		}
	}
	return strings.Join(texts, separator)
}

// decimal writes n x 10^-digits exactly, with at least so many decimals; "-" for
// what was not measured.
func decimal(n int64, digits, least int) string {
	if n == scoring.Unmeasured {
		return "-"
	}
	text := fmt.Sprintf("%0*d", digits+1, n)
	whole, decimals := text[:len(text)-digits], text[len(text)-digits:]
	for len(decimals) > least && strings.HasSuffix(decimals, "0") {
		decimals = decimals[:len(decimals)-1]
	}
	return whole + "." + decimals
}
