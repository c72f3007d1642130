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

// TakesPart tells whether the tool is run on an examination of an instance.
func (t *PlannedTool) TakesPart(i PlannedInstance, exam examinations.ID) bool {
	if i.Task != nil {
		return t.Participation.task(i.Task)
	}
	return t.Participation.exam(exam) && t.Participation.net(i.ID)
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
	return ok && takes(of) && takes(p.Properties)
}

// CountOf is the number of runs of a tool.
func (p *Plan) CountOf(t *PlannedTool) int {
	nets, exams, tasks := 0, 0, 0
	for _, i := range p.Instances {
		switch {
		case i.Task == nil && t.Participation.net(i.ID):
			nets++
		case i.Task != nil && t.Participation.task(i.Task):
			tasks += len(i.Task.Categories)
		}
	}
	for _, exam := range p.Examinations {
		if t.Participation.exam(exam) {
			exams++
		}
	}
	return (nets*exams + tasks) * max(1, p.Repeat)
}

// Count is the number of runs of the plan.
func (p *Plan) Count() (n int) {
	for k := range p.Tools {
		n += p.CountOf(&p.Tools[k])
	}
	return n
}
