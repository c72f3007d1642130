package selection

import (
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/models"
)

// Log gives the facts of the runs of a campaign.
type Log struct {
	log   *campaign.Log
	hosts map[string]string // by worker
}

// Of gives the facts of the runs that a log speaks of.
func Of(log *campaign.Log) *Log {
	l := &Log{log, map[string]string{}}
	for _, w := range log.Workers {
		l.hosts[w.Worker] = w.Host
	}
	return l
}

// Facts gives the values of a run. What it ended with is known when it has an end; a
// run without one is left, and in doubt when it was begun.
func (l *Log) Facts(run campaign.Run) Facts {
	id := models.ParseAnyID(run.Instance)
	f := Facts{Tool: {run.Tool}, Model: {id.Family}, Instance: {run.Instance}, Form: {id.Kind.String()}, Examination: {string(run.Exam)}}
	end, finished := l.log.Finished[run]
	_, void := l.log.Void[run]
	_, doubt := l.log.Doubt[run]
	switch {
	case finished:
		f[Outcome] = []string{string(end.Outcome.Termination), end.Participation.String()}
		if end.Participation == output.Silent {
			f[Outcome] = append(f[Outcome], "silent")
		}
		f[Host] = []string{l.hosts[end.Worker]}
	case void:
		f[Outcome] = []string{"void"}
	case doubt:
		f[Outcome] = []string{"left", "doubt"}
	default:
		f[Outcome] = []string{"left"}
	}
	return f
}

// Choose reads a selection and tells which runs of a campaign it chooses. Errors are
// those of [Parse] and [Selection.Check].
func Choose(c *campaign.Campaign, log *campaign.Log, text string) (func(campaign.Run) bool, error) {
	s, err := Parse(text)
	if err == nil {
		err = s.Check(&c.Plan)
	}
	if err != nil {
		return nil, err
	}
	facts := Of(log)
	return func(run campaign.Run) bool { return s.All() || s.Chooses(facts.Facts(run)) }, nil
}

// Check returns an error for names without * and ? that the plan does not have, with
// the nearest one.
func (s *Selection) Check(p *campaign.Plan) error {
	names := map[Key][]string{}
	for _, t := range p.Tools {
		names[Tool] = append(names[Tool], t.Name)
	}
	for _, i := range p.Instances {
		names[Instance], names[Model] = append(names[Instance], i.ID), append(names[Model], i.Family)
	}
	for _, e := range p.Examinations {
		names[Examination] = append(names[Examination], string(e))
	}
	return s.known(names)
}
