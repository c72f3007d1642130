package regression

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

func at(instance, item string) place { return place{instance, examinations.StateSpace, item} }

// TestLearn: a test adds what is right and forgets nothing that it did not test; with
// accept, what it tested is as it is now.
func TestLearn(t *testing.T) {
	before := &Baseline{map[place]state{at("Old", "STATES"): right, at("A", "STATES"): right, at("A", "TRANSITIONS"): right,
		at("A", "MAX_TOKEN_IN_PLACE"): wrong, at("A", ""): failed, at("C", "STATES"): wrong, at("C", ""): failed}}
	r := &Report{Cases: []Case{
		{states: map[place]state{at("A", "STATES"): "", at("A", "TRANSITIONS"): wrong, at("A", "MAX_TOKEN_IN_PLACE"): "", at("A", ""): ""}},
		{states: map[place]state{at("B", "STATES"): right, at("B", "TRANSITIONS"): wrong, at("B", ""): failed}},
		{states: map[place]state{at("C", "STATES"): wrong, at("C", ""): failed}},
		{Undone: "the host was lost"},
	}}
	for accept, want := range map[bool]string{
		false: "A STATES right, A TRANSITIONS right, B STATES right, C  failed, C STATES wrong, Old STATES right",
		true:  "A TRANSITIONS wrong, B  failed, B STATES right, B TRANSITIONS wrong, C  failed, C STATES wrong, Old STATES right",
	} {
		file := filepath.Join(t.TempDir(), "baseline.txt")
		if err := before.Learn(r, accept).Write(file); err != nil {
			t.Fatal(err)
		}
		again, err := ReadBaseline(file)
		if err != nil || len(again.states) != strings.Count(want, ",")+1 {
			t.Errorf("%v %v", again, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(string(text)), "StateSpace\t", ""), "\t", " ")
		if got != baselineHead+"\n"+strings.ReplaceAll(want, ", ", "\n") {
			t.Errorf("accept %v: %s", accept, got)
		}
	}
}

// TestBadBaselines: a finding names the line.
func TestBadBaselines(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"podium-baseline/2\n":                   ":1:1: the first line",
		baselineHead + "\nA\tStateSpace\tX\n":   ":2:1: a line has four cells",
		baselineHead + "\nA\tSpace\tX\tright\n": ":2:1: ",
		baselineHead + "\nA\tStateSpace\tSTATES\tright\nA\tStateSpace\tSTATES\tfailed\n": ":3:1: a value is right or wrong",
		baselineHead + "\nA\tStateSpace\t\tright\n":                                      ":2:1: a value is right or wrong",
		baselineHead + "\n" + strings.Repeat("A", maxLine+1):                             ":2:1: the line has more than",
	} {
		err := (&Baseline{map[place]state{}}).read(strings.NewReader(text), "b")
		d, is := errors.AsType[diagnostic.Diagnostic](err)
		if want == "" && err != nil || want != "" && (!is || !strings.Contains(err.Error(), "b"+want)) {
			t.Errorf("%.60q: %v", text, err)
		}
		if is && d.Hint == "" {
			t.Errorf("%.60q: no next step", text)
		}
	}
}

// TestUndone: a run that is missing is no regression, and no test that passed.
func TestUndone(t *testing.T) {
	r := &Report{Tool: "mine", Cases: []Case{{Instance: "A-PT-1", Exam: examinations.OneSafe, Undone: "the host was lost", Repeat: "podium try"}}}
	dir := t.TempDir()
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{PageFile, JUnitFile} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(text), "the host was lost") {
			t.Errorf("%s: %v %s", file, err, text)
		}
	}
	if r.Worse() != 0 || r.Undone() != 1 {
		t.Errorf("%d worse, %d undone", r.Worse(), r.Undone())
	}
}

// TestManyLostValues: a sentence names some of them.
func TestManyLostValues(t *testing.T) {
	var c Case
	c.lose([]string{"f", "e", "d", "c", "b", "a"})
	if c.Worse[0] != "6 values are not answered that were right before: a, b, c, d and 2 more" {
		t.Error(c.Worse)
	}
}
