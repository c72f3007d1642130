package edition

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/yaml"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

//go:embed editions/*.yaml
var embedded embed.FS

// Edition is the rules of one year of a contest.
type Edition struct {
	ID       string
	Title    string
	Basis    string   // how well the rules of the year are known: one of Standings, a colon, and why; may be empty
	Sources  []string // where the rules stand
	Known    []string // what sources state of a year whose rules could not be read: one sentence each
	Inferred []string // what no source states
	// Unknown are facts of the year that were looked for and not found.
	Unknown      []string
	Examinations []scoring.Examination
	Kinds        map[examinations.ID]examinations.Kind
	Limits       Limits
	Given        models.Handout // what runs are given of instances
	Classes      Classes
	// OutOfCompetition names tools that vote and are scored but not ranked,
	// such as last year's winner that is run again.
	OutOfCompetition []string
	// Qualification names the conditions that a tool must meet before the contest
	// (T-7), of Conditions.
	Qualification []string
	FirstTime     []string            // tools that take part for the first time (SV-COMP)
	OptOut        map[string][]string // by tool: categories in which it shows no results (SV-COMP)
	Witnesses     []WitnessFormats
	Verdicts      *verdict.Reading // of answers to tasks (SV-COMP)
	Scheme        *scoring.Scheme
	Digest        string // sha256 of the file, hexadecimal
	Text          []byte // the file, without Changes
	// Changes are what With changed; the digest covers them.
	Changes []Change

	uses []use
}

// Standings are the words that say how well rules are known: verified on published results, read, or
// inferred from other years.
var Standings = []string{"verified", "read", "inferred"}

// Standing returns which of Standings the basis begins with; "" without a basis.
func (e *Edition) Standing() string {
	word, _, _ := strings.Cut(e.Basis, ":")
	return word
}

// Limits are the machines and limits of runs (E-5).
type Limits struct {
	Sequential Confinement // tools that use one core
	Concurrent Confinement
	// Violation and Correctness are those of validators, by what a witness shows; nil where
	// witnesses are not validated (SV-COMP).
	Violation, Correctness *Confinement
	// PinInstances: all runs of an instance are done on one computer, and not all of
	// its model (E-5.1).
	PinInstances bool
}

// Confinement is the machine and the limits of a run.
type Confinement struct {
	CPU    time.Duration // 0: none
	Wall   time.Duration // 0: none
	Memory int64         // bytes
	Cores  int
	// Share is the CPU time of validators in percent of that of the runs that they validate,
	// where these have another than the edition's; 0: none.
	Share int64
}

// Under returns the limits of validators of runs that have a limit of CPU time; 0 is none.
func (c Confinement) Under(cpu time.Duration, l Limits) Confinement {
	if c.Share > 0 && cpu > 0 && cpu != l.Sequential.CPU {
		c.CPU, c.Wall = max(cpu/100*time.Duration(c.Share), time.Second), 0
	}
	return c
}

// Classes say which class each model has (E-4.4).
type Classes struct {
	Surprise       []string // families
	StrippedPrefix string   // prefix of the names of stripped instances, may be empty
}

// Class returns the class of an instance by its name.
func (c Classes) Class(instance string) models.Class {
	if c.StrippedPrefix != "" && strings.HasPrefix(instance, c.StrippedPrefix) {
		return models.Stripped
	}
	if slices.Contains(c.Surprise, models.ParseAnyID(instance).Family) {
		return models.Surprise
	}
	return models.Known
}

// Names lists the editions that are part of the program, sorted.
func Names() []string {
	entries, err := embedded.ReadDir("editions")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Source returns the text of an edition that is part of the program. An unknown
// id is an error.
func Source(id string) ([]byte, error) {
	data, err := embedded.ReadFile(path.Join("editions", id+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("there is no edition and no file %q%s", id, diagnostic.Instead(id, Names()))
	}
	return data, nil
}

// Named returns an edition that is part of the program. An unknown id is an
// error.
func Named(id string) (*Edition, error) {
	data, err := Source(id)
	if err != nil {
		return nil, err
	}
	e, found := Load(id+".yaml", data)
	if err := found.Err(); err != nil {
		return nil, err
	}
	return e, nil
}

// Load reads an edition from the bytes of a file. Name is the file in the
// findings. The edition is nil when a finding is an error.
func Load(name string, data []byte) (*Edition, diagnostic.List) {
	r := &reader{Walker: yaml.Walker{File: name, Prefix: "edition", What: "an edition"}}
	e := r.edition(data)
	r.Found.Sort()
	if r.Found.Err() != nil {
		return nil, r.Found
	}
	sum := sha256.Sum256(data)
	e.Text = data
	e.Digest = hex.EncodeToString(sum[:])
	return e, r.Found
}

// Builder returns an empty builder for a contest of this edition.
func (e *Edition) Builder() *scoring.Builder { return scoring.NewBuilder(e.Examinations) }

// Score scores a contest by the rules of this edition.
func (e *Edition) Score(c *scoring.Contest) *scoring.Result { return e.Scheme.Score(c) }

// Intervals reports whether tools may answer UpperBounds by intervals (E-3.2).
func (e *Edition) Intervals() bool {
	return slices.ContainsFunc(e.Examinations, func(x scoring.Examination) bool { return x.Intervals })
}

// ForTasks reports whether the edition has rules for tasks: its categories are those of the
// tasks.
func (e *Edition) ForTasks() bool {
	_, any := e.Examination(scoring.AnyExamination)
	return any
}

// ForNets reports whether the edition has rules for nets, perhaps beside those for tasks.
func (e *Edition) ForNets() bool { return e.Scheme.Elect != nil || !e.ForTasks() }

// Examination returns an examination of the edition, and false when the edition
// does not have it.
func (e *Edition) Examination(id examinations.ID) (scoring.Examination, bool) {
	i := slices.IndexFunc(e.Examinations, func(x scoring.Examination) bool { return x.ID == id })
	if i < 0 {
		return scoring.Examination{}, false
	}
	return e.Examinations[i], true
}

// Participant is what the edition states of a tool.
func (e *Edition) Participant(name string) scoring.Tool {
	return scoring.Tool{Name: name, OutOfCompetition: slices.Contains(e.OutOfCompetition, name),
		FirstTime: slices.Contains(e.FirstTime, name), OptOut: e.OptOut[name]}
}

// Asked returns an examination of the edition, also one that only its "*" stands for:
// in a competition on programs the categories are those of the tasks.
func (e *Edition) Asked(id examinations.ID) (scoring.Examination, bool) {
	x, ok := e.Examination(id)
	if !ok && id != "" {
		if x, ok = e.Examination(scoring.AnyExamination); ok {
			x.ID, x.Category, x.Task = id, string(id), true
		}
	}
	return x, ok
}
