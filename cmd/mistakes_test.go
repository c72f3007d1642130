package cmd

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMistakesOfSubmitters makes a mistake in each script, as people do who hand in a
// model, and says what a good answer is: the message, the line, the next step and the
// exit code.
func TestMistakesOfSubmitters(t *testing.T) { mistakes(t, "testdata/submitters") }

func mistakes(t *testing.T, dir string) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}
