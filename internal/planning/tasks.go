package planning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/edition"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/internal/parallel"
	"podium/internal/tools"
	"podium/internal/wording"
	"podium/models"
	"podium/models/task"
	"podium/pnml/diagnostic"
)

// tasks is the kind of a contest on tasks of SV-COMP.
type tasks struct{ Options }

func (o tasks) names() bool { return len(o.Tasks) > 0 }

// confine gives all tools the same cores: the rules know one kind of machine.
func (o tasks) confine(_ *edition.Edition, p *campaign.Plan) error {
	if o.Cores > 0 {
		p.Sequential.Cores, p.Concurrent.Cores = o.Cores, o.Cores
	}
	return nil
}

func (tasks) tool(t tools.Tool) (*campaign.TaskTool, error) {
	if len(t.Validates) > 0 {
		return nil, &OptionError{fmt.Errorf("tool %s is a validator of witnesses: `podium plan --validate` takes it", t.Name)}
	}
	return commandOf(t)
}

// commandOf says how a tool is run on tasks.
func commandOf(t tools.Tool) (*campaign.TaskTool, error) {
	if t.Command == "" {
		return nil, &OptionError{fmt.Errorf("tool %s is one for nets: docs/tasks.md says how its tool.yaml lets it run on tasks", t.Name)}
	}
	words, err := t.Words()
	how := &campaign.TaskTool{Command: words, Answers: t.Answers, DataModels: t.DataModels, Witness: t.Witness}
	if len(t.Options) > 0 {
		how.Options = map[examinations.ID][]string{"": t.Options}
	}
	return how, err
}

// found is a task of a collection with the name that it has in the contest.
type found struct {
	task.Task
	name       string
	full       string // the whole path of the file
	root       string // the directory that the task was found below
	categories []examinations.ID
}

// instances reads the tasks, and copies their files.
func (o tasks) instances(ctx context.Context, dir string) ([]campaign.PlannedInstance, []examinations.ID, error) {
	collection, err := o.collection()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, diagnostic.List{{File: strings.Join(o.Tasks, ", "), Code: "tasks-missing", Message: err.Error(), Hint: "name task definitions, set files, or directories of them"}}
	} else if err != nil {
		return nil, nil, err
	}
	if collection.Found.Err() != nil {
		return nil, nil, collection.Found
	}
	list, exams, err := o.chosenTasks(collection)
	if err != nil {
		return nil, nil, err
	}
	numbered := make([]int, len(list))
	for i := range numbered {
		numbered[i] = i
	}
	var planned []campaign.PlannedInstance
	for p, err := range parallel.Try(ctx, numbered, func(i int) (campaign.PlannedInstance, error) {
		return list[i].stage(filepath.Join(dir, "tasks", strconv.Itoa(i)))
	}) {
		if err != nil {
			return nil, nil, err
		}
		planned = append(planned, p)
	}
	return planned, exams, ctx.Err()
}

// collection reads the tasks.
func (o tasks) collection() (*task.Collection, error) {
	if o.benchmarks != nil {
		return o.benchmarks.collection()
	}
	return task.Open(o.Tasks...)
}

// stage copies the files of a task to a directory, and says what is planned of it.
func (f *found) stage(dir string) (campaign.PlannedInstance, error) {
	p := campaign.PlannedInstance{ID: f.name, Family: f.name, Class: models.Known.String(), Origin: f.root}
	var err error
	if p.Path, err = filepath.Abs(dir); err != nil {
		return p, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return p, err
	}
	layout, err := f.Stage(dir)
	if err == nil {
		p.Digest, err = task.Digest(dir)
	}
	if err != nil {
		return p, fmt.Errorf("task %s: %w", f.File, err)
	}
	p.Task = &campaign.PlannedTask{Inputs: layout.Inputs, PropertyFile: layout.PropertyFile, Property: f.Property, Parts: f.Parts,
		Expected: f.Expected(), DataModel: f.DataModel(), Categories: f.categories}
	return p, nil
}

// chosenTasks names the tasks, and gives them categories: the sets that list them, or
// where there are no sets the directories that they stand in.
func (o tasks) chosenTasks(c *task.Collection) ([]*found, []examinations.ID, error) {
	roots, err := o.taskRoots()
	if err != nil {
		return nil, nil, err
	}
	sets := slices.ContainsFunc(c.Tasks, func(t task.Task) bool { return t.Set != "" })
	byName := map[string]*found{}
	categories := map[examinations.ID]bool{}
	unlisted, unjudged := map[string]bool{}, 0
	var properties, all []string // of the tasks that are looked at
	var wrong diagnostic.List
	for _, t := range c.Tasks {
		if sets && t.Set == "" {
			unlisted[t.File+"\x00"+t.PropertyFile] = true
			continue
		}
		f, category, err := o.named(t, roots)
		properties, all = append(properties, t.Property), append(all, category)
		if err != nil {
			wrong.Add(diagnostic.Diagnostic{File: t.File, Code: "task-name", Message: err.Error(), Hint: "rename the file, the directory or the set"})
			continue
		}
		if len(o.Properties) > 0 && !slices.Contains(o.Properties, t.Property) || len(o.Examinations) > 0 && !slices.Contains(o.Examinations, category) {
			continue
		}
		other, known := byName[f.name]
		if known && (other.full != f.full || other.PropertyFile != f.PropertyFile) {
			wrong.Add(diagnostic.Diagnostic{File: t.File, Code: "task-name-twice", Message: fmt.Sprintf("the name %s is taken by %s", f.name, other.File),
				Hint: "name a directory by --tasks that holds both, so that their names differ"})
			continue
		}
		if known && !slices.Equal(other.Required, f.Required) {
			wrong.Add(diagnostic.Diagnostic{File: t.File, Code: "task-required", Message: fmt.Sprintf("the categories %s and %s require other files for this task", other.categories[0], category),
				Hint: "a task has the same files in all categories"})
			continue
		}
		if !known {
			byName[f.name], other = f, f
			if t.Verdict == task.Unstated {
				unjudged++
			}
		}
		if id := examinations.ID(category); !slices.Contains(other.categories, id) {
			other.categories = append(other.categories, id)
			categories[id] = true
		}
	}
	if wrong.Err() != nil {
		wrong.Sort()
		return nil, nil, wrong
	}
	if absent := o.absent(properties, all); absent != "" || len(byName) == 0 {
		return nil, nil, diagnostic.List{{File: strings.Join(slices.Concat(o.Tasks, o.Benchmarks), ", "), Code: "tasks-none", Message: "there is no such task here" + absent,
			Hint: "`podium check task --show PATH` lists the tasks with their sets and properties"}}
	}
	for key := range byName {
		t := byName[key]
		delete(unlisted, t.File+"\x00"+t.PropertyFile)
	}
	if n := len(unlisted); n > 0 && len(o.Properties)+len(o.Examinations) == 0 {
		o.Say(fmt.Sprintf("note: %s left out, which no set lists", wording.Count(n, "task is", "tasks are")))
	}
	if unjudged > 0 {
		o.Say(fmt.Sprintf("note: %s no expected verdict, so that no answer to it earns points", wording.Count(unjudged, "task has", "tasks have")))
	}
	return sortedTasks(byName), slices.Sorted(maps.Keys(categories)), nil
}

// absent says which property or category that was asked for no task has.
func (o tasks) absent(properties, categories []string) string {
	for _, asked := range []struct {
		what         string
		names, known []string
	}{{"property", o.Properties, properties}, {"category", o.Examinations, categories}} {
		known := slices.Compact(slices.Sorted(slices.Values(asked.known)))
		for _, name := range asked.names {
			if !slices.Contains(known, name) {
				return fmt.Sprintf(": no task has the %s %s%s", asked.what, diagnostic.Excerpt(name), diagnostic.Instead(name, known))
			}
		}
	}
	return ""
}

func sortedTasks(byName map[string]*found) (list []*found) {
	for _, f := range byName {
		slices.Sort(f.categories)
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *found) int { return strings.Compare(a.name, b.name) })
	return list
}

// taskRoots are the directories that names of tasks are relative to.
func (o tasks) taskRoots() (roots []string, err error) {
	if o.benchmarks != nil {
		return o.benchmarks.roots()
	}
	for _, path := range o.Tasks {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(full)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			full = filepath.Dir(full)
		}
		roots = append(roots, full)
	}
	return roots, nil
}

// named gives a task its name, FILE#PROPERTY, and its category.
func (o tasks) named(t task.Task, roots []string) (*found, string, error) {
	full, err := filepath.Abs(t.File)
	if err != nil {
		return nil, "", err
	}
	f := &found{Task: t, full: full, root: roots[0]}
	rel := ""
	for _, root := range roots {
		if r, err := filepath.Rel(root, full); err == nil && (rel == "" || filepath.IsLocal(r)) {
			rel, f.root = r, root
			if filepath.IsLocal(r) {
				break
			}
		}
	}
	if !filepath.IsLocal(rel) { // a set names tasks beside its own directory
		f.root = filepath.Dir(full)
	}
	rel = filepath.ToSlash(rel)
	for strings.HasPrefix(rel, "../") {
		rel = rel[len("../"):]
	}
	f.name = rel + "#" + t.Property
	if err := campaign.CheckTaskName(f.name); err != nil {
		return nil, "", err
	}
	category := t.Set
	if category == "" {
		category = strings.ReplaceAll(filepath.ToSlash(filepath.Dir(rel)), "/", ".")
	}
	if category == "." {
		category = filepath.Base(f.root)
	}
	return f, category, campaign.CheckCategory(category)
}
