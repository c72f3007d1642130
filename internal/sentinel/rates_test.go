package sentinel

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// TestRates reads a core again and again, alone and beside a program that never rests
// on the same core, and prints how often each bound is exceeded, so that a person can
// choose one. PODIUM_SENTINEL is the number of readings of each kind.
func TestRates(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("PODIUM_SENTINEL"))
	if err != nil || n < 3 {
		t.Skip("set PODIUM_SENTINEL to a number of readings: each takes two to four seconds")
	}
	core := firstCore(t)
	readings := make([]Reading, 0, 2*n)
	disturbed := map[time.Time]bool{}
	for i := range 2 * n {
		end := func() error { return nil }
		if i%2 == 1 {
			busy := exec.CommandContext(t.Context(), "taskset", "-c", strconv.Itoa(core), "sh", "-c", "while :; do :; done")
			if err := busy.Start(); err != nil {
				t.Fatal(err)
			}
			end = func() error { busy.Process.Kill(); busy.Wait(); return nil }
		}
		r, err := Measure(core)
		if err != nil {
			t.Fatal(err)
		}
		if err := end(); err != nil {
			t.Fatal(err)
		}
		readings = append(readings, r)
		disturbed[r.At] = i%2 == 1
	}
	alone := make([]Reading, 0, n)
	for _, r := range readings {
		if !disturbed[r.At] {
			alone = append(alone, r)
		}
	}
	usual := NewHost(alone).usual[core]
	for _, bound := range []float64{0.03, 0.05, 0.1, 0.2, 0.3, 0.5} {
		found, cried := 0, 0
		for _, r := range readings {
			if far := max(off(r.Compute, usual.Compute), off(r.Stream, usual.Stream), off(r.Jump, usual.Jump)) > bound; far && disturbed[r.At] {
				found++
			} else if far {
				cried++
			}
		}
		fmt.Printf("bound %3.0f %%: the competitor was found %d of %d times, nobody was there %d of %d times\n", 100*bound, found, n, cried, n)
	}
	for _, r := range readings {
		fmt.Printf("%v %d %d %d\n", disturbed[r.At], r.Compute, r.Stream, r.Jump)
	}
}
