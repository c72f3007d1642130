package progress

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/vm"
)

// longName is longer than a column of the table.
const longName = "a-model-checker-with-a-name-that-nobody-says-aloud-2026.1"

// begun writes a campaign of two tools, two instances and two examinations.
func begun(t *testing.T) *campaign.Campaign {
	t.Helper()
	p := &campaign.Plan{Name: "small", Edition: "mcc2023", Examinations: []examinations.ID{"StateSpace", "ReachabilityFireability"}}
	p.Sequential = campaign.Confinement{WallTime: 3600e6}
	for _, tool := range []string{"lola", longName} {
		p.Tools = append(p.Tools, campaign.PlannedTool{Name: tool, Dir: "inputs/0/" + tool})
	}
	for _, id := range []string{"Ring-PT-1", "Ring-PT-2"} {
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: id, Family: "Ring", Class: "known", Path: "inputs/1/" + id})
	}
	c, err := campaign.Create(t.TempDir(), p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// end writes ends of runs, as a worker's journal.
func end(t *testing.T, c *campaign.Campaign, worker string, ends ...campaign.Finished) {
	t.Helper()
	err := c.Import(worker, func(add func(campaign.Finished) error) error {
		for _, f := range ends {
			if err := add(f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// usual is an end with nothing strange about it.
func usual(tool, instance string, exam examinations.ID) campaign.Finished {
	return campaign.Finished{Run: campaign.Run{Tool: tool, Instance: instance, Exam: exam}, Attempt: 1, Participation: output.Answered,
		Outcome: vm.Outcome{Termination: vm.Exited, Started: time.Unix(9, 0).UTC(), WallTime: vm.Took(1500 * time.Millisecond)}}
}

func readEnds(t *testing.T, c *campaign.Campaign) *campaign.Log {
	t.Helper()
	log, err := c.ReadEnds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestStatusTable counts runs by tool and examination, and says what is strange.
func TestStatusTable(t *testing.T) {
	c := begun(t)
	var ends []campaign.Finished
	for i, change := range []func(*campaign.Finished){
		func(f *campaign.Finished) { f.Outcome.Termination = vm.TooMuchOut },
		func(f *campaign.Finished) { f.Misread, f.Attempt = 1, 2 },
		func(f *campaign.Finished) { f.Participation = output.Silent },
	} {
		f := usual("lola", fmt.Sprint("Ring-PT-", 1+i%2), c.Plan.Examinations[i/2])
		change(&f)
		ends = append(ends, f)
	}
	late := usual(longName, "Ring-PT-2", "StateSpace") // and silent, as it may be
	late.Outcome.Termination, late.Participation = vm.OutOfTime, output.Silent
	end(t, c, "w", append(ends, late)...)
	r, err := NewStatus(c, readEnds(t, c), StatusOptions{Suspicious: true, Now: time.Unix(100, 0)})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	want := `
tool, examination                      done  running  missing   void  suspicious
lola                                      3        0        1      0           3
  StateSpace                              2        0        0      0           2
  ReachabilityFireability                 1        0        1      0           1
a-model-checker-w…says-aloud-2026.1       1        0        3      0           0
  StateSpace                              1        0        1      0           0
  ReachabilityFireability                 0        0        2      0           0
`
	if !strings.HasSuffix(text.String(), want) {
		t.Errorf("it writes\n%s\nand shall end with%s", &text, want)
	}
	for run, why := range map[string][]suspicion{"lola Ring-PT-1 StateSpace": {cutOutput}, "lola Ring-PT-2 StateSpace": {misread, severalTries},
		"lola Ring-PT-1 ReachabilityFireability": {silent}} {
		if !slices.Equal(r.Suspicious[run], why) {
			t.Errorf("%s is suspicious as %q, want %q", run, r.Suspicious[run], why)
		}
	}
	for _, s := range []suspicion{cutOutput, misread, severalTries, silent} {
		if r.Suspicions[s] != 1 || !regexp.MustCompile(`(?m)^suspicious: `+s.String()+` +1$`).MatchString(text.String()) {
			t.Errorf("%d runs are said to be suspicious as %q", r.Suspicions[s], s)
		}
	}
	var back Status
	if body, err := json.Marshal(r); err != nil || json.Unmarshal(body, &back) != nil || !slices.Equal(back.Table, r.Table) || back.Running == nil {
		t.Errorf("as JSON it is %s, %v", body, err)
	}
	only, err := NewStatus(c, readEnds(t, c), StatusOptions{Only: func(run campaign.Run) bool { return run.Tool == "lola" && run.Exam == "StateSpace" }})
	if err != nil || len(only.Table) != 1 || only.Table[0].Done != 2 {
		t.Errorf("of chosen runs the table is %+v, %v", only.Table, err)
	}
}

// TestSuspicions: each strange end has its word, and each word a sentence.
func TestSuspicions(t *testing.T) {
	log := readEnds(t, begun(t))
	for want, change := range map[suspicion]func(*campaign.Finished){
		cutOutput:    func(f *campaign.Finished) { f.Outcome.Termination = vm.TooMuchOut },
		fullDisk:     func(f *campaign.Finished) { f.Outcome.Termination = vm.DiskFull },
		panicked:     func(f *campaign.Finished) { f.Outcome.Termination = vm.Panicked },
		misread:      func(f *campaign.Finished) { f.Misread = 1 },
		silent:       func(f *campaign.Finished) { f.Participation = output.Silent },
		unmeasured:   func(f *campaign.Finished) { f.Outcome.Unmeasured = []vm.Figure{vm.Times} },
		severalTries: func(f *campaign.Finished) { f.Attempt = 2 },
	} {
		f := usual("lola", "Ring-PT-1", "StateSpace")
		if got := suspicions(log, &f); got != nil {
			t.Errorf("a usual end is suspicious as %v", got)
		}
		change(&f)
		if got := suspicions(log, &f); !slices.Equal(got, []suspicion{want}) || want.String() == "" {
			t.Errorf("it is suspicious as %q, want %q", got, want)
		}
	}
	reread := usual("lola", "Ring-PT-1", "StateSpace")
	reread.Misread, reread.Reread = 1, &campaign.Reread{}
	if got := suspicions(log, &reread); got != nil {
		t.Errorf("a run whose output was read again is suspicious as %v", got)
	}
}

// TestRunningFits writes runs that are under way in 80 columns, however long the names.
func TestRunningFits(t *testing.T) {
	noon := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	r := &Status{at: noon.Add(time.Minute), Running: []Current{
		{Tool: "lola", Instance: "Ring-PT-1", Examination: "StateSpace", Host: "node3", Since: noon, Expected: noon.Add(2 * time.Minute), Latest: noon.Add(time.Hour)},
		{Tool: longName, Repetition: 12, Instance: "AModelWithAVeryLongNameOfManyWords-PT-AndManyParameters0001", Examination: "ReachabilityCardinality", Host: "node-of-a-large-cluster.example.org",
			Since: noon.Add(-30 * time.Hour), Expected: noon.Add(30 * time.Hour), Latest: noon.Add(70 * time.Hour)},
		{Tool: "\x1b[2Jlola", Instance: "Ring-PT-2", Examination: "StateSpace", Host: "node3", Since: noon},
	}}
	var text bytes.Buffer
	r.writeRunning(&text)
	want := `
3 runs are under way (times in UTC)
  lola Ring-PT-1 StateSpace
    on node3 since 12:00:00, end about 12:02:00 (limit 1h0m0s)
`
	if !strings.HasPrefix(text.String(), want) {
		t.Errorf("it writes\n%s\nand shall begin with%s", &text, want)
	}
	for line := range strings.Lines(text.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
	if strings.Contains(text.String(), "\x1b") {
		t.Errorf("a name of a tool moves the cursor: %q", &text)
	}
}

// onFirst calls a function when something is written for the first time.
type onFirst struct {
	text bytes.Buffer
	call func()
}

func (o *onFirst) Write(p []byte) (int, error) {
	n, err := o.text.Write(p)
	if o.call != nil {
		o.call()
	}
	o.call = nil
	return n, err
}

// TestWatch writes a line for each change, ends when all runs have an end, and ends by
// an interrupt.
func TestWatch(t *testing.T) {
	c := begun(t)
	end(t, c, "w", usual("lola", "Ring-PT-1", "StateSpace"))
	var rest []campaign.Finished
	for run := range c.Plan.RunsOf("Ring") {
		if run != (campaign.Run{Tool: "lola", Instance: "Ring-PT-1", Exam: "StateSpace"}) {
			rest = append(rest, usual(run.Tool, run.Instance, run.Exam))
		}
	}
	out := &onFirst{call: func() { end(t, c, "x", rest...) }}
	log := readEnds(t, c)
	r, err := Watch(t.Context(), c, log, out, StatusOptions{})
	if err != nil || r.Left != 0 || r.Finished != 8 {
		t.Errorf("it ends with %d of 8 runs, %v", r.Finished, err)
	}
	lines := strings.Split(strings.TrimSpace(out.text.String()), "\n")
	if len(lines) != 8 || lines[0] != "1 of 8 runs done, 0 running, 7 missing, 0 void" {
		t.Errorf("it writes\n%s", &out.text)
	}
	for _, line := range lines[1:] {
		if !regexp.MustCompile(`^\S+Z \S+ Ring-PT-[12] \w+: done, exited with code 0 after CPU time 0s, wall time 1\.5s$`).MatchString(line) {
			t.Errorf("it says %q of a run", line)
		}
	}

	other := begun(t)
	ctx, interrupt := context.WithCancel(t.Context())
	out = &onFirst{call: interrupt}
	if _, err := Watch(ctx, other, readEnds(t, other), out, StatusOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted it ends with %v", err)
	}
	// What is chosen at the start stays chosen, though a run that has ended fits no more.
	log = readEnds(t, other)
	out = &onFirst{call: func() { end(t, other, "w", usual("lola", "Ring-PT-1", "StateSpace")) }}
	r, err = Watch(t.Context(), other, log, out, StatusOptions{Only: func(run campaign.Run) bool {
		return run.Tool == "lola" && run.Instance == "Ring-PT-1" && run.Exam == "StateSpace" && !log.Done(run)
	}})
	if err != nil || r.Finished != 1 || strings.Count(out.text.String(), "\n") != 2 {
		t.Errorf("of one run it writes %q, %v", &out.text, err)
	}
}

// TestWatchTells says what each change is, also of runs without an end.
func TestWatchTells(t *testing.T) {
	c := begun(t)
	log := readEnds(t, c)
	r, err := NewStatus(c, log, StatusOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := &watch{out: &out, plan: &c.Plan}
	first := slices.Collect(c.Plan.RunsOf("Ring"))[0]
	for _, s := range []struct {
		now  Fate
		want string
	}{{Missing, "0 of 8 runs done, 0 running, 8 missing, 0 void\n"}, {Running, ": running on node3\n"}, {Running, ""}, {Missing, ": missing, its worker is gone\n"}, {Void, ": void, the disk was torn out\n"}} {
		out.Reset()
		now := *r
		now.states = slices.Clone(r.states)
		now.states[0] = s.now
		now.Running = []Current{{Tool: first.Tool, Instance: first.Instance, Examination: first.Exam, Host: "node3"}}
		log.Void[first] = campaign.Voided{Reason: "the disk\nwas torn out"}
		if err := w.show(&now, log); err != nil || !strings.HasSuffix(out.String(), s.want) || (s.want == "") != (out.Len() == 0) || strings.Count(out.String(), "\n") > 1 {
			t.Errorf("state %d: it writes %q, want %q, %v", s.now, out.String(), s.want, err)
		}
	}
}

// TestWatchDraws draws a status over the last one, in the room that a terminal has.
func TestWatchDraws(t *testing.T) {
	c := begun(t)
	r, err := NewStatus(c, readEnds(t, c), StatusOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := &watch{out: &out, size: func() (int, int, error) { return 24, 10, nil }}
	for i, back := range []string{"", "\x1b[9A"} {
		out.Reset()
		if err := w.draw(r); err != nil {
			t.Fatal(err)
		}
		text, ok := strings.CutPrefix(out.String(), back+"\r\x1b[J")
		if !ok || strings.Count(text, "\n") != 9 || !strings.Contains(text, "(7 lines more; --only s…") {
			t.Errorf("time %d: %q", i, out.String())
		}
		for line := range strings.Lines(text) {
			if utf8.RuneCountInString(line) > 25 {
				t.Errorf("%q is wider than the terminal", line)
			}
		}
	}
	w.size = func() (int, int, error) { return 80, 50, nil }
	out.Reset()
	if err := w.draw(r); err != nil || strings.Contains(out.String(), "more; ") || !strings.Contains(out.String(), "suspicious") {
		t.Errorf("on a large terminal %q, %v", out.String(), err)
	}
}
