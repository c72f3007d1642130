package campaign

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"podium/vm"
)

// far is a node on another computer, near one in another namespace of this one.
var far = Node{Machine: "far", Boot: "far", PIDs: "pid:[1]"}

func near() Node {
	n := thisNode()
	n.PIDs = "pid:[1]"
	return n
}

// somebody is a holder of leases on a node, as this process would be there.
func somebody(t *testing.T, node Node) Lease {
	t.Helper()
	l, err := identity(time.Now(), node, time.Minute)
	must(t, err)
	return l
}

// age makes a lease look as if its holder had given no sign of life for so long.
func age(t *testing.T, c *Campaign, l Lease, by time.Duration) {
	t.Helper()
	then := time.Now().Add(-by)
	must(t, os.Chtimes(c.leasePath(l), then, then))
}

func TestLeasesAreTakenInTurn(t *testing.T) {
	c := small(t)
	me, other := somebody(t, thisNode()), somebody(t, thisNode())
	held, mine, err := c.claim("Ring", 0, me)
	if err != nil || !mine || held.Number != 1 {
		t.Fatalf("the first claim: %+v, %v, %v", held, mine, err)
	}
	if l, mine, err := c.claim("Ring", 0, other); err != nil || mine || l.Worker != me.Worker {
		t.Errorf("the claim of a held model: %+v, %v, %v", l, mine, err)
	}
	must(t, c.release(held))
	next, mine, err := c.claim("Ring", 7, other)
	if err != nil || !mine || next.Number != 8 {
		t.Errorf("after the release, with 7 in the journals: %+v, %v, %v", next, mine, err)
	}
	if last, err := c.lastNumber("claims", "Ring"); err != nil || last != 8 {
		t.Errorf("the last number is %d, %v", last, err)
	}
}

// TestWhoIsAlive asks who is believed to live: by its process, where it can be
// seen, else by the age of the lease alone. Names of hosts are equal everywhere.
func TestWhoIsAlive(t *testing.T) {
	zombie, state := zombie(t)
	for _, test := range []struct {
		name   string
		change func(*Lease)
		age    time.Duration
		want   bool
	}{
		{"this process", func(*Lease) {}, 0, true},
		{"this process, long without a sign", func(*Lease) {}, time.Hour, true},
		{"another process with its pid", func(l *Lease) { l.Start = "1" }, 0, false},
		{"no such process", func(l *Lease) { l.PID = 1 << 30 }, 0, false},
		{"a process that has ended, its parent has not looked", func(l *Lease) { l.PID, l.Start = zombie, state }, 0, false},
		{"a start that could not be read", func(l *Lease) { l.Start = "" }, 0, true},
		{"a start that could not be read, long without a sign", func(l *Lease) { l.Start = "" }, time.Hour, false},
		{"another namespace, where that pid is nobody's here", func(l *Lease) { l.Node, l.PID = near(), 1<<30 }, 0, true},
		{"another namespace, long without a sign", func(l *Lease) { l.Node = near() }, time.Hour, false},
		{"another boot of this computer", func(l *Lease) { l.Node.Boot = "earlier" }, 0, true},
		{"another boot, long without a sign", func(l *Lease) { l.Node.Boot = "earlier" }, time.Hour, false},
		{"another computer", func(l *Lease) { l.Node = far }, 0, true},
		{"another computer, long without a sign", func(l *Lease) { l.Node = far }, time.Hour, false},
		{"another computer, a little in the future", func(l *Lease) { l.Node = far }, -30 * time.Second, true},
		{"another computer, tomorrow", func(l *Lease) { l.Node = far }, -24 * time.Hour, false},
		{"another namespace, tomorrow", func(l *Lease) { l.Node = near() }, -24 * time.Hour, false},
		{"a start that could not be read, tomorrow", func(l *Lease) { l.Start = "" }, -24 * time.Hour, false},
		{"this process, tomorrow", func(*Lease) {}, -24 * time.Hour, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := small(t)
			holder := somebody(t, thisNode())
			test.change(&holder)
			held, _, err := c.claim("Ring", 0, holder)
			must(t, err)
			age(t, c, held, test.age)
			_, mine, err := c.claim("Ring", 0, somebody(t, thisNode()))
			if err != nil || mine == test.want {
				t.Errorf("it was robbed: %v, %v", mine, err)
			}
		})
	}
}

// TestLeaseOfTomorrow: a worker that died while the clock was wrong holds its model no
// longer than another one, and who takes it over says why.
func TestLeaseOfTomorrow(t *testing.T) {
	for _, by := range []time.Duration{2 * time.Minute, 24 * time.Hour, 100 * 365 * 24 * time.Hour} {
		c := small(t)
		held, _, err := c.claim("Ring", 0, somebody(t, far))
		must(t, err)
		age(t, c, held, -by)
		var said []Ahead
		d := &machines{exec: answering, runs: map[string]int{}}
		s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Observe: func(e Event) {
			if e.Ahead != nil {
				said = append(said, *e.Ahead)
			}
		}})
		if err != nil || s.Done != 16 || len(said) != 1 || said[0].Model != "Ring" || said[0].By < by-time.Minute {
			t.Errorf("%v: %+v, %v, %v", by, s, said, err)
		}
	}
}

// zombie is a process that has ended and that nobody has waited for, with its start.
func zombie(t *testing.T) (pid int, start string) {
	t.Helper()
	child := exec.Command("true")
	must(t, child.Start())
	t.Cleanup(func() { _ = child.Wait() })
	for {
		state, start := processState(strconv.Itoa(child.Process.Pid))
		if state == "Z" {
			return child.Process.Pid, start
		}
		time.Sleep(time.Millisecond)
	}
}

func TestNodesAreTold(t *testing.T) {
	n := thisNode()
	if n.Boot == "" || !strings.HasPrefix(n.PIDs, "pid:[") || !n.sees(n) || !n.sameComputer(n) {
		t.Errorf("this node is %+v", n)
	}
	if n.sees(near()) || !n.sameComputer(near()) || n.sameComputer(far) || (Node{}).sameComputer(Node{}) || (Node{}).sees(Node{}) {
		t.Error("nodes are confused")
	}
	rebooted := n
	rebooted.Boot = "later"
	if n.sees(rebooted) || n.sameComputer(rebooted) != (n.Machine != "") {
		t.Error("a computer is not known again after it was booted")
	}
}

// TestLeaseOfALaterVersion is refused by name.
func TestLeaseOfALaterVersion(t *testing.T) {
	c := small(t)
	must(t, os.WriteFile(c.leasePath(Lease{Model: "Ring", Number: 2}), []byte(`{"format":"podium-lease/9"}`), 0o644))
	if _, _, err := c.claim("Ring", 0, somebody(t, thisNode())); err == nil || !strings.Contains(err.Error(), `Ring@2: format is "podium-lease/9"`) {
		t.Errorf("one of a later version: %v", err)
	}
}

// TestEndsUnderLostLeasesDoNotCount lets a worker stop for longer than its lease
// and go on when another has taken the model over.
func TestEndsUnderLostLeasesDoNotCount(t *testing.T) {
	c := small(t)
	slow, quick := somebody(t, near()), somebody(t, thisNode())
	first, _, err := c.claim("Ring", 0, slow)
	must(t, err)
	in, late := Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, Run{Tool: "bee", Instance: "Ring-PT-1", Exam: "StateSpace"}
	journal, err := newJournal(filepath.Join(c.Dir, "journal", slow.Worker+".jsonl"))
	must(t, err)
	defer journal.Close()
	must(t, journal.Append(firstRecord(c, slow.Worker, slow.Node)))
	must(t, journal.Append(Record{Claimed: &Claimed{Model: "Ring", Lease: 1}}))
	must(t, journal.Append(end(in, 1, 1)))
	age(t, c, first, time.Hour)

	second, mine, err := c.claim("Ring", 0, quick)
	if err != nil || !mine || second.Number != 2 || c.holds(first) || c.renew(first) || !c.renew(second) {
		t.Fatalf("%+v, %v, %v", second, mine, err)
	}
	log := newLog(c, true)
	must(t, log.update(t.Context()))
	over, err := c.fences(second, log)
	must(t, err)
	must(t, journal.Append(end(late, 2, 1)))
	final := &Voided{Run: Run{Tool: "ant", Instance: "Ring-PT-2", Exam: "StateSpace"}, Attempt: 1, Lease: 1, Final: true}
	must(t, journal.Append(Record{Voided: final}))
	write(t, c, quick.Worker, firstRecord(c, quick.Worker, quick.Node), Record{Claimed: &Claimed{Model: "Ring", Lease: 2, Over: over}})

	both := newLog(c, true)
	for _, l := range []*Log{log, both} {
		must(t, l.update(t.Context()))
		if !l.Done(in) || l.Done(late) || l.Done(final.Run) || len(l.Further[late]) != 1 || l.Standing(l.Further[late][0]) != Lost {
			t.Errorf("finished %v, void %v, further %v", l.Finished, l.Void, l.Further)
		}
	}
}

// TestClaimsAreKnownFromJournals: the journals alone say how far each counts, where
// claims/ was not copied with them.
func TestClaimsAreKnownFromJournals(t *testing.T) {
	c := small(t)
	write(t, c, "a", firstRecord(c, "a", far), Record{Claimed: &Claimed{Model: "Ring", Lease: 3}})
	log := newLog(c, true)
	must(t, log.update(t.Context()))
	l, mine, err := c.claim("Ring", log.claims.last("Ring"), somebody(t, thisNode()))
	if err != nil || !mine || l.Number != 4 {
		t.Fatalf("%+v, %v, %v", l, mine, err)
	}
	over, err := c.fences(l, log)
	if err != nil || len(over) != 1 || over[0].Worker != "a" || over[0].Lease != 3 || over[0].Bytes == 0 {
		t.Errorf("%+v, %v", over, err)
	}
}

// TestPins: a model stays on the computer of its first worker (E-5.1) until a person
// moves it; then what was done there is set aside and done again.
func TestPins(t *testing.T) {
	c := small(t)
	work := func(node Node, o Options) (Summary, error) {
		o.Driver, o.Cores, o.node = &machines{exec: answering, runs: map[string]int{}}, cores(0), node
		return c.Work(t.Context(), o)
	}
	stopping := &machines{exec: answering, runs: map[string]int{}}
	s, err := c.Work(t.Context(), Options{Driver: stopping, Cores: cores(0), node: far, Observe: stopAt(stopping, 3)})
	if err == nil || s.Done != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	s, err = work(thisNode(), Options{})
	var busy *BusyError
	if !errors.As(err, &busy) || len(busy.Held) != 0 || busy.Away[0].Model != "Ring" || s.Done != 3+8 || s.Left != 5 {
		t.Fatalf("on another computer: %+v, %v", s, err)
	}
	if !strings.Contains(err.Error(), "podium run --move Ring "+c.Dir) {
		t.Errorf("the message does not say what to do: %v", err)
	}
	if s, err = work(thisNode(), Options{Move: []string{"Ring"}}); err != nil || s.Done != 16 {
		t.Fatalf("moved: %+v, %v", s, err)
	}
	log, err := c.Read(t.Context())
	must(t, err)
	if log.SetAside() != 3 {
		t.Errorf("%d runs are set aside", log.SetAside())
	}
	for run, f := range log.Finished {
		if !f.made.by.Node.sameComputer(thisNode()) {
			t.Errorf("%s counts and was made elsewhere", run)
		}
	}
	var pin Pin
	must(t, readSmall(filepath.Join(c.Dir, "pins", "Ring@2"), PinFormat, &pin))
	if !pin.Node.sameComputer(thisNode()) {
		t.Errorf("the pin is %+v", pin)
	}
}

// stopAt makes a worker fail for good when so many of its runs are done.
func stopAt(d *machines, n int) func(Event) {
	return func(e Event) {
		if e.Finished == nil {
			return
		}
		if n--; n == 0 {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.boot = func(int) error { return &ChangedError{What: "everything"} }
		}
	}
}

// TestHostsPin: where a system does not tell its node, the name of the host
// is all that is known.
func TestHostsPin(t *testing.T) {
	for host, want := range map[string]bool{"": true, "elsewhere": false} {
		if host == "" {
			host, _ = os.Hostname()
		}
		c := small(t)
		old := Record{Opened: &Opened{Format: JournalFormat, Campaign: c.Digest, Worker: "old", Host: host}}
		write(t, c, "old", old, end(Run{Tool: "ant", Instance: "Ring-PT-1", Exam: "StateSpace"}, 1, 0))
		s, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
		if (err == nil) != want || want && s.Done != 16 || !want && s.Done != 9 {
			t.Errorf("begun on %q: %+v, %v", host, s, err)
		}
	}
}

func TestBusyCampaign(t *testing.T) {
	c := small(t)
	other := somebody(t, near())
	held, _, err := c.claim("Ring", 0, other)
	must(t, err)
	d := &machines{exec: answering, runs: map[string]int{}}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	var busy *BusyError
	if !errors.As(err, &busy) || busy.Held[0].Worker != other.Worker || s.Done != 8 || s.Left != 8 {
		t.Errorf("%+v, %v", s, err)
	}
	waited := false
	s, err = c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Wait: true, Lease: MinLease, Observe: func(e Event) {
		if e.Waiting != nil && !waited {
			waited = true
			must(t, c.release(held))
		}
	}})
	if err != nil || !waited || s.Done != 16 {
		t.Errorf("%+v, %v, waited %v", s, err, waited)
	}
}

// TestALostLeaseEndsItsRuns: a worker that was taken for dead leaves the model to
// the other one, does the rest, and its end is not in the journal.
func TestALostLeaseEndsItsRuns(t *testing.T) {
	c := small(t)
	d := &machines{runs: map[string]int{}}
	robbed := false
	d.exec = func(run string, job vm.Job) (vm.Outcome, error) {
		if !robbed && strings.Contains(run, "Ring") {
			robbed = true
			thief := somebody(t, near())
			thief.Model, thief.Number = "Ring", 2
			text, err := json.Marshal(thief)
			must(t, err)
			must(t, WriteOnce(c.leasePath(thief), text))
		}
		return answering(run, job)
	}
	s, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
	var busy *BusyError
	if !errors.As(err, &busy) || s.Done != 8 || s.Left != 8 || d.n != 9 {
		t.Errorf("%+v, %v, %d boots", s, err, d.n)
	}
}

// FuzzLease reads leases and pins that were tampered with: an error or a lease, and
// no panic.
func FuzzLease(f *testing.F) {
	f.Add([]byte(`{"format":"podium-lease/1","worker":"w","node":{"boot_id":"b"},"pid":-1,"expiry_us":-9}`))
	f.Add([]byte(`{"format":"podium-pin/1","model":"../x"}`))
	c := &Campaign{Dir: f.TempDir()}
	for _, dir := range []string{"claims", "pins"} {
		if err := os.Mkdir(filepath.Join(c.Dir, dir), 0o755); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, dir := range []string{"claims", "pins"} {
			must(t, os.WriteFile(filepath.Join(c.Dir, dir, "Ring@1"), text, 0o644))
		}
		if l, n, err := c.holder("Ring", thisNode()); err == nil && (n != 1 || l != nil && (l.expiry() < MinLease || l.expiry() > MaxLease)) {
			t.Errorf("%+v, %d", l, n)
		}
		if _, err := c.readPins(map[string]pinned{}); err != nil && !strings.Contains(err.Error(), "Ring@1: ") {
			t.Error(err)
		}
	})
}

// TestPinnedInstances: where the edition says so, instances of one model are run on
// several computers, each on one.
func TestPinnedInstances(t *testing.T) {
	c := small(t)
	c.Plan.PinInstances = true
	if got := c.Plan.Units(); !slices.Equal(got, []string{"Ring-PT-1", "Ring-PT-2", "Tree-PT-1", "Tree-PT-2"}) {
		t.Fatalf("units %v", got)
	}
	for _, part := range []struct {
		node Node
		unit string
	}{{far, "Ring-PT-1"}, {thisNode(), "Ring-PT-2"}} {
		s, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0), node: part.node, Models: []string{part.unit}})
		must(t, err)
		if s.Left != 0 {
			t.Errorf("%s: %+v", part.unit, s)
		}
	}
	log, err := c.Read(t.Context())
	must(t, err)
	if len(log.Finished) != 8 || len(log.Further) != 0 {
		t.Errorf("%d runs count, %d do not", len(log.Finished), len(log.Further))
	}
	for run, f := range log.Finished {
		if f.made.by.Node.sameComputer(far) != (run.Instance == "Ring-PT-1") {
			t.Errorf("%s was made on %+v", run, f.made.by.Node)
		}
	}
}
