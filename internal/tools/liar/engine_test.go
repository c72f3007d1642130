package liar

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/tools/engine"
)

// honest answers TRUE to everything, and gives two numbers.
type honest struct{}

func (honest) Answer(_ context.Context, task engine.Task, out *engine.Printer) error {
	for _, p := range task.Properties {
		out.Value(p.ID, examinations.True, "EXPLICIT")
	}
	if task.Exam == examinations.StateSpace {
		out.Value("STATES", examinations.Value{Kind: examinations.Nat, Text: "99999999999999999999"}, "EXPLICIT")
		out.Value("TRANSITIONS", examinations.Infinite, "EXPLICIT")
	}
	if task.Witnesses != nil {
		return fmt.Errorf("a witness is asked for")
	}
	return nil
}

func said(t *testing.T, e Engine, task engine.Task) string {
	t.Helper()
	var printed strings.Builder
	task.Witnesses = &engine.Witnesses{}
	if err := e.Answer(t.Context(), task, engine.NewPrinter(&printed, task.Exam)); err != nil {
		t.Fatal(err)
	}
	return printed.String()
}

func formulas(n int) (list []formula.Property) {
	for i := range n {
		list = append(list, formula.Property{ID: fmt.Sprintf("f-%04d", i)})
	}
	return list
}

// TestLies: about one value in ten is a lie, the same ones under one seed, others
// under another and on another instance.
func TestLies(t *testing.T) {
	task := engine.Task{Exam: examinations.CTLFireability, Instance: "M-PT-1", Properties: formulas(5000)}
	e := Engine{Honest: honest{}, Seed: 1, OneIn: 10}
	first := said(t, e, task)
	if n := strings.Count(first, " FALSE "); n < 400 || n > 600 || n+strings.Count(first, " TRUE ") != 5000 {
		t.Errorf("%d lies in 5000", n)
	}
	if said(t, e, task) != first {
		t.Error("the same liar says something else")
	}
	e.Seed = 2
	if said(t, e, task) == first {
		t.Error("another seed tells the same lies")
	}
	e.Seed, task.Instance = 1, "M-PT-2"
	if said(t, e, task) == first {
		t.Error("the same lies on another instance")
	}
}

func TestNeverAndAlways(t *testing.T) {
	task := engine.Task{Exam: examinations.StateSpace, Instance: "M-PT-1"}
	if got := said(t, Engine{Honest: honest{}}, task); !strings.Contains(got, "STATES 99999999999999999999 ") || !strings.Contains(got, "TRANSITIONS +inf ") {
		t.Errorf("never: %q", got)
	}
	if got := said(t, Engine{Honest: honest{}, OneIn: 1}, task); !strings.Contains(got, "STATES 100000000000000000000 ") || !strings.Contains(got, "TRANSITIONS 1 ") {
		t.Errorf("always: %q", got)
	}
	task = engine.Task{Exam: examinations.CTLFireability, Properties: formulas(1)}
	if got := said(t, Engine{Honest: honest{}, OneIn: 1}, task); !strings.Contains(got, "f-0000 FALSE ") {
		t.Errorf("always: %q", got)
	}
}
