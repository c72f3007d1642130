package forecast

import (
	"math/rand/v2"
	"slices"

	"podium/internal/campaign"
	"podium/internal/placement"
	"podium/models"
)

// task is a run to come.
type task struct {
	tool     int32 // its number in the plan
	instance int32 // as above
	exam     int32 // its number in the history; -1: none
	own      int32 // the run of the history that is the same one; -1: none
	pool     int32 // else, the runs that are like it
	class    int32 // of limits
	spent    int64 // microseconds that it is under way already
}

// estimate is what is known of the runs of a plan.
type estimate struct {
	plan    *campaign.Plan
	history *History
	names   []string  // of the models, sorted, as a placement has them
	tasks   [][]task  // of each model
	pools   [][]int32 // runs of the history that stand for an unknown one
	classes []limits
	sources [len(sources)]int
}

// sources are where the time of a run can come from, the best first.
var sources = [...]string{
	"the same run",
	"another instance: same tool, examination, model",
	"another model: same tool, examination",
	"another tool: same examination, model",
	"another tool and model: same examination",
	"all runs",
}

// newEstimate looks up the runs of the plan that are to come, all where that is nil;
// it returns what they have spent.
func newEstimate(plan *campaign.Plan, h *History, toCome func(campaign.Run) (spent int64, ok bool)) *estimate {
	e := &estimate{plan: plan, history: h}
	tools, instances, pools := numbers{}, numbers{}, map[kind]int32{}
	var class []int32
	for _, t := range plan.Tools {
		tools.add(t.Name)
		class = append(class, e.class(limitsOf(plan.Confinement(t, campaign.PlannedInstance{}))))
	}
	for _, model := range slices.Sorted(slices.Values(plan.Units())) {
		var list []task
		for run := range plan.RunsOf(model) {
			spent, ok := int64(0), true
			if toCome != nil {
				if spent, ok = toCome(run); !ok {
					continue
				}
			}
			k := h.key(run)
			t := task{tool: tools[run.Tool], exam: k.exam, own: -1, spent: spent}
			t.instance, _ = instances.add(run.Instance)
			t.class = class[t.tool]
			if own, ok := h.of[k]; ok {
				t.own = own
				e.sources[0]++
			} else {
				t.pool = e.poolOf(run, models.ParseAnyID(run.Instance).Family, pools)
			}
			list = append(list, t)
		}
		if len(list) > 0 {
			e.names, e.tasks = append(e.names, model), append(e.tasks, list)
		}
	}
	return e
}

func (e *estimate) class(l limits) int32 {
	for i, other := range e.classes {
		if other == l {
			return int32(i)
		}
	}
	e.classes = append(e.classes, l)
	return int32(len(e.classes) - 1)
}

// likes are the kinds of runs that a run is of, the nearest first.
func likes(run campaign.Run, model string) [5]kind {
	return [...]kind{{run.Tool, model, run.Exam}, {run.Tool, "", run.Exam}, {"", model, run.Exam}, {"", "", run.Exam}, {}}
}

// poolOf returns the runs that are most like one that is not known; none where the
// history has none.
func (e *estimate) poolOf(run campaign.Run, model string, pools map[kind]int32) int32 {
	for i, k := range likes(run, model) {
		runs := e.history.alike[k]
		if len(runs) == 0 && k != (kind{}) {
			continue
		}
		e.sources[i+1]++
		n, ok := pools[k]
		if !ok {
			n = int32(len(e.pools))
			pools[k] = n
			e.pools = append(e.pools, runs)
		}
		return n
	}
	return 0
}

// prices are the costs of all runs of the history under limits.
type prices struct {
	of   [][]cost  // by class of limits and run of the history
	mean [][]int64 // by class of limits and pool: wall time
}

func (e *estimate) prices(classes []limits) *prices {
	p := &prices{}
	for _, l := range classes {
		of := make([]cost, len(e.history.taken))
		for i := range of {
			of[i] = e.history.taken[i].under(l)
		}
		mean := make([]int64, len(e.pools))
		for i, pool := range e.pools {
			for _, n := range pool {
				mean[i] += of[n].wall
			}
			mean[i] /= int64(len(pool))
		}
		p.of, p.mean = append(p.of, of), append(p.mean, mean)
	}
	return p
}

// expected is the time that a run is expected to take.
func (p *prices) expected(t task) int64 {
	if t.own >= 0 {
		return p.of[t.class][t.own].wall
	}
	return p.mean[t.class][t.pool]
}

// units are the models with the times that are expected.
func (e *estimate) units(p *prices) []placement.Unit {
	units := make([]placement.Unit, len(e.names))
	for m, name := range e.names {
		units[m] = placement.Unit{Name: name, Runs: make([]int64, len(e.tasks[m]))}
		for i, t := range e.tasks[m] {
			units[m].Runs[i] = p.expected(t)
		}
	}
	return units
}

// place places the models by the times that are expected.
func (e *estimate) place(hosts []placement.Host, p *prices) (*placement.Placement, error) {
	return placement.Place(hosts, e.units(p), e.plan.Seed)
}

// guise says what stands in one sample for what is new.
type guise struct {
	number int
	tools  []int32  // the number in the history for each tool of the plan
	models []string // of the history, as often as they are drawn
}

// guise draws for every new tool an old one, and a set of models for the new ones.
func (e *estimate) guise(number int) *guise {
	r := rand.New(rand.NewPCG(e.plan.Seed, uint64(number)<<32))
	g := &guise{number: number}
	for _, t := range e.plan.Tools {
		n := e.history.tools.of(t.Name)
		if n < 0 {
			n = r.Int32N(int32(len(e.history.tools)))
		}
		g.tools = append(g.tools, n)
	}
	for range e.history.instancesOf {
		g.models = append(g.models, e.history.model[r.IntN(len(e.history.model))])
	}
	return g
}

// draw draws the runs of a model for a sample: for each the run of the history that
// it takes as long as. It is the same whatever the limits are.
func (e *estimate) draw(g *guise, model int, into []int32) []int32 {
	r := rand.New(rand.NewPCG(e.plan.Seed, uint64(g.number)<<32|uint64(model+1)))
	bootstrap := func(list []int32) []int32 {
		drawn := make([]int32, len(list))
		for i := range drawn {
			drawn[i] = list[r.IntN(len(list))]
		}
		return drawn
	}
	other := bootstrap(e.history.instancesOf[g.models[r.IntN(len(g.models))]])
	own := bootstrap(e.history.instancesOf[e.names[model]])
	into = into[:0]
	instance, as := int32(-1), int32(-1)
	for i := range e.tasks[model] {
		t := &e.tasks[model][i]
		if t.instance != instance {
			instance, as = t.instance, other[r.IntN(len(other))]
			if k := r.IntN(len(own) + 1); k < len(own) { // of few it is not sure that they are like it
				as = own[k]
			}
		}
		n := t.own
		if n < 0 {
			var ok bool
			if n, ok = e.history.of[key{g.tools[t.tool], as, t.exam}]; !ok {
				n = e.pools[t.pool][r.IntN(len(e.pools[t.pool]))]
			}
		}
		into = append(into, n)
	}
	return into
}
