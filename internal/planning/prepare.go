package planning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/edition"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/models"
)

// Prepare makes the campaign in dir, or opens the one that is there when it was
// made from the same inputs; fresh tells which.
func Prepare(ctx context.Context, dir string, o Options) (c *campaign.Campaign, fresh bool, err error) {
	draft, err := campaign.NewDraft(ctx, dir)
	if err != nil {
		return nil, false, err
	}
	defer draft.Close()
	old, err := campaign.Open(dir)
	if err == nil {
		return o.resume(ctx, old, draft)
	}
	if _, serr := os.Stat(filepath.Join(dir, "campaign.json")); !errors.Is(serr, fs.ErrNotExist) {
		return nil, false, err
	}
	plan, err := o.plan(ctx, draft.Scratch)
	if err != nil {
		return nil, false, err
	}
	own := filepath.Join(dir, judged.EditionFile)
	if err := os.Rename(filepath.Join(draft.Scratch, judged.EditionFile), own); err != nil {
		return nil, false, err
	}
	if c, err = draft.Create(ctx, plan); err != nil && !campaign.Is(dir) {
		err = errors.Join(err, os.Remove(own))
	}
	return c, true, err
}

// resume opens a campaign for options that must mean the same one.
func (o Options) resume(ctx context.Context, old *campaign.Campaign, draft *campaign.Draft) (*campaign.Campaign, bool, error) {
	o.Say = func(string) {}
	if o.Given == "" {
		o.Given, o.asPlanned = old.Plan.Handout, true
	}
	now, err := o.plan(ctx, draft.Scratch)
	if err != nil {
		return nil, false, err
	}
	if d := old.Plan.Differences(now); len(d) > 0 {
		return nil, false, &OtherInputsError{old.Dir, d}
	}
	return old, false, judged.CheckEdition(old)
}

// OtherInputsError says that a directory holds a campaign of other inputs.
type OtherInputsError struct {
	dir         string
	differences []string
}

func (e *OtherInputsError) Error() string {
	list := e.differences
	more := ""
	if len(list) > 5 {
		list, more = list[:5], fmt.Sprintf("\n  and %d more", len(e.differences)-5)
	}
	return fmt.Sprintf("%s is a campaign made from other inputs:\n  %s%s\nuse another directory (--out), or the same inputs; `podium extend %[1]s` adds tools, instances and examinations", e.dir, strings.Join(list, "\n  "), more)
}

// plan checks all inputs and says what is to be done. Built-in models and tools
// are written below dir.
func (o Options) plan(ctx context.Context, dir string) (*campaign.Plan, error) {
	ed, text, err := judged.LoadEdition(o.Edition)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, judged.EditionFile), text, 0o644); err != nil {
		return nil, err
	}
	p := o.base(ed)
	if o.Repeat < 0 || o.Repeat > campaign.MaxRepeat {
		return nil, &OptionError{fmt.Errorf("%d repetitions: each run is made 1 to %d times", o.Repeat, campaign.MaxRepeat)}
	}
	if o.Repeat > 1 {
		p.Repeat = o.Repeat
	}
	if p.Embargo, err = embargoDate(o.Embargo); err != nil {
		return nil, err
	}
	if p.Name == "" {
		p.Name = "Contest of " + p.Created.Format("2 January 2006")
	}
	o.Given = p.Handout
	if err := o.chooseKinds(ed); err != nil {
		return nil, err
	}
	if err := o.confine(p, ed); err != nil {
		return nil, err
	}
	if p.Tools, err = o.plannedTools(ctx, dir); err != nil {
		return nil, err
	}
	if err := o.settleFamilies(p); err != nil {
		return nil, err
	}
	o.laptop(p)
	for _, k := range o.kinds {
		list, asked, err := k.instances(ctx, dir)
		if err != nil {
			return nil, err
		}
		p.Instances, p.Examinations = append(p.Instances, list...), append(p.Examinations, asked...)
	}
	p.Sort()
	if o.IgnoreOptOut {
		for i := range p.Tools {
			p.Tools[i].OptOut = nil
		}
	}
	if err := checkOptOut(p, ed); err != nil {
		return nil, err
	}
	for _, note := range strayOptOuts(p, ed) {
		o.Say(note)
	}
	return p, idle(p)
}

// base is a plan as far as edition and options alone say it.
func (o Options) base(ed *edition.Edition) *campaign.Plan {
	if o.Given == "" && !o.asPlanned {
		o.Given = ed.Given
		if o.Rehearsal && o.Given == models.GiveAll {
			o.Given = models.GiveWithoutAsked
		}
	}
	return &campaign.Plan{Name: o.Name, Handout: o.Given, Created: time.Now().UTC().Truncate(time.Second), Version: o.Version,
		Edition: ed.ID, EditionDigest: ed.Digest, Driver: o.Driver, Seed: o.Seed, Witnesses: o.Witnesses, PinInstances: ed.Limits.PinInstances,
		Intervals: ed.Intervals()}
}

// confine says what machines the tools of a plan get.
func (o Options) confine(p *campaign.Plan, ed *edition.Edition) error {
	p.Sequential, p.Concurrent = o.Confinement(ed.Limits.Sequential), o.Confinement(ed.Limits.Concurrent)
	for _, k := range o.kinds {
		if err := k.confine(ed, p); err != nil {
			return err
		}
	}
	return nil
}

// laptop gives concurrent tools no more cores than this host has, where that is wanted.
func (o Options) laptop(p *campaign.Plan) {
	have := o.Have
	if have == 0 || p.Concurrent.Cores <= have || !slices.ContainsFunc(p.Tools, func(t campaign.PlannedTool) bool { return t.Concurrent }) {
		return
	}
	o.Say(fmt.Sprintf("note: concurrent tools get %s instead of %d, as many as this host has", wording.Count(have, "core", "cores"), p.Concurrent.Cores))
	p.Concurrent.Cores = have
}

// Unwritten is the plan of one tool for nets on some instances that becomes no campaign: runs outside
// of one are made by it. What is asked of an instance is not read yet.
func (o Options) Unwritten(ctx context.Context, ed *edition.Edition, tool tools.Tool, instances []models.Instance) (p *campaign.Plan, err error) {
	p = o.base(ed)
	if p.Examinations, err = Examinations(o.Examinations, ed); err != nil {
		return nil, err
	}
	o.take(true, false, p.Examinations)
	planned, err := o.plannedTool(ctx, tool)
	if err != nil {
		return nil, err
	}
	p.Tools = []campaign.PlannedTool{planned}
	if err := o.confine(p, ed); err != nil {
		return nil, err
	}
	o.laptop(p)
	for _, i := range instances {
		path, err := filepath.Abs(i.Path)
		if err != nil {
			return nil, err
		}
		p.Instances = append(p.Instances, campaign.PlannedInstance{ID: i.ID.String(), Family: i.ID.Family, Class: i.Class.String(), Path: path})
	}
	p.Sort()
	return p, nil
}

// IdleError says that a tool takes part in nothing that was asked for.
type IdleError struct{ Tool string }

func (e *IdleError) Error() string {
	return "tool " + e.Tool + " takes part in none of these examinations and nets, as its manifest says: leave the tool out, or name others"
}

// idle refuses a tool that takes part in nothing (T-4).
func idle(p *campaign.Plan) error {
	if p.Validates() { // a validator may wait for witnesses of its kind
		return nil
	}
	for k := range p.Tools {
		if t := &p.Tools[k]; p.CountOf(t) == 0 {
			return &OptionError{&IdleError{t.Name}}
		}
	}
	return nil
}
