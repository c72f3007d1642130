package vm_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"podium/vm"
)

func TestEnvironment(t *testing.T) {
	got := vm.Environment([]string{"A=1", "HOME=/wrong", "PATH=/mine", "BK_RESULT_DIR=/wrong", "EMPTY="})
	for _, want := range []string{"A=1", "EMPTY=", "PATH=/mine", "HOME=" + vm.Home, "BK_RESULT_DIR=" + vm.ResultDir} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
	if len(got) != 8 {
		t.Errorf("%d variables: %q", len(got), got)
	}
	if got := vm.Environment(nil); !slices.Contains(got, "PATH="+vm.SearchPath) {
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
