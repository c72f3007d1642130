package referee

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/fault"
)

// TestFaultyTechnique: a technique, an examination or an instance that fails inside podium
// takes nothing else down. Each of those that a small net needs is made to fail alone, then all
// techniques together.
func TestFaultyTechnique(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	exams := []examinations.ID{examinations.StateSpace, examinations.ReachabilityDeadlock, examinations.Liveness, examinations.QuasiLiveness}
	// decide decides with a fault in all that bad says, and gives what was done, how often it
	// failed, what is proved, and the error of the end.
	decide := func(bad func(about string) bool) (done []string, failed int, proved map[string]string, end error) {
		plant := func(about string) {
			if done = append(done, about); bad(about) {
				failed++
				panic("planted in " + about)
			}
		}
		fault.Plant.Store(&plant)
		defer fault.Plant.Store(nil)
		proved = map[string]string{}
		r, err := New(Options{Budget: time.Minute, Memory: 1 << 28, Cores: 1, Say: func(string) {}, Proved: func(p oracle.Proof) {
			for _, v := range p.Values {
				proved[string(p.Exam)+v.Item] = v.Text
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // another instance after the first one
			if err := r.Instance(t.Context(), loopInstance(t), exams); err != nil {
				t.Fatal(err)
			}
		}
		return done, failed, proved, r.Close()
	}
	whole, _, all, err := decide(func(string) bool { return false })
	if err != nil || len(all) != 7 {
		t.Fatalf("without a fault: %v, %v", all, err)
	}
	slices.Sort(whole)
	whole = slices.Compact(whole)
	for _, about := range whole {
		_, failed, proved, err := decide(func(a string) bool { return a == about })
		if failed == 0 || failed%2 > 0 {
			t.Errorf("%s failed %d times", about, failed)
		}
		if got := strings.Count(err.Error(), about+": a failure of podium itself"); got != failed {
			t.Errorf("%s failed %d times, and is named %d times in: %v", about, failed, got, err)
		}
		var failure *fault.Error
		if !errors.As(err, &failure) {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(failure.File); err != nil || !strings.Contains(string(text), "planted in "+about) || !strings.Contains(string(text), "fault_test.go:") {
			t.Errorf("%s: the file with the stack is %q, %v: %s", about, failure.File, err, text)
		}
		lost := 0
		for item, value := range all {
			if got, ok := proved[item]; !ok {
				lost++
			} else if got != value {
				t.Errorf("%s: %s is %s, and was %s", about, item, got, value)
			}
		}
		_, technique, isTechnique := strings.Cut(about, ", ")
		switch {
		case about == "Loop-PT-1":
			if lost != len(all) {
				t.Errorf("%d of %d values are lost", lost, len(all))
			}
		case !isTechnique:
			if want := len(examinations.ID(strings.TrimPrefix(about, "Loop-PT-1 ")).Items(nil)); lost != want {
				t.Errorf("%s: %d values are lost, not %d", about, lost, want)
			}
		case lost > 0:
			t.Errorf("%s: without %s, %d values are lost, and other techniques know them", about, technique, lost)
		}
	}
	t.Logf("%d places, one after the other: %q", len(whole), whole)
	done, failed, proved, err := decide(func(about string) bool { return strings.Contains(about, ", ") })
	if len(proved) > 0 || failed < 40 || err == nil {
		t.Errorf("with faults in all techniques: %d faults, %v, %v", failed, proved, err)
	}
	t.Logf("%d faults in %d places", failed, len(done))
}
