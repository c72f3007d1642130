package planning

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/tools"
	"podium/pnml/diagnostic"
)

// plannedTools opens the tools, and writes the built-in ones below dir.
func (o Options) plannedTools(ctx context.Context, dir string) ([]campaign.PlannedTool, error) {
	asked := o.Tools
	if len(asked) == 0 {
		asked = []string{"builtin"}
	}
	var paths []string
	builtIn := map[string]bool{}
	for _, path := range asked {
		names := tools.BuiltInNames()
		if path != "builtin" {
			_, ok := tools.FindBuiltIn(path)
			if _, err := os.Stat(path); !ok || err == nil {
				paths = append(paths, path)
				continue
			}
			names = []string{path}
		}
		for _, name := range names {
			t, err := o.WriteBuiltIn(filepath.Join(dir, "tools"), name, o.Driver, builtInArgs(name, o.Seed)...)
			if err != nil {
				return nil, err
			}
			paths = append(paths, t.Dir)
			builtIn[t.Dir] = true
		}
	}
	opened, err := tools.OpenAll(paths...)
	if err != nil {
		return nil, err
	}
	if o.benchmarks != nil {
		if opened, err = o.benchmarks.takers(opened, o.Say); err != nil {
			return nil, err
		}
	}
	var list []campaign.PlannedTool
	found := map[string]bool{} // of the tools out of competition
	for _, t := range opened {
		planned, err := o.plannedTool(ctx, t)
		if err != nil {
			return nil, err
		}
		planned.BuiltIn = builtIn[t.Dir]
		entries := []campaign.PlannedTool{planned}
		if o.benchmarks != nil {
			if entries, err = o.benchmarks.entries(t, planned); err != nil {
				return nil, err
			}
		}
		for i, e := range entries {
			for _, name := range o.OutOfCompetition {
				if name == e.Name || name == t.Name { // the name of a tool stands for its variants
					entries[i].OutOfCompetition, found[name] = true, true
				}
			}
		}
		list = append(list, entries...)
	}
	for _, name := range o.OutOfCompetition {
		if !found[name] {
			return nil, &OptionError{fmt.Errorf("--out-of-competition %s: no tool of the plan has this name%s", name, diagnostic.Instead(name, toolNames(list)))}
		}
	}
	return list, o.optOut(list)
}

// plannedTool is a tool as it is now.
func (o Options) plannedTool(ctx context.Context, t tools.Tool) (planned campaign.PlannedTool, err error) {
	digest, err := t.Digest(ctx)
	if err != nil {
		return planned, err
	}
	command, err := o.taskTool(t)
	if err != nil {
		return planned, err
	}
	part := Participation(t)
	if o.Everything {
		part = nil
	}
	return campaign.PlannedTool{Task: command, Name: t.Name, Submission: t.Name, Title: t.Title, Version: t.Version, Family: t.Family,
		Concurrent: t.Concurrent(), Head: t.Head, Dir: t.Dir, Image: t.Image, System: t.System, Writable: t.Writable, Digest: digest,
		OutOfCompetition: t.OutOfCompetition, Participation: part, OptOut: t.OptOut}, nil
}

// Participation returns what the manifest says the tool takes part in (T-4), nil for all.
func Participation(t tools.Tool) *campaign.Participation {
	if len(t.Examinations)+len(t.Nets)+len(t.Properties)+len(t.Validates) == 0 {
		return nil
	}
	p := &campaign.Participation{Nets: t.Nets, Properties: t.Properties, Validates: t.Validates}
	for _, name := range t.Examinations {
		p.Examinations = append(p.Examinations, examinations.ID(name))
	}
	return p
}

func toolNames(list []campaign.PlannedTool) []string {
	names := make([]string, len(list))
	for i, t := range list {
		names[i] = t.Name
	}
	return names
}

// builtInArgs are the arguments of a built-in tool in a contest: what it draws by
// lot follows the contest's seed.
func builtInArgs(name string, seed uint64) []string {
	if m, _ := tools.FindBuiltIn(name); m.Family == "liar" {
		return []string{"--seed", strconv.FormatUint(seed, 10)}
	}
	return nil
}
