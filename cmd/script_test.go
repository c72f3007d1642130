package cmd

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Most tests wait for runs, limits and browsers most of the time.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	// Tests beside each other, and other processes here, do not wait for each other's cores.
	if os.Getenv(locksVariable) == "" {
		os.Setenv(locksVariable, "off")
	}
	testscript.Main(m, map[string]func(){
		"podium": func() {
			code := Main(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
			if len(os.Args) > 2 && os.Args[1] == "tool" && os.Args[2] == "run" {
				// The race detector would wait for a second at the end of each run, and
				// nobody asks a tool what it has seen.
				syscall.Exit(code)
			}
			os.Exit(code)
		},
		"answer-in-shards": answerInShards,
	})
}

// TestScripts uses podium as its users do. Beside the commands of testscript
// there is "exits CODE COMMAND...", which checks the exit code.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", os.Getenv("GORACE")) // of the commands
			return nil
		},
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
