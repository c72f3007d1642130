package archive

import (
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/internal/campaign"
	"podium/internal/judged"
)

// part is what a file of a campaign's directory is for.
type part uint8

const (
	foreign  part = iota // no reader of a campaign reads it: it stays out of archives
	derived              // can be made again, or means something only while the campaign is run: it stays out, too
	record               // is read, and compared with what else there is
	alone                // is read, and nothing else in the campaign says the same
	ofTool               // of a tool
	ofNet                // of an instance, or of a task
	note                 // a text that is always the same
	unneeded             // of a certificate, beside it: it can be made from it
)

// layout knows what belongs into the directory of a campaign.
type layout struct {
	at                 string // in the archive, with a slash at its end
	campaign           *campaign.Campaign
	tools, nets, tasks map[string]bool // directories, relative to that of the campaign
	below              []*layout       // of the campaigns that validate witnesses
}

// layoutOf is the layout of a campaign that lies at a path of an archive.
func layoutOf(c *campaign.Campaign, at string) (*layout, error) {
	l := &layout{at: at, campaign: c, tools: map[string]bool{}, nets: map[string]bool{}, tasks: map[string]bool{}}
	add := func(to map[string]bool, dir string) {
		if here(dir) {
			to[path.Clean(filepath.ToSlash(dir))] = true
		}
	}
	for _, t := range slices.Concat(c.Plan.Tools, c.Plan.Replaced) {
		add(l.tools, t.Dir)
	}
	for i := range c.Plan.Nets() {
		add(l.nets, i.Path)
	}
	for i := range c.Plan.Tasks() {
		add(l.tasks, i.Path)
	}
	if c.Plan.Validates() {
		return l, nil // has none of its own
	}
	for _, pattern := range []string{campaign.ValidationDir, campaign.ValidationDir + "-*"} {
		dirs, err := filepath.Glob(filepath.Join(c.Dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if !campaign.Is(dir) {
				continue
			}
			of, err := campaign.Open(dir)
			if err != nil {
				return nil, err
			}
			below, err := layoutOf(of, at+filepath.Base(dir)+"/")
			if err != nil {
				return nil, err
			}
			l.below = append(l.below, below)
		}
	}
	return l, nil
}

// here reports whether a path of a plan is that of something in the campaign.
func here(p string) bool { return filepath.IsLocal(p) && path.Clean(filepath.ToSlash(p)) != "." }

// all returns the layout and those below it.
func (l *layout) all() []*layout { return append([]*layout{l}, l.below...) }

// atTop are the files at the top of a campaign beside its plans.
var atTop = map[string]part{judged.EditionFile: record, "cluster.yaml": alone, "shard.json": alone}

// inDirs tell of the directories of a campaign which files in them are read.
var inDirs = map[string]func(name string) part{
	"journal":   ending(".jsonl", record),
	"packs":     ending(".zst", record),
	"models":    ending(".yaml", alone),
	"claims":    func(string) part { return derived },
	"published": func(string) part { return derived },
	"cluster":   func(string) part { return derived },
	"instances": func(string) part { return derived },
	"shipped":   func(string) part { return derived }, // to know shards by
	"refused":   func(string) part { return derived },
	"pins": func(name string) part {
		if model, number, ok := strings.Cut(name, "@"); ok && model != "" && isNumber(number) {
			return record
		}
		return foreign
	},
	"decisions": func(name string) part {
		if number, ok := strings.CutSuffix(name, ".json"); ok && isNumber(number) {
			return record
		}
		return foreign
	},
	"certified": func(name string) part {
		switch {
		case name == "certificate.jsonl":
			return record
		case strings.HasSuffix(name, ".out"), strings.HasSuffix(name, ".witness"):
			return unneeded
		}
		return foreign
	},
}

func ending(with string, is part) func(string) part {
	return func(name string) part {
		if strings.HasSuffix(name, with) {
			return is
		}
		return foreign
	}
}

// isNumber reports whether a text is a number from 1 as Podium writes it.
func isNumber(text string) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	return err == nil && n > 0 && strconv.FormatInt(n, 10) == text
}

// part tells what a file is for, by its path in the archive, and the directory there of the
// tool or the instance that it belongs to.
func (l *layout) part(name string) (is part, of string) {
	for _, b := range l.below {
		if strings.HasPrefix(name, b.at) {
			return b.part(name)
		}
	}
	name = strings.TrimPrefix(name, l.at)
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		switch {
		case l.tools[dir]:
			return ofTool, l.at + dir
		case l.tasks[dir]:
			return ofNet, l.at + dir
		case l.nets[dir]:
			if inside := name[len(dir)+1:]; strings.Contains(inside, "/") || strings.HasPrefix(inside, ".") {
				return foreign, "" // no part of an instance
			}
			return ofNet, l.at + dir
		}
	}
	dir, below, deeper := strings.Cut(name, "/")
	switch {
	case strings.HasPrefix(path.Base(name), "."), strings.HasPrefix(dir, "."):
		return derived, "" // locks, and what others write now
	case name == "inputs/README":
		return note, ""
	case !deeper && slices.ContainsFunc(l.campaign.Plans, func(p campaign.PlanDigest) bool { return p.File == name }):
		return record, ""
	case !deeper:
		return atTop[name], ""
	case inDirs[dir] == nil, strings.Contains(below, "/") && inDirs[dir](below) != derived:
		return foreign, ""
	}
	return inDirs[dir](below), ""
}

// isTool reports whether a path of the plan is that of a tool.
func (l *layout) isTool(dir string) bool { return l.tools[path.Clean(filepath.ToSlash(dir))] }

// holds reports whether a directory of the archive is one that a campaign has: empty it
// says nothing.
func (l *layout) holds(dir string) bool {
	for _, b := range l.below {
		if strings.HasPrefix(dir, b.at) {
			return b.holds(dir)
		}
	}
	return inDirs[strings.TrimPrefix(dir, l.at)] != nil
}
