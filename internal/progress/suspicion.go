package progress

import (
	"maps"
	"slices"
	"strings"

	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/vm"
)

// suspicion is a reason to look at a run that has an end. It changes no score.
type suspicion string

// The suspicions.
const (
	unsteadyHost suspicion = "its host was slower, faster or busier than usual (sentinel)"
	cutOutput    suspicion = "ended by the limit of output"
	fullDisk     suspicion = "ended by a full disk of its machine"
	panicked     suspicion = "the kernel of its machine died"
	misread      suspicion = "answers that were not understood, or contradict each other"
	silent       suspicion = "ended by itself and said nothing that counts"
	unmeasured   suspicion = "times or memory not measured, or not to be trusted"
	severalTries suspicion = "attempts before it were void"
)

// suspicions lists what is strange about the end of a run.
func suspicions(log *campaign.Log, f *campaign.Finished) (list []suspicion) {
	note := func(is bool, what suspicion) {
		if is {
			list = append(list, what)
		}
	}
	note(len(log.Drift(*f)) > 0, unsteadyHost)
	note(f.Outcome.Termination == vm.TooMuchOut, cutOutput)
	note(f.Outcome.Termination == vm.DiskFull, fullDisk)
	note(f.Outcome.Termination == vm.Panicked, panicked)
	note(f.Misread > 0 && f.Reread == nil, misread)
	note(f.Participation == output.Silent && f.Outcome.Termination == vm.Exited, silent)
	note(len(f.Outcome.Unmeasured) > 0, unmeasured)
	note(f.Attempt > 1, severalTries)
	return list
}

// suspect counts what is strange about a run, names it on demand, and tells whether
// anything is.
func (r *Status) suspect(log *campaign.Log, f *campaign.Finished, name bool) bool {
	list := suspicions(log, f)
	if len(list) == 0 {
		return false
	}
	words := make([]string, len(list))
	for i, s := range list {
		r.Suspicions[s]++
		words[i] = string(s)
	}
	if name {
		r.Suspicious[f.Run.String()] = strings.Join(words, "; ")
	}
	return true
}

// suspected lists the suspicions that there are, in a fixed order.
func (r *Status) suspected() []suspicion { return slices.Sorted(maps.Keys(r.Suspicions)) }
