package planning

import (
	"context"
	"errors"
	"fmt"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/tools"
)

// A kind is what a campaign is on: nets, tasks, or the witnesses that a validation looks at. A contest of
// nets and tasks has two kinds.
type kind interface {
	// names reports whether the options name instances of the kind.
	names() bool
	// instances returns the instances, and what is asked of them: examinations or categories. Files that
	// are made for them are below dir.
	instances(ctx context.Context, dir string) ([]campaign.PlannedInstance, []examinations.ID, error)
	// tool returns how a tool is run on tasks, which is nil for nets. It refuses a tool of another kind.
	tool(t tools.Tool) (*campaign.TaskTool, error)
	// confine sets the limits of the kind that are not those of the edition.
	confine(ed *edition.Edition, p *campaign.Plan) error
}

// chooseKinds sets the kinds of the campaign that the options plan. It refuses nets under rules for tasks,
// tasks under rules for nets, and options of another kind.
func (o *Options) chooseKinds(ed *edition.Edition) error {
	if o.validation != nil {
		o.kinds = []kind{o.validation}
		return nil
	}
	ofTasks := len(o.Tasks)+len(o.Benchmarks) > 0
	both := ofTasks && len(o.Models) > 0
	switch {
	case len(o.Tasks) > 0 && len(o.Benchmarks) > 0:
		return &OptionError{errors.New("a benchmark definition names its tasks: leave out --tasks or --benchmark")}
	case len(o.Benchmarks) > 0 && both:
		return &OptionError{errors.New("benchmark definitions make a contest on tasks alone: leave out --models, or name the tasks by --tasks")}
	case both && !(ed.ForTasks() && ed.ForNets()):
		return &OptionError{fmt.Errorf("the edition %s has no contest of nets and tasks together: leave out --models or --tasks", ed.ID)}
	case ofTasks && !ed.ForTasks():
		return &OptionError{fmt.Errorf("the edition %s is one for nets: tasks need another, such as --edition svcomp2026", ed.ID)}
	case !ofTasks && !ed.ForNets():
		return &OptionError{fmt.Errorf("the edition %s is one for tasks: name them by --tasks or --benchmark", ed.ID)}
	case !ofTasks && len(o.Properties) > 0:
		return &OptionError{errors.New("--property chooses tasks: name them by --tasks")}
	case ofTasks && !both && len(o.Tools) == 0:
		return &OptionError{errors.New("the built-in tools are for nets: name tools for tasks by --tools")}
	case ofTasks && (o.Witnesses || o.Embargo != ""):
		return &OptionError{errors.New("--witnesses and --embargo are for nets: leave them out with --tasks")}
	}
	if err := o.readBenchmarks(); err != nil {
		return err
	}
	var exams []examinations.ID
	if !ofTasks || both {
		var err error
		if exams, err = Examinations(o.Examinations, ed); err != nil {
			return err
		}
	}
	o.take(!ofTasks || both, ofTasks, exams)
	return nil
}

// take sets the kinds of a contest of nets, which are asked examinations, of tasks, or of both.
func (o *Options) take(ofNets, ofTasks bool, exams []examinations.ID) {
	if ofNets {
		o.kinds = append(o.kinds, nets{*o, exams})
	}
	if ofTasks {
		own := *o
		if ofNets {
			own.Examinations = nil // those are of nets; --property chooses tasks
		}
		o.kinds = append(o.kinds, tasks{own})
	}
}

// taskTool says how a tool is run on tasks; nil where it runs on nets.
func (o Options) taskTool(t tools.Tool) (how *campaign.TaskTool, err error) {
	for _, k := range o.kinds {
		if how, err = k.tool(t); err == nil {
			break
		}
	}
	return how, err
}
