package progress

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"podium/internal/campaign"
	"podium/internal/forecast"
	"podium/internal/wording"
)

// Status says how far a campaign is.
type Status struct {
	Campaign    string            `json:"campaign"`
	Name        string            `json:"name"`
	Edition     string            `json:"edition"`
	Planned     int               `json:"planned"`
	Finished    int               `json:"finished"`
	Void        int               `json:"void"`
	InDoubt     int               `json:"in_doubt"`
	Left        int               `json:"left"`
	Wanted      int               `json:"wanted_again"`       // finished, and to be done again
	Work        forecast.Left     `json:"work_left,omitzero"` // all runs that are left, one after the other
	Repeated    int               `json:"repeated"`           // ends that do not count: another of the run does
	Lost        int               `json:"lost_lease"`         // made under a lease that was lost
	Aside       int               `json:"set_aside"`          // made on another computer than the model's (E-5.1)
	Redone      int               `json:"redone"`             // of models that were done again on request
	Replaced    int               `json:"replaced"`           // of versions of tools that were replaced
	Further     []string          `json:"further_ends,omitempty"`
	Damaged     int               `json:"damaged_records"`
	Terminated  map[string]int    `json:"terminations"`
	VoidReasons map[string]string `json:"void_runs,omitempty"`
}

// StatusOptions say what a status is about, and which runs it names.
type StatusOptions struct {
	Only           func(campaign.Run) bool // the runs that are counted; nil for all
	Void, Repeated bool                    // name the void runs, and the ends that do not count
}

// NewStatus sums up what the journals of a campaign say.
func NewStatus(c *campaign.Campaign, log *campaign.Log, o StatusOptions) *Status {
	if o.Only == nil {
		o.Only = func(campaign.Run) bool { return true }
	}
	r := &Status{Campaign: c.Dir, Name: c.Plan.Name, Edition: c.Plan.Edition, Damaged: len(log.Damage), Terminated: map[string]int{}}
	for _, unit := range c.Plan.Units() {
		for run := range c.Plan.RunsOf(unit) {
			if o.Only(run) {
				r.count(log, run)
			}
		}
	}
	r.Work = forecast.Work(&c.Plan, log)
	r.further(log, o)
	if o.Void {
		r.VoidReasons = map[string]string{}
		for run, v := range log.Void {
			if o.Only(run) {
				r.VoidReasons[run.String()] = v.Reason
			}
		}
	}
	return r
}

// count adds a run.
func (r *Status) count(log *campaign.Log, run campaign.Run) {
	r.Planned++
	f, finished := log.Finished[run]
	_, void := log.Void[run]
	switch {
	case finished:
		r.Finished++
		r.Terminated[string(f.Outcome.Termination)]++
		if log.Wanted(run) {
			r.Wanted++
		}
	case void:
		r.Void++
	default:
		r.Left++
	}
	if _, doubt := log.Doubt[run]; doubt {
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

// Write writes the status as text.
func (r *Status) Write(out io.Writer) error {
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
		line("  ended by "+word, r.Terminated[word])
	}
	line("void", r.Void)
	line("left", r.Left)
	if work := r.Work.String(); work != "" {
		fmt.Fprintf(w, "  one after the other\t%s\n", work)
	}
	some("finished, and asked for again", r.Wanted)
	some("in doubt (will be done again, or are under way)", r.InDoubt)
	some("ended again (the end that began first counts)", r.Repeated)
	some("ended under a lost lease (does not count)", r.Lost)
	some("set aside, made on another computer (E-5.1)", r.Aside)
	some("done again on request (does not count)", r.Redone)
	some("made by versions of tools that were replaced", r.Replaced)
	some("damaged records", r.Damaged)
	for _, end := range r.Further {
		fmt.Fprintf(w, "does not count: %s\n", end)
	}
	for _, run := range slices.Sorted(maps.Keys(r.VoidReasons)) {
		fmt.Fprintf(w, "void: %s\t%s\n", run, r.VoidReasons[run])
	}
	return w.Flush()
}
