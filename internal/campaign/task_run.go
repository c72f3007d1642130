package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations/output"
	"podium/examinations/verdict"
	"podium/internal/tools"
	"podium/vm"
)

// job is the command of a tool on a task. The run has none of the variables that say which
// examination of which net is asked: a tool has to live on what its command says.
func (t *PlannedTask) job(tool PlannedTool, need Confinement) (vm.Job, error) {
	if tool.Task == nil {
		return vm.Job{}, fmt.Errorf("tool %s has no command for tasks", tool.Name)
	}
	in := func(name string) string { return path.Join(vm.InstanceDir, name) }
	values := tools.TaskRun{
		Property: in(t.PropertyFile), PropertyName: t.Property, Witness: path.Join(vm.ResultDir, tool.Task.Witness), DataModel: t.DataModel,
		CPU: (need.CPUTime + 999_999) / 1_000_000, Memory: need.Memory / 1_000_000, Cores: need.Cores, Tool: vm.ToolDir,
	}
	if t.Validates != nil {
		values.Witness = in(t.Validates.Witness)
	}
	if word, ok := tool.Task.DataModels[t.DataModel]; ok {
		values.DataModel = word
	}
	for _, name := range t.Inputs {
		values.Inputs = append(values.Inputs, in(name))
	}
	return vm.Job{Command: values.Expand(tool.Task.Command), Limits: need.Limits()}, nil
}

// attemptTask runs a tool on a task, and keeps the witness that it leaves.
func (w *worker) attemptTask(ctx context.Context, machine vm.Machine, run Run, tool PlannedTool, need Confinement, in input) (*Finished, error) {
	job, err := in.asked.Task.job(tool, need)
	if err != nil {
		return nil, err
	}
	if !tool.Task.leavesWitness() || in.asked.Task.Validates != nil {
		return w.execute(ctx, machine, run, job, in)
	}
	if job.SideOut, err = os.MkdirTemp(filepath.Join(w.campaign.Dir, "packs"), ".side-*"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(job.SideOut)
	job.SideLimit = vm.SideLimit{Suffix: tool.Task.Witness, Files: 10, Bytes: sideLimit.Bytes}
	return w.execute(ctx, machine, run, job, in)
}

// leavesWitness tells whether the command says where the witness goes.
func (t *TaskTool) leavesWitness() bool {
	return slices.ContainsFunc(t.Command, func(word string) bool { return strings.Contains(word, tools.WitnessMark) })
}

// readTask reads the verdict of a run whose outputs are packed. A run that a limit ended
// has none, whatever it had printed: a time that reaches the limit is a timeout.
func (c *Campaign) readTask(ctx context.Context, f *Finished) error {
	a, err := c.verdictOf(ctx, f)
	if err != nil {
		return err
	}
	f.Findings, f.Answers, f.Participation = len(a.Findings), nil, output.Silent
	if f.Outcome.Termination != vm.Exited && f.Outcome.Termination != vm.Signalled {
		return nil
	}
	f.Participation = output.CannotCompute
	if a.Text != "" {
		f.Participation = output.Answered
		f.Answers = Answers{{Item: string(f.Run.Exam), Text: a.Text, Line: a.Line, Offset: a.Offset, At: f.Outcome.WallTime.Microseconds()}}
	}
	return nil
}

// verdictOf reads the stored outputs of a run on a task.
func (c *Campaign) verdictOf(ctx context.Context, f *Finished) (verdict.Answer, error) {
	asked, _ := c.Plan.Instance(f.Run.Instance)
	tool, _ := c.Plan.Tool(f.Run.Tool)
	if asked.Task == nil || tool.Task == nil {
		return verdict.Answer{}, fmt.Errorf("the run %s is none of a tool on a task", f.Run)
	}
	stdout, err := c.Output(f.Stdout)
	if err != nil {
		return verdict.Answer{}, err
	}
	defer stdout.Close()
	stderr, err := c.Output(f.Stderr)
	if err != nil {
		return verdict.Answer{}, err
	}
	defer stderr.Close()
	return tool.Task.Answers.Read(asked.Task.Property, asked.Task.Parts, verdict.Output{Stdout: until{ctx, stdout}, Stderr: until{ctx, stderr},
		Exited: f.Outcome.Termination == vm.Exited, ExitCode: f.Outcome.ExitCode})
}

// rereadTask reads the outputs of a run on a task again; nil when they say what the
// record says.
func (c *Campaign) rereadTask(ctx context.Context, f Finished) (*Change, error) {
	now := f
	err := c.readTask(ctx, &now)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its output is not in this copy of the campaign: %w", err)
	}
	if err == nil {
		err = c.wholeOutput(ctx, f.Stdout, f.Stderr)
	}
	if err != nil || now.same(&f) {
		return nil, err
	}
	return &Change{f, Reread{End: EndOf{f.Run, f.Worker, f.Outcome.Started}, Participation: now.Participation, Answers: now.Answers}}, nil
}

// wholeOutput reads outputs to their ends, where their digests are checked.
func (c *Campaign) wholeOutput(ctx context.Context, refs ...PackRef) error {
	for _, ref := range refs {
		out, err := c.Output(ref)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, until{ctx, out})
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
	}
	return nil
}
