package judged

import (
	"io"
	"iter"
	"slices"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/scoring"
	"podium/vm"
)

// Contest is a judged contest, wherever its answers come from: what pages, tables, terminals
// and questions read. Its sheets, tools and values have the numbers of the result.
type Contest struct {
	Result  *scoring.Result
	Edition *edition.Edition
	Proofs  *Certificate      // nil without a referee
	Decided *decisions.Record // nil of files of results
	Facts   Facts             // what else is known of the runs
}

// Facts are what is known of runs beside their scores: of a campaign by its journal, of files
// of results by what they say. All but Ran may be called from several goroutines.
type Facts interface {
	// Ran returns how a run went, and false where there is none. It is for one goroutine.
	Ran(sheet, tool int) (Ran, bool)
	// Said returns what a run answered, in the order in which it did.
	Said(sheet, tool int) iter.Seq[Said]
	// Output opens what the tool printed. The error is an [*UnreadableLog] where that is lost.
	Output(sheet, tool int) (io.ReadCloser, error)
	// Curve returns the run over time, empty where it was not sampled, and the machine and the
	// limits that it had. The error is as that of Output.
	Curve(sheet, tool int) (vm.Curve, campaign.Confinement, error)
	// Remarks returns, a line each, what `podium try` says of a run besides its values. It
	// reads the output again.
	Remarks(sheet, tool int) ([]string, error)
}

// Ran is how a run went. The outcome is that of the record, which nobody changes; it is empty
// of a void run.
type Ran struct {
	*vm.Outcome
	Participation output.Participation
	Void          string           // why the run counts for nobody; empty for a valid run
	Attempts      int              // tries, void ones included
	Logged        bool             // what the tool printed was kept
	By            *campaign.Opened // the worker that did it; nil where that is not known
	Place         string           // on the computer, in words; empty where it is not known
	Drift         []string         // how the computer was slower or faster than usual around the run
	Reread        *campaign.Reread // nil where the answers are as they were first read
	Repeated      *Repeated        // what all times took that the run was made; nil of one that was made once
}

// Times reports whether times were measured. What was seen of others is shown, and earns nothing.
func (r *Ran) Times() bool { return r.Measures(vm.Times) }

// Memory reports whether the peak of memory was measured.
func (r *Ran) Memory() bool { return r.Measures(vm.Memory) }

// Host is the name of the computer, empty where it is not known.
func (r *Ran) Host() string {
	if r.By == nil {
		return ""
	}
	return r.By.Host
}

// AllWarnings returns the warnings about a run, a sentence each.
func (r *Ran) AllWarnings() []string {
	list := slices.Concat(r.Warnings, r.Drift)
	if r.Reread != nil {
		list = append(list, r.Reread.Text())
	}
	return list
}

// Stopped reports whether the run did not end by itself, as far as is known.
func (r *Ran) Stopped() bool { return r.Termination != vm.Exited && r.Termination != "" }

// Said is one answer of a run, with its mark.
type Said struct {
	Item       string
	Value      examinations.Value
	Mark       scoring.Mark       // Unjudged where nobody asked
	Techniques string             // separated by blanks
	At         time.Duration      // wall time since the start of the tool; negative where it is not known
	Offset     int64              // of the first byte of its line in the output; negative where it is not known
	Witness    campaign.Witnessed // zero where no run can prove the value, or none was asked for
}

// Witnessed reports whether something is known of a witness of the answer.
func (s *Said) Witnessed() bool {
	w := s.Witness
	w.Item = ""
	return w != campaign.Witnessed{}
}

// UnreadableLog says that an output is not there, or not as it was.
type UnreadableLog struct{ Err error }

func (e *UnreadableLog) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UnreadableLog) Unwrap() error { return e.Err }
