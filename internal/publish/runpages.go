package publish

import (
	"fmt"
	"html/template"
	"math/big"
	"slices"
	"strings"
	"time"

	"podium/examinations"
)

// shareWidth is the percentage of all votes' weight.
func shareWidth(part *big.Rat, r *Reference) string {
	all := new(big.Rat)
	for _, vote := range r.Votes {
		if vote.Weight != nil {
			all.Add(all, vote.Weight)
		}
	}
	if all.Sign() <= 0 {
		return "0"
	}
	share := new(big.Rat).Quo(part, all)
	return share.Mul(share, big.NewRat(100, 1)).FloatString(1)
}

// pointsFor sums the items of a value.
func pointsFor(r *Run, item string) *big.Rat {
	sum := new(big.Rat)
	for _, i := range r.Items {
		if i.Item == item && i.Points != nil {
			sum.Add(sum, i.Points)
		}
	}
	return sum
}

// runBody is the page of a run.
type runBody struct {
	*Run
	Tool, Inst, Exam link
	Verdict          string // what became of the run, a sentence
	Bad              bool   // void or stopped
	Mask             []Mark
	Class            string
	Rows             []answerRow
	Whole            []itemRow // items for the run as a whole
	Multiplied       []itemRow // its factors
	Peers            []link
	Log              template.HTML
	LogPath          string
	LogBytes         int64
	Bars             []measure
}

// answerRow is one asked value and how its answer was judged.
type answerRow struct {
	Item, Full string
	Given      examinations.Value
	Mark       Mark
	Log        string
	Ref        *Reference
	Split      string
	At         time.Duration
	Timed      bool
	Techniques string
	Witness    Witness
	Items      []itemRow
}

// itemRow is an addend of a score.
type itemRow struct {
	Rule, Path, Reason, Points, Exact string
	Raw                               string // empty where there are no raw points
	Loss                              bool
}

// measure is a measured figure.
type measure struct{ Name, Text, Exact string }

// writeRuns writes the page and the log of every run on an instance.
func (s *site) writeRuns(inst int) error {
	for e := range s.c.Examinations {
		c := &s.cells[inst*len(s.c.Examinations)+e]
		for _, r := range c.runs {
			if err := s.writeRun(c, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *site) writeRun(c *cell, r *Run) error {
	body, err := s.runBody(c, r)
	if err != nil {
		return err
	}
	return s.render("run", s.runPath(r), s.runPage(body))
}

// runBody gathers what the page of a run shows, and writes its log.
func (s *site) runBody(c *cell, r *Run) (*runBody, error) {
	body := &runBody{Run: r, Tool: link{s.toolPath(r.Tool), r.Tool}, Inst: link{s.instPath(c.inst), r.Instance.String()}, Exam: link{s.examPath(c.exam), string(r.Exam)},
		Verdict: outcome(r), Bad: r.NoScore != "" || r.Void != "" || r.stopped() || r.ExitCode != 0, Class: s.insts[c.inst].Class.String(), Bars: measures(r)}
	if r.Void == "" {
		body.Mask = c.mask(r)
	}
	body.Rows = s.answerRows(c, r)
	for _, i := range r.Items {
		if _, asked := c.item(i.Item); i.Item == "" || !asked {
			body.Whole = append(body.Whole, s.itemRow(i))
		}
	}
	for _, f := range r.Factors {
		body.Multiplied = append(body.Multiplied, s.factorRow(f))
	}
	for _, peer := range c.runs {
		if peer != r {
			body.Peers = append(body.Peers, link{s.runPath(peer), peer.Tool})
		}
	}
	if r.Log != nil {
		var err error
		if body.Log, body.LogBytes, err = s.copyLog(r, answerTitles(r)); err != nil {
			return nil, err
		}
		body.LogPath = s.logPath(r)
	}
	return body, nil
}

func (s *site) runPage(body *runBody) page {
	return page{Here: "instances", Title: fmt.Sprintf("%s on %s of %s", clean(body.Run.Tool), body.Run.Exam, body.Inst.Text), Body: body,
		Trail: []link{{"instances.html", "Instances"}, body.Inst}, About: body.Verdict}
}

// answerTitles are the lines of the log that hold answers.
func answerTitles(r *Run) map[int64]string {
	titles := make(map[int64]string, len(r.Answers))
	for _, a := range r.sortedAnswers() {
		if a.Offset < 0 {
			continue
		}
		text := clean(a.Item) + ": " + markWords[r.judged(a.Mark)]
		if before := titles[a.Offset]; before != "" {
			text = before + "; " + text
		}
		titles[a.Offset] = text
	}
	return titles
}

// answerRows are all asked values, answered or not, and then the answers that
// nobody asked for.
func (s *site) answerRows(c *cell, r *Run) []answerRow {
	inst := r.Instance.String()
	rows := make([]answerRow, len(c.refs))
	for k, ref := range c.refs {
		rows[k] = answerRow{Item: itemWithin(inst, ref.Key.Item), Full: clean(ref.Key.Item), Mark: Missing, Ref: ref}
		if n := s.split(c, k); n >= 0 {
			rows[k].Split = s.splitPath(n)
		}
	}
	for _, a := range r.sortedAnswers() {
		k, asked := c.item(a.Item)
		if !asked {
			k = len(rows)
			rows = append(rows, answerRow{Item: itemWithin(inst, a.Item), Full: clean(a.Item)})
		}
		row := &rows[k]
		row.Given, row.Mark, row.At, row.Timed = a.Value, r.judged(a.Mark), a.At, a.At >= 0
		row.Techniques, row.Witness = clean(strings.Join(a.Techniques, " ")), a.Witness
		if a.Offset >= 0 && r.Log != nil {
			row.Log = "#" + logAnchor(a.Offset)
		}
	}
	for _, i := range r.Items {
		if k, asked := c.item(i.Item); asked {
			rows[k].Items = append(rows[k].Items, s.itemRow(i))
		}
	}
	return rows
}

func (s *site) itemRow(i Item) itemRow {
	row := itemRow{Rule: clean(i.Rule), Path: s.RulePath(i.Rule), Reason: clean(i.Reason), Points: signed(i.Points), Exact: exact(i.Points),
		Loss: i.Points != nil && i.Points.Sign() < 0}
	if i.Raw != nil {
		row.Raw = decimal(i.Raw)
	}
	return row
}

// factorRow is a factor of the points of a run.
func (s *site) factorRow(i Item) itemRow {
	row := s.itemRow(i)
	row.Points = "\u00d7\u00a0" + decimal(i.Points)
	return row
}

// measures are the measured figures of a run, rounded, with the exact figure
// beside them.
func measures(r *Run) []measure {
	list := []measure{
		{"CPU time", duration(r.CPU), seconds(r.CPU) + " s"},
		{"user time", duration(r.User), seconds(r.User) + " s"},
		{"system time", duration(r.System), seconds(r.System) + " s"},
		{"wall time", duration(r.Wall), seconds(r.Wall) + " s"},
		{"memory peak", size(r.MemoryPeak), fmt.Sprintf("%d bytes", r.MemoryPeak)},
		{"output", size(r.OutputBytes), fmt.Sprintf("%d bytes", r.OutputBytes)},
	}
	const cpu, memory = 3, 4 // the first are of CPU time
	for i := range list {
		if i < cpu && r.NoTimes || i == memory && r.NoMemory {
			list[i].Text, list[i].Exact = notMeasured, list[i].Exact+" were seen, which is no measurement"
		}
	}
	if r.FromFile {
		list = slices.DeleteFunc(list, func(m measure) bool {
			return strings.HasPrefix(m.Name, "of it") || m.Name == "output" || m.Name == "wall time" && r.Wall == 0
		})
	}
	list = append(list, r.Energy.measures()...)
	if r.HostCPU > 0 {
		list = append(list, measure{"CPU time, by the host", duration(r.HostCPU), seconds(r.HostCPU) + " s"},
			measure{"memory peak, by the host", size(r.HostMemory), fmt.Sprintf("%d bytes", r.HostMemory)})
	}
	return list
}

// measures are the figures of energy, rounded to hundredths of a joule.
func (e Energy) measures() (list []measure) {
	if e.State == notMeasured {
		list = append(list, measure{"energy", notMeasured, e.Why})
	}
	for _, f := range []struct {
		name  string
		micro int64
	}{{"energy", e.Package}, {"of it cores", e.Core}, {"of it uncore", e.Uncore}, {"energy of memory", e.DRAM}} {
		if f.micro == 0 {
			continue
		}
		m := measure{f.name, big.NewRat(f.micro, 1_000_000).FloatString(2) + " J", joules(f.micro) + " J"}
		if e.State == "estimate" {
			m.Text += ", an estimate"
		}
		if e.Why != "" {
			m.Exact += ": " + e.Why
		}
		list = append(list, m)
	}
	return list
}

// outcome says in a sentence what became of a run.
func outcome(r *Run) string {
	if r.Void != "" {
		return "Void, it counts for nobody: " + clean(r.Void)
	}
	said := ""
	switch r.Participation {
	case DoNotCompete:
		said = " It said that it does not compete."
	case CannotCompute:
		said = " It said that it cannot compute, or gave no answer."
	}
	switch r.Termination {
	case "":
		return "What ended the run is not in the file of results." + said
	case "exited":
		if r.ExitCode != 0 {
			return fmt.Sprintf("The tool ended by itself with exit code %d.", r.ExitCode) + said
		}
		return "The tool ended by itself." + said
	case "signal":
		return fmt.Sprintf("The tool was ended by signal %d.", r.Signal) + said
	}
	if words, known := stopWords[r.Termination]; known {
		return "The run was stopped: " + words.long + "." + said
	}
	return "The run ended otherwise: " + clean(r.Termination) + "." + said
}

// stopped tells that the run did not end by itself, as far as is known.
func (r *Run) stopped() bool { return r.Termination != "exited" && r.Termination != "" }

// stopWords say why runs are stopped.
var stopWords = map[string]struct{ short, long string }{
	"cputime":  {"CPU limit", "the limit of CPU time was reached"},
	"time":     {"time limit", "a limit of time was reached; the file of results does not say which"},
	"walltime": {"time limit", "the limit of wall time was reached"},
	"memory":   {"memory limit", "the limit of memory was reached"},
	"output":   {"output limit", "the limit of output was reached"},
	"disk":     {"disk limit", "the limit of disk space was reached"},
	"panic":    {"machine panic", "the kernel of the machine died under the tool"},
}

func terminationShort(r *Run) string {
	if r.Termination == "signal" {
		return fmt.Sprintf("signal %d", r.Signal)
	}
	if words, known := stopWords[r.Termination]; known {
		return words.short
	}
	return clean(r.Termination)
}
