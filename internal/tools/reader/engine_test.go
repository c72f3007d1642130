package reader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/tools/engine"
	"podium/models"
)

// TestAnswers: what the files state is answered, what follows from it, and nothing else.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	ask := func(exam examinations.ID) string {
		var out strings.Builder
		if err := (Engine{dir}).Answer(t.Context(), engine.Task{Instance: "Toy-PT-1", Exam: exam}, engine.NewPrinter(&out, exam)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, c := range []struct{ form, exam, want string }{
		{"", "OneSafe", ""},
		{`SAFE" value="true`, "OneSafe", "FORMULA OneSafe TRUE TECHNIQUES READ\n"},
		{`SAFE" value="false`, "OneSafe", "FORMULA OneSafe FALSE TECHNIQUES READ\n"},
		{`SAFE" value="unknown`, "OneSafe", ""},
		{`SAFE" value="true`, "StateSpace", "STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES READ\n"},
		{`SAFE" value="true`, "UpperBounds", ""},
		{`DEADLOCK" value="true`, "ReachabilityDeadlock", "FORMULA ReachabilityDeadlock TRUE TECHNIQUES READ\n"},
		{`DEADLOCK" value="true`, "Liveness", "FORMULA Liveness FALSE TECHNIQUES READ\n"},
		{`DEADLOCK" value="false`, "GlobalProperties", "FORMULA GlobalProperties FALSE TECHNIQUES READ\n"},
		{`DEAD_TRANSITIONS" value="true`, "QuasiLiveness", "FORMULA QuasiLiveness FALSE TECHNIQUES READ\n"},
		{`DEAD_TRANSITIONS" value="false`, "Liveness", ""},
		{`LIVE" value="true`, "QuasiLiveness", "FORMULA QuasiLiveness TRUE TECHNIQUES READ\n"},
		{`LIVE" value="true`, "ReachabilityDeadlock", "FORMULA ReachabilityDeadlock FALSE TECHNIQUES READ\n"},
		{`LIVE" value="false`, "ReachabilityDeadlock", ""},
		{`DEAD_PLACES" value="true`, "StableMarking", "FORMULA StableMarking TRUE TECHNIQUES READ\n"},
		{`DEAD_PLACES" value="false`, "StableMarking", ""},
		{`REVERSIBLE" value="true`, "ReachabilityDeadlock", "FORMULA ReachabilityDeadlock FALSE TECHNIQUES READ\n"},
		{`CONNECTED" value="true`, "Liveness", ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, models.FormFile), []byte(`<f><verdict reference="`+c.form+`"/></f>`), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := ask(examinations.ID(c.exam)); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.form, c.exam, got, c.want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, models.UnfiniteFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := ask(examinations.StateSpace); strings.Count(got, " +inf ") != 4 {
		t.Error(got)
	}
}
