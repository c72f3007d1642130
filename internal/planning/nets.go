package planning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/campaign"
	"podium/internal/clock"
	"podium/internal/explorer/simplify"
	"podium/internal/judged"
	"podium/internal/modelfiles"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/models"
	"podium/pnml/diagnostic"
)

// nets is the kind of a contest on Petri nets, which are asked examinations.
type nets struct {
	Options
	asked []examinations.ID
}

func (o nets) names() bool { return len(o.Models) > 0 }

func (o nets) confine(_ *edition.Edition, p *campaign.Plan) error {
	if o.Cores > 0 {
		p.Concurrent.Cores = o.Cores
	}
	return nil
}

func (nets) tool(t tools.Tool) (*campaign.TaskTool, error) {
	switch {
	case len(t.Validates) > 0:
		return nil, &OptionError{fmt.Errorf("tool %s is a validator of witnesses: `podium plan --validate` takes it", t.Name)}
	case t.Head == "":
		return nil, &OptionError{fmt.Errorf("tool %s is one for tasks: without a head it cannot run on nets", t.Name)}
	}
	return nil, nil
}

// instances reads the instances, and writes the built-in ones.
func (o nets) instances(ctx context.Context, dir string) ([]campaign.PlannedInstance, []examinations.ID, error) {
	list, err := o.read(ctx, dir)
	return list, o.asked, err
}

func (o nets) read(ctx context.Context, dir string) ([]campaign.PlannedInstance, error) {
	paths := o.Models
	switch {
	case len(paths) > 0 && o.Size != "" && o.Size != "short":
		return nil, &OptionError{errors.New("--size is that of the built-in models: leave it out, or --models")}
	case len(paths) == 0:
		where, err := o.builtInModels(ctx, dir)
		if err != nil {
			return nil, err
		}
		paths = []string{where}
	}
	collection, err := models.Opener{Hear: o.Hear}.Open(paths...)
	if err != nil {
		return nil, err
	}
	if len(collection.Instances) == 0 {
		return nil, diagnostic.List{{File: strings.Join(paths, ", "), Code: "models-none", Message: "there is no instance here",
			Hint: "an instance is a directory or .tgz archive such as AirplaneLD-PT-0010 with a file model.pnml"}}
	}
	var list []campaign.PlannedInstance
	var all diagnostic.List
	for c := range parallel.Each(ctx, collection.Instances, func(i models.Instance) (c checked) {
		if err := clock.Until(ctx, func(clock *clock.Clock) error { c = o.checkInstance(clock, i, o.asked); return nil }); err != nil {
			return checked{}
		}
		return c
	}) {
		all = append(all, c.found...)
		list = append(list, c.planned)
	}
	if all.Err() != nil {
		all.Sort()
		return nil, all
	}
	return list, ctx.Err()
}

// builtInModels writes the built-in models below dir, and returns the directory.
func (o nets) builtInModels(ctx context.Context, dir string) (where string, err error) {
	var list []modelfiles.Choice
	switch o.Size {
	case "", "short":
		list = modelfiles.Short()
	case "full":
		list = modelfiles.Demonstration()
	default:
		return "", &OptionError{fmt.Errorf("--size %s: the built-in models are written short or full", o.Size)}
	}
	o.Say(fmt.Sprintf("writing %d built-in models and their formulas", len(list)))
	where = filepath.Join(dir, "models")
	return where, modelfiles.Write(ctx, where, list, o.Seed, false)
}

// checked is an instance that was read to be planned.
type checked struct {
	planned campaign.PlannedInstance
	found   diagnostic.List // errors only
}

// checkInstance reads the model and every formula file that the campaign needs,
// so that a fault is found now and not in the night.
func (o nets) checkInstance(clock *clock.Clock, i models.Instance, exams []examinations.ID) checked {
	c := checked{planned: campaign.PlannedInstance{ID: i.ID.String(), Family: i.ID.Family, Class: i.Class.String(),
		Formulas: map[examinations.ID][]string{}, Copies: map[examinations.ID]map[string]string{}}}
	fail := func(file string, err error) {
		c.found.Add(diagnostic.Diagnostic{File: i.File(file), Code: "model-unreadable", Message: err.Error()})
	}
	var err error
	if c.planned.Path, err = filepath.Abs(i.Path); err != nil {
		fail("", err)
	}
	given, withheld, err := i.GivenBy(o.Given, examinations.FormulaFiles())
	if err == nil {
		c.planned.Digest, err = given.Digest()
	}
	if err == nil && len(withheld) > 0 {
		c.planned.Withheld = withheld
		c.planned.Whole, err = i.Digest()
	}
	if err != nil {
		fail("", err)
	}
	c.planned.Source = &given
	files, err := formula.Open(i, exams, clock.Reader)
	if err != nil {
		fail("", err)
		return c
	}
	c.refuse(files.Found)
	if files.Found.Err() != nil {
		return c // formulas are not to be blamed for what the net lacks
	}
	c.planned.Size = judged.SizeOf(files.Document)
	said, err := given.Statements(files.Document)
	if err != nil {
		fail(models.FormFile, err)
	}
	c.planned.Told = examinations.Told(said)
	var missing []string
	for _, exam := range exams {
		if !exam.HasFormulas() {
			continue
		}
		file := exam.FormulaFile()
		text, ok := files.Texts[file]
		if !ok {
			missing = append(missing, file)
			continue
		}
		properties, list := formula.ReadOf(clock.Reader(bytes.NewReader(text)), i.File(file), exam, formula.NamesIn(files.Document))
		c.refuse(list)
		c.planned.Formulas[exam] = exam.Items(formula.IDs(properties))
		if copies := simplify.Copies(properties, exam); len(copies) > 0 {
			c.planned.Copies[exam] = copies
		}
	}
	for _, d := range i.Missing(diagnostic.Error, missing) {
		d.Hint += "; --examination chooses other examinations"
		c.found.Add(d)
	}
	return c
}

// refuse keeps the errors of a list.
func (c *checked) refuse(list diagnostic.List) {
	for _, d := range list {
		if d.Severity == diagnostic.Error {
			c.found.Add(d)
		}
	}
}
