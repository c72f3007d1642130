package trial

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// TestFailure: what a tool's program did wrong; time is no failure.
func TestFailure(t *testing.T) {
	for _, c := range []struct {
		o    vm.Outcome
		said output.Participation
		want string
	}{
		{vm.Outcome{Termination: vm.Exited}, output.Silent, ""},
		{vm.Outcome{Termination: vm.Exited, ExitCode: 1}, output.Answered, ""},
		{vm.Outcome{Termination: vm.Exited, ExitCode: 1}, output.CannotCompute, ""},
		{vm.Outcome{Termination: vm.Exited, ExitCode: 1}, output.Silent, "exited with code 1 and said nothing of what was asked"},
		{vm.Outcome{Termination: vm.Exited, ExitCode: 127}, output.Silent, "the tool cannot start (exit code 127)"},
		{vm.Outcome{Termination: vm.Signalled, Signal: 11}, output.Answered, "ended by signal 11 (segmentation fault)"},
		{vm.Outcome{Termination: vm.OutOfMem}, output.Answered, "ended at the limit of memory"},
		{vm.Outcome{Termination: vm.OutOfCPU}, output.Answered, ""},
		{vm.Outcome{Termination: vm.OutOfTime}, output.Silent, ""},
	} {
		r := &Result{Outcome: c.o, Said: c.said}
		if got := r.Failure(); got != c.want {
			t.Errorf("%+v, %s: %q", c.o, c.said, got)
		}
	}
}

// TestSummary adds up runs by examination.
func TestSummary(t *testing.T) {
	var s Summary
	run := func(exam examinations.ID, end vm.Termination, m Marks) {
		s.Add(exam, &Result{Said: output.Answered, Outcome: vm.Outcome{Termination: end, CPUTime: vm.Took(1500 * time.Millisecond), MemoryPeak: 7e6, Signal: 11}}, m)
	}
	run(examinations.OneSafe, vm.Exited, Marks{Asked: 1, Answered: 1, Right: 1})
	run(examinations.CTLFireability, vm.Exited, Marks{Asked: 16, Answered: 3, Right: 1, Wrong: 2})
	run(examinations.CTLFireability, vm.Signalled, Marks{Asked: 16})
	var b strings.Builder
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines:\n%s", len(lines), b.String())
	}
	if got := strings.Join(strings.Fields(lines[2]), " "); got != "CTLFireability answered 3 of 32 1 2 3.00 s 7 MB 1 ended by signal 11 (segmentation fault), 1 exited with code 0" {
		t.Error(got)
	}
}

// TestJUnit: a run with errors is a failed test, whatever characters it printed.
func TestJUnit(t *testing.T) {
	run := campaign.Run{Tool: "mine", Instance: "Net-PT-1", Exam: examinations.OneSafe}
	cases := []Case{
		{Run: run, Result: &Result{Outcome: vm.Outcome{CPUTime: vm.Took(1500 * time.Millisecond)}}, Findings: diagnostic.List{{Severity: diagnostic.Note, Code: "answer-technique"}}},
		{Run: run, Result: &Result{}, Findings: diagnostic.List{{Code: "answer-wrong", Message: "<is> \x00 & \"x\""}}},
	}
	var b strings.Builder
	if err := WriteJUnit(&b, "mine", cases); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Class   string   `xml:"classname,attr"`
			Name    string   `xml:"name,attr"`
			Time    string   `xml:"time,attr"`
			Failure []string `xml:"failure"`
		} `xml:"testcase"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &read); err != nil {
		t.Fatal(err)
	}
	if read.Tests != 2 || read.Failures != 1 || read.Cases[0].Class != "Net-PT-1" || read.Cases[0].Time != "1.500" || len(read.Cases[0].Failure) != 0 || !strings.Contains(read.Cases[1].Failure[0], `& "x"`) {
		t.Errorf("%s", b.String())
	}
}
