package progress

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/wording"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// Status says how far a campaign is. The keys of its JSON are described in
// docs/json.md.
type Status struct {
	Campaign    string                 `json:"campaign"`
	Name        string                 `json:"name"`
	Edition     string                 `json:"edition"`
	Planned     int                    `json:"planned"`
	Finished    int                    `json:"finished"`
	Void        int                    `json:"void"`
	InDoubt     int                    `json:"in_doubt"`
	Halted      int                    `json:"stopped"` // in doubt, since their worker was stopped
	Left        int                    `json:"left"`
	Wanted      int                    `json:"wanted_again"`       // finished, and to be done again
	Work        forecast.Left          `json:"work_left,omitzero"` // all runs that are left, one after the other
	Repeated    int                    `json:"repeated"`           // ends that do not count: another of the run does
	Lost        int                    `json:"lost_lease"`         // made under a lease that was lost
	Aside       int                    `json:"set_aside"`          // made on another computer than the model's (E-5.1)
	Redone      int                    `json:"redone"`             // of models that were done again on request
	Replaced    int                    `json:"replaced"`           // of versions of tools that were replaced
	Further     []string               `json:"further_ends,omitempty"`
	Damaged     int                    `json:"damaged_records"`
	Terminated  map[string]int         `json:"terminations"`
	VoidReasons map[string]string      `json:"void_runs,omitempty"`
	Table       []Row                  `json:"table"` // by tool and examination, in the order of the plan
	Running     []Current              `json:"running"`
	Suspicions  map[suspicion]int      `json:"suspicions"` // runs by what is strange about them
	Suspicious  map[string][]suspicion `json:"suspicious_runs,omitempty"`

	at     time.Time
	only   func(campaign.Run) bool
	rows   map[rowKey]*Row
	all    counts
	states []Fate // of the chosen runs, in the order of the plan
}

// rowKey names a row of the table.
type rowKey struct {
	tool string
	exam examinations.ID
}

// StatusOptions say what a status is about, and which runs it names.
type StatusOptions struct {
	Only                       func(campaign.Run) bool // the runs that are counted; nil for all
	Void, Repeated, Suspicious bool                    // name the void runs, the ends that do not count, the suspicious runs
	Now                        time.Time
}

// NewStatus sums up what the journals of a campaign say.
func NewStatus(c *campaign.Campaign, log *campaign.Log, o StatusOptions) (*Status, error) {
	if o.Only == nil {
		o.Only = func(campaign.Run) bool { return true }
	}
	r := &Status{Campaign: c.Dir, Name: c.Plan.Name, Edition: c.Plan.Edition, Damaged: len(log.Damage), Terminated: map[string]int{},
		Suspicions: map[suspicion]int{}, Suspicious: map[string][]suspicion{}, at: o.Now, only: o.Only}
	snapshot, err := NewSnapshot(&c.Plan, log)
	if err != nil {
		return nil, err
	}
	r.makeTable(&c.Plan)
	for seen := range snapshot.Runs {
		if o.Only(seen.Run) {
			r.count(log, &seen, o.Suspicious)
		}
	}
	r.trimTable()
	r.Halted = log.Stopped(o.Only)
	var expected map[campaign.Run]forecast.Expected
	r.Work, expected = forecast.Work(&c.Plan, log, snapshot.Begun, o.Now)
	r.Running = []Current{}
	for _, u := range snapshot.Under {
		if o.Only(u.Run) {
			r.Running = append(r.Running, snapshot.Current(u, expected[u.Run]))
		}
	}
	r.further(log, o)
	if o.Void {
		r.VoidReasons = map[string]string{}
		for run, v := range log.Void {
			if o.Only(run) {
				r.VoidReasons[run.String()] = v.Reason
			}
		}
	}
	return r, nil
}

// count adds a run, and names it where it is suspicious and names are asked for.
func (r *Status) count(log *campaign.Log, run *Seen, name bool) {
	r.states = append(r.states, run.Fate)
	r.Planned++
	row := r.rows[rowKey{run.Tool, run.Exam}]
	row.Planned++
	switch {
	case run.Fate == Running:
		row.Running++
	case run.Fate == Void:
		row.Void++
	case run.Fate == Missing:
		row.Missing++
	default:
		row.Done++
		if r.suspect(log, run.End, name) {
			row.Suspicious++
		}
	}
	switch {
	case run.End != nil:
		r.Finished++
		r.Terminated[string(run.End.Outcome.Termination)]++
		if log.Wanted(run.Run) {
			r.Wanted++
		}
	case run.Last == Void:
		r.Void++
	default:
		r.Left++
	}
	if _, doubt := log.Doubt[run.Run]; doubt {
		r.InDoubt++
	}
}

// further counts the ends that do not count, and names them on demand.
func (r *Status) further(log *campaign.Log, o StatusOptions) {
	for run, ends := range log.Further {
		if !o.Only(run) {
			continue
		}
		for _, f := range ends {
			switch log.Standing(f) {
			case campaign.Lost:
				r.Lost++
			case campaign.Aside:
				r.Aside++
			case campaign.Redone:
				r.Redone++
			case campaign.Replaced:
				r.Replaced++
			default:
				r.Repeated++
			}
			if o.Repeated {
				r.Further = append(r.Further, fmt.Sprintf("%s, by worker %s: %s", run, f.Worker, log.Standing(f)))
			}
		}
	}
	slices.Sort(r.Further)
}

// Write writes the status as text: the counts, the table, and at the end of a long one
// what is under way.
func (r *Status) Write(out io.Writer) error {
	text := bufio.NewWriter(out)
	if err := r.writeCounts(text); err != nil {
		return err
	}
	r.writeTable(text)
	r.writeRunning(text)
	return text.Flush()
}

// writeCounts writes the counts of all runs, and names some on demand.
func (r *Status) writeCounts(out io.Writer) error {
	w := wording.Table(out)
	line := func(what string, n int) {
		fmt.Fprintf(w, "%s\t%d\n", what, n)
	}
	some := func(what string, n int) {
		if n > 0 {
			line(what, n)
		}
	}
	fmt.Fprintf(w, "contest\t%s\nedition\t%s\n", r.Name, r.Edition)
	line("planned", r.Planned)
	line("finished", r.Finished)
	for _, word := range slices.Sorted(maps.Keys(r.Terminated)) {
		line("  "+vm.Termination(word).Text(), r.Terminated[word])
	}
	line("void", r.Void)
	line("left", r.Left)
	if work := r.Work.String(); work != "" {
		fmt.Fprintf(w, "  one after the other\t%s\n", work)
	}
	some("finished, and asked for again", r.Wanted)
	some("stopped (Ctrl-C), done again by the next `podium run`", r.Halted)
	some("in doubt (begun by a worker that is gone)", r.InDoubt-r.Halted-len(r.Running))
	some("ended again (the end that began first counts)", r.Repeated)
	some("ended under a lost lease (does not count)", r.Lost)
	some("set aside, made on another computer (E-5.1)", r.Aside)
	some("done again on request (does not count)", r.Redone)
	some("made by versions of tools that were replaced", r.Replaced)
	some("damaged records", r.Damaged)
	for _, s := range slices.Sorted(maps.Keys(r.Suspicions)) {
		line("suspicious: "+s.String(), r.Suspicions[s])
	}
	for _, end := range r.Further {
		fmt.Fprintf(w, "does not count: %s\n", end)
	}
	for _, run := range slices.Sorted(maps.Keys(r.VoidReasons)) {
		fmt.Fprintf(w, "void: %s\t%s\n", run, diagnostic.Line(r.VoidReasons[run]))
	}
	r.writeSuspicious(w)
	if len(r.Suspicions) > 0 && len(r.Suspicious) == 0 {
		fmt.Fprintf(w, "`podium status --suspicious %s` names the suspicious runs\n", wording.Shell(r.Campaign))
	}
	return w.Flush()
}
