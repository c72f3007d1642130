package vm_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/vm"
)

func TestEnvironment(t *testing.T) {
	got := vm.Environment([]string{"A=1", "HOME=/wrong", "PATH=/mine", "BK_RESULT_DIR=/wrong", "EMPTY="})
	for _, want := range []string{"A=1", "EMPTY=", "PATH=" + vm.ToolPath + ":/mine", "HOME=" + vm.Home, "BK_RESULT_DIR=" + vm.ResultDir} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	if len(got) != 9 {
		t.Errorf("%d variables: %q", len(got), got)
	}
	if got := vm.Environment(nil); !slices.Contains(got, "PATH="+vm.ToolPath+":"+vm.SearchPath) {
		t.Errorf("no search path in %q", got)
	}
}

func TestBootError(t *testing.T) {
	err := error(&vm.BootError{Err: os.ErrNotExist})
	if !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), "console") {
		t.Errorf("%v", err)
	}
	if err := (&vm.BootError{Err: os.ErrNotExist, Console: "Kernel panic"}); !strings.Contains(err.Error(), "Kernel panic") {
		t.Errorf("%v hides the console", err)
	}
}

// TestUnmeasured wants a word for every figure that nobody measured, also of records
// that were made before outcomes named them.
func TestUnmeasured(t *testing.T) {
	var o vm.Outcome
	o.Distrust(vm.Memory, "It is hidden.")
	o.Distrust(vm.Memory, "It is hidden twice.")
	if o.Measures(vm.Memory) || !o.Measures(vm.Times) || len(o.Unmeasured) != 1 || len(o.Warnings) != 2 {
		t.Errorf("%+v", o)
	}
	for by, want := range map[string]bool{vm.ByRlimit: false, "guest:" + vm.ByRlimit: false, "cgroup1": true, "cgroup2": true, "host:process": true} {
		if old := (vm.Outcome{Measured: by}); old.Measures(vm.Times) != want || old.Measures(vm.Memory) != want {
			t.Errorf("by %s: %v, not %v", by, !want, want)
		}
	}
	marked := vm.Outcome{Measured: vm.ByRlimit}
	if marked.Distrust(vm.Times, "Nobody counts."); len(marked.Unmeasured) != 1 {
		t.Errorf("%+v", marked)
	}
}

// TestEndedAfter: times have their names, and signals theirs.
func TestEndedAfter(t *testing.T) {
	times := vm.Outcome{CPUTime: vm.Took(5020 * time.Millisecond), WallTime: vm.Took(6001 * time.Millisecond)}
	for want, change := range map[string]func(*vm.Outcome){
		"exited with code 3 after CPU time 5.02s, wall time 6.001s":                      func(o *vm.Outcome) { o.Termination, o.ExitCode = vm.Exited, 3 },
		"ended at the limit of CPU time after CPU time 5.02s, wall time 6.001s":          func(o *vm.Outcome) { o.Termination = vm.OutOfCPU },
		"ended by signal 11 (segmentation fault) after CPU time 5.02s, wall time 6.001s": func(o *vm.Outcome) { o.Termination, o.Signal = vm.Signalled, 11 },
		"ended by signal 40 after CPU time not measured (5.02s seen), wall time 6.001s": func(o *vm.Outcome) {
			o.Termination, o.Signal, o.Unmeasured = vm.Signalled, 40, []vm.Figure{vm.Times}
		},
	} {
		o := times
		if change(&o); o.EndedAfter() != want {
			t.Errorf("%q, not %q", o.EndedAfter(), want)
		}
	}
}
