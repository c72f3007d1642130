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
}

// all tells that nothing is left out.
func (p *Participation) all() bool { return p == nil || len(p.Examinations) == 0 && len(p.Nets) == 0 }

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
func (t *PlannedTool) TakesPart(instance string, exam examinations.ID) bool {
	return t.Participation.exam(exam) && t.Participation.net(instance)
}

// CountOf is the number of runs of a tool.
func (p *Plan) CountOf(t *PlannedTool) int {
	if t.Participation.all() {
		return len(p.Instances) * len(p.Examinations) * max(1, p.Repeat)
	}
	nets, exams := 0, 0
	for _, i := range p.Instances {
		if t.Participation.net(i.ID) {
			nets++
		}
	}
	for _, exam := range p.Examinations {
		if t.Participation.exam(exam) {
			exams++
		}
	}
	return nets * exams * max(1, p.Repeat)
}

// Count is the number of runs of the plan.
func (p *Plan) Count() (n int) {
	for k := range p.Tools {
		n += p.CountOf(&p.Tools[k])
	}
	return n
}
