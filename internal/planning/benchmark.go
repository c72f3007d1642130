package planning

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/internal/tools"
	"podium/models/benchmark"
	"podium/models/task"
	"podium/pnml/diagnostic"
)

// benchmarks are benchmark definitions of BenchExec, and what they enter for the contest.
type benchmarks struct {
	definitions []*benchmark.Definition
	entered     []*entry
}

// entry is a tool with options: run definitions of one tool that do not contradict each
// other.
type entry struct {
	definition *benchmark.Definition // the first one
	runs       []benchmark.RunDefinition
	options    map[examinations.ID][]string // by category
}

// readBenchmarks reads the benchmark definitions, and takes their limits where the options
// say none.
func (o *Options) readBenchmarks() error {
	if len(o.Benchmarks) == 0 {
		return nil
	}
	b := &benchmarks{}
	var found diagnostic.List
	for _, path := range o.Benchmarks {
		text, err := readBenchmark(path)
		if err != nil {
			return err
		}
		d, list := benchmark.Read(path, text)
		found = append(found, list...)
		if d != nil {
			b.definitions = append(b.definitions, d)
		}
	}
	if found.Err() != nil {
		return found
	}
	for _, d := range found {
		o.Say(d.Error())
	}
	o.benchmarks = b
	for _, d := range b.definitions {
		for _, run := range d.Runs {
			b.enter(d, run)
		}
	}
	return o.limits(b.definitions)
}

func readBenchmark(path string) ([]byte, error) {
	f, err := files.OpenNamed(path)
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, benchmark.MaxBytes+1))
		err = errors.Join(err, f.Close())
	}
	if err == nil && len(text) > benchmark.MaxBytes {
		err = fmt.Errorf("it is larger than %d bytes", benchmark.MaxBytes)
	}
	var refused diagnostic.List
	if errors.As(err, &refused) {
		err = errors.New(refused[0].Message)
	}
	if err != nil {
		return nil, diagnostic.List{{File: path, Code: "benchmark-missing", Message: "the benchmark definition cannot be read: " + err.Error(), Hint: "name an XML file of BenchExec"}}
	}
	return text, nil
}

// enter adds a run definition to the first entry of its tool that it does not contradict:
// on a category that both have, their options are the same.
func (b *benchmarks) enter(d *benchmark.Definition, run benchmark.RunDefinition) {
	options := map[examinations.ID][]string{}
	for _, s := range run.Sets {
		options[examinations.ID(s.Name)] = s.Options
	}
	agree := func(e *entry) bool {
		for category, words := range options {
			if other, both := e.options[category]; both && !slices.Equal(words, other) {
				return false
			}
		}
		return e.definition.Tool == d.Tool
	}
	k := slices.IndexFunc(b.entered, agree)
	if k < 0 {
		k = len(b.entered)
		b.entered = append(b.entered, &entry{definition: d, options: map[examinations.ID][]string{}})
	}
	b.entered[k].runs = append(b.entered[k].runs, run)
	maps.Copy(b.entered[k].options, options)
}

// limits takes the limits of the definitions, which must be the same: all runs of a
// campaign have them.
func (o *Options) limits(definitions []*benchmark.Definition) error {
	first := definitions[0]
	for _, d := range definitions[1:] {
		if d.Limits != first.Limits {
			return diagnostic.List{{File: d.File, Code: "benchmark-limits", Message: fmt.Sprintf("the limits are not those of %s, and all runs of a campaign have the same", first.File),
				Hint: "write the same limits, or plan a campaign of its own"}}
		}
	}
	if first.Limits == (benchmark.Limits{}) {
		o.Say(fmt.Sprintf("note: %s has no limits: runs have those of the edition", first.File))
	}
	o.CPU, o.Wall = cmp.Or(o.CPU, first.CPU), cmp.Or(o.Wall, first.Wall)
	o.Memory, o.Cores = cmp.Or(o.Memory, first.Memory), cmp.Or(o.Cores, first.Cores)
	return nil
}

// takers returns the tools that the definitions name.
func (b *benchmarks) takers(opened []tools.Tool, say func(string)) (list []tools.Tool, err error) {
	for _, d := range b.definitions {
		if !slices.ContainsFunc(opened, func(t tools.Tool) bool { return t.HasModule(d.Tool) }) {
			var names []string
			for _, t := range opened {
				names = append(names, t.Name)
			}
			return nil, diagnostic.List{{File: d.File, Code: "benchmark-tool", Message: fmt.Sprintf("no tool of --tools is %s%s", diagnostic.Excerpt(d.Tool), diagnostic.Instead(d.Tool, names)),
				Hint: "name its directory by --tools; where its name is another one, write toolinfo: " + diagnostic.Printable(d.Tool) + " into its tool.yaml"}}
		}
	}
	for _, t := range opened {
		if slices.ContainsFunc(b.definitions, func(d *benchmark.Definition) bool { return t.HasModule(d.Tool) }) {
			list = append(list, t)
		} else {
			say(fmt.Sprintf("note: tool %s is left out: no benchmark definition names it", t.Name))
		}
	}
	return list, nil
}

var notOfNames = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// entries returns what a tool enters: the tool itself, or variants of it where run
// definitions have other options on the same tasks.
func (b *benchmarks) entries(t tools.Tool, planned campaign.PlannedTool) (list []campaign.PlannedTool, err error) {
	var own []*entry
	for _, e := range b.entered {
		if t.HasModule(e.definition.Tool) {
			own = append(own, e)
		}
	}
	names := map[string]bool{}
	for i, e := range own {
		p := planned
		if len(own) > 1 {
			variant := notOfNames.ReplaceAllString(e.runs[0].Name, "-")
			if variant == "" {
				variant = strconv.Itoa(i + 1)
			}
			if p.Name += "-" + variant; names[p.Name] || len(p.Name) > 64 {
				run := e.runs[0]
				return nil, diagnostic.List{{File: e.definition.File, Line: run.Line, Col: run.Col, Code: "benchmark-name", Message: fmt.Sprintf("the name of the variant %.80s is taken or too long", p.Name),
					Hint: "give each run definition a short name of its own"}}
			}
		}
		names[p.Name] = true
		if p.Task, err = e.command(t, *planned.Task); err != nil {
			return nil, err
		}
		part := campaign.Participation{}
		if p.Participation != nil {
			part = *p.Participation
		}
		part.Categories = slices.Sorted(maps.Keys(e.options))
		p.Participation = &part
		list = append(list, p)
	}
	return list, nil
}

// command puts the options of an entry into the command of the tool.
func (e *entry) command(t tools.Tool, how campaign.TaskTool) (*campaign.TaskTool, error) {
	given := false
	for _, words := range e.options {
		given = given || len(words) > 0
	}
	if given && !slices.Contains(how.Command, tools.OptionsMark) {
		return nil, diagnostic.List{{File: filepath.Join(t.Dir, tools.ManifestFile), Code: "benchmark-options", Message: fmt.Sprintf("the command has no place for the options that %s gives", e.definition.File),
			Hint: "write " + tools.OptionsMark + " into the command, where they shall stand"}}
	}
	if how.Options = nil; given {
		how.Options = e.options
	}
	return &how, nil
}

// collection reads the tasks of all entries. A category has the same tasks for each.
func (b *benchmarks) collection() (*task.Collection, error) {
	var choices []task.Choice
	var of []*entry
	for _, e := range b.entered {
		for _, run := range e.runs {
			for _, s := range run.Sets {
				choices, of = append(choices, s.Choice), append(of, e)
			}
		}
	}
	all, each := task.Choose(choices)
	type inEntry struct {
		category string
		entry    *entry
	}
	tasks := map[inEntry][]int32{} // numbers of tasks with what they require, sorted
	numbers, full := map[string]int32{}, map[string]string{}
	for i, list := range each {
		key := inEntry{choices[i].Name, of[i]}
		for _, t := range list {
			if full[t.File] == "" {
				var err error
				if full[t.File], err = filepath.Abs(t.File); err != nil {
					return nil, err
				}
			}
			text := strings.Join(append([]string{full[t.File], t.Property}, t.Required...), "\x00")
			n, known := numbers[text]
			if !known {
				n = int32(len(numbers))
				numbers[text] = n
			}
			tasks[key] = append(tasks[key], n)
		}
	}
	for key, list := range tasks {
		slices.Sort(list)
		tasks[key] = slices.Compact(list)
	}
	first := map[string]int{}
	for i, c := range choices {
		if err := campaign.CheckCategory(c.Name); err != nil {
			return nil, diagnostic.List{{File: c.File, Line: c.At.Line, Col: c.At.Col, Code: "benchmark-category", Message: err.Error(), Hint: "give the set of tasks another name"}}
		}
		k, known := first[c.Name]
		if !known {
			first[c.Name] = i
		} else if !slices.Equal(tasks[inEntry{c.Name, of[k]}], tasks[inEntry{c.Name, of[i]}]) {
			all.Found.Add(diagnostic.Diagnostic{File: c.File, Line: c.At.Line, Col: c.At.Col, Code: "benchmark-category", Message: fmt.Sprintf("the category %s has other tasks than in %s:%d, or other required files", diagnostic.Excerpt(c.Name), choices[k].File, choices[k].At.Line),
				Hint: "a category has the same tasks for all tools: give this set another name"})
		}
	}
	all.Found.Sort()
	return all, nil
}

// roots are the directories that names of tasks are relative to: those of the set files,
// then those of the definitions.
func (b *benchmarks) roots() ([]string, error) {
	var sets, own []string
	for _, d := range b.definitions {
		dir, err := filepath.Abs(filepath.Dir(d.File))
		if err != nil {
			return nil, err
		}
		own = append(own, dir)
		for _, c := range d.Choices() {
			for _, p := range c.IncludeSets {
				path := filepath.Dir(p.Text)
				if !filepath.IsAbs(path) {
					path = filepath.Join(dir, path)
				}
				sets = append(sets, path)
			}
		}
	}
	slices.Sort(sets)
	return append(slices.Compact(sets), own...), nil
}
