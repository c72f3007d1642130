package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml"
	"podium/vm"
)

// machines is a driver whose machines are functions.
type machines struct {
	mu   sync.Mutex
	exec func(run string, job vm.Job) (vm.Outcome, error)
	boot func(n int) error
	runs map[string]int
	n    int
}

func (d *machines) Probe(context.Context) (vm.Capabilities, error) {
	return vm.Capabilities{Driver: "fake"}, nil
}
func (d *machines) Close() error { return nil }
func (d *machines) Boot(_ context.Context, s vm.Spec) (vm.Machine, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n++
	if d.boot != nil {
		if err := d.boot(d.n); err != nil {
			return nil, &vm.BootError{Err: err}
		}
	}
	return &machine{d}, nil
}

type machine struct{ d *machines }

func (m *machine) Close() error { return nil }
func (m *machine) Exec(ctx context.Context, job vm.Job) (vm.Outcome, error) {
	if ctx.Err() != nil {
		return vm.Outcome{}, ctx.Err()
	}
	var tool, input, exam string
	for _, e := range job.Env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case "BK_TOOL":
			tool = value
		case "BK_INPUT":
			input = value
		case "BK_EXAMINATION":
			exam = value
		}
	}
	run := tool + " " + input + " " + exam
	m.d.mu.Lock()
	m.d.runs[run]++
	m.d.mu.Unlock()
	return m.d.exec(run, job)
}

func answering(run string, job vm.Job) (vm.Outcome, error) {
	if strings.HasSuffix(run, "StateSpace") {
		fmt.Fprintf(job.Stdout, "noise\nSTATE_SPACE STATES 3 TECHNIQUES EXPLICIT\n")
	} else {
		fmt.Fprintf(job.Stdout, "FORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT SAT_SMT\n")
		fmt.Fprintf(job.Stderr, "complaint\n")
	}
	return vm.Outcome{Termination: vm.Exited, Started: time.Now(), CPUTime: vm.Took(5 * time.Millisecond), Curve: answeringCurve}, nil
}

var answeringCurve = vm.Curve{{Memory: 1 << 20}, {At: 2000, CPU: 1024, Memory: 1 << 23}, {At: 4000, CPU: 4000, Memory: 1 << 22}}

// small makes a campaign of two tools, two models of two instances each and two
// examinations: 16 runs.
func small(t *testing.T) *Campaign {
	t.Helper()
	dir := t.TempDir()
	p := &Plan{Name: "small", Edition: "mcc2016", Seed: 3, Examinations: []examinations.ID{examinations.StateSpace, examinations.ReachabilityDeadlock}}
	p.Sequential = Confinement{Cores: 1, Memory: 1 << 30, CPUTime: 1e6}
	p.Concurrent = p.Sequential
	for _, name := range []string{"ant", "bee"} {
		home := filepath.Join(dir, "tools", name)
		must(t, os.MkdirAll(home, 0o755))
		must(t, os.WriteFile(filepath.Join(home, "tool.yaml"), []byte("format: podium-tool/1\nname: "+name+"\n"), 0o644))
		must(t, os.WriteFile(filepath.Join(home, "BenchKit_head.sh"), []byte("#!/bin/sh\n"), 0o755))
		tool, err := tools.Open(home)
		must(t, err)
		digest, err := tool.Digest(t.Context())
		must(t, err)
		p.Tools = append(p.Tools, PlannedTool{Name: name, Family: name, Head: tool.Head, Dir: filepath.Join("tools", name), Digest: digest})
	}
	for _, name := range []string{"Ring-PT-1", "Ring-PT-2", "Tree-PT-1", "Tree-PT-2"} {
		id, err := models.ParseID(name)
		must(t, err)
		var b pnml.Builder
		b.ID = name
		place, step := b.Place("p", 1), b.Transition("t")
		b.In(place, step, 1)
		net, err := b.Build()
		must(t, err)
		must(t, models.WriteInstance(filepath.Join(dir, "models"), id, net, models.WriteOptions{}))
		found, err := models.Open(filepath.Join(dir, "models", name))
		must(t, err)
		digest, err := found.Instances[0].Digest()
		must(t, err)
		p.Instances = append(p.Instances, PlannedInstance{ID: name, Family: id.Family, Class: "known", Path: filepath.Join("models", name), Digest: digest})
	}
	c, err := Create(dir, p)
	must(t, err)
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryRunIsDoneOnce(t *testing.T) {
	c := small(t)
	d := &machines{exec: answering, runs: map[string]int{}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0, 1, 2)})
	must(t, err)
	if s.Done != 16 || s.Left != 0 || s.Void != 0 {
		t.Fatalf("summary %+v", s)
	}
	for run, n := range d.runs {
		if n != 1 {
			t.Errorf("%s was done %d times", run, n)
		}
	}
	log, err := c.Read(t.Context())
	must(t, err)
	for run, f := range log.Finished {
		want := Answer{Item: "STATES", Text: "3", Techniques: "EXPLICIT", Offset: 6, Line: 2}
		if run.Exam == examinations.ReachabilityDeadlock {
			want = Answer{Item: "ReachabilityDeadlock", Text: "TRUE", Techniques: "EXPLICIT SAT_SMT", Line: 1}
		}
		if f.Answers.Len() != 1 || f.Participation != output.Answered {
			t.Fatalf("%s: %+v", run, f)
		}
		got := f.Answers.First()
		got.At = 0
		if got != want {
			t.Errorf("%s: got %+v, want %+v", run, got, want)
		}
		out, err := c.Output(f.Stdout)
		must(t, err)
		text, err := io.ReadAll(out)
		must(t, err)
		must(t, out.Close())
		if !strings.Contains(string(text), "TECHNIQUES EXPLICIT") {
			t.Errorf("%s: output %q", run, text)
		}
	}
	if s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)}); err != nil || s.Done != 16 || d.n != 16 {
		t.Errorf("a second worker found something to do: %+v, %v, %d boots", s, err, d.n)
	}
}

func TestOurFaultsAreTriedAgainThenVoid(t *testing.T) {
	c := small(t)
	d := &machines{exec: answering, runs: map[string]int{}, boot: func(n int) error {
		if n <= 4 { // with one core: the first run three times, then one fault of the second
			return errors.New("no host")
		}
		return nil
	}}
	var voids int
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Observe: func(e Event) {
		if e.Voided != nil {
			voids++
		}
	}})
	must(t, err)
	if s.Done != 15 || s.Void != 1 || voids != 4 {
		t.Errorf("summary %+v with %d void attempts", s, voids)
	}
}

func TestInterruptedRunsAreDoneAgain(t *testing.T) {
	c := small(t)
	ctx, stop := context.WithCancel(t.Context())
	n := 0
	d := &machines{runs: map[string]int{}}
	d.exec = func(run string, job vm.Job) (vm.Outcome, error) {
		if n++; n == 6 {
			stop()
			return vm.Outcome{}, ctx.Err()
		}
		return answering(run, job)
	}
	s, err := c.Work(ctx, Options{Driver: d, Cores: cores(0)})
	if !errors.Is(err, context.Canceled) || s.Done != 5 || s.Left != 11 {
		t.Fatalf("%+v, %v", s, err)
	}
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Doubt) != 1 {
		t.Errorf("in doubt: %v", log.Doubt)
	}
	s, err = c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	if err != nil || s.Done != 16 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestChangedInputsStopTheWorker(t *testing.T) {
	for _, file := range []string{"tools/bee/BenchKit_head.sh", "models/Tree-PT-1/model.pnml"} {
		c := small(t)
		must(t, os.WriteFile(filepath.Join(c.Dir, file), []byte("#!/bin/sh\nexit 1\n"), 0o755))
		_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
		var changed *ChangedError
		if !errors.As(err, &changed) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestPlanIsWrittenOnce(t *testing.T) {
	c := small(t)
	if _, err := Create(c.Dir, &c.Plan); !errors.Is(err, os.ErrExist) {
		t.Errorf("a second plan: %v", err)
	}
	again, err := Open(c.Dir)
	must(t, err)
	if d := again.Plan.Differences(&c.Plan); len(d) != 0 {
		t.Errorf("differences with itself: %v", d)
	}
	other := again.Plan
	other.Instances = other.Instances[1:]
	if d := again.Plan.Differences(&other); len(d) != 2 {
		t.Errorf("differences: %q", d)
	}
	other = again.Plan
	other.Tools = slices.Clone(other.Tools)
	other.Tools[0].Participation = &Participation{Nets: []string{"COL"}}
	if d := again.Plan.Differences(&other); len(d) != 1 || !strings.Contains(d[0], "takes part in") {
		t.Errorf("differences: %q", d)
	}
	must(t, os.WriteFile(filepath.Join(c.Dir, planFile), []byte("{\n \"format\": \"podium-campaign/1\",\n \"nmae\": 1}"), 0o644))
	if _, err := Open(c.Dir); err == nil || !strings.Contains(err.Error(), "campaign.json:3:") {
		t.Errorf("an unknown key: %v", err)
	}
}

func TestRunsOfAModelCoverThePlan(t *testing.T) {
	c := small(t)
	seen := map[Run]bool{}
	for _, f := range c.Plan.Units() {
		for run := range c.Plan.RunsOf(f) {
			if seen[run] {
				t.Errorf("%s stands twice", run)
			}
			seen[run] = true
		}
	}
	if len(seen) != c.Plan.Count() {
		t.Errorf("%d runs", len(seen))
	}
}

// TestOrderOfToolsIsDrawn: each order of three tools comes about equally often, the
// same under the same seed, and another one under another.
func TestOrderOfToolsIsDrawn(t *testing.T) {
	p := &Plan{Tools: []PlannedTool{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Examinations: []examinations.ID{examinations.StateSpace, examinations.Liveness}}
	for i := range 300 {
		p.Instances = append(p.Instances, PlannedInstance{ID: fmt.Sprintf("Ring-PT-%03d", i), Family: "Ring"})
	}
	orders := func(seed uint64) (list []string) {
		p.Seed = seed
		for runs := range slices.Chunk(slices.Collect(p.RunsOf("Ring")), 3) {
			list = append(list, runs[0].Tool+runs[1].Tool+runs[2].Tool)
		}
		return list
	}
	times := map[string]int{}
	for _, order := range orders(7) {
		times[order]++
	}
	for order, n := range times {
		if n < 70 || n > 130 {
			t.Errorf("the order %s came %d times of 600", order, n)
		}
	}
	if len(times) != 6 || !slices.Equal(orders(7), orders(7)) || slices.Equal(orders(7), orders(8)) {
		t.Errorf("%d orders; the seed decides: %v", len(times), slices.Equal(orders(7), orders(7)))
	}
}
