package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// decide writes a decision.
func decide(t *testing.T, dir string, number, revokes int) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Join(dir, "decisions"), 0o755))
	must(t, os.WriteFile(DecisionFile(dir, number), decisionText(number, revokes), 0o644))
}

func decisionText(number, revokes int) []byte {
	return fmt.Appendf(nil, `{"number": %d, "revokes": %d}`, number, revokes)
}

// TestDecisionsHaveRunsDoneAgain: what a decision asks for is done again while it is in
// force. Before it is written, and after it is revoked, everything is as it was: also when
// the runs were done again in between. Restored, the later ends count again.
func TestDecisionsHaveRunsDoneAgain(t *testing.T) {
	c := small(t)
	do := func() int {
		d := &machines{exec: answering, runs: map[string]int{}}
		_, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0)})
		must(t, err)
		return len(d.runs)
	}
	read := func() *Log {
		log, err := c.Read(t.Context())
		must(t, err)
		if len(log.Finished) != 16 {
			t.Fatalf("%d runs have an end", len(log.Finished))
		}
		return log
	}
	do()
	first := read()
	bee := func(run Run) bool { return run.Tool == "bee" }
	of := func(log *Log) (workers map[string]int) {
		workers = map[string]int{}
		for run, f := range log.Finished {
			if bee(run) {
				workers[f.Worker]++
			}
		}
		return workers
	}
	earlier := fmt.Sprint(of(first))
	sum := sha256.Sum256(decisionText(1, 0))
	must(t, c.Ask(t.Context(), "2.0", hex.EncodeToString(sum[:]), first.Ends(bee)))

	if log := read(); len(log.Open()) != 0 || do() != 0 {
		t.Error("a decision that is not written has an effect")
	}
	decide(t, c.Dir, 1, 0)
	if log := read(); log.Open()["Ring"] != 4 || log.Open()["Tree"] != 4 || fmt.Sprint(of(log)) != earlier {
		t.Errorf("decided: %v, ends of %v", log.Open(), of(log))
	}
	decide(t, c.Dir, 2, 1)
	if log := read(); len(log.Open()) != 0 || do() != 0 || fmt.Sprint(of(log)) != earlier {
		t.Error("revoked before the runs were done, it has an effect")
	}
	decide(t, c.Dir, 3, 2)
	if n := do(); n != 8 {
		t.Errorf("%d runs were done again", n)
	}
	later := fmt.Sprint(of(read()))
	if later == earlier || do() != 0 {
		t.Errorf("done again by %v, before by %v", later, earlier)
	}
	decide(t, c.Dir, 4, 3)
	if log := read(); fmt.Sprint(of(log)) != earlier || len(log.Open()) != 0 {
		t.Errorf("revoked afterwards: ends of %v, open %v", of(log), log.Open())
	}
	under, err := c.ReadUnder(t.Context(), []int{0, 1, 2, 3, 4})
	must(t, err)
	if fmt.Sprint(of(under)) != later {
		t.Errorf("if it were restored: ends of %v", of(under))
	}
	decide(t, c.Dir, 5, 4)
	if log := read(); fmt.Sprint(of(log)) != later || do() != 0 {
		t.Errorf("restored: ends of %v", of(log))
	}

	// Asked for once more, the end counts that counted before.
	log := read()
	sum = sha256.Sum256(decisionText(6, 0))
	must(t, c.Ask(t.Context(), "2.0", hex.EncodeToString(sum[:]), log.Ends(bee)))
	decide(t, c.Dir, 6, 0)
	if log := read(); fmt.Sprint(of(log)) != later || do() != 8 {
		t.Errorf("asked for once more: ends of %v", of(log))
	}

	must(t, os.WriteFile(DecisionFile(c.Dir, 7), []byte("{"), 0o644))
	if _, err := c.Read(t.Context()); err == nil || !strings.Contains(err.Error(), "7.json") {
		t.Errorf("a decision that is cut: %v", err)
	}
}

// TestDecidedWhileRead: a log that is read on heeds decisions that were taken since.
func TestDecidedWhileRead(t *testing.T) {
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
	must(t, err)
	log := newLog(c, true)
	must(t, log.update(t.Context()))
	sum := sha256.Sum256(decisionText(1, 0))
	must(t, c.Ask(t.Context(), "2.0", hex.EncodeToString(sum[:]), log.Ends(func(run Run) bool { return run.Tool == "ant" })))
	for number, want := range []int{0, 8, 0, 8} {
		if number > 0 {
			decide(t, c.Dir, number, number-1)
		}
		must(t, log.update(t.Context()))
		if n := log.Open()["Ring"] + log.Open()["Tree"]; n != want {
			t.Errorf("after decision %d, %d runs are to be done", number, n)
		}
	}
}

// TestDecisionsAreShipped: a shard knows which runs the campaign has decided to do again.
func TestDecisionsAreShipped(t *testing.T) {
	c := small(t)
	_, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0)})
	must(t, err)
	log, err := c.Read(t.Context())
	must(t, err)
	sum := sha256.Sum256(decisionText(1, 0))
	must(t, c.Ask(t.Context(), "2.0", hex.EncodeToString(sum[:]), log.Ends(every)))
	decide(t, c.Dir, 1, 0)
	to := filepath.Join(t.TempDir(), "shard")
	if err := c.Ship(t.Context(), to, []string{"Ring"}); err != nil {
		t.Fatal(err)
	}
	shard, err := Open(to)
	must(t, err)
	log, err = shard.Read(t.Context())
	must(t, err)
	if log.Open()["Ring"] != 8 {
		t.Errorf("the shard has %v to do", log.Open())
	}
}

// TestDecisionsToRedoInAnyOrder takes and revokes decisions to do runs again in a drawn
// order, with workers in between that are stopped. Every run has an end at every time; a
// log that is read on says what one says that is read again; with all decisions revoked,
// the first ends count.
func TestDecisionsToRedoInAnyOrder(t *testing.T) {
	for seed := range uint64(4) {
		lots := rand.New(rand.NewPCG(seed, 11))
		c := small(t)
		work := func(runs int) {
			d := &machines{exec: answering, runs: map[string]int{}}
			_, _ = c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Observe: stopAt(d, runs)}) // it may be stopped
		}
		ends := func(l *Log) map[Run]string {
			all := map[Run]string{}
			for run, f := range l.Finished {
				all[run] = fmt.Sprint(f.Worker, f.Outcome.Started, l.Wanted(run), len(l.Further[run]))
			}
			return all
		}
		counting := func(l *Log) map[Run]string {
			all := map[Run]string{}
			for run, f := range l.Finished {
				all[run] = f.Worker
			}
			return all
		}
		work(99)
		live := newLog(c, true)
		must(t, live.update(t.Context()))
		first := counting(live)
		decisions := []int{} // what each revokes
		for range 20 {
			switch number := len(decisions) + 1; lots.IntN(3) {
			case 0:
				sum := sha256.Sum256(decisionText(number, 0))
				tool := []string{"ant", "bee"}[lots.IntN(2)]
				must(t, c.Ask(t.Context(), "2.0", hex.EncodeToString(sum[:]), live.Ends(func(run Run) bool { return run.Tool == tool })))
				decide(t, c.Dir, number, 0)
				decisions = append(decisions, 0)
			case 1:
				if number > 1 {
					revoked := 1 + lots.IntN(number-1)
					decide(t, c.Dir, number, revoked)
					decisions = append(decisions, revoked)
				}
			case 2:
				work(1 + lots.IntN(6))
			}
			must(t, live.update(t.Context()))
			anew, err := c.ReadEnds(t.Context())
			must(t, err)
			if a, b := ends(live), ends(anew); len(a) != 16 || !maps.Equal(a, b) {
				t.Fatalf("seed %d: read on %v, read again %v", seed, a, b)
			}
		}
		for i, counts := range InForce(decisions) {
			if counts && decisions[i] == 0 {
				decisions = append(decisions, i+1)
				decide(t, c.Dir, len(decisions), i+1)
			}
		}
		must(t, live.update(t.Context()))
		if now := counting(live); !maps.Equal(now, first) || len(live.Open()) != 0 {
			t.Errorf("seed %d: all revoked, ends of %v, at first of %v; open %v", seed, now, first, live.Open())
		}
	}
}
