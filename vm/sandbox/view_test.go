//go:build linux

package sandbox_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"podium/vm"
	"podium/vm/sandbox"
)

// TestContestIsHidden keeps a contest below a place that machines see, as people do:
// a run sees the place, but neither campaign nor rivals nor models, by any name.
func TestContestIsHidden(t *testing.T) {
	dir, err := os.MkdirTemp("/opt", "podium-view-*")
	if err != nil {
		t.Skipf("nothing can be made below /opt: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, content := range map[string]string{"jdk/release": "seen", "contest/journal/w.jsonl": "secret", "tools/rival/head": "secret",
		"tools/own/head": "own", "models/A-PT-1/model.pnml": "model"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content+"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Symlink(dir+"/contest", dir+"/latest")); err != nil {
		t.Fatal(err)
	}
	d, err := sandbox.Open(sandbox.Options{Show: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	spec := vm.Spec{Name: "view", Cores: 1, Tool: dir + "/tools/own", Input: dir + "/models/A-PT-1",
		Hide: []string{dir + "/latest", dir + "/tools/rival", dir + "/gone"}}
	m, err := d.Boot(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var out bytes.Buffer
	job := vm.Job{Command: []string{"/bin/sh", "-c", "cat $HOME/BenchKit/head model.pnml; cd $0; cat */* */*/* */*/*/*; ls -A contest tools/* models/*", dir}, Stdout: &out}
	if _, err := m.Exec(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	want := "own\nmodel\nseen\ncontest:\n\nmodels/A-PT-1:\n\ntools/own:\n\ntools/rival:\n"
	if out.String() != want {
		t.Errorf("the run saw %q, not %q", &out, want)
	}
}

// TestPipeOfATool lets two runs of one tool open a pipe that lies in its directory:
// they must not meet there.
func TestPipeOfATool(t *testing.T) {
	tool := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(tool, "pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	d := open(t)
	defer d.Close()
	var both sync.WaitGroup
	var heard string
	for _, job := range []struct{ name, script string }{{"listener", "exec 3<>pipe; sleep 1; echo silence >&3; head -n 1 <&3"}, {"speaker", "sleep 0.3; echo word 1<>pipe; sleep 1"}} {
		m, err := d.Boot(t.Context(), vm.Spec{Name: job.name, Cores: 1, Tool: tool})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		both.Go(func() {
			var out bytes.Buffer
			_, err := m.Exec(t.Context(), vm.Job{Command: []string{"/bin/sh", "-c", "cd $HOME/BenchKit; " + job.script}, Stdout: &out})
			if job.name == "listener" {
				heard = strings.TrimSpace(out.String())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if heard != "silence" {
		t.Errorf("heard %q", heard)
	}
}

func TestCheckShow(t *testing.T) {
	for path, ok := range map[string]bool{"/opt/jdk": true, "/srv": true, "/": false, "opt": false, "/tmp/x": false, "/home": false, "/opt/../home/x": false, "": false} {
		if err := sandbox.CheckShow([]string{path}); (err == nil) != ok {
			t.Errorf("%q: %v", path, err)
		}
	}
}
