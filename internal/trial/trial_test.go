package trial

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/models"
	"podium/vm"
)

// TestKeptResults: a result is found again for the same question only.
func TestKeptResults(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "Net-PT-1")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"model.pnml": "<pnml/>", "instance": "1\n", "iscolored": "FALSE\n"} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opened, err := models.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	b := &Bench{Plan: &campaign.Plan{Driver: "sandbox", Version: "v"}, Cache: filepath.Join(dir, "cache")}
	q := Question{Instance: opened.Instances[0]}
	q.Plan, q.Tool.Digest, q.Run.Exam = b.Plan, "d", examinations.OneSafe
	if r, err := b.Recall(q); r != nil || err != nil {
		t.Fatalf("%v, %v", r, err)
	}
	want := &Result{Format: format, Said: output.Answered, Answers: []campaign.Answer{{Item: "OneSafe", Text: "TRUE"}}}
	if err := b.keep(q, want); err != nil {
		t.Fatal(err)
	}
	if r, err := b.Recall(q); err != nil || r == nil || r.Answers[0].Text != "TRUE" {
		t.Errorf("%+v, %v", r, err)
	}
	for what, change := range map[string]func(p *campaign.Plan, q *Question){
		"another tool":        func(_ *campaign.Plan, q *Question) { q.Tool.Digest = "e" },
		"another machine":     func(p *campaign.Plan, _ *Question) { p.Driver = "libvirt" },
		"another program":     func(p *campaign.Plan, _ *Question) { p.Version = "w" },
		"another examination": func(_ *campaign.Plan, q *Question) { q.Run.Exam = examinations.Liveness },
		"other limits":        func(p *campaign.Plan, _ *Question) { p.Sequential.Cores = 3 },
		"witnesses":           func(p *campaign.Plan, _ *Question) { p.Witnesses = true },
	} {
		plan, other, asked := *b.Plan, *b, q
		other.Plan, asked.Plan = &plan, &plan
		change(&plan, &asked)
		if r, err := other.Recall(asked); r != nil || err != nil {
			t.Errorf("%s: %v, %v", what, r, err)
		}
	}
	other := *b
	other.Shown = "/opt/java"
	if r, err := other.Recall(q); r != nil || err != nil {
		t.Errorf("other places of the host: %v, %v", r, err)
	}
	path, _ := b.file(q)
	if err := os.WriteFile(path, []byte(`{"format":"other"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if r, err := b.Recall(q); r != nil || err != nil {
		t.Errorf("a file of another format: %v, %v", r, err)
	}
}

// TestJudge: points come from what is known, and from nothing else.
func TestJudge(t *testing.T) {
	e, err := edition.Named("mcc2023")
	if err != nil {
		t.Fatal(err)
	}
	id, err := models.ParseID("Net-PT-1")
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Instance: models.Instance{ID: id}}
	q.Run = campaign.Run{Tool: "mine", Instance: "Net-PT-1", Exam: examinations.OneSafe}
	r := &Result{Outcome: vm.Outcome{Termination: vm.Exited, CPUTime: vm.Took(time.Second)}, Said: output.Answered, Answers: []campaign.Answer{{Item: "OneSafe", Text: "TRUE"}}}
	for _, c := range []struct {
		known map[string]KnownValue
		sign  int
	}{
		{nil, 0},
		{map[string]KnownValue{"OneSafe": {Value: examinations.True}}, 1},
		{map[string]KnownValue{"OneSafe": {Value: examinations.False}}, -1},
	} {
		result, err := r.Judge(q, e, c.known)
		if err != nil {
			t.Fatal(err)
		}
		if points := result.RunPoints(0, 0); points > 0 != (c.sign > 0) || points < 0 != (c.sign < 0) {
			t.Errorf("known %v: %d points", c.known, points)
		}
	}
}
