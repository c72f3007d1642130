package sandbox_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/sandbox"
)

// A tool, here a script, is run in a machine of its own.
func Example() {
	tool, err := os.MkdirTemp("", "tool")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(tool)
	if err := os.WriteFile(filepath.Join(tool, "head.sh"), []byte("#!/bin/sh\necho hello from $PWD\nexit 3\n"), 0o755); err != nil {
		log.Fatal(err)
	}
	driver, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer driver.Close()
	machine, err := driver.Boot(context.Background(), vm.Spec{Name: "example", Cores: 1, Tool: tool})
	if err != nil {
		log.Fatal(err)
	}
	defer machine.Close()
	var out strings.Builder
	outcome, err := machine.Exec(context.Background(), vm.Job{Command: []string{"head.sh"},
		Limits: vm.Limits{CPUTime: 10 * time.Second, WallTime: time.Minute}, Stdout: &out})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(out.String())
	fmt.Println(outcome.Termination, outcome.ExitCode)
}

// TestExample runs the example, where machines can be made.
func TestExample(t *testing.T) {
	driver, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Skipf("no machines can be made here: %v", err)
	}
	_, err = driver.Probe(t.Context())
	driver.Close()
	if err != nil {
		t.Skipf("no machines can be made here: %v", err)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "printed"))
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = file
	Example()
	os.Stdout = stdout
	printed, err := os.ReadFile(file.Name())
	if want := "hello from /home/mcc/execution\nexited 3\n"; err != nil || string(printed) != want {
		t.Errorf("%q, not %q: %v", printed, want, err)
	}
}
