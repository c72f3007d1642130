package campaign

import (
	"slices"

	"podium/examinations"
	"podium/models"
)

// Participation is the part of a contest that a tool takes part in (T-4). Where it does
// not, it gets no machine, and counts as if it had said DO_NOT_COMPETE.
type Participation struct {
	Examinations []examinations.ID `json:"examinations,omitempty"` // empty: all
	Nets         []string          `json:"nets,omitempty"`         // PT, COL; empty: both
	Properties   []string          `json:"properties,omitempty"`   // of tasks; empty: all
	Categories   []examinations.ID `json:"categories,omitempty"`   // of tasks; empty: all
	// Validates are the properties of the witnesses that a validator takes, by their kind;
	// none: all. Of a tool that is no validator there are none.
	Validates map[string][]string `json:"validates,omitempty"`
}

func (p *Participation) exam(exam examinations.ID) bool {
	return p == nil || len(p.Examinations) == 0 || slices.Contains(p.Examinations, exam)
}

func (p *Participation) net(instance string) bool {
	if p == nil || len(p.Nets) == 0 {
		return true
	}
	id, err := models.ParseID(instance)
	return err == nil && slices.Contains(p.Nets, id.Kind.String())
}

// TakesPart reports whether the tool is run on an examination of an instance.
func (t *PlannedTool) TakesPart(i PlannedInstance, exam examinations.ID) bool {
	if i.Task != nil {
		return t.takesTask(i.Task) && t.Participation.category(exam)
	}
	return t.Participation.exam(exam) && t.takesNet(i.ID)
}

// takesNet and takesTask tell whether the tool is run on an instance at all: in a contest of
// nets and tasks each tool is one for nets, with a head, or one for tasks, with a command.
func (t *PlannedTool) takesNet(instance string) bool {
	return t.Task == nil && t.Participation.net(instance)
}

func (t *PlannedTool) takesTask(asked *PlannedTask) bool {
	return t.Task != nil && t.Participation.task(asked)
}

func (p *Participation) category(category examinations.ID) bool {
	return p == nil || len(p.Categories) == 0 || slices.Contains(p.Categories, category)
}

func (p *Participation) task(t *PlannedTask) bool {
	if p == nil {
		return true
	}
	takes := func(properties []string) bool { return len(properties) == 0 || slices.Contains(properties, t.Property) }
	if t.Validates == nil {
		return takes(p.Properties)
	}
	of, ok := p.Validates[t.Validates.Kind()]
	return ok && t.Validates.Refused == "" && takes(of) && takes(p.Properties)
}

// CountOf is the number of runs of a tool.
func (p *Plan) CountOf(t *PlannedTool) int {
	nets, exams, tasks := 0, 0, 0
	for _, i := range p.Instances {
		switch {
		case i.Task == nil && t.takesNet(i.ID):
			nets++
		case i.Task != nil && t.takesTask(i.Task):
			for _, c := range i.Task.Categories {
				if t.Participation.category(c) {
					tasks++
				}
			}
		}
	}
	for _, exam := range p.Examinations {
		if ofNets(exam) && t.Participation.exam(exam) {
			exams++
		}
	}
	return (nets*exams + tasks) * max(1, p.Repeat)
}

// Has reports whether a run is planned.
func (p *Plan) Has(run Run) bool {
	i, planned := p.Instance(run.Instance)
	t, known := p.Tool(run.Tool)
	return planned && known && slices.Contains(p.Examinations, run.Exam) && i.Asks(run.Exam) && t.TakesPart(i, run.Exam) && p.repeats(run.Repetition)
}

// Count is the number of runs of the plan.
func (p *Plan) Count() (n int) {
	for k := range p.Tools {
		n += p.CountOf(&p.Tools[k])
	}
	return n
}
