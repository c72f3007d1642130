package campaign

import (
	"slices"

	"podium/examinations"
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

// TakesPart reports whether the tool is run on an examination of an instance.
func (t *PlannedTool) TakesPart(i PlannedInstance, exam examinations.ID) bool {
	return i.kind().takes(t, i, exam)
}

// CountOf is the number of runs of a tool.
func (p *Plan) CountOf(t *PlannedTool) (n int) {
	for _, i := range p.Instances {
		for _, exam := range p.Examinations {
			if i.Asks(exam) && t.TakesPart(i, exam) {
				n++
			}
		}
	}
	return n * max(1, p.Repeat)
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
