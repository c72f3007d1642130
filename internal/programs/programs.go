// Package programs starts the programs of others that Podium needs, such as qemu-img, dot
// and squeue, in an environment that is always the same: many programs read variables
// that change what they do, and what they print.
package programs

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// always are the variables of the user's that every program gets: where programs, their
// libraries, the user's files and temporary ones are.
var always = []string{"PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "TMPDIR"}

// Command is [exec.CommandContext] with [Environment].
func Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = Environment()
	return cmd
}

// Environment returns the variables that programs get: a few of the user's, those to keep,
// and a locale without translations. A name to keep may end with *, which stands for
// anything.
func Environment(keep ...string) []string {
	var list []string
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if name != "LC_ALL" && (slices.Contains(always, name) || slices.ContainsFunc(keep, func(k string) bool {
			prefix, any := strings.CutSuffix(k, "*")
			return name == k || any && strings.HasPrefix(name, prefix)
		})) {
			list = append(list, variable)
		}
	}
	return append(list, "LC_ALL=C")
}
