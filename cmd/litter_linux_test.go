package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/internal/files"
)

// standing reports whether all threads of a process are stopped, or it has ended.
func standing(pid int) bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	for _, thread := range threads {
		if text, err := os.ReadFile(thread); err == nil && !strings.Contains(string(text), "State:\tT") && !strings.Contains(string(text), "State:\tZ") {
			return false
		}
	}
	return true
}

// held reports whether a process has locked each of some directories.
func held(dirs []string) bool {
	for _, dir := range dirs {
		lock, err := os.Open(filepath.Join(dir, ".lock"))
		if err != nil {
			return false
		}
		err = files.TryLock(lock)
		if lock.Close(); !errors.Is(err, files.ErrLocked) {
			return false
		}
	}
	return len(dirs) > 0
}

// TestKilledCommandsLeaveNothing stops commands while they write. Another command beside them
// takes nothing from one that is only stopped: it ends as ever. What one leaves that is
// killed, the next command removes.
func TestKilledCommandsLeaveNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Mkdir(at("tmp"), 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "model", "generate", "--out", at("models"), "DiningPhilosophers", "002")
	plan := []string{"plan", "--models", at("models"), "--cpu", "20s", "--memory", "1GB", "--examination", "StateSpace,UpperBounds", "--out"}
	for _, c := range []string{"c", "worked"} {
		run(t, 0, append(plan, at(c))...)
	}
	run(t, 0, "run", at("c"))
	run(t, 0, "ship", at("c"), "--shards", "1", "--out", at("shards"))
	run(t, 0, "archive", at("c"), "--out", at("c.tar.zst"))
	look, check := []string{"status", at("c")}, []string{"verify", at("c.tar.zst")}
	for _, c := range []struct {
		kind, in   string
		args, next []string
	}{
		{"plan", "fresh", append(plan, at("fresh")), append(plan, at("fresh"))},
		{"run", "worked/packs", []string{"run", at("worked")}, []string{"status", at("worked")}},
		{"site", "c", []string{"publish", at("c")}, look},
		{"write", "c/certified", []string{"certify", at("c"), "--again"}, look},
		{"ship", "out", []string{"ship", at("c"), "--shards", "1", "--out", at("out")}, []string{"ship", at("c"), "--shards", "1", "--out", at("out")}},
		{"archive", "tmp", []string{"archive", at("c"), "--out", at("tmp/a")}, check},
		{"write", "tmp", []string{"archive", at("c"), "--out", at("tmp/a"), "--replace"}, check},
		{"verify", "tmp", check, check},
		{"tables", "tmp", check, check},
		{"into", "into", append(check, "--into", at("into")), append(check, "--into", at("into"))},
		{"serve", "tmp", []string{"serve", at("c"), "--listen", "127.0.0.1:0"}, check},
	} {
		pattern := filepath.Join(at(c.in), ".podium-"+c.kind+"-*")
		found := func() []string { list, _ := filepath.Glob(pattern); return list }
		command := func(args []string) error {
			p := podium(args...)
			p.Env = append(os.Environ(), "TMPDIR="+at("tmp"))
			if out, err := p.CombinedOutput(); err != nil {
				return &os.PathError{Op: string(out), Path: strings.Join(args, " "), Err: err}
			}
			return nil
		}
		stopped := false
		for tries := 0; tries < 50 && !stopped; tries++ {
			os.RemoveAll(at("out"))
			p := podium(c.args...)
			p.Env = append(os.Environ(), "TMPDIR="+at("tmp"))
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- p.Wait() }()
			for over := false; !stopped && !over; {
				select {
				case <-ended:
					over = true
				case <-time.After(100 * time.Microsecond):
					if len(found()) > 0 {
						_ = p.Process.Signal(syscall.SIGSTOP)
						for !standing(p.Process.Pid) {
							time.Sleep(time.Millisecond)
						}
						stopped = held(found())
						if !stopped {
							_ = p.Process.Signal(syscall.SIGCONT)
						}
					}
				}
			}
			if !stopped {
				continue
			}
			scratches := found()
			if c.kind != "plan" && c.kind != "ship" { // which wait for the one that is stopped, or take its place
				if err := command(look); err != nil {
					t.Errorf("%s: %v", c.kind, err)
				}
				if c.in == "tmp" {
					if err := command(check); err != nil {
						t.Errorf("%s: %v", c.kind, err)
					}
				}
			}
			for _, scratch := range scratches {
				if _, err := os.Stat(scratch); err != nil {
					t.Errorf("%v: what a living process holds was taken away: %v", c.args, err)
				}
			}
			_ = p.Process.Kill()
			<-ended
			if left := found(); len(left) == 0 {
				t.Errorf("%v: nothing is left when it is killed", c.args)
			}
			if err := command(c.next); err != nil {
				t.Errorf("%s: %v", c.kind, err)
			}
			if left := found(); len(left) > 0 {
				t.Errorf("%v: %v is left after %v", c.args, left, c.next)
			}
			os.RemoveAll(at("tmp/a"))
		}
		if !stopped {
			t.Errorf("%v was never found writing %s", c.args, pattern)
		}
	}
}
