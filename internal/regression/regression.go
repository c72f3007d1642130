package regression

import (
	"context"
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
	Run      func(*campaign.Campaign) (*campaign.Log, error) // does the runs of a campaign
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
	log, err := p.Run(c)
	if err != nil {
		return nil, err
	}
	report := &Report{Tool: p.Tool.Name, Version: p.Tool.Version, Edition: c.Plan.Edition}
	for e := range trial.Ends(c, log, p.Tool.Name) {
		tool, _ := c.Plan.Tool(e.Run.Tool)
		entry := Case{Instance: e.Run.Instance, Exam: e.Run.Exam, Repeat: trial.Command(p.Named, paths[e.Run.Instance], e.Run, c.Plan.Confinement(tool, e.Instance), nil), Undone: e.Undone}
		if !e.Asked && !p.Before.has(e.Run.Instance, e.Run.Exam) {
			continue
		}
		if e.Undone == "" {
			entry.judge(e, known[examinationOf{e.Run.Instance, e.Run.Exam}], p.Before)
		}
		report.Cases = append(report.Cases, entry)
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
func (p Plan) known(plan *campaign.Plan) (map[examinationOf]map[string]trial.KnownValue, error) {
	all := map[examinationOf]map[string]trial.KnownValue{}
	for _, i := range plan.Instances {
		for _, exam := range plan.Examinations {
			values, err := trial.Known{Oracle: p.Known}.Of(i.ID, exam, i.Items(exam))
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

// judge compares the answers of a run with known values, and both with what was before.
// There is no run where the tool takes no part.
func (c *Case) judge(e trial.End, known map[string]trial.KnownValue, before *Baseline) {
	c.states, c.Known = map[place]state{}, len(known)
	var answers campaign.Answers
	if f := e.Finished; f != nil {
		answers, c.result = f.Answers, trial.Result{Outcome: f.Outcome, Said: f.Participation}
		c.run(before)
	}
	var lost []string
	for _, v := range trial.Compare(c.Exam, e.Instance.Items(c.Exam), answers.All(), known) {
		if v.Known.IsZero() {
			continue
		}
		p := place{c.Instance, c.Exam, v.Item}
		was := before.states[p]
		switch {
		case v.Right():
			c.Right++
			c.states[p] = right
			if was != right {
				c.Gained++
			}
		case v.Wrong():
			c.Wrong++
			c.states[p] = wrong
			c.fell = c.fell || was == right
			if was != wrong {
				c.Worse = append(c.Worse, v.Contradiction("is right"))
			}
		default:
			c.states[p] = ""
			if was == right {
				lost = append(lost, v.Item)
			}
		}
	}
	slices.Sort(c.Worse)
	c.lose(lost)
}

// run says whether the run as a whole failed.
func (c *Case) run(before *Baseline) {
	p := place{c.Instance, c.Exam, ""}
	c.states[p] = ""
	if why := c.result.Failure(); why != "" {
		c.states[p] = failed
		if before.states[p] != failed {
			c.Worse = append(c.Worse, "the run failed: "+why)
		}
	}
}
