package contest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/decisions"
	"podium/internal/publish"
	"podium/internal/registration"
	"podium/internal/sentinel"
	"podium/internal/wording"
	"podium/models"
)

// planDigests names the plans of a campaign, in order.
func planDigests(c *campaign.Campaign) (list []publish.Named) {
	for _, p := range c.Plans {
		list = append(list, publish.Named{Name: p.File, Text: p.Digest})
	}
	return list
}

// View gives the contest in the form of pages and CSV files.
func (j *Judged) View() *publish.Contest {
	p := &j.Campaign.Plan
	c := j.Result.Contest
	v := &publish.Contest{
		Runs: make([]publish.Run, 0, len(j.Log.Finished)+len(j.Log.Void)), References: make([]publish.Reference, 0, len(c.Items)),
		Title:   p.Name,
		Version: p.Version,
		Edition: j.shownEdition(),
		// The certificate's digest follows, where there is one.
		Digests: append(planDigests(j.Campaign), publish.Named{Name: "edition", Text: j.Edition.Digest}, publish.Named{Name: "journal", Text: j.Journal}),
		Facts: []publish.Named{
			{Name: "driver", Text: p.Driver},
			{Name: "limits of sequential tools", Text: p.Sequential.String()},
			{Name: "limits of concurrent tools", Text: p.Concurrent.String()},
			{Name: "seed", Text: fmt.Sprint(p.Seed)},
		},
	}
	if j.Validation != nil {
		v.Digests = append(v.Digests, publish.Named{Name: "validation", Text: j.Validation.Digest})
		if n := j.Validation.Missing; n > 0 {
			v.Warnings = append(v.Warnings, wording.Count(n, "run of a validator is", "runs of validators are")+" missing: a witness that nobody has confirmed yet counts as unconfirmed.")
		}
	}
	if j.Decided.Digest != "" {
		v.Digests = append(v.Digests, publish.Named{Name: "decisions", Text: j.Decided.Digest})
	}
	j.viewDecisions(v)
	if other := j.OtherEdition(); other != "" {
		v.Warnings = append(v.Warnings, other)
	}
	j.viewWorkers(v)
	j.viewInputs(v)
	weights := j.weights()
	for sheet := range c.Sheets {
		for tool := range c.Tools {
			j.viewRun(v, sheet, tool)
		}
		j.viewReferences(v, sheet, weights)
	}
	j.viewDoubts(v)
	j.viewReferee(v)
	j.viewConfidences(v)
	if left := p.Count() - len(j.Log.Finished) - len(j.Log.Void); left > 0 {
		v.Warnings = append(v.Warnings, wording.Part(left, p.Count(), "runs is", "runs are")+" not done: these results are provisional.")
	}
	if n := j.Log.SetAside(); n > 0 {
		v.Warnings = append(v.Warnings, wording.Count(n, "run was set aside: it was made before its model was", "runs were set aside: they were made before their models were")+" moved to another computer, and all runs of a model belong on one (E-5.1). `podium status --repeated` names what was set aside.")
	}
	if n := len(j.Log.Void); n > 0 {
		v.Warnings = append(v.Warnings, wording.Count(n, "run is void by a fault that is not the tool's; it counts", "runs are void by faults that are not the tools'; they count")+" for nobody.")
	}
	v.Warnings = append(v.Warnings, unmeasured(v.Runs, j.Edition.HasBonuses())...)
	if warning := drifted(v.Runs); warning != "" {
		v.Warnings = append(v.Warnings, warning)
	}
	return v
}

// viewDecisions shows what was decided.
func (j *Judged) viewDecisions(v *publish.Contest) {
	revokedBy := j.Decided.RevokedBy()
	for i, d := range j.Decided.Decisions {
		v.Decisions = append(v.Decisions, publish.Decision{Number: d.Number, Text: d.Text(), Author: d.Author, At: d.At, Reason: d.Reason, Link: d.Link,
			RevokedBy: revokedBy[i], InForce: revokedBy[i] == 0 && d.Kind != decisions.Revoke, Effect: d.Effect})
	}
}

// unmeasured warns of runs whose figures were not measured, and of the bonuses that they miss.
func unmeasured(runs []publish.Run, bonuses bool) (warnings []string) {
	times, memory := 0, 0
	for _, r := range runs {
		if r.NoTimes {
			times++
		}
		if r.NoMemory {
			memory++
		}
	}
	for _, one := range []struct {
		n    int
		what string
		miss string
	}{{times, "times", "earn"}, {memory, "memory", "earns"}} {
		if one.n > 0 {
			miss := ""
			if bonuses {
				miss = ", and " + one.miss + " no bonus"
			}
			warnings = append(warnings, fmt.Sprintf("In %d of %s %s could not be measured%s; runs.csv says in which, and why.", one.n, wording.Count(len(runs), "run", "runs"), one.what, miss))
		}
	}
	return warnings
}

// drifted warns of runs whose computer was not as fast as usual.
func drifted(runs []publish.Run) string {
	n, of := 0, map[string]bool{}
	for _, r := range runs {
		if r.Drifted {
			n++
			of[r.Instance.Family] = true
		}
	}
	if n == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(of))
	return fmt.Sprintf("Around %d of %s the computer was slower or faster than usual; runs.csv says which, and how. `podium run --again %s` does the runs of their models again.",
		n, wording.Count(len(runs), "run", "runs"), strings.Join(names, ","))
}

// viewWorkers says when and where the runs were done.
func (j *Judged) viewWorkers(v *publish.Contest) {
	v.ForRecord = len(j.Log.Workers) > 0 && j.limitsOfEdition()
	hosts := map[[2]string]int{} // two hosts may have one name
	for _, w := range j.Log.Workers {
		v.ForRecord = v.ForRecord && w.Record
		host := [2]string{w.Host, w.Node.Machine}
		at, known := hosts[host]
		if !known {
			at = len(v.Machines)
			hosts[host] = at
			v.Machines = append(v.Machines, publish.Machine{Name: w.Host, System: w.Machine.System, Processor: w.Machine.Processor,
				Cores: w.Machine.Cores, Memory: w.Machine.Memory})
		}
		v.Machines[at].Emulated = v.Machines[at].Emulated || w.Emulated
	}
	for _, host := range j.Log.Courses() {
		drift := publish.Drift{Host: host.Host, Bound: sentinel.Bound()}
		for _, s := range host.Steps {
			drift.Readings = append(drift.Readings, publish.DriftReading(s))
		}
		v.Drift = append(v.Drift, drift)
	}
	for _, f := range j.Log.Finished {
		start, end := f.Outcome.Started, f.Outcome.EndedAt()
		if v.Started.IsZero() || start.Before(v.Started) {
			v.Started = start
		}
		if end.After(v.Finished) {
			v.Finished = end
		}
	}
}

// limitsOfEdition tells whether the runs had the machines and the time that the
// edition demands (E-5); anything else is a rehearsal.
func (j *Judged) limitsOfEdition() bool {
	p, l := &j.Campaign.Plan, j.Edition.Limits
	return sameLimits(p.Sequential, l.Sequential) && sameLimits(p.Concurrent, l.Concurrent)
}

func sameLimits(c campaign.Confinement, l edition.Confinement) bool {
	return c.Cores == l.Cores && c.Memory == l.Memory && c.CPUTime == l.CPU.Microseconds()
}

// viewInputs shows tools, instances, examinations and categories.
func (j *Judged) viewInputs(v *publish.Contest) {
	p := &j.Campaign.Plan
	for _, t := range p.Tools {
		kind := publish.Sequential
		if t.Concurrent {
			kind = publish.Concurrent
		}
		at := j.Result.Contest.ToolNamed(t.Name)
		if at < 0 {
			continue // withdrawn
		}
		v.Tools = append(v.Tools, publish.Tool{Name: t.Name, Family: t.Family, Version: t.Version, Digest: t.Digest, Kind: kind, About: t.Title,
			OutOfCompetition: j.Result.Contest.Tools[at].OutOfCompetition, FirstTime: j.Result.Contest.Tools[at].FirstTime,
			OptOut: j.Result.Contest.Tools[at].OptOut})
	}
	for _, i := range p.Instances {
		id := models.ParseAnyID(i.ID)
		class, _ := models.ParseClass(i.Class)
		shown := publish.Instance{ID: id, Class: class, Digest: i.Digest, Record: append(taskFacts(i.Task), recordFacts(j.records[i.Family])...)}
		if i.Task != nil {
			shown.Property = i.Task.Property
		}
		v.Instances = append(v.Instances, shown)
	}
	for _, e := range j.Result.Contest.Exams {
		if slices.Contains(p.Examinations, e.ID) {
			v.Examinations = append(v.Examinations, publish.Examination{ID: e.ID, Category: e.Category, Task: e.Task})
		}
	}
	j.viewCategories(v)
}

// taskFacts are what is asked and expected of a task.
func taskFacts(t *campaign.PlannedTask) []publish.Named {
	if t == nil {
		return nil
	}
	expected := t.Expected
	if expected == "" {
		expected = "not known"
	}
	return []publish.Named{{Name: "Program", Text: strings.Join(t.Inputs, ", ")}, {Name: "Property", Text: t.Property}, {Name: "Expected verdict", Text: expected},
		{Name: "Data model", Text: t.DataModel}}
}

// recordFacts are what submitters say of a model, where they say it.
func recordFacts(r registration.Record) (facts []publish.Named) {
	for _, f := range []publish.Named{{Name: "Model", Text: r.Title}, {Name: "Authors", Text: r.Authors}, {Name: "Affiliation", Text: r.Affiliation},
		{Name: "Licence", Text: r.Licence}, {Name: "Source", Text: r.Source}, {Name: "Parameter", Text: r.Parameter}, {Name: "Description", Text: r.Description}} {
		if f.Text != "" {
			facts = append(facts, f)
		}
	}
	return facts
}
