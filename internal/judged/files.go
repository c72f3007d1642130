package judged

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"iter"
	"path/filepath"

	"podium/edition"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/witness"
	"podium/scoring"
	"podium/vm"
)

// Files is a judged contest that was read from files of results.
type Files struct {
	Contest
	Sources    []Named  // each file with its digest, see Name
	techniques []string // of runs, by their Order; nil where the files say none
}

// Named is a fact: a name and a text.
type Named struct{ Name, Text string }

// OfFiles scores what [FromResults] read; techniques and proofs may be nil.
func OfFiles(c *scoring.Contest, techniques []string, ed *edition.Edition, proofs *Certificate) *Files {
	f := OfResult(ed.Score(c), ed, proofs)
	f.techniques = techniques
	return f
}

// OfResult shows a result with what it holds itself of its runs, such as one under a question.
func OfResult(r *scoring.Result, ed *edition.Edition, proofs *Certificate) *Files {
	f := &Files{Contest: Contest{Result: r, Edition: ed, Proofs: proofs}}
	f.Facts = f
	return f
}

// Name notes the files that the contest was read from, with their digests.
func (f *Files) Name(paths []string) error {
	for _, path := range paths {
		data, err := files.ReadNamed(path, maxResults)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		f.Sources = append(f.Sources, Named{Name: filepath.Base(path), Text: hex.EncodeToString(sum[:])})
	}
	return nil
}

// terminations are the words for what files say of the end of a run.
var terminations = map[scoring.Ending]vm.Termination{scoring.ByItself: vm.Exited, scoring.AtTimeLimit: "time", scoring.AtMemoryLimit: vm.OutOfMem, scoring.AtBothLimits: "time+memory"}

// Ran implements [Facts], as far as a file knows the run: there is no output and no computer.
func (f *Files) Ran(sheet, tool int) (Ran, bool) {
	run := f.Result.Contest.Run(sheet, tool)
	ran := Ran{Participation: output.CannotCompute, Attempts: 1, Outcome: &vm.Outcome{Termination: terminations[run.Ending], MemoryPeak: max(run.Memory, 0), Measured: "as " + run.Source + " says",
		CPUTime: vm.Micros(max(run.CPU, 0)), WallTime: vm.Micros(max(run.Wall, 0))}}
	switch run.Participation {
	case scoring.Absent:
		return Ran{}, false
	case scoring.Void:
		ran.Void = run.Source
	case scoring.Answered:
		ran.Participation = output.Answered
	case scoring.DoNotCompete:
		ran.Participation = output.DoesNotCompete
	}
	if run.CPU == scoring.Unmeasured {
		ran.Unmeasured = append(ran.Unmeasured, vm.Times)
	}
	if run.Memory == scoring.Unmeasured {
		ran.Unmeasured = append(ran.Unmeasured, vm.Memory)
	}
	if run.Energy > 0 {
		whole, parts := run.Energies()
		ran.Energy = &vm.Energy{Package: whole, Core: parts.Core, Uncore: parts.Uncore, DRAM: parts.DRAM}
	}
	return ran, true
}

// Said implements [Facts].
func (f *Files) Said(sheet, tool int) iter.Seq[Said] {
	return func(yield func(Said) bool) {
		c := f.Result.Contest
		s := c.Sheets[sheet]
		techniques := "" // of the whole run: the files do not say which answer is by which
		if order := int(c.Run(sheet, tool).Order); order < len(f.techniques) {
			techniques = f.techniques[order]
		}
		for value := int(s.First); value < int(s.First+s.Values); value++ {
			answer := c.Answer(value, tool)
			if !answer.IsZero() && !yield(Said{Item: c.Items[value], Value: answer, Mark: f.Result.ValueMark(sheet, tool, value), Techniques: techniques, At: -1, Offset: -1,
				Witness: campaign.Witnessed{State: witnessStates[c.Witness(value, tool)]}}) {
				return
			}
		}
	}
}

// witnessStates are those of witnesses whose validation a file tells.
var witnessStates = map[scoring.Witness]witness.State{scoring.Confirmed: witness.Confirmed, scoring.Unconfirmed: witness.Unconfirmed}

// Output implements [Facts].
func (f *Files) Output(int, int) (io.ReadCloser, error) {
	return nil, errors.New("files of results hold no outputs")
}

// Curve implements [Facts].
func (f *Files) Curve(int, int) (vm.Curve, campaign.Confinement, error) {
	return nil, campaign.Confinement{}, nil
}

// Remarks implements [Facts].
func (f *Files) Remarks(int, int) ([]string, error) { return nil, nil }
