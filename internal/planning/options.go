package planning

import (
	"fmt"
	"strings"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
	"podium/scoring"
)

// Options say what a campaign is made of. What is empty or zero is the edition's,
// unless the field says otherwise.
type Options struct {
	Models, Tools    []string       // paths, or names of built-in tools; empty: the built-in ones
	Tasks            []string       // of SV-COMP: definitions, sets, directories; then there are no models
	Benchmarks       []string       // benchmark definitions of BenchExec, which say tasks, options and limits
	Properties       []string       // of the tasks that take part; empty: all
	Size             string         // of the built-in models: short, which is also what empty means, or full
	OptOut           []string       // TOOL=CATEGORY,...: what tools opt out of, besides what their manifests say
	IgnoreOptOut     bool           // for trials, whose tasks are some of a competition: keep no opt_out of manifests
	Families         []string       // FAMILY=TOOL,...: which tools are variants of one submission, as the organisers confirm
	Apart            bool           // of trials, which rank nobody: every tool is its own family
	OutOfCompetition []string       // tools that are not ranked, besides those whose manifest or edition says so
	Edition          string         // an id or a file
	Examinations     []string       // names
	Given            models.Handout // what runs are given of instances; empty: what the edition says
	Rehearsal        bool           // no contest of the edition: an edition that gives all does not count
	Name             string         // title of the contest; empty: the day
	Version          string         // of the program
	Driver           string
	Shown            string // what runs see of this host beside the usual places; only for [Options.PrepareOne]
	Seed             uint64
	Repeat           int    // how often each run is made; 0 is once
	Witnesses        bool   // ask the tools for runs that prove their values
	Everything       bool   // run tools also where, by their manifests, they take no part (T-4)
	Embargo          string // date before which surprise models are not named (M-6); empty: none

	CPU, Wall            time.Duration
	Memory, Output, Disk int64 // bytes; Output and Disk as they are
	Processes            int   // as it is
	Cores                int   // of a concurrent tool's machine
	Have                 int   // cores of this host, where concurrent tools get no more; 0 for no bound

	// WriteBuiltIn writes a built-in tool as a directory in dir, for a driver, with
	// the arguments of its program.
	WriteBuiltIn func(dir, name, driver string, args ...string) (tools.Tool, error)
	Say          func(remark string)   // receives remarks for the person
	Hear         func(diagnostic.List) // receives what models warn of, as [models.Opener] tells it; nil drops it

	asPlanned  bool        // Given is that of the campaign that is there, also where it is empty
	benchmarks *benchmarks // what Benchmarks say; nil without them
	validation *validation // what is planned; nil for a contest
	kinds      []kind      // what the campaign is on
}

// OptionError is an option that names what does not exist.
type OptionError struct{ Err error }

func (e *OptionError) Error() string { return e.Err.Error() }
func (e *OptionError) Unwrap() error { return e.Err }

// embargoDate reads a moment, or a day, which begins at midnight UTC; zero when the
// text is empty.
func embargoDate(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, nil
	}
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return moment, &OptionError{fmt.Errorf("%q is no date: write 2026-06-20 or 2026-06-20T12:00:00Z", text)}
	}
	return moment.UTC(), nil
}

// Examinations returns the examinations of these names, which the edition must have,
// or without names those of the edition.
func Examinations(names []string, ed *edition.Edition) (list []examinations.ID, err error) {
	if len(names) == 0 {
		for _, e := range ed.Examinations {
			if e.ID != scoring.AnyExamination { // which stands for the categories of tasks
				list = append(list, e.ID)
			}
		}
		return list, nil
	}
	for _, name := range names {
		id, err := examinations.ParseID(name)
		if words := strings.Fields(name); err != nil && len(words) > 1 {
			return nil, &OptionError{fmt.Errorf("%q is no examination; separate several by commas: %s", name, strings.Join(words, ","))}
		} else if err != nil {
			return nil, &OptionError{err}
		}
		if _, ok := ed.Examination(id); !ok {
			return nil, &OptionError{fmt.Errorf("edition %s has no examination %s", ed.ID, id)}
		}
		list = append(list, id)
	}
	return list, nil
}

// Confinement returns the machine and limits of an edition, changed by the
// options.
func (o Options) Confinement(l edition.Confinement) campaign.Confinement {
	c := campaign.Confinement{Cores: l.Cores, Memory: l.Memory, CPUTime: l.CPU.Microseconds(),
		Processes: o.Processes, Output: o.Output, Disk: o.Disk}
	if o.CPU > 0 {
		c.CPUTime = o.CPU.Microseconds()
	}
	if o.Memory > 0 {
		c.Memory = o.Memory
	}
	switch {
	case o.Wall > 0:
		c.WallTime = o.Wall.Microseconds()
	case o.CPU > 0 || l.Wall == 0: // the edition's is meant for its own CPU time
		c.WallTime = c.CPUTime + (30 * time.Second).Microseconds()
	default:
		c.WallTime = l.Wall.Microseconds()
	}
	return c
}
