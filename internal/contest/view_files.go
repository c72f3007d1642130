package contest

import (
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"podium/edition"
	"podium/internal/files"
	"podium/internal/publish"
	"podium/internal/witness"
	"podium/scoring"
)

// Files is a contest that was read from files of results, with the scores of its
// runs.
type Files struct {
	Scored
	from       []publish.Named // each file with its digest
	techniques []string        // of runs, by their Order; nil where the files say none
}

// OfFiles scores what [FromResults] read from paths; techniques and proofs may be nil.
func OfFiles(paths []string, c *scoring.Contest, techniques []string, ed *edition.Edition, proofs *Certificate) (*Files, error) {
	f := &Files{Scored: *newScored(ed, ed.Score(c), proofs, false), techniques: techniques}
	for _, path := range paths {
		data, err := files.ReadNamed(path, maxResults)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		f.from = append(f.from, publish.Named{Name: filepath.Base(path), Text: hex.EncodeToString(sum[:])})
	}
	return f, nil
}

// View gives the contest in the form of pages and CSV files, with what the files say:
// no logs and no machines.
func (f *Files) View() *publish.Contest {
	c := f.Result.Contest
	v := &publish.Contest{
		Title: f.Edition.Title, FromFiles: true,
		Edition: f.shownEdition(),
		Digests: append([]publish.Named{{Name: "edition", Text: f.Edition.Digest}}, f.from...),
	}
	for _, t := range c.Tools {
		v.Tools = append(v.Tools, publish.Tool{Name: t.Name, Family: t.Family, OutOfCompetition: t.OutOfCompetition, FirstTime: t.FirstTime, OptOut: t.OptOut})
	}
	for _, i := range c.Instances {
		_, property, _ := strings.Cut(i.Name, "#") // as campaigns name tasks
		v.Instances = append(v.Instances, publish.Instance{ID: i.ID, Class: i.Class, Property: property})
	}
	asked := make([]bool, len(c.Exams))
	for _, s := range c.Sheets {
		asked[s.Exam] = true
	}
	for i, e := range c.Exams {
		if asked[i] {
			v.Examinations = append(v.Examinations, publish.Examination{ID: e.ID, Category: e.Category, Task: e.Task})
		}
	}
	f.viewCategories(v)
	weights := f.weights()
	for sheet := range c.Sheets {
		for tool := range c.Tools {
			f.viewRun(v, sheet, tool)
		}
		f.viewReferences(v, sheet, weights)
	}
	f.viewDoubts(v)
	f.viewReferee(v)
	f.viewConfidences(v)
	v.Warnings = append(v.Warnings, unmeasured(v.Runs, f.Edition.HasBonuses())...)
	return v
}

// viewRun shows one run as far as the file knows it.
func (f *Files) viewRun(v *publish.Contest, sheet, tool int) {
	c := f.Result.Contest
	run, s := c.Run(sheet, tool), c.Sheets[sheet]
	switch {
	case run.Participation == scoring.Absent:
		return
	case c.OptedOut(sheet, tool):
		v.OptedOut++
		return
	}
	r := publish.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Participation: publish.CannotCompute,
		FromFile: true, Termination: terminations[run.Ending], CPU: time.Duration(max(run.CPU, 0)) * time.Microsecond, Wall: time.Duration(max(run.Wall, 0)) * time.Microsecond,
		MemoryPeak: max(run.Memory, 0), NoTimes: run.CPU == scoring.Unmeasured, NoMemory: run.Memory == scoring.Unmeasured}
	switch run.Participation {
	case scoring.Void:
		r.Void = run.Source
	case scoring.Answered:
		r.Participation = publish.Answered
	case scoring.DoNotCompete:
		r.Participation = publish.DoNotCompete
	}
	f.accounts.Fill(&r, sheet, tool)
	r.Late = &lateFileRun{f, int32(sheet), int32(tool)}
	v.Runs = append(v.Runs, r)
}

// terminations are the words that pages have for what files say of the end of a run.
var terminations = map[scoring.Ending]string{scoring.ByItself: "exited", scoring.AtTimeLimit: "time", scoring.AtMemoryLimit: "memory", scoring.AtBothLimits: "time+memory"}

// lateFileRun gives what else a file says of a run when it is shown.
type lateFileRun struct {
	f           *Files
	sheet, tool int32
}

// Setting says what was measured besides.
func (r *lateFileRun) Setting() publish.Setting {
	run := r.f.Result.Contest.Run(int(r.sheet), int(r.tool))
	s := publish.Setting{Attempts: 1, Measured: "as " + run.Source + " says", Flags: r.f.Result.FlagTexts(int(r.sheet), int(r.tool))}
	if run.Energy > 0 {
		whole, parts := run.Energies()
		s.Energy = publish.Energy{State: "measured", Package: whole, Core: parts.Core, Uncore: parts.Uncore, DRAM: parts.DRAM}
	}
	return s
}

// Items gives the points of a run, one by one.
func (r *lateFileRun) Items() (items, factors []publish.Item) {
	return r.f.accounts.Items(int(r.sheet), int(r.tool))
}

// Answers gives what a run said.
func (r *lateFileRun) Answers() iter.Seq[publish.Answer] {
	return func(yield func(publish.Answer) bool) { r.answers(yield) }
}

func (r *lateFileRun) answers(yield func(publish.Answer) bool) {
	c, sheet, tool := r.f.Result.Contest, int(r.sheet), int(r.tool)
	s := c.Sheets[sheet]
	techniques := "" // of the whole run: the files do not say which answer is by which
	if order := int(c.Run(sheet, tool).Order); order < len(r.f.techniques) {
		techniques = r.f.techniques[order]
	}
	for value := int(s.First); value < int(s.First+s.Values); value++ {
		answer := c.Answer(value, tool)
		if answer.IsZero() {
			continue
		}
		mark := r.f.Result.ValueMark(sheet, tool, value)
		shown := publish.Mark(mark.Char())
		if mark == scoring.Ignored {
			shown = publish.Aside
		}
		if !yield(publish.Answer{Item: c.Items[value], Value: answer, Mark: shown, Techniques: techniques, At: -1, Offset: -1,
			Witness: publish.Witness{State: string(witnessStates[c.Witness(value, tool)])}}) {
			return
		}
	}
}

// witnessStates are those of witnesses whose validation a file tells.
var witnessStates = map[scoring.Witness]witness.State{scoring.Confirmed: witness.Confirmed, scoring.Unconfirmed: witness.Unconfirmed}
