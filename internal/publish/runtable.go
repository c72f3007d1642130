package publish

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math"
	"time"

	"podium/examinations/output"
	"podium/internal/publish/paths"
	"podium/scoring"
)

// runTable is the head of the file of runs, which the page of the table reads: what
// numbers in its columns stand for. The columns follow in the order of Columns.
type runTable struct {
	Format    string            `json:"format"`
	Rows      int               `json:"rows"`
	Tools     []string          `json:"tools"`
	Instances []string          `json:"instances"`
	Exams     []string          `json:"examinations"`
	Outcomes  words             `json:"outcomes"`
	Hosts     words             `json:"hosts"`
	Points    []float64         `json:"points"` // each number of points once
	ToolFiles []string          `json:"tool_files"`
	InstFiles []string          `json:"instance_files"` // parts of the addresses of runs
	ExamFiles []string          `json:"examination_files"`
	Models    words             `json:"models"`     // of instances
	Kinds     words             `json:"kinds"`      // of instances: PT or COL
	Classes   words             `json:"classes"`    // of instances
	Category  words             `json:"categories"` // of examinations
	Meanings  map[string]string `json:"meanings"`   // what columns show, by their names
	Columns   []runColumn       `json:"columns"`
}

// words number names, and may give each of some things one of them.
type words struct {
	Names []string `json:"names"`
	Of    []int    `json:"of,omitempty"` // numbers of names
	at    map[string]int
}

// number finds a name, which it may add.
func (w *words) number(name string) int {
	at, known := w.at[name]
	if !known {
		if w.at == nil {
			w.at = map[string]int{}
		}
		at = len(w.Names)
		w.at[name], w.Names = at, append(w.Names, name)
	}
	return at
}

func (w *words) add(name string) { w.Of = append(w.Of, w.number(name)) }

// runColumn is a column of the file of runs: whole numbers of Bytes bytes. The file has
// the least byte of all rows, then the next one of all rows: such neighbours are alike,
// and are packed small.
type runColumn struct {
	Name   string `json:"name"`
	Bytes  int    `json:"bytes"`
	values []uint64
}

// The columns of the file of runs. Times are microseconds and memory is bytes, each plus 1:
// 0 was not measured, or is not known. Ended adds 1 for a
// timeout, 2 for a memory-out, and 4 for any stop.
var runColumnNames = []string{"tool", "examination", "instance", "outcome", "host", "points", "right", "wrong", "asked", "answers", "cpu", "wall", "memory", "first", "last",
	"aside", "alone", "elsewhere", "ended"}

// columnMeanings are words of the glossary that say what columns show.
var columnMeanings = map[string]string{"right": "right", "wrong": "wrong", "points": "points", "asked": "value", "answers": "answer", "outcome": "outcome", "cpu": "CPU time",
	"wall": "wall time", "memory": "memory", "first": "time of an answer", "last": "time of an answer", "missing": "no answer", "unjudged": "not judged", "aside": "set aside", "timeout": "timeout", "memout": "memory-out", "stopped": "stopped", "host": "host", "lost": "lost against the best", "class": "class", "kind": "kind of net"}

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
	return s.render("table", "table.html", page{Here: "table", Title: "Table of runs", Own: []string{"podium.js", "podium-runs.js", "table.js"}, About: "Every run, to filter, sort and add up."})
}

func (s *site) packRuns() ([]byte, error) {
	head := runTable{Format: "podium-runs/3", InstFiles: s.instFile, ToolFiles: s.toolFile, Meanings: map[string]string{}}
	for _, name := range runColumnNames {
		head.Columns = append(head.Columns, runColumn{Name: name})
	}
	for _, m := range s.meanings() {
		for column, word := range columnMeanings {
			if word == m.Word {
				head.Meanings[column] = m.Text
			}
		}
	}
	for _, t := range s.tools {
		head.Tools = append(head.Tools, clean(t.Name))
	}
	for _, inst := range s.insts {
		head.Instances = append(head.Instances, inst.ID.String())
		if s.hasNets() {
			head.Models.add(clean(inst.ID.Family))
			head.Kinds.add(netWord(inst.ID))
			head.Classes.add(inst.Class.String())
		}
	}
	for _, e := range s.c.Examinations {
		head.Exams, head.ExamFiles = append(head.Exams, string(e.ID)), append(head.ExamFiles, paths.Name(string(e.ID)))
		head.Category.add(clean(e.Category))
	}
	points := map[float64]int{}
	for i := range s.cells {
		found := s.cells[i].found()
		for _, r := range s.cells[i].runs {
			head.add(s.tableRow(&s.cells[i], r, found), points)
		}
	}
	return head.pack()
}

// found counts the runs that answered each value of the cell right.
func (c *cell) found() []int {
	found := make([]int, len(c.refs))
	for _, r := range c.runs {
		if !r.partakes() {
			continue
		}
		for item, mark := range c.mask(r) {
			found[item] += btoi(mark == scoring.Right)
		}
	}
	return found
}

// partakes reports whether the run is compared with others.
func (r *run) partakes() bool { return r.Void == "" && r.Participation != output.DoesNotCompete }

// tableRow is a run in the table of all runs. A time or size below 0 was not measured.
type tableRow struct {
	tool, exam, inst, right, wrong, asked, answers int
	outcome, host                                  string
	points                                         float64
	cpu, wall, memory, first, last                 int64 // microseconds, and bytes
	aside, alone, elsewhere                        int   // answers; those right here alone; left out, and right elsewhere
	ended                                          int
}

func (s *site) tableRow(of *cell, r *run, found []int) tableRow {
	var n tally
	n.add(of, r)
	row := tableRow{tool: s.toolAt[r.toolName()], exam: of.exam, inst: of.inst, right: n.right, wrong: n.wrong, asked: len(of.refs), outcome: runNote(r),
		host: clean(r.Host()), cpu: -1, wall: -1, memory: -1, first: -1, last: -1}
	switch {
	case row.outcome != "":
	case r.Termination == "":
		row.outcome = "not known"
	default:
		row.outcome = "ended by itself"
	}
	row.points, _ = r.points.Float64()
	if r.Void != "" {
		return row
	}
	row.answers, row.aside, row.ended = n.right+n.wrong+n.unjudged+n.aside, n.aside, n.timeouts+2*n.memouts+4*n.stopped
	for item, mark := range of.mask(r) {
		row.alone += btoi(mark == scoring.Right && found[item] == 1)
		row.elsewhere += btoi(mark == scoring.Missing && found[item] > 0 && r.partakes())
	}
	if r.Times() {
		row.cpu = r.CPUTime.Microseconds()
	}
	if r.walled() {
		row.wall = r.WallTime.Microseconds()
	}
	if r.Memory() {
		row.memory = r.MemoryPeak
	}
	if row.answers == 0 {
		return row
	}
	least, most := time.Duration(math.MaxInt64), time.Duration(-1)
	for a := range r.said() {
		if a.At >= 0 {
			least, most = min(least, a.At), max(most, a.At)
		}
	}
	if most >= 0 {
		row.first, row.last = least.Microseconds(), most.Microseconds()
	}
	return row
}

// add gives the columns a row.
func (t *runTable) add(r tableRow, points map[float64]int) {
	worth, known := points[r.points]
	if !known {
		worth = len(t.Points)
		points[r.points] = worth
		t.Points = append(t.Points, r.points)
	}
	for i, x := range []int64{int64(r.tool), int64(r.exam), int64(r.inst), int64(t.Outcomes.number(r.outcome)), int64(t.Hosts.number(r.host)), int64(worth),
		int64(r.right), int64(r.wrong), int64(r.asked), int64(r.answers), r.cpu + 1, r.wall + 1, r.memory + 1, r.first + 1, r.last + 1,
		int64(r.aside), int64(r.alone), int64(r.elsewhere), int64(r.ended)} {
		t.Columns[i].values = append(t.Columns[i].values, uint64(max(x, 0)))
	}
	t.Rows++
}

// pack writes the head in a line and the columns after it.
func (t *runTable) pack() ([]byte, error) {
	for i := range t.Columns {
		c := &t.Columns[i]
		all := uint64(0)
		for _, x := range c.values {
			all |= x
		}
		for ; all > 0; all >>= 8 {
			c.Bytes++
		}
	}
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := json.NewEncoder(z).Encode(t); err != nil {
		return nil, err
	}
	plane := make([]byte, t.Rows)
	for _, c := range t.Columns {
		for k := range c.Bytes {
			for i, x := range c.values {
				plane[i] = byte(x >> (8 * k))
			}
			if _, err := z.Write(plane); err != nil {
				return nil, err
			}
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
