package campaign

import (
	"context"
	"iter"
	"slices"

	"podium/examinations"
	"podium/vm"
)

// A kind is what an instance is: a net (net.go) or a task of SV-COMP (task.go). It says what is asked of
// the instance, which tools run on it, which files it has, and how an output is read. Outside
// of the files of nets and tasks nothing in this package asks which of the two an instance is.
type kind interface {
	// validate reports what is wrong with an instance of a plan that was read.
	validate(i PlannedInstance, p *Plan) error
	// asks reports whether an examination, or a category, is asked of an instance.
	asks(i PlannedInstance, exam examinations.ID) bool
	// items returns the values that an examination asks for.
	items(i PlannedInstance, exam examinations.ID) []string
	// takes reports whether a tool is run on an examination that is asked of an instance.
	takes(t *PlannedTool, i PlannedInstance, exam examinations.ID) bool
	// unit returns what is pinned to one computer with an instance (E-5.1).
	unit(i PlannedInstance) string

	// directory returns the directory of an instance of a campaign.
	directory(c *Campaign, i PlannedInstance) (string, error)
	// check compares the files in a directory with the digest of the plan.
	check(i PlannedInstance, dir string) error
	// copy copies instances of one digest into a campaign, and notes where they are.
	copy(ctx context.Context, c *copier, list []*PlannedInstance) error

	// command returns the command of a run, in directories, and its environment.
	command(s *Setting, at Dirs) (words, env []string, err error)
	// leaves limits the files that a run leaves beside its output; zero where it leaves none.
	leaves(s *Setting) vm.SideLimit
	// exec runs a job. The end that it returns has its outcome, and the answers that were read meanwhile.
	exec(ctx context.Context, s *Setting, machine vm.Machine, job vm.Job) (*Finished, error)
	// gather writes what counts of the files that a run left.
	gather(job vm.Job, to *spool) error
	// conclude completes an end whose outputs are packed.
	conclude(ctx context.Context, w *worker, f *Finished, dir string) error

	// reread reads the stored outputs of an end, and checks their digests.
	reread(ctx context.Context, c *Campaign, f *Finished, i PlannedInstance) (*Finished, error)
	// remarks returns what is to be said of the stored outputs of an end.
	remarks(c *Campaign, f *Finished, i PlannedInstance) ([]string, error)
}

// OfNets reports whether the campaign has nets.
func (p *Plan) OfNets() bool { return p.has(nets{}) }

// OfTasks reports whether the campaign has tasks.
func (p *Plan) OfTasks() bool { return p.has(tasks{}) }

func (p *Plan) has(k kind) bool {
	return slices.ContainsFunc(p.Instances, func(i PlannedInstance) bool { return i.kind() == k })
}

// NetExaminations returns the examinations that nets are asked.
func (p *Plan) NetExaminations() []examinations.ID {
	return slices.DeleteFunc(slices.Clone(p.Examinations), func(x examinations.ID) bool { return !nets{}.asks(PlannedInstance{}, x) })
}

// Nets returns the instances that are nets.
func (p *Plan) Nets() iter.Seq[PlannedInstance] { return p.only(nets{}) }

// Tasks returns the instances that are tasks.
func (p *Plan) Tasks() iter.Seq[PlannedInstance] { return p.only(tasks{}) }

func (p *Plan) only(k kind) iter.Seq[PlannedInstance] {
	return func(yield func(PlannedInstance) bool) {
		for _, i := range p.Instances {
			if i.kind() == k && !yield(i) {
				return
			}
		}
	}
}

// kind returns what the instance is.
func (i PlannedInstance) kind() kind {
	if i.Task != nil {
		return tasks{}
	}
	return nets{}
}
