package publish

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"math"

	"podium/internal/publish/paths"
)

// runTable is the head of the file of runs, which the page of the table reads: what
// numbers in its columns stand for. The columns follow in the order of Columns.
type runTable struct {
	Format    string      `json:"format"`
	Rows      int         `json:"rows"`
	Tools     []string    `json:"tools"`
	Instances []string    `json:"instances"`
	Exams     []string    `json:"examinations"`
	Outcomes  []string    `json:"outcomes"`
	ToolFiles []string    `json:"tool_files"` // parts of the addresses of runs
	InstFiles []string    `json:"instance_files"`
	ExamFiles []string    `json:"examination_files"`
	Columns   [][2]string `json:"columns"` // name and type: u16, u32 or f64, little-endian
}

// runColumns are the columns of the file of runs. A time or size below 0 was not measured.
type runColumns struct {
	tool, exam, outcome, right, wrong, asked []uint16
	instance                                 []uint32
	cpu, wall, memory, points                []float64 // seconds, seconds, bytes, points
}

// writeTable writes the table of all runs: the page, and its data in a script.
func (s *site) writeTable() error {
	if err := s.copyAssets("table.js"); err != nil {
		return err
	}
	packed, err := s.packRuns()
	if err != nil {
		return err
	}
	if err := s.tree.write("podium-runs.js", func(w *bufio.Writer) error {
		w.WriteString("\"use strict\";\nself.podiumRuns = \"")
		writeBase64(w, packed)
		_, err := w.WriteString("\";\n")
		return err
	}); err != nil {
		return err
	}
	return s.render("table", "table.html", page{Here: "data", Title: "Table of runs", Own: []string{"podium.js", "podium-runs.js", "table.js"}, About: "Every run, to filter, sort and add up.",
		Trail: []link{{"data.html", "Data"}}})
}

func (s *site) packRuns() ([]byte, error) {
	head := runTable{Format: "podium-runs/1", InstFiles: s.instFile, ToolFiles: s.toolFile,
		Columns: [][2]string{{"tool", "u16"}, {"examination", "u16"}, {"outcome", "u16"}, {"right", "u16"}, {"wrong", "u16"}, {"asked", "u16"},
			{"instance", "u32"}, {"cpu", "f64"}, {"wall", "f64"}, {"memory", "f64"}, {"points", "f64"}}}
	for _, t := range s.tools {
		head.Tools = append(head.Tools, clean(t.Name))
	}
	for _, i := range s.insts {
		head.Instances = append(head.Instances, i.ID.String())
	}
	for _, e := range s.c.Examinations {
		head.Exams, head.ExamFiles = append(head.Exams, string(e.ID)), append(head.ExamFiles, paths.Name(string(e.ID)))
	}
	var c runColumns
	outcomes := map[string]uint16{}
	for i := range s.cells {
		for _, r := range s.cells[i].runs {
			note := runNote(r)
			if note == "" {
				note = "ended by itself"
			}
			number, known := outcomes[note]
			if !known {
				number = uint16(len(outcomes))
				outcomes[note], head.Outcomes = number, append(head.Outcomes, note)
			}
			s.addRun(&c, &s.cells[i], r, number)
		}
	}
	head.Rows = len(c.tool)
	return head.pack(&c)
}

func (s *site) addRun(c *runColumns, of *cell, r *Run, outcome uint16) {
	var n tally
	n.add(of, r)
	measured := func(x float64, not bool) float64 {
		if not || r.Void != "" {
			return -1
		}
		return x
	}
	points := 0.0
	if r.Points != nil {
		points, _ = r.Points.Float64()
	}
	c.tool, c.exam, c.instance = append(c.tool, uint16(s.toolAt[r.Tool])), append(c.exam, uint16(of.exam)), append(c.instance, uint32(of.inst))
	c.outcome, c.asked = append(c.outcome, outcome), append(c.asked, short16(len(of.refs)))
	c.right, c.wrong = append(c.right, short16(n.right)), append(c.wrong, short16(n.wrong))
	c.cpu, c.wall = append(c.cpu, measured(r.CPU.Seconds(), r.NoTimes)), append(c.wall, measured(r.Wall.Seconds(), r.FromFile && r.Wall == 0))
	c.memory, c.points = append(c.memory, measured(float64(r.MemoryPeak), r.NoMemory)), append(c.points, points)
}

func short16(n int) uint16 { return uint16(min(n, math.MaxUint16)) }

// pack writes the head in a line and the columns after it.
func (t *runTable) pack(c *runColumns) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := json.NewEncoder(z).Encode(t); err != nil {
		return nil, err
	}
	for _, column := range []any{c.tool, c.exam, c.outcome, c.right, c.wrong, c.asked, c.instance, c.cpu, c.wall, c.memory, c.points} {
		if err := binary.Write(z, binary.LittleEndian, column); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
