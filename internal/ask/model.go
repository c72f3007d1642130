package ask

import (
	"podium/internal/plots"
	"podium/internal/publish/paths"
	"podium/scoring"
)

// ModelRequest asks what became of the instances of a model under a question.
type ModelRequest struct {
	Question string `json:"question"`
	Model    string `json:"model"`
}

// ModelTable has the instances of a model that the question keeps.
type ModelTable struct {
	Rows []ModelRow `json:"rows"`
}

// ModelRow is an instance, with a cell for each of its examinations.
type ModelRow struct {
	Name  string      `json:"name"`
	Kind  string      `json:"kind"`
	Cells []ModelCell `json:"cells"`
}

// ModelCell is an examination of an instance.
type ModelCell struct {
	Exam   string     `json:"examination"`
	Values int        `json:"values"` // that are asked
	Runs   int        `json:"runs"`   // of the tools that took part
	All    int        `json:"all"`    // of them, that answered all values right
	Some   int        `json:"some"`   // of them, that answered some right
	Right  []RightRun `json:"right"`  // those
	Best   int        `json:"best"`   // number in Right: the fastest of those with all values right, -1 for none
}

// RightRun is a run with right values.
type RightRun struct {
	Tool  string `json:"tool"`
	Right int    `json:"right"`
	CPU   int64  `json:"cpu_us"` // scoring.Unmeasured where it was not measured
	Path  string `json:"path"`   // from the root of the site
}

// Model says what became of the instances of a model.
func (s *Session) Model(m ModelRequest) (*ModelTable, error) {
	r, err := s.asked(m.Question)
	if err != nil {
		return nil, err
	}
	v := &plots.Runs{Result: r}
	table, at := &ModelTable{Rows: []ModelRow{}}, map[int32]int{}
	for i, sheet := range r.Contest.Sheets {
		inst := &r.Contest.Instances[sheet.Instance]
		if inst.ID.Family != m.Model {
			continue
		}
		row, begun := at[sheet.Instance]
		if !begun {
			row = len(table.Rows)
			at[sheet.Instance] = row
			table.Rows = append(table.Rows, ModelRow{Name: inst.Name, Kind: inst.ID.Kind.String()})
		}
		table.Rows[row].Cells = append(table.Rows[row].Cells, s.modelCell(v, i))
	}
	return table, nil
}

func (s *Session) modelCell(v *plots.Runs, sheet int) ModelCell {
	c := v.Result.Contest
	of := c.Sheets[sheet]
	exam, inst := string(c.Exams[of.Exam].ID), c.Instances[of.Instance].Name
	cell := ModelCell{Exam: exam, Values: int(of.Values), Right: []RightRun{}, Best: -1}
	for tool := range c.Tools {
		run := c.Run(sheet, tool)
		if !v.Shows(sheet, tool) || run.Participation == scoring.DoNotCompete {
			continue
		}
		cell.Runs++
		right := v.Right(sheet, tool)
		if right == 0 {
			continue
		}
		name := c.Tools[tool].Name
		cell.Right = append(cell.Right, RightRun{name, right, run.CPU, s.runPath(name, inst, exam)})
		if right < cell.Values {
			cell.Some++
			continue
		}
		cell.All++
		if run.CPU != scoring.Unmeasured && (cell.Best < 0 || run.CPU < cell.Right[cell.Best].CPU) {
			cell.Best = len(cell.Right) - 1
		}
	}
	return cell
}

// runPath is where a site has a run, from its root.
func (s *Session) runPath(tool, instance, exam string) string {
	if s.tools == nil {
		s.tools, s.instances = s.toolFiles(), s.instanceFiles()
	}
	return paths.Run(s.tools[tool], s.instances[instance], paths.Name(exam))
}
