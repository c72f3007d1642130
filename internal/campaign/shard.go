package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// Shard is a copy of a campaign that has the inputs of some models alone, to be run
// where the campaign's directory cannot be seen. [Campaign.Merge] takes back what was
// done in it.
type Shard struct {
	Format string   `json:"format"`
	Models []string `json:"models"` // in order
}

// ShardFormat is the format key of a shard.
const ShardFormat = "podium-shard/1"

const shardFile = "shard.json"

// Shard gives what a shard holds; nil for a campaign that has all of its models.
func (c *Campaign) Shard() (*Shard, error) {
	var s Shard
	path := filepath.Join(c.Dir, shardFile)
	if err := readSmall(path, ShardFormat, &s); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	known := c.Plan.Units()
	for _, model := range s.Models {
		if !slices.Contains(known, model) {
			return nil, diagnostic.List{{File: path, Code: "campaign-file", Message: "the campaign has no model " + diagnostic.Excerpt(model), Hint: "ship the campaign again"}}
		}
	}
	return &s, nil
}

// Ship makes a shard of the campaign in a directory that is not there yet: plan,
// tools, the instances of some models, and the record of what is done, without
// outputs. It is there whole or not at all.
func (c *Campaign) Ship(ctx context.Context, dir string, models []string) error {
	plan, err := c.planOf(models)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s: %w", dir, fs.ErrExist))
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), ".ship-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := errors.Join(os.Chmod(temp, 0o755), copyInputs(ctx, filepath.Join(temp, inputsDir), plan)); err != nil {
		return err
	}
	for _, sub := range []string{"claims", "packs", "journal", "pins", "decisions"} {
		if err := os.Mkdir(filepath.Join(temp, sub), 0o755); err != nil {
			return err
		}
	}
	if err := c.copyRecord(temp); err != nil {
		return err
	}
	err = files.Replace(filepath.Join(temp, shardFile), func(w io.Writer) error {
		return json.NewEncoder(w).Encode(Shard{ShardFormat, models})
	})
	if err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// planOf is the plan with the instances of some models, at the paths where their
// copies lie.
func (c *Campaign) planOf(models []string) (*Plan, error) {
	p := c.Plan
	p.Tools, p.Instances = slices.Clone(p.Tools), nil
	for i := range p.Tools {
		if filepath.IsAbs(p.Tools[i].Dir) {
			return nil, fmt.Errorf("the campaign %s was planned by an early version and holds no copies of its tools and models: plan a new one", c.Dir)
		}
		p.Tools[i].Dir = c.Path(p.Tools[i].Dir)
	}
	for _, i := range c.Plan.Instances {
		if slices.Contains(models, c.Plan.Unit(i)) {
			i.Path = c.Path(i.Path)
			p.Instances = append(p.Instances, i)
		}
	}
	return &p, nil
}

// copyRecord copies the plan, the edition, the journals, the pins and the decisions.
func (c *Campaign) copyRecord(dir string) error {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return err
	}
	names := []string{}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") && e.Name() != shardFile {
			names = append(names, e.Name())
		}
	}
	for _, sub := range []string{"journal", "pins", "decisions"} {
		below, err := filepath.Glob(filepath.Join(c.Dir, sub, "[^.]*"))
		if err != nil {
			return err
		}
		for _, path := range below {
			names = append(names, filepath.Join(sub, filepath.Base(path)))
		}
	}
	for _, name := range names {
		copied, err := stage(filepath.Join(c.Dir, name), filepath.Join(dir, name), -1)
		if err == nil {
			err = copied.place()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
