package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// room is a room under test with all its mutants in one program.
type room struct {
	dir     string
	where   string // temporary directory
	program string
	mutants []mutant
	tests   []test
}

// test is one test of the room.
type test struct {
	name    string
	cpu     time.Duration
	wall    time.Duration
	reaches map[int]bool // numbers of the mutants in code that it runs
}

// quick is the processor time up to which tests are run together, before the others.
const quick = 200 * time.Millisecond

// measure runs each test alone, without a mutant, and notes what it reaches.
func (r *room) measure() error {
	out, err := r.command(nil, []string{"-test.list", "^(Test|Fuzz|Example)"}, limitsFor(time.Minute, time.Minute)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the tests cannot be listed: %w\n%s", err, out)
	}
	log := filepath.Join(r.where, "reached")
	for _, name := range strings.Fields(string(out)) {
		t := test{name: name, reaches: map[int]bool{}}
		start := time.Now()
		var failed error
		t.cpu, out, failed = r.run([]test{t}, 0, limitsFor(time.Minute, time.Minute))
		if failed != nil {
			return fmt.Errorf("%s fails without any mutant: %w\n%s", name, failed, out)
		}
		t.wall = time.Since(start)
		cmd := r.command([]string{"PODIUM_MUTANT_LOG=" + log}, []string{"-test.short", "-test.run", only([]test{t})}, limitsFor(time.Minute, time.Minute))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s fails while it is watched: %w\n%s", name, err, out)
		}
		text, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		for _, number := range strings.Fields(string(text)) {
			n, _ := strconv.Atoi(number)
			t.reaches[n] = true
		}
		os.Remove(log)
		r.tests = append(r.tests, t)
	}
	return nil
}

// survives reports whether no test fails that reaches a mutant: first the quick ones are
// tried, all at once, then each of the others.
func (r *room) survives(m mutant) bool {
	var groups [][]test
	var together []test
	for _, t := range r.tests {
		switch {
		case !t.reaches[m.number]:
		case t.cpu <= quick:
			together = append(together, t)
		default:
			groups = append(groups, []test{t})
		}
	}
	if len(together) > 0 {
		groups = append([][]test{together}, groups...)
	}
	for _, group := range groups {
		var cpu, wall time.Duration
		for _, t := range group {
			cpu, wall = cpu+t.cpu, wall+t.wall
		}
		if _, _, err := r.run(group, m.number, limitsFor(cpu, wall)); err != nil {
			return false
		}
	}
	return true
}

// only is the pattern of some tests.
func only(tests []test) string {
	var names []string
	for _, t := range tests {
		names = append(names, t.name)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}
