package campaign

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/internal/sentinel"
)

// scriptedSentinel gives readings of which one is slow, and counts them.
type scriptedSentinel struct {
	mu    sync.Mutex
	cores []int
	slow  int // number of the slow one, from 1
}

func (s *scriptedSentinel) measure(core int) (sentinel.Reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cores = append(s.cores, core)
	r := sentinel.Reading{Core: core, At: time.Now(), Compute: 1000, Stream: 1000, Jump: 1000, Kernel: sentinel.Kernel{Stolen: -1, Throttled: -1, Waited: -1, Frequency: -1}}
	if len(s.cores) == s.slow {
		r.Compute = 2000
	}
	return r, nil
}

// TestSentinel: the cores are read before the first run, after the last and between,
// and the runs beside a reading that is not as usual are marked, the others not.
func TestSentinel(t *testing.T) {
	c := small(t)
	s := &scriptedSentinel{slow: 9}
	if _, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(3), Sentinel: time.Nanosecond, measure: s.measure}); err != nil {
		t.Fatal(err)
	}
	if len(s.cores) != 17 || slices.Max(s.cores) != 3 || slices.Min(s.cores) != 3 {
		t.Fatalf("16 runs one after the other, and the readings of cores %v", s.cores)
	}
	log, err := c.ReadEnds(t.Context()) // what is read without answers has the readings, too
	must(t, err)
	marked := 0
	for run, f := range log.Finished {
		if !slices.Equal(f.Binding.Cores, []int{3}) {
			t.Errorf("%s had the cores %v", run, f.Binding.Cores)
		}
		for _, sentence := range log.Drift(f) {
			marked++
			if !strings.HasPrefix(sentence, "Core 3 computed 100 % slower than usual ") {
				t.Errorf("%s: %s", run, sentence)
			}
		}
	}
	if marked != 2 { // the run before the slow reading and the one after it
		t.Errorf("%d runs are marked, not 2", marked)
	}
}

// TestSentinelIsRare: a core is not read again before its time, and without a sentinel
// never; a run of another core is none of this one's.
func TestSentinelIsRare(t *testing.T) {
	for _, test := range []struct {
		every time.Duration
		want  int
	}{{time.Hour, 2 * 2}, {0, 0}} {
		c := small(t)
		s := &scriptedSentinel{}
		if _, err := c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0, 1), Sentinel: test.every, measure: s.measure}); err != nil {
			t.Fatal(err)
		}
		if n := len(s.cores); n > test.want || n < test.want/2 { // one of the two cores may have had no run
			t.Errorf("every %s: %d readings", test.every, n)
		}
	}
}

// TestFaultyCoreStopsTheWorker: nothing is run on a core that computes wrongly.
func TestFaultyCoreStopsTheWorker(t *testing.T) {
	c := small(t)
	d := &machines{exec: answering, runs: map[string]int{}}
	_, err := c.Work(t.Context(), Options{Driver: d, Cores: cores(0), Sentinel: time.Minute,
		measure: func(core int) (sentinel.Reading, error) {
			return sentinel.Reading{}, &sentinel.WrongError{Core: core, Part: "computed"}
		}})
	var wrong *sentinel.WrongError
	if !errors.As(err, &wrong) || len(d.runs) != 0 {
		t.Errorf("%v after the runs %v", err, d.runs)
	}
}

// TestAgain: all runs of a model are done again, and the earlier ones are kept and do
// not count; those of other models stand.
func TestAgain(t *testing.T) {
	c := small(t)
	work := func(again ...string) (Summary, error) {
		return c.Work(t.Context(), Options{Driver: &machines{exec: answering, runs: map[string]int{}}, Cores: cores(0), Again: again})
	}
	if _, err := work(); err != nil {
		t.Fatal(err)
	}
	first, err := c.Read(t.Context())
	must(t, err)
	for times := 1; times <= 2; times++ {
		if s, err := work("Ring"); err != nil || s.Done != 16 || s.Left != 0 {
			t.Fatalf("%+v, %v", s, err)
		}
		second, err := c.Read(t.Context())
		must(t, err)
		for run, f := range second.Finished {
			ring := strings.HasPrefix(run.Instance, "Ring")
			if again := f.Worker != first.Finished[run].Worker; again != ring {
				t.Errorf("%s was done again: %v", run, again)
			}
			if n := len(second.Further[run]); ring && n != times || !ring && n != 0 {
				t.Errorf("%s has %d ends that do not count", run, n)
			}
			for _, f := range second.Further[run] {
				if second.Standing(f) != Redone {
					t.Errorf("%s: standing %d", run, second.Standing(f))
				}
			}
		}
		if len(second.Finished) != 16 || len(second.Void) != 0 {
			t.Errorf("%d finished, %d void", len(second.Finished), len(second.Void))
		}
	}
}
