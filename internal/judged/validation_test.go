package judged

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/output"
	"podium/internal/campaign"
	"podium/internal/witness"
	"podium/scoring"
	"podium/vm"
)

const (
	sum       = "loops/sum.yml#unreach-call"
	swap      = "loops/swap.yml#unreach-call"
	loops     = examinations.ID("ReachSafety-Loops")
	taskRules = "svcomp2019"
)

// planned writes a campaign on tasks into a directory, with the ends that are given.
func planned(t *testing.T, dir string, tools []campaign.PlannedTool, tasks []campaign.PlannedInstance, ends ...campaign.Finished) *campaign.Campaign {
	t.Helper()
	p := &campaign.Plan{Name: "tasks", Examinations: []examinations.ID{loops}, Tools: tools, Instances: tasks, Families: map[string][]string{},
		Sequential: campaign.Confinement{Cores: 1, Memory: 16e9, CPUTime: 900e6}, Concurrent: campaign.Confinement{Cores: 4, Memory: 16e9, CPUTime: 900e6}}
	p.Violation = &p.Sequential
	for i := range p.Tools {
		x := &p.Tools[i]
		x.Dir, x.Family = "inputs/"+x.Name, x.Name
		if x.Task == nil {
			x.Task = &campaign.TaskTool{Command: []string{"./run"}, Witness: "witness"}
		}
		p.Families[x.Name] = []string{x.Name}
	}
	for i := range p.Instances {
		x := &p.Instances[i]
		x.Path, x.Family, x.Class, x.Digest = "inputs/tasks", x.ID, "known", strings.Repeat("ab", 32)
		x.Task.Inputs, x.Task.PropertyFile, x.Task.Property, x.Task.Parts, x.Task.DataModel, x.Task.Categories = []string{"sum.c"}, "unreach-call.prp", "unreach-call", []string{"unreach-call"}, "LP64", []examinations.ID{loops}
	}
	return created(t, dir, taskRules, p, ends)
}

// answered is the end of a run on a task with an answer and a witness; an empty digest is none.
func answered(tool, task, answer, digest string) campaign.Finished {
	f := campaign.Finished{Run: campaign.Run{Tool: tool, Instance: task, Exam: loops}, Attempt: 1, Worker: "w", Participation: output.Answered,
		Stdout: campaign.PackRef{Pack: "w.zst", Length: 9, Size: 20, SHA256: strings.Repeat("0", 64)}, Outcome: vm.Outcome{Termination: vm.Exited, CPUTime: 2_000_000, WallTime: 3_000_000, MemoryPeak: 5_000_000, Measured: "cgroup2"}}
	f.Answers = campaign.AnswersOf(campaign.Answer{Item: string(loops), Text: answer})
	if digest != "" {
		f.Left = campaign.PackRef{Pack: "w.zst", Length: 9, Size: 20, SHA256: strings.Repeat(digest, 64)}
	}
	return f
}

func validates(name, tool, task, digest, refused string) campaign.PlannedInstance {
	return campaign.PlannedInstance{ID: name, Task: &campaign.PlannedTask{Validates: &campaign.Validated{Tool: tool, Instance: task, Exam: loops, Answer: "FALSE", Witness: "witness", Digest: strings.Repeat(digest, 64), Format: "2.0", Refused: refused}}}
}

// TestValidation: an answer counts as confirmed where one validator says the same; each answer says
// what its witness lacks.
func TestValidation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	c := planned(t, dir, []campaign.PlannedTool{{Name: "cut"}, {Name: "first"}, {Name: "late"}, {Name: "mute"}, {Name: "second"}},
		[]campaign.PlannedInstance{{ID: sum, Task: &campaign.PlannedTask{Expected: "FALSE"}}, {ID: swap, Task: &campaign.PlannedTask{Expected: "FALSE"}}},
		answered("first", sum, "FALSE", "1"), answered("second", sum, "FALSE", "2"), answered("mute", sum, "FALSE", ""), answered("late", sum, "FALSE", "4"), answered("cut", sum, "FALSE", "5"), answered("first", swap, "FALSE", "6"))
	if j := judgeIt(t, c, Options{}); j.Validation != nil {
		t.Error("a validation that was not planned")
	}
	takes := &campaign.Participation{Validates: map[string][]string{campaign.Violation: nil}}
	v := planned(t, filepath.Join(dir, campaign.ValidationDir), []campaign.PlannedTool{{Name: "check", Participation: takes}, {Name: "other", Participation: takes}},
		[]campaign.PlannedInstance{validates("a", "first", sum, "1", ""), validates("b", "second", sum, "2", ""), validates("c", "cut", sum, "5", "its line 3"), validates("d", "first", swap, "6", "")},
		answered("check", "a", "FALSE", ""), answered("other", "a", "TRUE", ""), answered("check", "b", "TRUE", ""), answered("other", "b", "TRUE", ""))
	j := judgeIt(t, c, Options{})
	if j.Validation == nil || j.Validation.Missing != 2 {
		t.Fatalf("%+v", j.Validation)
	}
	for _, one := range []struct {
		tool, task string
		state      witness.State
		detail     string
	}{
		{"first", sum, witness.Confirmed, "confirmed by check; refuted by other"},
		{"second", sum, witness.Refuted, "refuted by check, other"},
		{"mute", sum, witness.Unconfirmed, "the run left no witness"},
		{"late", sum, witness.Unconfirmed, "its validation is not planned yet"},
		{"cut", sum, witness.Unconfirmed, "its form is wrong: its line 3"},
		{"first", swap, witness.Unconfirmed, "2 runs of validators are missing"},
	} {
		f := j.Log.Finished[campaign.Run{Tool: one.tool, Instance: one.task, Exam: loops}]
		w := f.Witness(string(loops))
		if w.State != one.state || !strings.Contains(w.Detail, one.detail) {
			t.Errorf("%s: %+v, not %s, %q", one.tool, w, one.state, one.detail)
		}
	}
	sheet, first := j.at(t, "first", sum, loops)
	if of := j.Result.Contest; of.Witness(int(of.Sheets[sheet].First), first) != scoring.Confirmed {
		t.Error("the contest does not know that the witness is confirmed")
	}
	var text strings.Builder
	if err := j.WriteWitnesses(&text); err != nil || !strings.Contains(text.String(), "malformed: cut") || !strings.Contains(text.String(), "refuted: second") {
		t.Errorf("%v\n%s", err, text.String())
	}
	if _, err := Judge(t.Context(), v, Options{}); err == nil || !strings.Contains(err.Error(), "has no scores of its own") {
		t.Error(err)
	}
}

// TestValidationOfNets: a validator says more where the replay could not decide, and nothing where it
// did.
func TestValidationOfNets(t *testing.T) {
	c := played(t, func(p *campaign.Plan) { p.Witnesses = true })
	on := func(tool string, exam examinations.ID) campaign.PlannedInstance {
		i := validates(tool+string(exam), tool, ring, "0", "")
		i.Task.Validates.Exam, i.Task.Validates.Item = exam, string(exam)
		return i
	}
	takes := &campaign.Participation{Validates: map[string][]string{campaign.Violation: nil}}
	asked := []campaign.PlannedInstance{on("liar", oneSafe), on("beta", oneSafe)}
	planned(t, filepath.Join(c.Dir, campaign.ValidationDir), []campaign.PlannedTool{{Name: "check", Participation: takes}}, asked,
		answered("check", asked[0].ID, "FALSE", ""), answered("check", asked[1].ID, "TRUE", "")) // as the tools
	log := judgeIt(t, c, Options{}).Log.Finished
	for tool, want := range map[string]witness.State{"liar": witness.Refuted, "beta": witness.Confirmed, "alpha": ""} {
		f := log[campaign.Run{Tool: tool, Instance: ring, Exam: oneSafe}]
		if got := f.Witness(string(oneSafe)).State; got != want {
			t.Errorf("%s: %q, not %q", tool, got, want)
		}
	}
}

// TestWitnessForms: the form of a witness is looked at with the program that it is about.
func TestWitnessForms(t *testing.T) {
	ed, _, err := LoadEdition(taskRules)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sum.c"), []byte("int main(void) { return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	task := &campaign.PlannedTask{Inputs: []string{"sum.c"}, Property: "unreach-call", Parts: []string{"unreach-call"}, DataModel: "LP64"}
	if report, found, err := CheckWitness(task, dir, "w", strings.NewReader("steps of our own"), "FALSE", loops, ed); err != nil || len(found) > 0 || report.Format == "" {
		t.Error(report, found, err)
	}
	if _, found, err := CheckWitness(task, dir, "w.graphml", strings.NewReader(`<graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>`), "FALSE", loops, ed); err != nil || len(found) == 0 {
		t.Error("a witness without a graph is in order", err)
	}
	task.Inputs = []string{"lost.c"}
	if _, _, err := CheckWitness(task, dir, "w.graphml", strings.NewReader(`<graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>`), "FALSE", loops, ed); err == nil {
		t.Error("the program is lost")
	}
}
