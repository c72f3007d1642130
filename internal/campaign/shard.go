package campaign

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	// Key is drawn by lot. The campaign keeps a copy of the file, so that who shows the
	// key is that shard.
	Key string `json:"key"`
}

// tag names a shard.
func (s *Shard) tag() string {
	sum := sha256.Sum256([]byte(s.Key))
	return hex.EncodeToString(sum[:4])
}

// mark ends the names of the workers of a shard, so that no other shard can speak in
// their names.
func (s *Shard) mark() string { return "-s" + s.tag() }

// ShardFormat is the format key of a shard.
const ShardFormat = "podium-shard/1"

const shardFile = "shard.json"

// shippedDir holds a copy of the shard.json of each shard that was shipped, by its tag.
// No shard has the directory: a copy of the campaign that has it is the organisers' own.
const shippedDir = "shipped"

// shippedName is the file of a shard in a campaign that has shipped it.
func shippedName(tag string) string { return filepath.Join(shippedDir, tag+".json") }

// Shard returns what a shard holds; nil for a campaign that has all of its models.
func (c *Campaign) Shard() (*Shard, error) { return c.readShard(shardFile) }

// readShard reads what a shard holds from a file of the campaign; nil where there is none.
func (c *Campaign) readShard(name string) (*Shard, error) {
	var s Shard
	path := filepath.Join(c.Dir, name)
	if err := readSmall(path, ShardFormat, &s); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if s.Key == "" {
		return nil, diagnostic.List{{File: path, Code: "campaign-file", Message: "the shard has no key", Hint: "make the shards again: podium shard make"}}
	}
	known := c.Plan.Units()
	for _, model := range s.Models {
		if !slices.Contains(known, model) {
			return nil, diagnostic.List{{File: path, Code: "campaign-file", Message: "the campaign has no model " + diagnostic.Excerpt(model), Hint: "ship the campaign again"}}
		}
	}
	return &s, nil
}

// markOf returns the mark of the shard that a worker is of; none for others, whose names end
// with a number in hexadecimal.
func markOf(worker string) string {
	if i := strings.LastIndex(worker, "-s"); i >= 0 && !strings.Contains(worker[i+1:], "-") {
		return worker[i:]
	}
	return ""
}

// Ship makes a shard of the campaign in a directory that is not there yet: plan,
// tools, the instances of some models, and the record of what is done, without
// outputs. It is there whole or not at all.
func (c *Campaign) Ship(ctx context.Context, dir string, models []string) error {
	if shard, err := c.Shard(); err != nil {
		return err
	} else if shard != nil {
		return diagnostic.List{{File: c.Dir, Code: "campaign-shard", Message: "this is a shard of a campaign, and has some of its models only", Hint: "ship the campaign itself"}}
	}
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
	scratch, err := files.NewScratch(filepath.Dir(dir), "ship")
	if err != nil {
		return err
	}
	defer scratch.Close()
	temp := scratch.Path("shard")
	if err := errors.Join(os.Mkdir(temp, 0o755), copyInputs(ctx, filepath.Join(temp, inputsDir), plan)); err != nil {
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
	if err := c.noteShard(temp, models); err != nil {
		return err
	}
	return os.Rename(temp, dir)
}

// noteShard writes what a shard holds, into the shard and into the campaign.
func (c *Campaign) noteShard(dir string, models []string) error {
	if err := os.MkdirAll(filepath.Join(c.Dir, shippedDir), 0o755); err != nil {
		return err
	}
	for {
		s := Shard{ShardFormat, models, rand.Text()}
		text, err := json.Marshal(s)
		if err != nil {
			return err
		}
		text = append(text, '\n')
		err = WriteOnce(filepath.Join(c.Dir, shippedName(s.tag())), text)
		if errors.Is(err, fs.ErrExist) {
			continue // another one has the tag
		} else if err != nil {
			return err
		}
		return files.Replace(filepath.Join(dir, shardFile), files.Bytes(text))
	}
}

// shards returns the shards that the campaign knows: those that it has shipped, and in a
// shard itself.
func (c *Campaign) shards() (list []*Shard, err error) {
	names, err := filepath.Glob(filepath.Join(c.Dir, shippedDir, "[^.]*.json"))
	if err != nil {
		return nil, err
	}
	for i := range names {
		names[i] = filepath.Join(shippedDir, filepath.Base(names[i]))
	}
	for _, name := range append(names, shardFile) {
		s, err := c.readShard(name)
		if err != nil {
			return nil, err
		}
		if s != nil {
			list = append(list, s)
		}
	}
	return list, nil
}

// shows reports whether a copy has the key of a shard.
func (c *Campaign) shows(s *Shard) (bool, error) {
	for _, name := range []string{shardFile, shippedName(s.tag())} {
		shown, err := c.readShard(name)
		if err != nil || shown != nil && shown.Key == s.Key {
			return err == nil, err
		}
	}
	return false, nil
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
		t, err := compare(c.Dir, dir, name)
		if err != nil {
			return err
		}
		copied, err := t.longer()
		t.close()
		if err == nil {
			err = copied.Commit()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
