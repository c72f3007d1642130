package qualify

import (
	"strings"
	"testing"

	"podium/edition"
	"podium/models"
	"podium/vm"
)

// TestSmallest: one instance of each form of each model, the one with the smallest net.
func TestSmallest(t *testing.T) {
	of := func(name string, size int64) models.Instance {
		id, err := models.ParseID(name)
		if err != nil {
			t.Fatal(err)
		}
		return models.Instance{ID: id, Files: []models.File{{Name: "CTLFireability.xml", Size: 9999}, {Name: models.ModelFile, Size: size}}}
	}
	var got []string
	for _, i := range Smallest([]models.Instance{of("A-PT-20", 20), of("A-PT-10", 10), of("A-COL-5", 5), of("A-COL-4", 6), of("B-PT-2", 7), of("B-PT-1", 7)}) {
		got = append(got, i.ID.String())
	}
	if s := strings.Join(got, " "); s != "A-COL-5 A-PT-10 B-PT-1" {
		t.Error(s)
	}
}

// TestManyFailuresAreBounded: a report stays readable when everything fails, and says
// that there is more.
func TestManyFailuresAreBounded(t *testing.T) {
	r := newTool(&Submission{Name: "x"}, edition.Conditions)
	for range 100 {
		r.fail(Right, Failure{Instance: "A-PT-1", Examination: "OneSafe", Text: "\x1b[31mred"})
	}
	for _, c := range r.Conditions {
		if c.ID == Right && (c.Passed || len(c.Failures) != maxFailures+1 || !strings.Contains(c.Failures[maxFailures].Text, "more")) || c.ID != Right && !c.Passed {
			t.Errorf("%+v", c)
		}
	}
	var out strings.Builder
	if err := r.WriteText(&out); err != nil || strings.Contains(out.String(), "\x1b") || strings.Count(out.String(), "A-PT-1 OneSafe") != 1 || !strings.Contains(out.String(), "not qualified, 1 of 7 conditions is not met") {
		t.Errorf("%v %s", err, out.String())
	}
}

// TestOwnSystemIsNoted: figures of a whole machine are noted once, others never.
func TestOwnSystemIsNoted(t *testing.T) {
	var tool Tool
	for _, by := range []string{"guest:cgroup2", vm.ByHost, "cgroup2", vm.ByHost} {
		tool.measured(vm.Outcome{Measured: by})
	}
	if len(tool.Notes) != 1 || !strings.Contains(tool.Notes[0], "whole machine") {
		t.Errorf("%q", tool.Notes)
	}
}
