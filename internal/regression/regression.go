package regression

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/campaign"
	"podium/internal/planning"
	"podium/internal/tools"
	"podium/internal/trial"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Plan says on what a tool is tested.
type Plan struct {
	Dir      string // of the runs
	Tool     tools.Tool
	Named    string           // the tool, as a person names it
	Campaign planning.Options // edition, driver and limits; its tool and models are set here
	Known    *oracle.Known
	Before   *Baseline
	Run      func(*campaign.Campaign) error // does the runs of a campaign
}

// Do tests the tool. Runs that were done before with the same files are not done again.
func (p Plan) Do(ctx context.Context, instances []models.Instance) (*Report, error) {
	paths := map[string]string{}
	for _, i := range instances {
		paths[i.ID.String()] = i.Path
	}
	o := p.Campaign
	o.Name = "Test of " + p.Tool.Name
	c, err := o.PrepareOne(ctx, filepath.Join(p.Dir, "runs"), p.Tool, instances)
	if err != nil {
		return nil, err
	}
	known, err := p.known(&c.Plan)
	if err != nil {
		return nil, err
	}
	if err := p.Run(c); err != nil {
		return nil, err
	}
	log, err := c.Read(ctx)
	if err != nil {
		return nil, err
	}
	report := &Report{Tool: p.Tool.Name, Version: p.Tool.Version, Edition: c.Plan.Edition}
	for _, i := range c.Plan.Instances {
		for _, exam := range c.Plan.Examinations {
			run := campaign.Run{Tool: p.Tool.Name, Instance: i.ID, Exam: exam}
			entry := Case{Instance: i.ID, Exam: exam, Repeat: trial.Command(p.Named, paths[i.ID], run, c.Plan.Sequential, nil)}
			asked := c.Plan.Has(run)
			if !asked && !p.Before.has(i.ID, exam) {
				continue
			}
			switch finished, done := log.Finished[run]; {
			case done:
				entry.judge(finished, known[examinationOf{i.ID, exam}], p.Before)
			case asked:
				entry.undone(log, run)
			default:
				entry.judge(&campaign.Finished{}, known[examinationOf{i.ID, exam}], p.Before)
			}
			report.Cases = append(report.Cases, entry)
		}
	}
	return report, ctx.Err()
}

// examinationOf is an examination of an instance.
type examinationOf struct {
	instance string
	exam     examinations.ID
}

// known returns all known values of a plan, by item. That there is none is an error: a
// test would find nothing.
func (p Plan) known(plan *campaign.Plan) (map[examinationOf]map[string]knownValue, error) {
	all := map[examinationOf]map[string]knownValue{}
	for _, i := range plan.Instances {
		for _, exam := range plan.Examinations {
			values, err := p.knownOf(i, exam)
			if err != nil {
				return nil, err
			}
			if len(values) > 0 {
				all[examinationOf{i.ID, exam}] = values
			}
		}
	}
	if len(all) == 0 {
		return nil, diagnostic.Diagnostic{Code: "oracle-knows-nothing", Message: "no value of these examinations of these instances is known",
			Hint: "does --oracle name the directory that has the oracle files, or the right table?"}
	}
	return all, nil
}

// knownValue is a known value, and what is to be said behind it ([oracle.Known.Alone]).
type knownValue struct {
	examinations.Value
	alone string
}

// knownOf returns the known values of an examination of an instance, by item.
func (p Plan) knownOf(i campaign.PlannedInstance, exam examinations.ID) (map[string]knownValue, error) {
	id, err := models.ParseID(i.ID)
	if err != nil {
		return nil, err
	}
	items := i.Items(exam)
	all, err := p.Known.Values(id, exam, items)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	alone, err := p.Known.Alone(id, exam, items)
	if err != nil {
		return nil, err
	}
	of := map[string]knownValue{}
	for _, item := range items {
		if v := all[examinations.Key{Instance: id, Exam: exam, Item: item}]; !v.IsZero() {
			of[item] = knownValue{v, alone[item]}
		}
	}
	return of, nil
}

// undone says why there is no run to judge.
func (c *Case) undone(log *campaign.Log, run campaign.Run) {
	why := "it is not done"
	if v, ok := log.Void[run]; ok {
		why = v.Reason
	}
	c.Undone = "the run could not be done, by a fault that is not the tool's: " + why
}

// judge compares the answers of a run with known values, and both with what was before.
// The run is zero where the tool takes no part.
func (c *Case) judge(f *campaign.Finished, known map[string]knownValue, before *Baseline) {
	c.states, c.Known = map[place]state{}, len(known)
	c.result = trial.Result{Outcome: f.Outcome, Said: f.Participation}
	c.run(f, before)
	given := map[string]string{}
	for a := range f.Answers.All() {
		given[a.Item] = a.Text
	}
	var lost []string
	for item, want := range known {
		p := place{c.Instance, c.Exam, item}
		was := before.states[p]
		switch text, answered := given[item]; {
		case !answered:
			c.states[p] = ""
			if was == right {
				lost = append(lost, item)
			}
		case text == want.Text:
			c.Right++
			c.states[p] = right
			if was != right {
				c.Gained++
			}
		default:
			c.Wrong++
			c.states[p] = wrong
			if was != wrong {
				c.Worse = append(c.Worse, fmt.Sprintf("%s is %s, and %s is right%s", item, diagnostic.ShortNumber(text), diagnostic.ShortNumber(want.Text), want.alone))
			}
		}
	}
	slices.Sort(c.Worse)
	c.lose(lost)
}

// run says whether the run as a whole failed.
func (c *Case) run(f *campaign.Finished, before *Baseline) {
	if f.Run.Tool == "" {
		return
	}
	p := place{c.Instance, c.Exam, ""}
	c.states[p] = ""
	if why := c.result.Failure(); why != "" {
		c.states[p] = failed
		if before.states[p] != failed {
			c.Worse = append(c.Worse, "the run failed: "+why)
		}
	}
}
