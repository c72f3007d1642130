package planning

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/judged"
	"podium/internal/wording"
)

// Joined says what an extension adds to a campaign.
type Joined struct {
	Tools        []string          `json:"tools"`    // names
	Replaced     []string          `json:"replaced"` // of the tools
	Instances    []string          `json:"instances"`
	Families     []string          `json:"-"` // tools that were there, and their families from now on
	Examinations []examinations.ID `json:"examinations"`
	Runs         int               `json:"runs"` // of the new plan that the old one does not have

	tasks, nets bool // what the campaign is on
}

// Extend lets the tools, instances and examinations of the options join the
// campaign in dir: it writes the plan that follows the last one. What is empty in
// the options adds nothing; edition, seed and limits are those of the campaign. With
// replace a tool takes the place of another version of the same name. A dry run says
// what would join.
func Extend(ctx context.Context, dir string, o Options, replace, dry bool) (Joined, error) {
	if _, err := campaign.Open(dir); err != nil { // before a directory is made
		return Joined{}, err
	}
	draft, err := campaign.NewDraft(ctx, dir)
	if err != nil {
		return Joined{}, err
	}
	defer draft.Close()
	c, err := campaign.Open(dir)
	if err != nil {
		return Joined{}, err
	}
	if err := extensible(c); err != nil {
		return Joined{}, err
	}
	e, err := newExtension(c, o, replace)
	if err != nil {
		return Joined{}, err
	}
	for _, step := range []func(context.Context, string) error{e.addExaminations, e.takeKinds, e.addTools, e.addInstances} {
		if err := step(ctx, draft.Scratch); err != nil {
			return Joined{}, err
		}
	}
	if err := e.settleFamilies(&e.plan); err != nil {
		return Joined{}, err
	}
	e.plan.Sort()
	if err := checkOptOut(&e.plan, e.edition); err != nil {
		return Joined{}, err
	}
	if err := idle(&e.plan); err != nil {
		return Joined{}, err
	}
	e.joined.Runs = e.plan.Count() - c.Plan.Count()
	for _, name := range e.joined.Replaced {
		if t, ok := c.Plan.Tool(name); ok {
			e.joined.Runs += c.Plan.CountOf(&t)
		}
	}
	for _, t := range e.plan.Tools {
		if was, ok := c.Plan.Tool(t.Name); ok && was.Family != t.Family {
			e.joined.Families = append(e.joined.Families, t.Name+" of "+t.Family)
		}
	}
	if e.joined.Runs == 0 && len(e.joined.Families) == 0 {
		return e.joined, &nothingJoins{OptionError{fmt.Errorf("nothing would join %s: name new ones by --tools, --models, --tasks or --examination", dir)}}
	}
	if !dry {
		err = draft.Extend(ctx, c, &e.plan)
	}
	return e.joined, err
}

// nothingJoins says that an extension adds nothing.
type nothingJoins struct{ OptionError }

func (e *nothingJoins) Unwrap() error { return &e.OptionError }

// extensible refuses shards, and campaigns that somebody works on.
func extensible(c *campaign.Campaign) error {
	if shard, err := c.Shard(); err != nil {
		return err
	} else if shard != nil {
		return &OptionError{fmt.Errorf("%s is a shard: extend the campaign that it was shipped from", c.Dir)}
	}
	held, err := c.Holder()
	if err == nil && held != nil {
		err = &heldError{*held, c.Dir}
	}
	return err
}

// heldError says that a worker runs the campaign that is to be extended.
type heldError struct {
	lease campaign.Lease
	dir   string
}

func (e *heldError) Error() string {
	return fmt.Sprintf("worker %s (process %d on %s) runs %s: stop it, or wait for its end, extend the campaign, and `podium run %[4]s` goes on", e.lease.Worker, e.lease.PID, e.lease.Host, e.dir)
}

func (e *heldError) Unwrap() error {
	return &campaign.BusyError{Held: []campaign.Lease{e.lease}, Dir: e.dir}
}

// extension is a plan that follows another one while it is made.
type extension struct {
	Options
	old     *campaign.Campaign
	edition *edition.Edition
	replace bool
	plan    campaign.Plan
	joined  Joined
}

func newExtension(c *campaign.Campaign, o Options, replace bool) (*extension, error) {
	if err := judged.CheckEdition(c); err != nil {
		return nil, err
	}
	own, _, err := judged.LoadEdition(filepath.Join(c.Dir, judged.EditionFile))
	if err != nil {
		return nil, err
	}
	if o.Edition != "" {
		other, _, err := judged.LoadEdition(o.Edition)
		if err != nil {
			return nil, err
		}
		if other.Digest != own.Digest {
			return nil, &OptionError{fmt.Errorf("%s was planned with another edition, %s, and all of its runs have one: leave --edition out, or plan a new campaign", c.Dir, own.ID)}
		}
	}
	e := &extension{Options: o, old: c, edition: own, replace: replace, plan: c.Plan}
	e.Given = c.Plan.Handout
	e.Seed, e.Driver = c.Plan.Seed, c.Plan.Driver
	e.joined.nets, e.joined.tasks = c.Plan.OfNets(), c.Plan.OfTasks()
	switch {
	case !e.joined.nets && len(o.Models) > 0:
		return nil, &OptionError{fmt.Errorf("%s is a contest on tasks, and nets cannot join it: name tasks by --tasks", c.Dir)}
	case !e.joined.tasks && len(o.Tasks) > 0:
		return nil, &OptionError{fmt.Errorf("%s is a contest on nets, and tasks cannot join it", c.Dir)}
	case c.Plan.Validates() && o.validation == nil:
		return nil, &OptionError{fmt.Errorf("%s is a validation: `podium plan --validate` on the competition lets witnesses and validators join", c.Dir)}
	case !e.joined.nets && len(o.Tasks) == 0 && len(o.Examinations) > 0:
		return nil, &OptionError{fmt.Errorf("%s is a contest on tasks: --examination chooses categories of the tasks that join, which --tasks names", c.Dir)}
	}
	p := &e.plan
	p.Tools, p.Replaced, p.Instances = slices.Clone(p.Tools), slices.Clone(p.Replaced), slices.Clone(p.Instances)
	p.Examinations, p.Origins, p.Later = slices.Clone(p.Examinations), slices.Clone(p.Origins), maps.Clone(p.Later)
	p.Number, p.Before = len(c.Plans)+1, c.Digest
	p.Version, p.Created = o.Version, time.Now().UTC().Truncate(time.Second)
	return e, nil
}

// takeKinds sets the kinds of the campaign, when its examinations are known.
func (e *extension) takeKinds(context.Context, string) error {
	if e.validation != nil {
		e.kinds = []kind{e.validation}
	} else {
		e.take(e.joined.nets, e.joined.tasks, e.plan.NetExaminations())
	}
	return nil
}

// addExaminations lets examinations join, and reads what they ask of the instances
// that are there.
func (e *extension) addExaminations(ctx context.Context, scratch string) error {
	if len(e.Examinations) == 0 || !e.joined.nets {
		return nil
	}
	list, err := Examinations(e.Options.Examinations, e.edition)
	if err != nil {
		return err
	}
	for _, exam := range list {
		if slices.Contains(e.plan.Examinations, exam) {
			return &OptionError{fmt.Errorf("examination %s is in the plan already: name new ones only", exam)}
		}
		if e.plan.Later == nil {
			e.plan.Later = map[examinations.ID]int{}
		}
		e.plan.Later[exam] = e.plan.Number
		e.plan.Examinations = append(e.plan.Examinations, exam)
	}
	e.joined.Examinations = list
	if !slices.ContainsFunc(list, examinations.ID.HasFormulas) {
		return nil
	}
	there := nets{e.Options, list}
	there.Models, there.Hear = nil, nil // what they warn of was said when they were planned
	for i := range e.plan.Nets() {
		there.Models = append(there.Models, e.old.Path(i.Path))
	}
	asked, err := there.read(ctx, scratch)
	if err != nil {
		return err
	}
	for _, now := range asked {
		k := slices.IndexFunc(e.plan.Instances, func(i campaign.PlannedInstance) bool { return i.ID == now.ID })
		if k < 0 || e.plan.Instances[k].Digest != now.Digest {
			return &campaign.ChangedError{What: "instance " + now.ID}
		}
		formulas := maps.Clone(e.plan.Instances[k].Formulas)
		if formulas == nil {
			formulas = now.Formulas
		}
		maps.Copy(formulas, now.Formulas)
		e.plan.Instances[k].Formulas = formulas
	}
	return nil
}

// addTools lets tools join, or take the place of other versions.
func (e *extension) addTools(ctx context.Context, scratch string) error {
	if len(e.Options.Tools) == 0 {
		return e.optOut(nil)
	}
	list, err := e.plannedTools(ctx, scratch)
	if err != nil {
		return err
	}
	for _, t := range list {
		t.Since = e.plan.Number
		k := slices.IndexFunc(e.plan.Tools, func(o campaign.PlannedTool) bool { return o.Name == t.Name })
		if k < 0 {
			e.plan.Tools = append(e.plan.Tools, t)
		} else if err := e.replaceTool(k, t); err != nil {
			return err
		}
		e.joined.Tools = append(e.joined.Tools, t.Name)
	}
	return nil
}

// replaceTool puts another version of a tool into its place.
func (e *extension) replaceTool(k int, t campaign.PlannedTool) error {
	was := e.plan.Tools[k]
	switch {
	case was.Since == t.Since:
		return &OptionError{fmt.Errorf("tool %s is named twice", t.Name)}
	case was.Digest == t.Digest || was.BuiltIn && t.BuiltIn:
		return &OptionError{fmt.Errorf("tool %s is in the plan already, with the same files: name new ones only", t.Name)}
	case !e.replace:
		return &OptionError{fmt.Errorf("tool %s is in the plan already, with other files: --replace lets this version take its place; another name in its tool.yaml lets both take part", t.Name)}
	}
	e.plan.Tools[k] = t
	e.plan.Replaced = append(e.plan.Replaced, was)
	e.joined.Replaced = append(e.joined.Replaced, t.Name)
	return nil
}

// addInstances lets instances join.
func (e *extension) addInstances(ctx context.Context, scratch string) error {
	var list []campaign.PlannedInstance
	for _, k := range e.kinds {
		if !k.names() {
			continue
		}
		more, asked, err := k.instances(ctx, scratch)
		if err != nil {
			return err
		}
		list = append(list, more...)
		e.addCategories(asked)
	}
	if err := e.there(list); err != nil {
		return err
	}
	for _, i := range list {
		i.Since = e.plan.Number
		e.plan.Instances = append(e.plan.Instances, i)
		e.joined.Instances = append(e.joined.Instances, i.ID)
	}
	return nil
}

// there refuses instances that the plan has already, and names those that are new.
func (e *extension) there(list []campaign.PlannedInstance) error {
	var same, other, fresh []string
	one, many := "instance", "instances"
	for _, i := range list {
		if i.Task != nil {
			one, many = "task", "tasks"
		}
		switch was, ok := e.old.Plan.Instance(i.ID); {
		case !ok:
			fresh = append(fresh, i.ID)
		case was.Digest == i.Digest:
			same = append(same, i.ID)
		default:
			other = append(other, i.ID)
		}
	}
	const most = 4
	refuse := func(names []string, files, next string) error {
		who := one + " " + names[0] + " is"
		if len(list) > 1 {
			who = wording.Part(len(names), len(list), many+" is", many+" are")
			files += " (" + wording.Few(names, most) + ")"
		}
		return &OptionError{fmt.Errorf("%s in the plan already, with %s: %s", who, files, next)}
	}
	switch {
	case len(other) > 0:
		return refuse(other, "other files", "runs of both would not agree; give each new one another name, or plan a new campaign")
	case len(same) > 0:
		next := "name new ones only"
		if len(fresh) > 0 {
			next += " (" + wording.Few(fresh, most) + ")"
		}
		return refuse(same, "the same files", next)
	}
	return nil
}

// addCategories lets categories join with their tasks.
func (e *extension) addCategories(categories []examinations.ID) {
	for _, c := range categories {
		if slices.Contains(e.plan.Examinations, c) {
			continue
		}
		if e.plan.Later == nil {
			e.plan.Later = map[examinations.ID]int{}
		}
		e.plan.Later[c] = e.plan.Number
		e.plan.Examinations = append(e.plan.Examinations, c)
		e.joined.Examinations = append(e.joined.Examinations, c)
	}
}

// String says what joins, a line for each kind.
func (j Joined) String() string {
	exams := make([]string, len(j.Examinations))
	for i, e := range j.Examinations {
		exams[i] = string(e)
	}
	var text strings.Builder
	line := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&text, "%s: %s\n", what, strings.Join(names, ", "))
		}
	}
	line("tools", j.Tools)
	line("replaced", j.Replaced)
	line("families", j.Families)
	instances, asked := "instances", "examinations"
	switch {
	case j.tasks && j.nets:
		instances, asked = "instances and tasks", "examinations and categories"
	case j.tasks:
		instances, asked = "tasks", "categories"
	}
	line(instances, j.Instances)
	line(asked, exams)
	return text.String() + wording.Count(j.Runs, "run joins", "runs join")
}
