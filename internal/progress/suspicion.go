package progress

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/vm"
)

// suspicion is a reason to look at a run that has an end, as JSON has it. It changes no
// score.
type suspicion string

// The suspicions.
const (
	unsteadyHost suspicion = "host"
	cutOutput    suspicion = "output_limit"
	fullDisk     suspicion = "disk_full"
	panicked     suspicion = "kernel_died"
	misread      suspicion = "misread"
	silent       suspicion = "silent"
	unmeasured   suspicion = "unmeasured"
	severalTries suspicion = "void_attempts"
)

// String says it to people.
func (s suspicion) String() string {
	return map[suspicion]string{
		unsteadyHost: "its host was slower, faster or busier than usual (sentinel)",
		cutOutput:    "ended by the limit of output",
		fullDisk:     "ended by a full disk of its machine",
		panicked:     "the kernel of its machine died",
		misread:      "answers that were not understood, or contradict each other",
		silent:       "ended by itself and said nothing that counts",
		unmeasured:   "times or memory not measured, or not to be trusted",
		severalTries: "attempts before it were void",
	}[s]
}

// suspicions lists what is strange about the end of a run.
func suspicions(log *campaign.Log, f *campaign.Finished) (list []suspicion) {
	note := func(is bool, what suspicion) {
		if is {
			list = append(list, what)
		}
	}
	note(len(log.Drift(f)) > 0, unsteadyHost)
	note(f.Outcome.Termination == vm.TooMuchOut, cutOutput)
	note(f.Outcome.Termination == vm.DiskFull, fullDisk)
	note(f.Outcome.Termination == vm.Panicked, panicked)
	note(f.Misread > 0 && f.Reread == nil, misread)
	note(f.Participation == output.Silent && f.Outcome.Termination == vm.Exited, silent)
	note(len(f.Outcome.Unmeasured) > 0, unmeasured)
	note(f.Attempt > 1, severalTries)
	return list
}

// suspect counts what is strange about a run, names it on demand, and reports whether
// anything is.
func (r *Status) suspect(log *campaign.Log, f *campaign.Finished, name bool) bool {
	list := suspicions(log, f)
	if len(list) == 0 {
		return false
	}
	for _, s := range list {
		r.Suspicions[s]++
	}
	if name {
		r.Suspicious[f.Run.String()] = list
	}
	return true
}

// writeSuspicious names the runs.
func (r *Status) writeSuspicious(out io.Writer) {
	for _, run := range slices.Sorted(maps.Keys(r.Suspicious)) {
		var reasons []string
		for _, s := range r.Suspicious[run] {
			reasons = append(reasons, s.String())
		}
		fmt.Fprintf(out, "suspicious: %s\t%s\n", run, strings.Join(reasons, "; "))
	}
}
