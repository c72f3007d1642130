package selection

import (
	"slices"

	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/models"
	"podium/vm"
)

// Log gives the facts of the runs of a campaign.
type Log struct {
	log   *campaign.Log
	hosts map[string]string // by worker
}

// Of returns the facts of the runs that a log speaks of.
func Of(log *campaign.Log) *Log {
	l := &Log{log, map[string]string{}}
	for _, w := range log.Workers {
		l.hosts[w.Worker] = w.Host
	}
	return l
}

// What Facts says of runs beside their terminations and participations.
const silent, void, left, doubt = "silent", "void", "left", "doubt"

// Facts returns the values of a run. What it ended with is known when it has an end; a
// run without one is left, and in doubt when it was begun.
func (l *Log) Facts(run campaign.Run) Facts {
	id := models.ParseAnyID(run.Instance)
	f := Facts{Tool: {run.Tool}, Model: {id.Family}, Instance: {run.Instance}, Form: {id.Kind.String()}, Examination: {string(run.Exam)}}
	end, finished := l.log.Finished[run]
	_, isVoid := l.log.Void[run]
	_, begun := l.log.Doubt[run]
	switch {
	case finished:
		f[Outcome] = []string{string(end.Outcome.Termination), end.Participation.String()}
		if end.Participation == output.Silent {
			f[Outcome] = append(f[Outcome], silent)
		}
		f[Host] = []string{l.hosts[end.Worker]}
	case isVoid:
		f[Outcome] = []string{void}
	case begun:
		f[Outcome] = []string{left, doubt}
	default:
		f[Outcome] = []string{left}
	}
	return f
}

// Choose reads a selection and tells which runs of a campaign it chooses. Beside the
// errors of [Parse] there is one for names that the campaign does not have, with the
// nearest one.
func Choose(c *campaign.Campaign, log *campaign.Log, text string) (func(campaign.Run) bool, error) {
	s, err := Parse(text)
	if err == nil {
		err = s.known(Names(&c.Plan, log))
	}
	if err != nil {
		return nil, err
	}
	facts := Of(log)
	return func(run campaign.Run) bool { return s.All() || s.Chooses(facts.Facts(run)) }, nil
}

// outcomes are what Facts says of a run's end.
var outcomes = []string{string(vm.Exited), string(vm.Signalled), string(vm.OutOfCPU), string(vm.OutOfTime), string(vm.OutOfMem), string(vm.TooMuchOut), string(vm.DiskFull), string(vm.Panicked),
	output.Answered.String(), output.CannotCompute.String(), output.DoesNotCompete.String(), silent, void, left, doubt}

// Names lists what each key may be in a campaign. Where nothing was run, hosts are left
// out.
func Names(p *campaign.Plan, log *campaign.Log) map[Key][]string {
	all := map[Key][]string{Outcome: outcomes, Form: {models.COL.String(), models.PT.String()}}
	for _, t := range p.Tools {
		all[Tool] = append(all[Tool], t.Name)
	}
	for _, i := range p.Instances {
		all[Instance], all[Model] = append(all[Instance], i.ID), append(all[Model], i.Family)
	}
	for _, e := range p.Examinations {
		all[Examination] = append(all[Examination], string(e))
	}
	for _, w := range log.Workers {
		all[Host] = append(all[Host], w.Host)
	}
	for key, list := range all {
		all[key] = slices.Compact(slices.Sorted(slices.Values(list)))
	}
	return all
}
