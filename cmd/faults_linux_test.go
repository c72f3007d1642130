package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"podium/internal/campaign"
)

// faults is a campaign that two workers do while they are killed and stopped and
// the inputs that it was planned from are edited.
type faults struct {
	families, tools    int // with the six examinations: the runs
	kills, stops       int
	edits              int
	lease, run         time.Duration
	models, toolsDir   string // what the campaign was planned from
	campaign, commands string
	moments            *rand.Rand
	workers            [2]*exec.Cmd
	talk               []*strings.Builder // of all workers
}

// families of which the smallest instance is written at once.
var smallFamilies = []string{"AlternatingBit", "BinaryCounter", "DiningPhilosophers", "KanbanCells", "MilnerScheduler",
	"PetersonFilter", "ReadersWriters", "TokenRingMutex", "TowersOfHanoi", "UnboundedChannels"}

// TestWorkersUnderFaults lets two workers, in PID namespaces of their own and on
// hosts of one name, do a campaign while they are killed, are stopped for longer than
// their leases, and the inputs are edited, all at moments drawn by lot. Every run
// counts once, none is lost, none saw other inputs than the planned ones, and no more
// are tried again than were cut off. PODIUM_FAULTS=long takes 300 runs and 40 kills.
func TestWorkersUnderFaults(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("workers in PID namespaces of their own need root")
	}
	f := &faults{families: 2, tools: 2, kills: 3, stops: 2, edits: 4, lease: time.Second, run: 300 * time.Millisecond}
	if os.Getenv("PODIUM_FAULTS") == "long" {
		f = &faults{families: 10, tools: 5, kills: 40, stops: 12, edits: 60, lease: time.Second, run: 300 * time.Millisecond}
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	f.moments = rand.New(rand.NewPCG(seed, 1))
	want := f.plan(t)
	begun := time.Now()
	for i := range f.workers {
		f.start(t, i)
	}
	defer f.end()
	f.disturb(t)
	for i, w := range f.workers {
		if err := w.Wait(); err != nil {
			t.Errorf("worker %d: %v\n%s", i, err, w.Stderr)
		}
	}
	robbed := 0
	for _, talk := range f.talk {
		robbed += strings.Count(talk.String(), "was taken over by another worker")
	}
	t.Logf("%d kills, %d stops, %d edits in %s; %d models were taken over from a worker that was stopped", f.kills, f.stops, f.edits,
		time.Since(begun).Round(time.Second), robbed)
	f.check(t, want)
}

// plan makes the campaign; every run prints what it sees of its inputs. It returns what
// is to be seen.
func (f *faults) plan(t *testing.T) (want map[string]string) {
	dir := t.TempDir()
	f.models, f.toolsDir, f.campaign = filepath.Join(dir, "models"), filepath.Join(dir, "tools"), filepath.Join(dir, "c")
	f.commands = filepath.Join(dir, "podium")
	program, err := os.Executable()
	if err == nil {
		err = os.Symlink(program, f.commands)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range smallFamilies[:f.families] {
		run(t, 0, "model", "generate", "--out", f.models, family, "2")
	}
	for i := range f.tools {
		home := writeTool(t, f.toolsDir, "tool"+string(rune('a'+i)), `cat "${0%/*}/version" iscolored; cksum < model.pnml; sleep `+fmt.Sprint(f.run.Seconds())+"\necho CANNOT_COMPUTE\n")
		if err := os.WriteFile(filepath.Join(home, "version"), []byte("as planned\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, 0, "plan", "--models", f.models, "--tools", f.toolsDir, "--out", f.campaign, "--cpu", "20s", "--wall", "120s", "--memory", "200MB",
		"--examination", "StateSpace,ReachabilityDeadlock,QuasiLiveness,StableMarking,Liveness,OneSafe")
	want = map[string]string{}
	instances, err := os.ReadDir(f.models)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range instances {
		out, err := exec.Command("sh", "-c", `cd "$0" && echo as planned && cat iscolored && cksum < model.pnml && echo CANNOT_COMPUTE`, filepath.Join(f.models, i.Name())).Output()
		if err != nil {
			t.Fatal(err)
		}
		want[i.Name()] = string(out)
	}
	return want
}

// start begins a worker in a PID namespace of its own.
func (f *faults) start(t *testing.T, i int) {
	t.Helper()
	w := exec.Command("sh", "-c", `mount --make-rprivate / && mount -t proc proc /proc && exec "$0" "$@"`,
		f.commands, "run", "--wait", "--quiet", "--cores-used", "1", "--lease", f.lease.String(), f.campaign)
	w.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	talk := &strings.Builder{}
	w.Stderr, f.talk = talk, append(f.talk, talk)
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	f.workers[i] = w
}

func (f *faults) end() {
	for _, w := range f.workers {
		_ = w.Process.Signal(syscall.SIGCONT)
		_ = w.Process.Kill()
	}
}

// disturb kills, stops and edits, in an order drawn by lot.
func (f *faults) disturb(t *testing.T) {
	events := slices.Concat(slices.Repeat([]string{"kill"}, f.kills), slices.Repeat([]string{"stop"}, f.stops), slices.Repeat([]string{"edit"}, f.edits))
	f.moments.Shuffle(len(events), func(i, k int) { events[i], events[k] = events[k], events[i] })
	var until [2]time.Time // when a stopped worker goes on
	goOn := func(now time.Time) {
		for i, w := range f.workers {
			if !until[i].IsZero() && now.After(until[i]) {
				_ = w.Process.Signal(syscall.SIGCONT)
				until[i] = time.Time{}
			}
		}
	}
	for _, event := range events {
		time.Sleep(time.Duration(f.moments.Int64N(int64(2 * f.run))))
		goOn(time.Now())
		i := f.moments.IntN(2)
		if !until[i].IsZero() {
			i = 1 - i // who is stopped is to go on and find its model taken
		}
		switch event {
		case "kill":
			_ = f.workers[i].Process.Kill()
			_ = f.workers[i].Wait()
			until[i] = time.Time{}
			f.start(t, i)
		case "stop":
			_ = f.workers[i].Process.Signal(syscall.SIGSTOP)
			until[i] = time.Now().Add(f.lease + time.Duration(f.moments.Int64N(int64(4*f.lease))))
		case "edit":
			f.edit(t)
		}
	}
	time.Sleep(5 * f.lease)
	goOn(time.Now())
}

// edit changes one of the inputs: in place, by another file, or by leaving it away.
func (f *faults) edit(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(f.toolsDir, "*", "[vB]*"))
	if err != nil {
		t.Fatal(err)
	}
	nets, err := filepath.Glob(filepath.Join(f.models, "*", "[mi]*"))
	if err != nil {
		t.Fatal(err)
	}
	files = append(files, nets...)
	file := files[f.moments.IntN(len(files))]
	text := []byte("#!/bin/sh\necho edited\n")
	switch f.moments.IntN(3) {
	case 0:
		err = os.WriteFile(file, text, 0o755)
	case 1:
		if err = os.WriteFile(file+".new", text, 0o755); err == nil {
			err = os.Rename(file+".new", file)
		}
	case 2:
		err = os.Remove(file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// check reads the journals twice: as the program does, and record by record.
func (f *faults) check(t *testing.T, want map[string]string) {
	c, err := campaign.Open(f.campaign)
	if err != nil {
		t.Fatal(err)
	}
	log, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for run, ends := range log.Further {
		for _, end := range ends {
			if log.Standing(end) != campaign.Lost {
				t.Errorf("%s has two ends that could count", run)
			}
			lost++
		}
	}
	if len(log.Finished) != c.Plan.Count() || len(log.Void)+len(log.Doubt)+len(log.Damage) != 0 {
		t.Errorf("%d of %d runs finished, %d void, %d in doubt, damage %v", len(log.Finished), c.Plan.Count(), len(log.Void), len(log.Doubt), log.Damage)
	}
	for run, end := range log.Finished {
		out, err := c.Output(end.Stdout)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(out)
		if err != nil || string(text) != want[run.Instance] {
			t.Errorf("%s saw %q, %v; planned was %q", run, text, err, want[run.Instance])
		}
		out.Close()
	}
	starts, ends, leases := f.recorded(t)
	if ends != len(log.Finished)+lost {
		t.Errorf("the journals hold %d ends, and %d count and %d were lost", ends, len(log.Finished), lost)
	}
	t.Logf("%d runs planned, %d started, %d ended, %d of them under lost leases; %d leases", c.Plan.Count(), starts, ends, lost, leases)
}

// recorded counts what the journals say, and checks that a lease leaves at most one
// run without an end: each worker does one at a time.
func (f *faults) recorded(t *testing.T) (starts, ends, leases int) {
	type lease struct {
		Model  string
		Number int64
	}
	files, err := filepath.Glob(filepath.Join(f.campaign, "journal", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	open := map[lease]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var r campaign.Record
			_, body, _ := strings.Cut(line, " ")
			if err := json.Unmarshal([]byte(body), &r); err != nil {
				continue // cut off by a kill
			}
			switch {
			case r.Started != nil:
				starts++
				open[lease{modelOf(r.Started.Run), r.Started.Lease}]++
			case r.Finished != nil:
				ends++
				open[lease{modelOf(r.Finished.Run), r.Finished.Lease}]--
			}
		}
	}
	for l, n := range open {
		if n < 0 || n > 1 {
			t.Errorf("lease %d on %s leaves %d runs without an end", l.Number, l.Model, n)
		}
	}
	return starts, ends, len(open)
}

func modelOf(r campaign.Run) string {
	model, _, _ := strings.Cut(r.Instance, "-")
	return model
}
