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
		return t.Participation.property(i.Task.Property)
	}
	return t.Participation.exam(exam) && t.Participation.net(i.ID)
}

func (p *Participation) property(property string) bool {
	return p == nil || len(p.Properties) == 0 || slices.Contains(p.Properties, property)
}

// CountOf is the number of runs of a tool.
func (p *Plan) CountOf(t *PlannedTool) int {
	nets, exams, tasks := 0, 0, 0
	for _, i := range p.Instances {
		switch {
		case i.Task == nil && t.Participation.net(i.ID):
			nets++
		case i.Task != nil && t.Participation.property(i.Task.Property):
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
