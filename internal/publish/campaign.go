package publish

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/registration"
	"podium/internal/sentinel"
	"podium/internal/wording"
	"podium/models"
)

// Of makes the pages of a campaign that is judged.
func Of(j *judged.Campaign) *Contest {
	p := &j.Campaign.Plan
	c := &Contest{
		Judged:  &j.Contest,
		Title:   p.Name,
		Version: p.Version,
		Edition: editionOf(j.Edition),
		// The certificate's digest follows, where there is one.
		Digests: append([]Named{{Name: "edition", Text: j.Edition.Digest}}, j.Sources()...),
		Facts: []Named{
			{Name: "driver", Text: p.Driver},
			{Name: "limits of sequential tools", Text: p.Sequential.String()},
			{Name: "limits of concurrent tools", Text: p.Concurrent.String()},
			{Name: "seed", Text: fmt.Sprint(p.Seed)},
		},
	}
	if j.Validation != nil && j.Validation.Missing > 0 {
		c.warn(wording.Count(j.Validation.Missing, "run of a validator is", "runs of validators are") + " missing: a witness that nobody has confirmed yet counts as unconfirmed.")
	}
	if other := j.OtherEdition(); other != "" {
		c.warn(other)
	}
	c.workersOf(j)
	c.inputsOf(j)
	c.judge()
	c.warn(Provisos(j)...)
	c.warn(unmeasuredRuns(c.runs, j.Edition.HasBonuses())...)
	c.warn(drifted(c.runs)...)
	return c
}

// Provisos are sentences about runs of a campaign that do not count, which travel with its results.
func Provisos(j *judged.Campaign) (list []string) {
	all := j.Campaign.Plan.Count()
	if left := all - len(j.Log.Finished) - len(j.Log.Void); left > 0 {
		list = append(list, wording.Part(left, all, "runs is", "runs are")+" not done: these results are provisional.")
	}
	if n := j.Log.SetAside(); n > 0 {
		list = append(list, wording.Count(n, "run was set aside: it was made before its model was", "runs were set aside: they were made before their models were")+" moved to another computer, and all runs of a model belong on one (E-5.1). `podium status --repeated` names what was set aside.")
	}
	if n := len(j.Log.Void); n > 0 {
		list = append(list, wording.Count(n, "run is void by a fault that is not the tool's; it counts", "runs are void by faults that are not the tools'; they count")+" for nobody.")
	}
	return list
}

func (c *Contest) warn(sentences ...string) { c.Warnings = append(c.Warnings, sentences...) }

// unmeasuredRuns warns of runs whose figures were not measured, and of the bonuses that they miss.
func unmeasuredRuns(runs []run, bonuses bool) (warnings []string) {
	times, memory := 0, 0
	for _, r := range runs {
		if !r.Times() {
			times++
		}
		if !r.Memory() {
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
func drifted(runs []run) []string {
	n, of := 0, map[string]bool{}
	for _, r := range runs {
		if len(r.Drift) > 0 {
			n++
			of[r.instance().Family] = true
		}
	}
	if n == 0 {
		return nil
	}
	names := slices.Sorted(maps.Keys(of))
	return []string{fmt.Sprintf("Around %d of %s the computer was slower or faster than usual; runs.csv says which, and how. `podium run --again %s` does the runs of their models again.",
		n, wording.Count(len(runs), "run", "runs"), strings.Join(names, ","))}
}

// workersOf says when and where the runs were done.
func (c *Contest) workersOf(j *judged.Campaign) {
	c.ForRecord = len(j.Log.Workers) > 0 && limitsOfEdition(j)
	hosts := map[[2]string]int{} // two hosts may have one name
	for _, w := range j.Log.Workers {
		c.ForRecord = c.ForRecord && w.Record
		host := [2]string{w.Host, w.Node.Machine}
		at, known := hosts[host]
		if !known {
			at = len(c.Machines)
			hosts[host] = at
			c.Machines = append(c.Machines, Machine{Name: w.Host, Machine: w.Machine})
		}
		c.Machines[at].Emulated = c.Machines[at].Emulated || w.Emulated
	}
	for _, host := range j.Log.Courses() {
		c.Drift = append(c.Drift, Drift{Host: host.Host, Bound: sentinel.Bound(), Readings: host.Steps})
	}
	for _, f := range j.Log.Finished {
		start, end := f.Outcome.Started, f.Outcome.EndedAt()
		if c.Started.IsZero() || start.Before(c.Started) {
			c.Started = start
		}
		if end.After(c.Finished) {
			c.Finished = end
		}
	}
}

// limitsOfEdition reports whether the runs had the machines and the time that the
// edition demands (E-5); anything else is a rehearsal.
func limitsOfEdition(j *judged.Campaign) bool {
	p, l := &j.Campaign.Plan, j.Edition.Limits
	return sameLimits(p.Sequential, l.Sequential) && sameLimits(p.Concurrent, l.Concurrent)
}

func sameLimits(c campaign.Confinement, l edition.Confinement) bool {
	return c.Cores == l.Cores && c.Memory == l.Memory && c.CPUTime == l.CPU.Microseconds()
}

// inputsOf shows tools, instances and examinations.
func (c *Contest) inputsOf(j *judged.Campaign) {
	p, scored := &j.Campaign.Plan, j.Result.Contest
	for _, t := range p.Tools {
		kind := Sequential
		if t.Concurrent {
			kind = Concurrent
		}
		at := scored.ToolNamed(t.Name)
		if at < 0 {
			continue // withdrawn
		}
		c.Tools = append(c.Tools, Tool{Tool: scored.Tools[at], Version: t.Version, Digest: t.Digest, Kind: kind, About: t.Title})
	}
	for _, i := range p.Instances {
		id := models.ParseAnyID(i.ID)
		class, _ := models.ParseClass(i.Class)
		shown := Instance{ID: id, Class: class, Digest: i.Digest}
		shown.describeTask(i.Task)
		shown.Record = append(shown.Record, recordFacts(j.Records[i.Family])...)
		c.Instances = append(c.Instances, shown)
	}
	for _, e := range scored.Exams {
		if slices.Contains(p.Examinations, e.ID) {
			c.Examinations = append(c.Examinations, e)
		}
	}
}

// describeTask notes what is asked and expected of a task.
func (i *Instance) describeTask(t *campaign.PlannedTask) {
	if t == nil {
		return
	}
	i.Property = t.Property
	i.Record = []Named{{Name: "Program", Text: strings.Join(t.Inputs, ", ")}, {Name: "Property", Text: t.Property},
		{Name: "Expected verdict", Text: cmp.Or(t.Expected, "not known")}, {Name: "Data model", Text: t.DataModel}}
}

// recordFacts are what submitters say of a model, where they say it.
func recordFacts(r registration.Record) (facts []Named) {
	for _, f := range []Named{{Name: "Model", Text: r.Title}, {Name: "Authors", Text: r.Authors}, {Name: "Affiliation", Text: r.Affiliation},
		{Name: "Licence", Text: r.Licence}, {Name: "Source", Text: r.Source}, {Name: "Parameter", Text: r.Parameter}, {Name: "Description", Text: r.Description}} {
		if f.Text != "" {
			facts = append(facts, f)
		}
	}
	return facts
}
