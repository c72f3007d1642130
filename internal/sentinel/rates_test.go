package sentinel

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
)

// The companies in which a core was read.
const (
	alone    = "alone"
	sameCore = "a busy program on the core"
	memory   = "a program on another core that fills memory"
)

// attended is a reading and the company in which it was made.
type attended struct {
	company string
	Reading
}

// BenchmarkRates reads a core again and again, alone and beside competitors, and prints
// how often each bound is exceeded, so that a person can choose one. An iteration is a
// reading of each kind, two to four seconds each; a bound needs tens of them
// (-benchtime 40x). PODIUM_SENTINEL_TRACE names a file for the readings.
func BenchmarkRates(b *testing.B) {
	core := firstCore(b)
	competitors := map[string][]string{
		alone:    {"sleep", "60"},
		sameCore: {"taskset", "-c", strconv.Itoa(core), "sh", "-c", "while :; do :; done"},
		memory:   {"taskset", "-c", strconv.Itoa(core + 1), "dd", "if=/dev/zero", "of=/dev/null", "bs=64M"},
	}
	var trace []attended
	for b.Loop() {
		for _, company := range []string{alone, sameCore, memory} {
			trace = append(trace, attended{company, readBeside(b, core, competitors[company])})
		}
	}
	printRates(trace)
	if name := os.Getenv("PODIUM_SENTINEL_TRACE"); name != "" {
		save(b, name, trace)
	}
}

// readBeside reads a core while a command runs.
func readBeside(t testing.TB, core int, command []string) Reading {
	ctx, end := context.WithCancel(t.Context())
	competitor := exec.CommandContext(ctx, command[0], command[1:]...)
	if err := competitor.Start(); err != nil {
		t.Fatal(err)
	}
	defer competitor.Wait()
	defer end()
	r, err := Measure(core)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// printRates prints for each part of the work how often each bound is exceeded.
func printRates(trace []attended) {
	for _, p := range parts {
		for _, bound := range []float64{0.03, 0.05, 0.1, 0.25, 0.5, 0.75, 1} {
			fmt.Printf("%s, bound %3.0f %%:", p.what, 100*bound)
			for _, company := range []string{alone, sameCore, memory} {
				n, all := exceeded(trace, company, func(r, usual Reading) bool { return off(p.of(r), p.of(usual)) > bound })
				fmt.Printf("  %s %d of %d", company, n, all)
			}
			fmt.Println()
		}
	}
}

// marked says whether a reading is beyond the bound of one of its parts.
func marked(r, usual Reading) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return off(p.of(r), p.of(usual)) > p.bound })
}

// exceeded counts the readings in a company that are far from what is usual alone.
func exceeded(trace []attended, company string, far func(r, usual Reading) bool) (n, all int) {
	var quiet []Reading
	for _, a := range trace {
		if a.company == alone {
			quiet = append(quiet, a.Reading)
		}
	}
	usual := NewHost(quiet).usual[quiet[0].Core]
	for _, a := range trace {
		if a.company != company {
			continue
		}
		all++
		if far(a.Reading, usual) {
			n++
		}
	}
	return n, all
}

// save writes the readings, a line each: the company and the times of the parts in
// microseconds.
func save(t testing.TB, name string, trace []attended) {
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(file)
	for _, a := range trace {
		w.Write([]string{a.company, fmt.Sprint(a.Compute), fmt.Sprint(a.Stream), fmt.Sprint(a.Jump)})
	}
	w.Flush()
	if err := errors.Join(w.Error(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestRecordedRates holds the bounds to readings of a computer that others share (two
// cores of a virtual machine): the competitor on the core is always found, one that
// fills memory from another core mostly, and nobody is accused who was not there.
func TestRecordedRates(t *testing.T) {
	file, err := os.Open("testdata/readings.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var trace []attended
	for _, row := range rows {
		a := attended{company: row[0]}
		for i, time := range []*int64{&a.Compute, &a.Stream, &a.Jump} {
			if *time, err = strconv.ParseInt(row[1+i], 10, 64); err != nil {
				t.Fatal(err)
			}
		}
		trace = append(trace, a)
	}
	for company, bar := range map[string][2]int{alone: {0, 0}, sameCore: {40, 40}, memory: {30, 40}} {
		n, all := exceeded(trace, company, marked)
		t.Logf("%s: marked %d of %d", company, n, all)
		if all != 40 || n < bar[0] || n > bar[1] {
			t.Errorf("%s: %d of %d readings are marked, not %d to %d of 40", company, n, all, bar[0], bar[1])
		}
	}
}
