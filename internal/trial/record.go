package trial

import (
	"io"
	"path/filepath"
	"strings"

	"podium/internal/campaign"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// Record is a trial of a tool, on nets or on tasks, with what it did.
type Record struct {
	Tool  tools.Tool
	Keep  string    // directory that gets all that runs leave, by instance and examination; "" for none
	Out   io.Writer // of lines and tables
	Cases []Case    // in the order of the runs

	failed, undone                     int // runs
	unstarted, exitCode                int // in a row, the last ones: runs that did not start, and how
	values, verdicts, lines, malformed int // that are wrong, or look like answers and are none; witnesses
}

// Trial returns the record.
func (r *Record) Trial() *Record { return r }

// mostUnstarted is how many runs in a row may fail to start alike before the others are taken
// to do so, too.
const mostUnstarted = 3

// ended takes how a run ended.
func (r *Record) ended(o vm.Outcome) {
	switch {
	case !o.NotStarted():
		r.unstarted = 0
	case o.ExitCode != r.exitCode:
		r.unstarted, r.exitCode = 1, o.ExitCode
	default:
		r.unstarted++
	}
}

// cannotStart reports whether the last runs say that the tool starts nowhere.
func (r *Record) cannotStart() bool { return r.unstarted >= mostUnstarted }

// keptAt is the directory that gets all that a run leaves.
func (r *Record) keptAt(run campaign.Run) string {
	return filepath.Join(r.Keep, run.Instance, string(run.Exam))
}

// writeFindings writes what is to be mended, for programs.
func (r *Record) writeFindings(out io.Writer, format diagnostic.Format) error {
	var all diagnostic.List
	for _, c := range r.Cases {
		all = append(all, c.Findings...)
	}
	return all.Write(out, format)
}

// Blame says what has to be mended; it is empty when all is well.
func (r *Record) Blame() string {
	var all []string
	for _, f := range []struct {
		n         int
		one, many string
	}{
		{r.failed, "run failed: the tool did not start, crashed or was killed", "runs failed: the tool did not start, crashed or was killed"},
		{r.undone, "run could not be done", "runs could not be done"},
		{r.values, "value is wrong", "values are wrong"},
		{r.verdicts, "verdict is wrong", "verdicts are wrong"},
		{r.lines, "line looks like an answer and is none", "lines look like answers and are none"},
		{r.malformed, "witness is malformed", "witnesses are malformed"},
	} {
		if f.n > 0 {
			all = append(all, wording.Count(f.n, f.one, f.many))
		}
	}
	return strings.Join(all, "; ")
}
