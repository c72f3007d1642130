package engine

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/fault"
	"podium/models"
	"podium/pnml"
)

type failing struct{ first bool }

func (f failing) Answer(_ context.Context, _ Task, out *Printer) error {
	if f.first {
		out.Value("ReachabilityDeadlock", examinations.True, "EXPLICIT")
	}
	panic("planted")
}

// TestFailingEngine: what an engine has answered before it fails is kept, the rest is not
// computed, and the error has the stack.
func TestFailingEngine(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	id, _ := models.ParseID("M-PT-1")
	b := &pnml.Builder{ID: "M"}
	b.In(b.Place("p", 1), b.Transition("t"), 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := models.WriteInstance(dir, id, net, models.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	env := func(name string) string {
		return map[string]string{"BK_EXAMINATION": "ReachabilityDeadlock", "BK_INPUT": "M-PT-1"}[name]
	}
	for first, want := range map[bool]string{false: "CANNOT_COMPUTE\n", true: "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\n"} {
		var out strings.Builder
		err := Head(t.Context(), failing{first}, filepath.Join(dir, "M-PT-1"), env, &out)
		var failure *fault.Error
		if !errors.As(err, &failure) || !strings.HasPrefix(err.Error(), "M-PT-1 ReachabilityDeadlock by engine.failing: a failure of podium itself (planted)") || !strings.Contains(err.Error(), "fault_test.go:") {
			t.Error(err)
		}
		if out.String() != want {
			t.Errorf("it prints %q, not %q", out.String(), want)
		}
	}
}
