package trial

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// Failure says how a run failed as a program: it could not be started, crashed, or was
// killed. It is empty for a run that ended by itself, or by its time, which is no
// fault of a tool.
func (r *Result) Failure() string {
	switch o := r.Outcome; {
	case o.NotStarted():
		return fmt.Sprintf("the tool cannot start (exit code %d)", o.ExitCode)
	case o.Termination == vm.Exited && o.ExitCode != 0 && r.Said == output.Silent:
		return fmt.Sprintf("exited with code %d and said nothing of what was asked", o.ExitCode)
	case o.Termination != vm.Exited && o.Termination != vm.OutOfCPU && o.Termination != vm.OutOfTime:
		return o.Ended()
	}
	return ""
}

// hint returns the next step after a run that ended as it should not, "" where there is
// none to give.
func (b *Bench) hint(q Question, r *Result) string {
	hint := q.Need().Hint(r.Outcome)
	switch r.Outcome.Termination {
	case vm.OutOfMem:
		return hint + "; --memory gives it more"
	case vm.OutOfCPU:
		return hint + "; --cpu gives it more"
	case vm.OutOfTime:
		if r.Outcome.Waited() {
			return hint
		}
		return hint + "; --cpu gives it more: wall time is 30 s above CPU time"
	case vm.Exited:
		if r.Said == output.Silent && hint == "" && r.Findings.Err() == nil { // else a line was misread
			hint = strings.TrimPrefix(b.Tool.NothingRun(r.Outcome), ": ")
		}
	}
	return cmp.Or(b.Tool.Unstarted(r.Outcome, q.Plan.Driver), hint)
}

// Marks are how many values of a run were asked for, and what they are worth.
type Marks struct {
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
	Right    int `json:"right"`
	Wrong    int `json:"wrong"`

	refuted diagnostic.List // the wrong ones
	unknown bool            // nothing is known of one that is answered
}

// Findings are all that is to be mended after a run, for programs: each names the file
// that was kept of the output, or else the tool's head and in its message the place in
// the output.
func (b *Bench) Findings(q Question, r *Result, m Marks) (list diagnostic.List) {
	list = append(list, r.Findings...)
	list = append(list, m.refuted...)
	if failure := r.Failure(); failure != "" {
		list.Add(diagnostic.Diagnostic{Code: "tool-failed", Message: failure, Hint: b.hint(q, r)})
	}
	again := "`" + Command(b.Tool.Dir, q.Instance.Path, q.Run, q.Need(), nil) + " --logs` repeats it"
	for i := range list {
		d := &list[i]
		d.Hint = cmp.Or(d.Hint, again)
		at := q.Run.String() + ": "
		if b.Keep != "" {
			d.File = filepath.Join(b.keptAt(q.Run), "stdout")
		} else {
			switch {
			case d.Line > 0 && d.Col > 0:
				at += fmt.Sprintf("line %d, column %d of the output: ", d.Line, d.Col)
			case d.Line > 0:
				at += fmt.Sprintf("line %d of the output: ", d.Line)
			}
			d.File, d.Line, d.Col = filepath.Join(b.Tool.Dir, b.Tool.Head), 0, 0
		}
		d.Message = at + d.Message
	}
	return list
}

// spelt returns the participation in a run as tools print it.
func spelt(p output.Participation) string {
	switch p {
	case output.Answered:
		return "answered"
	case output.DoesNotCompete:
		return "DO_NOT_COMPETE"
	}
	return "CANNOT_COMPUTE"
}

// Summary adds up runs by examination.
type Summary struct{ rows []*row }

type row struct {
	exam   examinations.ID
	said   map[string]int
	ended  map[string]int
	marks  Marks
	time   time.Duration // CPU time of all runs
	memory int64         // most of a run
}

// Add takes a run.
func (s *Summary) Add(exam examinations.ID, r *Result, m Marks) {
	k := slices.IndexFunc(s.rows, func(r *row) bool { return r.exam == exam })
	if k < 0 {
		k = len(s.rows)
		s.rows = append(s.rows, &row{exam: exam, said: map[string]int{}, ended: map[string]int{}})
	}
	at := s.rows[k]
	at.said[spelt(r.Said)]++
	at.ended[r.Outcome.Ended()]++
	at.marks.Asked += m.Asked
	at.marks.Answered += m.Answered
	at.marks.Right += m.Right
	at.marks.Wrong += m.Wrong
	at.time += r.Outcome.CPUTime.Duration()
	at.memory = max(at.memory, r.Outcome.MemoryPeak)
}

// Write prints a line for each examination.
func (s *Summary) Write(out io.Writer) error {
	w := wording.Table(out)
	fmt.Fprintln(w, "examination\tparticipation\tanswered\tright\twrong\tCPU time\tmemory\twhy it ended")
	for _, r := range s.rows {
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d\t%d\t%.2f s\t%.0f MB\t%s\n", r.exam, counted(r.said), r.marks.Answered, r.marks.Asked, r.marks.Right, r.marks.Wrong,
			r.time.Seconds(), float64(r.memory)/1e6, counted(r.ended))
	}
	return w.Flush()
}

// counted lists what there is, with its number where there are several.
func counted(of map[string]int) string {
	var words []string
	for _, what := range slices.Sorted(maps.Keys(of)) {
		if len(of) > 1 {
			words = append(words, fmt.Sprintf("%d %s", of[what], what))
		} else {
			words = append(words, what)
		}
	}
	return strings.Join(words, ", ")
}
