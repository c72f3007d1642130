package stripped

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"

	"podium/internal/campaign"
	"podium/internal/planning"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Plan says on what tools are examined.
type Plan struct {
	Dir      string           // of the copies and the campaign
	Campaign planning.Options // with the tools; its models are set here
	Copies   int              // of each kind of each instance
	Run      func(*campaign.Campaign) (*campaign.Log, error)
}

// Examine runs the tools on instances and on copies of them, and compares. The error is
// a [diagnostic.Diagnostic] where the instances are too few to tell anything.
func (p Plan) Examine(ctx context.Context, instances []models.Instance) (*Report, error) {
	secret, err := sealed(p.Dir)
	if err != nil {
		return nil, err
	}
	instances, twins, out, err := copies(instances, filepath.Join(p.Dir, "copies"), p.Copies, secret)
	if err != nil {
		return nil, err
	}
	if err := p.enough(len(instances), out); err != nil {
		return nil, err
	}
	o := p.Campaign
	o.Models, o.Name = nil, "Instances and stripped copies"
	o.Given = models.GiveAll // copies have no form, so that a tool that reads it is found
	for _, i := range instances {
		o.Models = append(o.Models, i.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(twins)) {
		o.Models = append(o.Models, twins[name].path)
	}
	c, _, err := planning.Prepare(ctx, filepath.Join(p.Dir, "campaign"), o)
	if err != nil {
		return nil, err
	}
	log, err := p.Run(c)
	if err != nil {
		return nil, err
	}
	report := &Report{Format: Format, Instances: len(instances), Copies: p.Copies, LeftOut: out, Tools: []Tool{}}
	for _, t := range c.Plan.Tools {
		report.Tools = append(report.Tools, compareTool(t.Name, &c.Plan, log.Finished, twins))
	}
	return report, nil
}

// needed is how many instances there must be with so many copies of each kind, for the
// clearest of differences to be no chance.
func needed(copies int) int {
	return int(math.Ceil(-math.Log(unlikely) / math.Log(float64(copies+1))))
}

// enough refuses instances of which nothing could be told.
func (p Plan) enough(instances int, out []LeftOut) error {
	if instances >= needed(p.Copies) {
		return nil
	}
	d := diagnostic.Diagnostic{File: p.Dir, Code: "stripped-few",
		Message: fmt.Sprintf("with %d copies of each kind at least %d instances are needed to tell names from chance, and there are %d", p.Copies, needed(p.Copies), instances),
		Hint:    "give more models, or --sample and --stripped larger numbers"}
	if len(out) > 0 {
		d.Hint = fmt.Sprintf("%s cannot be copied: %s", out[0].Instance, out[0].Reason)
	}
	return d
}
