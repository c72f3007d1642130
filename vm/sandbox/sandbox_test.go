package sandbox_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/vm"
	"podium/vm/sandbox"
)

func TestSmoke(t *testing.T) {
	d, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	c, err := d.Probe(context.Background())
	t.Logf("%+v %v", c, err)
	tool, input := t.TempDir(), t.TempDir()
	os.WriteFile(filepath.Join(tool, "BenchKit_head.sh"), []byte("#!/bin/sh\nid; pwd; ls -la; env; ls -la / /dev /home/mcc; ps aux; cat /proc/self/status | grep -i -E 'cap|nonew'; echo hi > /dev/stderr; echo x >> model.pnml && cat model.pnml; cat /proc/self/cgroup; exit 3\n"), 0o755)
	os.WriteFile(filepath.Join(input, "model.pnml"), []byte("<pnml/>"), 0o644)
	m, err := d.Boot(context.Background(), vm.Spec{Name: "t", Cores: 1, Tool: tool, Input: input})
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	o, err := m.Exec(context.Background(), vm.Job{Command: []string{"BenchKit_head.sh"}, Stdout: &out, Stderr: &errs,
		Limits: vm.Limits{CPUTime: time.Second, WallTime: 5 * time.Second, Memory: 100 << 20, Processes: 10, Output: 1 << 20, Disk: 1 << 20}})
	t.Logf("%+v %v", o, err)
	t.Logf("%s\n-- %s", out.String(), errs.String())
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}
