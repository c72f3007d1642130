package campaign

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/output"
	"podium/examinations/verdict"
	"podium/internal/tools"
	"podium/vm"
)

// command expands the command of a tool. The run has none of the variables that say which examination
// of which net is asked: a tool has to live on what its command says.
func (tasks) command(s *Setting, at Dirs) (words, env []string, err error) {
	t, tool, need := s.Asked.Task, s.Tool, s.Need()
	if tool.Task == nil {
		return nil, nil, fmt.Errorf("tool %s has no command for tasks", tool.Name)
	}
	in := func(name string) string { return path.Join(at.Input, name) }
	file, _, _ := strings.Cut(s.Asked.ID, "#")
	values := tools.TaskRun{
		Property: in(t.PropertyFile), PropertyName: t.Property, Witness: path.Join(at.Results, tool.Task.Witness), DataModel: t.DataModel,
		CPU: (need.CPUTime + 999_999) / 1_000_000, Memory: need.Memory / 1_000_000, Cores: need.Cores, Tool: at.Tool,
		Options: tool.Task.OptionsIn(s.Run.Exam), TaskName: path.Base(file), TaskDir: at.Input,
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
	return values.Expand(tool.Task.Command), nil, nil
}

func (tasks) leaves(s *Setting) (files vm.SideLimit) {
	if s.Tool.Task.leavesWitness(s.Run.Exam) && s.Asked.Task.Validates == nil {
		files = vm.SideLimit{Suffix: s.Tool.Task.Witness, Files: 10, Bytes: sideLimit.Bytes}
	}
	return files
}

// exec reads nothing: the verdict is read when all is known of the end of the run, see conclude.
func (tasks) exec(ctx context.Context, s *Setting, machine vm.Machine, job vm.Job) (f *Finished, err error) {
	f = &Finished{Run: s.Run}
	f.Outcome, err = machine.Exec(ctx, job)
	return f, err
}

// gather writes the witness.
func (tasks) gather(job vm.Job, to *spool) error {
	return gatherOne(filepath.Join(job.SideOut, job.SideLimit.Suffix), to)
}

// leavesWitness reports whether the command in a category says where the witness goes.
func (t *TaskTool) leavesWitness(category examinations.ID) bool {
	return slices.ContainsFunc(slices.Concat(t.Command, t.OptionsIn(category)), func(word string) bool { return strings.Contains(word, tools.WitnessMark) })
}

// OptionsIn are the options of the tool in a category.
func (t *TaskTool) OptionsIn(category examinations.ID) []string {
	if own, ok := t.Options[category]; ok {
		return own
	}
	return t.Options[""]
}

// conclude reads the verdict of a run. A run that a limit ended has none, whatever it had printed: a time
// that reaches the limit is a timeout.
func (tasks) conclude(ctx context.Context, w *worker, f *Finished, _ string) error {
	return w.campaign.readTask(ctx, f)
}

// readTask reads the verdict of a run whose outputs are packed.
func (c *Campaign) readTask(ctx context.Context, f *Finished) error {
	a, err := c.verdictOf(ctx, f)
	if err != nil {
		return err
	}
	f.Findings, f.Answers, f.Participation = len(a.Findings), Answers{}, output.Silent
	if f.Outcome.Termination != vm.Exited && f.Outcome.Termination != vm.Signalled {
		return nil
	}
	f.Participation = output.CannotCompute
	if a.Text != "" {
		f.Participation = output.Answered
		f.Answers = AnswersOf(Answer{Item: string(f.Run.Exam), Text: a.Text, Line: a.Line, Offset: a.Offset, At: f.Outcome.WallTime.Microseconds()})
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

func (tasks) reread(ctx context.Context, c *Campaign, f *Finished, _ PlannedInstance) (*Finished, error) {
	now := *f
	err := c.readTask(ctx, &now)
	if err == nil {
		err = c.wholeOutput(ctx, f.Stdout, f.Stderr)
	}
	return &Finished{Participation: now.Participation, Answers: now.Answers}, err
}

func (tasks) remarks(c *Campaign, f *Finished, _ PlannedInstance) ([]string, error) {
	if f.Findings == 0 {
		return nil, nil
	}
	a, err := c.verdictOf(context.Background(), f)
	return a.Findings, err
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
