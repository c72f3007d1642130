package results

import (
	"fmt"
	"math/big"
	"strings"

	"podium/internal/edition"
	"podium/scoring"
)

// RowDetails are the columns of a row that a contest does not hold.
type RowDetails struct {
	Cores       int
	OutOfMemory bool     // memory flag MOVF
	Timeout     bool     // status timeout
	Techniques  []string // as the tool printed them
	IOWait      int64    // microseconds
}

// TableOf writes a result as raw-result-analysis.csv, one row for each run that is
// neither absent nor void: tool by tool within each examination, as the organisers'
// files are. details may be nil.
func TableOf(name string, e *edition.Edition, r *scoring.Result, details func(sheet, tool int) RowDetails) *Table {
	t := &Table{Name: name, Header: TableHeader}
	c := r.Contest
	elected := map[int][2]string{}
	for exam := range c.Exams {
		for tool := range c.Tools {
			for sheet, s := range c.Sheets {
				p := c.Run(sheet, tool).Participation
				if int(s.Exam) != exam || p == scoring.Absent || p == scoring.Void {
					continue
				}
				d := RowDetails{}
				if details != nil {
					d = details(sheet, tool)
				}
				texts, ok := elected[sheet]
				if !ok {
					texts[0], texts[1] = Elected(e, r, sheet)
					elected[sheet] = texts
				}
				row := runRow(e, r, sheet, tool, d)
				row[EstimatedColumn], row[WeightsColumn] = texts[0], texts[1]
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

func runRow(e *edition.Edition, r *scoring.Result, sheet, tool int, d RowDetails) Row {
	c := r.Contest
	s, run := c.Sheets[sheet], c.Run(sheet, tool)
	row := Row{
		ToolColumn: c.Tools[tool].Name, InputColumn: c.Instances[s.Instance].Name, ExaminationColumn: string(c.Exams[s.Exam].ID),
		CoresColumn: fmt.Sprint(max(1, d.Cores)), TimeFlagColumn: "OK", MemoryFlagColumn: "OK",
		ResultsColumn: Vector(e, c, sheet, tool), TechniquesColumn: "-",
		MemoryColumn: decimal(run.Memory, 1_000_000, 3), CPUColumn: decimal(run.CPU, 1_000, 2), TimeColumn: decimal(run.Wall, 1_000, 2),
		IOWaitColumn: decimal(d.IOWait, 1_000, 2), StatusColumn: "normal", RunIDColumn: strings.ReplaceAll(known(run.Source), ",", ";"),
		JudgementColumn: judgeRun(r, sheet, tool).Cell(),
	}
	if run.Participation == scoring.OutOfTime {
		row[TimeFlagColumn] = "DNF"
	}
	if d.OutOfMemory {
		row[MemoryFlagColumn] = "MOVF"
	}
	if d.Timeout || run.Participation == scoring.OutOfTime {
		row[StatusColumn] = "timeout"
	}
	if len(d.Techniques) > 0 {
		row[TechniquesColumn] = strings.Join(d.Techniques, " ") + " "
	}
	return row
}

// decimal writes n/unit with so many digits, an exact half rounded up; "-" for
// what was not measured.
func decimal(n, unit int64, digits int) string {
	if n == scoring.Unmeasured {
		return "-"
	}
	return big.NewRat(n, unit).FloatString(digits)
}
