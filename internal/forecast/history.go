package forecast

import (
	"maps"
	"slices"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/models"
	"podium/scoring"
	"podium/vm"
)

// Taken is what a run took.
type Taken struct {
	CPU, Wall int64 // microseconds
	OutOfTime bool  // a limit of time has ended it
	Answers   int
	At        []int64 // of each answer, microseconds since the start; nil: not known
}

// mostTime is what a run can take: 1,000 hours, in microseconds.
const mostTime = 3_600_000_000_000

// kind says what runs have in common; what is empty differs.
type kind struct {
	tool, model string
	exam        examinations.ID
}

// History is what the runs of earlier contests took.
type History struct {
	taken []Taken
	model []string // of each run
	of    map[key]int32
	alike map[kind][]int32
	omits int

	tools, instances, exams numbers

	instancesOf map[string][]int32 // by model

	untimed int // runs with answers, and nobody knows when they were given
}

// key names a run by the numbers of tool, instance and examination.
type key struct{ tool, instance, exam int32 }

// numbers counts names from 0.
type numbers map[string]int32

// of gives the number of a name, -1 where it has none.
func (n numbers) of(name string) int32 {
	if i, ok := n[name]; ok {
		return i
	}
	return -1
}

// add gives a name a number, and tells whether it is new.
func (n numbers) add(name string) (i int32, fresh bool) {
	if i, ok := n[name]; ok {
		return i, false
	}
	i = int32(len(n))
	n[name] = i
	return i, true
}

// NewHistory gives a history without runs.
func NewHistory() *History {
	return &History{of: map[key]int32{}, alike: map[kind][]int32{}, tools: numbers{}, instances: numbers{}, exams: numbers{}, instancesOf: map[string][]int32{}}
}

// key gives the numbers of a run, -1 for what the history does not have.
func (h *History) key(run campaign.Run) key {
	return key{h.tools.of(run.Tool), h.instances.of(run.Instance), h.exams.of(string(run.Exam))}
}

// Len is the number of runs.
func (h *History) Len() int { return len(h.taken) }

// Omitted is the number of runs that were left out, since no time of theirs is
// known, or one that cannot be.
func (h *History) Omitted() int { return h.omits }

// Add adds a run. Of one that is added twice the last counts as its own, and both for
// others that are like it. Where only one of the two times is known, which is when the
// other is negative, it stands for both.
func (h *History) Add(run campaign.Run, t Taken) {
	if t.Wall < 0 {
		t.Wall = t.CPU
	}
	if t.CPU < 0 {
		t.CPU = t.Wall
	}
	if t.Wall < 0 || t.Wall > mostTime || t.CPU > mostTime {
		h.omits++
		return
	}
	if t.Answers > 0 && t.At == nil {
		h.untimed++
	}
	n, model := int32(len(h.taken)), models.ParseAnyID(run.Instance).Family
	h.taken, h.model = append(h.taken, t), append(h.model, model)
	tool, _ := h.tools.add(run.Tool)
	exam, _ := h.exams.add(string(run.Exam))
	instance, fresh := h.instances.add(run.Instance)
	if fresh {
		h.instancesOf[model] = append(h.instancesOf[model], instance)
	}
	h.of[key{tool, instance, exam}] = n
	for _, k := range []kind{{run.Tool, model, run.Exam}, {"", model, run.Exam}, {run.Tool, "", run.Exam}, {"", "", run.Exam}, {}} {
		h.alike[k] = append(h.alike[k], n)
	}
}

// AddContest adds the runs of a contest, as files of results have them. They do not
// say when an answer was given, but when the run ended.
func (h *History) AddContest(c *scoring.Contest) {
	for i, s := range c.Sheets {
		for tool := range c.Tools {
			r := c.Run(i, tool)
			if r.Participation == scoring.Absent || r.Participation == scoring.Void {
				continue
			}
			t := Taken{CPU: r.CPU, Wall: r.Wall, OutOfTime: r.Participation == scoring.OutOfTime}
			for v := int(s.First); v < int(s.First+s.Values); v++ {
				if !c.Answer(v, tool).IsZero() {
					t.Answers++
				}
			}
			h.Add(campaign.Run{Tool: c.Tools[tool].Name, Instance: c.Instances[s.Instance].Name, Exam: c.Exams[s.Exam].ID}, t)
		}
	}
}

// AddLog adds the runs of a campaign that have ended.
func (h *History) AddLog(log *campaign.Log) {
	for _, run := range slices.SortedFunc(maps.Keys(log.Finished), campaign.Run.Compare) {
		f := log.Finished[run]
		t := Taken{CPU: f.Outcome.CPUTime.Microseconds(), Wall: f.Outcome.WallTime.Microseconds(), Answers: len(f.Answers), At: make([]int64, 0, len(f.Answers)),
			OutOfTime: f.Outcome.Termination == vm.OutOfCPU || f.Outcome.Termination == vm.OutOfTime}
		for _, a := range f.Answers {
			t.At = append(t.At, a.At)
		}
		h.Add(run, t)
	}
}

// Again is the plan of the same contest once more: its tools, instances and
// examinations.
func Again(c *scoring.Contest, limits campaign.Confinement) *campaign.Plan {
	p := &campaign.Plan{Seed: 1, Sequential: limits, Concurrent: limits}
	for _, t := range c.Tools {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: t.Name})
	}
	for _, i := range c.Instances {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: i.Name, Family: models.ParseAnyID(i.Name).Family})
	}
	for _, e := range c.Exams {
		p.Examinations = append(p.Examinations, e.ID)
	}
	p.Sort()
	return p
}
