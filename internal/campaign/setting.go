package campaign

import (
	"context"
	"io"
	"time"

	"podium/examinations/output"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/topology"
)

// Setting says where a run is made and what it sees there. A worker makes one for each run, and so
// does a trial outside of a campaign: what a tool sees is decided here alone.
type Setting struct {
	Plan     *Plan
	Run      Run
	Tool     PlannedTool
	Asked    PlannedInstance
	ToolDir  string // of the tool's files
	InputDir string // of the instance
}

// Need is the machine and the limits of the run.
func (s *Setting) Need() Confinement { return s.Plan.Confinement(s.Tool, s.Asked) }

// Spec describes the machine, by its name, where on the host it is placed, and the directories
// that it hides.
func (s *Setting) Spec(name string, place topology.Binding, hide []string) vm.Spec {
	need := s.Need()
	image, dir := tools.Place(s.ToolDir, s.Tool.Image, s.Tool.System)
	return vm.Spec{Name: name, Cores: need.Cores, CPUs: place.Cores, Nodes: place.Memory, Memory: need.Memory,
		Image: image, Tool: dir, Writable: s.Tool.Writable, Input: s.InputDir, Hide: hide}
}

// Dirs are the directories that the command of a run names.
type Dirs struct{ Input, Tool, Results string }

// Command is the command of the run in directories, in the words of a program and its arguments, and
// the environment that it needs.
func (s *Setting) Command(at Dirs) (words, env []string, err error) {
	return s.Asked.kind().command(s, at)
}

// Job is what is done in the machine, but for what takes its outputs.
func (s *Setting) Job() (job vm.Job, err error) {
	job.Command, job.Env, err = s.Command(Dirs{vm.InstanceDir, vm.ToolDir, vm.ResultDir})
	if err == nil {
		job.SideLimit, job.Limits = s.Asked.kind().leaves(s), s.Need().Limits()
	}
	return job, err
}

// Exec does a job on a net and reads its answers as they are printed; heard, which may be nil, gets
// each of them at once. The end has its outcome, and nothing of where outputs are kept.
func (s *Setting) Exec(ctx context.Context, machine vm.Machine, job vm.Job, heard func(output.Answer)) (*Finished, diagnostic.List, error) {
	lines, feed := io.Pipe()
	defer feed.Close()
	var f *Finished
	var found diagnostic.List
	var listening parallel.Group
	begun := time.Now()
	listening.Go(func() {
		defer io.Copy(io.Discard, lines) // the reader may give up or fail, the tool must not notice
		f, found, _ = read(lines, s.Run, s.Asked, s.Plan.Intervals, func() time.Duration { return time.Since(begun) }, heard)
	})
	job.Stdout = io.MultiWriter(job.Stdout, feed)
	outcome, err := machine.Exec(ctx, job)
	feed.Close()
	listening.Wait()
	if err != nil {
		return nil, nil, err
	}
	outcome.Warnings = append(outcome.Warnings, f.Outcome.Warnings...)
	f.Run, f.Outcome = s.Run, outcome
	return f, found, nil
}
