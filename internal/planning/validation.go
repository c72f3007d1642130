package planning

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/judged"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/models/task"
	"podium/pnml/diagnostic"
)

// Validate plans the validation of the witnesses of a campaign, in its directory
// validation, with the tools of the options as validators. Where the options name another
// edition than the campaign's, its formats and limits count, and the directory has its name,
// too. Where it was planned before, what has been answered since joins it. Fresh reports whether
// something was planned.
func Validate(ctx context.Context, dir string, o Options) (c *campaign.Campaign, fresh bool, err error) {
	of, err := campaign.Open(dir)
	if err != nil {
		return nil, false, err
	}
	if len(of.Plan.Tools) > 0 && !of.Plan.OfTasks() && !of.Plan.Witnesses {
		return nil, false, &OptionError{fmt.Errorf("%s is a contest on nets whose tools are not asked for witnesses: `podium plan --witnesses` has them replayed, and validated by others as well", dir)}
	}
	if of.Plan.Validates() {
		return nil, false, &OptionError{fmt.Errorf("%s is itself a validation: name the competition", dir)}
	}
	if err := judged.CheckEdition(of); err != nil {
		return nil, false, err
	}
	v := &validation{of: of}
	o.validation = v
	to := filepath.Join(of.Dir, campaign.ValidationDir)
	if o.Edition == "" {
		o.Edition = filepath.Join(of.Dir, judged.EditionFile)
	}
	if v.by, _, err = judged.LoadEdition(o.Edition); err != nil {
		return nil, false, err
	}
	if v.by.ID != of.Plan.Edition {
		to = filepath.Join(of.Dir, campaign.ValidationBy(v.by.ID))
	}
	if old, err := campaign.Open(to); err == nil {
		v.Options, v.in = o, old
		return o.validateMore(ctx, old)
	} else if _, serr := os.Stat(filepath.Join(to, "campaign.json")); !errors.Is(serr, fs.ErrNotExist) {
		return nil, false, err
	}
	if len(o.Tools) == 0 {
		return nil, false, &OptionError{errors.New("name the validators by --tools")}
	}
	v.Options = o
	return Prepare(ctx, to, o)
}

// validateMore lets the witnesses join that were left since the validation was planned.
func (o Options) validateMore(ctx context.Context, old *campaign.Campaign) (*campaign.Campaign, bool, error) {
	for _, planned := range []*campaign.Confinement{old.Plan.Violation, old.Plan.Correctness} {
		if planned != nil && o.asksOtherLimits(*planned) {
			return nil, false, &OptionError{fmt.Errorf("the limits of the validation in %s are planned once: leave out --cpu, --wall, --memory and --cores, or remove %[1]s and plan it again", old.Dir)}
		}
	}
	o.Edition = ""
	joined, err := Extend(ctx, old.Dir, o, false, false)
	var nothing *nothingJoins
	if errors.As(err, &nothing) {
		return old, false, nil
	} else if err != nil {
		return nil, false, err
	}
	o.Say(joined.String())
	c, err := campaign.Open(old.Dir)
	return c, true, err
}

// asksOtherLimits reports whether the options name a limit, and another than is planned.
func (o Options) asksOtherLimits(planned campaign.Confinement) bool {
	return o.CPU > 0 && o.CPU.Microseconds() != planned.CPUTime || o.Wall > 0 && o.Wall.Microseconds() != planned.WallTime ||
		o.Memory > 0 && o.Memory != planned.Memory || o.Cores > 0 && o.Cores != planned.Cores
}

// validation is the kind of a campaign that validates the witnesses of another.
type validation struct {
	Options
	of *campaign.Campaign
	in *campaign.Campaign // the validation that was planned before; nil for the first time
	by *edition.Edition   // by whose rules
}

func (v *validation) names() bool { return true }

func (v *validation) tool(t tools.Tool) (*campaign.TaskTool, error) {
	how, err := commandOf(t)
	if err == nil && len(t.Validates) == 0 {
		err = &OptionError{fmt.Errorf("tool %s is no validator: its tool.yaml has no validates: (docs/tasks.md says more)", t.Name)}
	}
	return how, err
}

// instances returns the answers that left a witness, and their categories.
func (v *validation) instances(ctx context.Context, dir string) ([]campaign.PlannedInstance, []examinations.ID, error) {
	list, err := v.answers(ctx, dir)
	if err == nil && len(list) == 0 && v.in == nil {
		err = &OptionError{fmt.Errorf("no run of %s has an answer and a witness yet: run it first; tools leave their witnesses where {witness} of their command says", v.of.Dir)}
	}
	return list, categoriesOf(list), err
}

// known reports whether an instance is in the validation already.
func (v *validation) known(name string) bool {
	if v.in == nil {
		return false
	}
	_, ok := v.in.Plan.Instance(name)
	return ok
}

// answers returns the answers of a campaign that left a witness, as instances of its
// validation that are not in it yet. Their files are copied below dir.
func (v *validation) answers(ctx context.Context, dir string) ([]campaign.PlannedInstance, error) {
	log, err := v.of.Read(ctx)
	if err != nil {
		return nil, err
	}
	runs := slices.SortedFunc(maps.Keys(log.Finished), campaign.Run.Compare)
	type numbered struct {
		n      int
		end    *campaign.Finished
		answer campaign.Answer
	}
	var list []numbered
	for _, run := range runs {
		f := log.Finished[run]
		if run.Repetition > 0 || f.Answers.IsZero() || f.Left.Size == 0 {
			continue
		}
		for a := range f.Answers.All() {
			if campaign.Claims(a.Text) && !v.known(validationName(v.of, f, a)) {
				list = append(list, numbered{len(list), f, a})
			}
		}
	}
	var planned []campaign.PlannedInstance
	for p, err := range parallel.Try(ctx, list, func(one numbered) (campaign.PlannedInstance, error) {
		return v.stageValidation(one.end, one.answer, filepath.Join(dir, "witnesses", strconv.Itoa(one.n)))
	}) {
		if err != nil {
			return nil, err
		}
		planned = append(planned, p)
	}
	return planned, ctx.Err()
}

// validationName names the answer of a run by its task, its tool and the witness: another
// witness of a run that was done again is another instance.
func validationName(c *campaign.Campaign, f *campaign.Finished, a campaign.Answer) string {
	name := f.Run.Instance + "#" + f.Run.Tool
	switch i, ok := c.Plan.Instance(f.Run.Instance); {
	case ok && i.Task == nil:
		name += "#" + string(f.Run.Exam) + "#" + a.Item
	case ok && len(i.Task.Categories) > 1:
		name += "#" + string(f.Run.Exam)
	}
	return name + "#" + f.Left.SHA256[:min(8, len(f.Left.SHA256))]
}

// stageValidation copies a task, or a net, and a witness of it.
func (v *validation) stageValidation(f *campaign.Finished, answer campaign.Answer, dir string) (campaign.PlannedInstance, error) {
	of := v.of
	i, _ := of.Plan.Instance(f.Run.Instance)
	name := validationName(of, f, answer)
	if err := campaign.CheckTaskName(name); err != nil {
		return i, err
	}
	if i.Task == nil {
		return v.stageNet(f, answer, name, dir)
	}
	tool, _ := of.Plan.Tool(f.Run.Tool)
	asked := *i.Task
	asked.Expected = ""
	asked.Validates = &campaign.Validated{Tool: f.Run.Tool, Instance: i.ID, Exam: f.Run.Exam, Answer: f.Answers.First().Text, Digest: f.Left.SHA256}
	asked.Categories = append(asked.Categories[:0:0], f.Run.Exam)
	if err := task.Copy(of.Path(i.Path), dir); err != nil {
		return i, err
	}
	asked.Validates.Witness = "witness"
	for n := 2; ; n++ { // beside the files of the task
		err := os.Mkdir(filepath.Join(dir, asked.Validates.Witness), 0o755)
		if err == nil {
			break
		} else if !errors.Is(err, fs.ErrExist) {
			return i, err
		}
		asked.Validates.Witness = "witness" + strconv.Itoa(n)
	}
	asked.Validates.Witness += "/" + tool.Task.Witness
	if err := v.copyWitness(f, filepath.Join(dir, asked.Validates.Witness)); err != nil {
		return i, err
	}
	if err := checkWitness(&asked, dir, v.by); err != nil {
		return i, err
	}
	return v.staged(name, i, &asked, dir)
}

// staged is the instance of a validation in a directory.
func (v *validation) staged(name string, of campaign.PlannedInstance, asked *campaign.PlannedTask, dir string) (p campaign.PlannedInstance, err error) {
	p = campaign.PlannedInstance{ID: name, Family: name, Class: of.Class, Task: asked}
	if p.Origin, err = filepath.Abs(v.of.Dir); err == nil {
		p.Path, err = filepath.Abs(dir)
	}
	if err == nil {
		p.Digest, err = task.Digest(dir)
	}
	return p, err
}

// copyWitness writes what a run left, and compares its digest.
func (v *validation) copyWitness(f *campaign.Finished, to string) error {
	in, err := v.of.Output(f.Left)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(out, sum), in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.Left.SHA256 {
		return fmt.Errorf("the witness of %s is damaged", f.Run)
	}
	return nil
}

// netCategory is the category of answers on nets in a validation: examinations are none.
const netCategory = "nets"

// The files that a validator of witnesses on nets gets, beside those of formulas.
const (
	netFile     = "model.pnml"
	claimFile   = "claim.txt"
	witnessFile = "witness.txt"
)

// stageNet copies a net with its formulas, all witnesses that a run left, and one of its answers.
func (v *validation) stageNet(f *campaign.Finished, answer campaign.Answer, name, dir string) (campaign.PlannedInstance, error) {
	i, _ := v.of.Plan.Instance(f.Run.Instance)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return i, err
	}
	for _, file := range []string{netFile, string(f.Run.Exam) + ".xml"} {
		from := filepath.Join(v.of.Path(i.Path), file)
		if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) && file != netFile {
			continue // it asks for no formulas
		}
		if err := task.Copy(from, filepath.Join(dir, file)); err != nil {
			return i, err
		}
	}
	claim := fmt.Sprintf("examination %s\nvalue %s\nanswer %s\n", f.Run.Exam, answer.Item, answer.Text)
	if err := os.WriteFile(filepath.Join(dir, claimFile), []byte(claim), 0o644); err != nil {
		return i, err
	}
	if err := v.copyWitness(f, filepath.Join(dir, witnessFile)); err != nil {
		return i, err
	}
	return v.staged(name, i, &campaign.PlannedTask{Inputs: []string{netFile}, Property: string(f.Run.Exam), PropertyFile: claimFile, Categories: []examinations.ID{netCategory},
		Validates: &campaign.Validated{Tool: f.Run.Tool, Instance: i.ID, Exam: f.Run.Exam, Item: answer.Item, Answer: answer.Text, Digest: f.Left.SHA256, Witness: witnessFile}}, dir)
}

// checkWitness notes the format of a staged witness, and what is wrong with its form by the
// rules of the edition.
func checkWitness(t *campaign.PlannedTask, dir string, ed *edition.Edition) error {
	f, err := files.Open(dir, t.Validates.Witness)
	if err != nil {
		return err
	}
	report, found, err := judged.CheckWitness(t, dir, filepath.Base(t.Validates.Witness), f, t.Validates.Answer, t.Validates.Exam, ed)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	t.Validates.Format = string(report.Format)
	found = slices.DeleteFunc(found, func(d diagnostic.Diagnostic) bool { return d.Severity != diagnostic.Error })
	if len(found) > 0 {
		t.Validates.Refused = wording.Cut(found[0].Error(), mostRefusal)
	}
	if len(found) > 1 {
		t.Validates.Refused += "; and " + wording.Count(len(found)-1, "more error", "more errors")
	}
	return nil
}

// mostRefusal bounds what is kept of the first error, in characters.
const mostRefusal = 300

// categoriesOf lists the categories of tasks, in order.
func categoriesOf(list []campaign.PlannedInstance) []examinations.ID {
	all := map[examinations.ID]bool{}
	for _, i := range list {
		for _, c := range i.Task.Categories {
			all[c] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// validationLimits are those of the edition, changed by the options.
func (v *validation) confine(ed *edition.Edition, p *campaign.Plan) error {
	if !v.of.Plan.OfTasks() { // whose rules know no validators: they get what tools get
		c := v.Confinement(ed.Limits.Sequential)
		p.Violation, p.Correctness = &c, &c
	} else if ed.Limits.Violation == nil && ed.Limits.Correctness == nil {
		return &OptionError{fmt.Errorf("the rules of %s know no validation of witnesses", ed.ID)}
	}
	cpu := time.Duration(v.of.Plan.Sequential.CPUTime) * time.Microsecond
	if l := ed.Limits.Violation; l != nil {
		c := v.Confinement(l.Under(cpu, ed.Limits))
		p.Violation = &c
	}
	if l := ed.Limits.Correctness; l != nil {
		c := v.Confinement(l.Under(cpu, ed.Limits))
		p.Correctness = &c
	}
	for _, c := range []*campaign.Confinement{p.Violation, p.Correctness} {
		if c != nil && v.Cores > 0 {
			c.Cores = v.Cores
		}
	}
	if p.Name = "Validation of " + v.of.Plan.Name; v.Name != "" {
		p.Name = v.Name
	}
	return nil
}
