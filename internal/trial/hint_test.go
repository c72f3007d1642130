package trial

import (
	"strings"
	"testing"
	"time"

	"podium/internal/campaign"
	"podium/vm"
)

// TestHintOfLimits: each limit that ends a run has a next step.
func TestHintOfLimits(t *testing.T) {
	var q Question
	q.Plan = &campaign.Plan{Sequential: campaign.Confinement{WallTime: 90e6, CPUTime: 60e6, Memory: 2e9, Output: 100e6}}
	for end, want := range map[vm.Termination]string{vm.OutOfTime: "1m30s of wall time", vm.OutOfCPU: "1m0s of CPU time", vm.OutOfMem: "2000 MB", vm.TooMuchOut: "100 MB"} {
		if got := new(Bench).hint(q, &Result{Outcome: vm.Outcome{Termination: end}}); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %s", end, got, want)
		}
	}
	for used, want := range map[time.Duration]string{2 * time.Millisecond: "it used no CPU time: it waits for something", 20 * time.Second: "--cpu gives it more"} {
		o := vm.Outcome{Termination: vm.OutOfTime, CPUTime: vm.Took(used), WallTime: vm.Took(90 * time.Second)}
		if got := new(Bench).hint(q, &Result{Outcome: o}); !strings.Contains(got, want) || strings.Contains(got, "--cpu") != strings.Contains(want, "--cpu") {
			t.Errorf("%v of CPU time: %q, want %s", used, got, want)
		}
	}
}
