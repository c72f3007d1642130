package campaign

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// planName is the file of a plan: campaign.json is the first one, campaign-2.json the
// one that followed it. A plan is written once and never changed; the last one counts.
func planName(number int) string {
	if number == 1 {
		return planFile
	}
	return fmt.Sprintf("campaign-%d.json", number)
}

// maxPlan bounds a plan, in bytes.
const maxPlan = 1 << 30

// PlanDigest is the SHA-256 of a plan's file, in hexadecimal.
type PlanDigest struct{ File, Digest string }

// readPlans reads the sequence of plans. Each but the first names the digest of the
// one before.
func (c *Campaign) readPlans() error {
	for number := 1; ; number++ {
		file := filepath.Join(c.Dir, planName(number))
		text, err := files.Read(c.Dir, planName(number), maxPlan)
		if number > 1 && errors.Is(err, fs.ErrNotExist) {
			c.setApart()
			return c.noGap()
		} else if err != nil {
			return err
		}
		p, err := parsePlan(file, text)
		if err != nil {
			return err
		}
		if max(1, p.Number) != number || p.Before != c.Digest {
			return diagnostic.List{{File: file, Code: "campaign-plan", Message: fmt.Sprintf("this is not plan %d of the campaign: it says that it is plan %d and follows a plan with the digest %.12q, and the plan before has %.12q", number, p.Number, p.Before, c.Digest),
				Hint: "restore the plans of the campaign from a copy"}}
		}
		sum := sha256.Sum256(text)
		if number == 1 {
			c.begun = p.Created
		}
		c.Plan, c.Digest = *p, hex.EncodeToString(sum[:])
		c.Plans = append(c.Plans, PlanDigest{planName(number), c.Digest})
	}
}

// noGap refuses a sequence of which a plan is missing.
func (c *Campaign) noGap() error {
	later, err := filepath.Glob(filepath.Join(c.Dir, "campaign-*.json"))
	if err == nil && len(later) != len(c.Plans)-1 {
		err = diagnostic.List{{File: filepath.Join(c.Dir, planName(len(c.Plans)+1)), Code: "campaign-plan", Message: "this plan is missing, and there are later ones",
			Hint: "restore it from a copy of the campaign"}}
	}
	return err
}

// parsePlan reads the text of a plan.
func parsePlan(file string, text []byte) (*Plan, error) {
	var p Plan
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		line, col := jsonPosition(text, dec.InputOffset())
		return nil, diagnostic.List{{File: file, Line: line, Col: col, Code: "campaign-plan", Message: err.Error()}}
	}
	if err := p.validate(); err != nil {
		return nil, diagnostic.List{{File: file, Code: "campaign-plan", Message: err.Error()}}
	}
	return &p, nil
}

// planOfDigest is the number of the plan with a digest; 0 when it is none of them.
func (c *Campaign) planOfDigest(digest string) int {
	return 1 + slices.IndexFunc(c.Plans, func(p PlanDigest) bool { return p.Digest == digest })
}

// replacedSince reports whether the tool of that name was another version in a plan.
func (c *Campaign) replacedSince(tool string, plan int) bool {
	if plan == len(c.Plans) {
		return false
	}
	t, _ := c.Plan.Tool(tool)
	return t.Since > plan
}

// extendedSince reports whether there is a plan now that was not there when the
// campaign was opened.
func (c *Campaign) extendedSince() bool {
	_, err := os.Lstat(filepath.Join(c.Dir, planName(len(c.Plans)+1)))
	return err == nil
}

// Holder returns a living worker that holds a model of the campaign; nil when there is
// none.
func (c *Campaign) Holder() (*Lease, error) {
	for _, model := range c.Plan.Units() {
		if l, _, err := c.holder(model, thisNode()); l != nil || err != nil {
			return l, err
		}
	}
	return nil, nil
}

// Extend writes the plan that follows the last one of the campaign, which was opened
// while the draft is held. What has joined is copied first: until the new plan is
// written, which is the last step and one link(2), the old one stands.
func (d *Draft) Extend(ctx context.Context, c *Campaign, p *Plan) error {
	fresh := &Plan{}
	for _, t := range p.Tools {
		if t.Since == p.Number {
			fresh.Tools = append(fresh.Tools, t)
		}
	}
	for _, i := range p.Instances {
		if i.Since == p.Number {
			fresh.Instances = append(fresh.Instances, i)
		}
	}
	if err := d.outside(fresh.Tools); err != nil {
		return err
	}
	p.Origins = append(slices.Clone(p.Origins), fresh.origins()...)
	slices.Sort(p.Origins)
	p.Origins = slices.Compact(p.Origins)
	if err := copyInputs(ctx, filepath.Join(d.Scratch, inputsDir), fresh); err != nil {
		return err
	}
	if err := d.adopt(c, fresh); err != nil {
		return err
	}
	for _, t := range fresh.Tools {
		p.Tools[slices.IndexFunc(p.Tools, func(o PlannedTool) bool { return o.Name == t.Name })].Dir = t.Dir
	}
	p.Sort()
	for _, i := range fresh.Instances {
		p.Instances[slices.IndexFunc(p.Instances, func(o PlannedInstance) bool { return o.ID == i.ID })].Path = i.Path
	}
	if err := p.validate(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	return WriteOnce(filepath.Join(c.Dir, planName(p.Number)), append(text, '\n'))
}

// adopt moves fresh copies to those of the campaign. What stands in their place and
// was never planned was left by an extension that was killed.
func (d *Draft) adopt(c *Campaign, fresh *Plan) error {
	known := map[string]bool{}
	for _, t := range slices.Concat(c.Plan.Tools, c.Plan.Replaced) {
		known[t.Dir] = true
	}
	var paths []string
	for _, t := range fresh.Tools {
		paths = append(paths, t.Dir)
	}
	for _, i := range fresh.Instances {
		paths = append(paths, i.Path)
	}
	for _, path := range paths {
		if known[path] {
			continue
		}
		to := filepath.Join(d.Dir, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.RemoveAll(to)); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(d.Scratch, path), to); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(d.Dir, inputsDir), 0o755); err != nil {
		return err
	}
	return syncFileSystem(filepath.Join(d.Dir, inputsDir))
}
