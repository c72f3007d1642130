package campaign

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"podium/examinations"
	"podium/examinations/verdict"
	"podium/models/task"
)

// PlannedTask is what an instance that is a task of SV-COMP has beside its files: a
// program and a property, in one or more categories. Categories stand where the
// examinations of nets do.
type PlannedTask struct {
	Inputs       []string          `json:"inputs"`        // of the tool, relative to the instance's directory
	PropertyFile string            `json:"property_file"` // the same
	Property     string            `json:"property"`      // unreach-call, valid-memsafety, ...
	Parts        []string          `json:"parts"`         // that a violation may name
	Expected     string            `json:"expected,omitempty"`
	DataModel    string            `json:"data_model"`
	Categories   []examinations.ID `json:"categories"` // sorted
	// Validates is the answer that a validator looks at; nil where the task itself is asked.
	Validates *Validated `json:"validates,omitempty"`
}

// TaskTool says how a tool is run on tasks, and what its output means.
type TaskTool struct {
	Command []string `json:"command"` // words with placeholders, see [tools.TaskRun]
	// Options are what {options} of the command stands for, by category; with an empty name
	// where the category has none of its own.
	Options    map[examinations.ID][]string `json:"options,omitempty"`
	Answers    verdict.Rules                `json:"answers,omitempty"`
	DataModels map[string]string            `json:"data_models,omitempty"`
	Witness    string                       `json:"witness"` // name of the file of the witness
}

// maxTaskName bounds the name of a task, so that files can be named by it.
const maxTaskName = 220

var (
	taskName     = regexp.MustCompile(`^[A-Za-z0-9._+=,()~#/-]+$`)
	categoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)
)

// CheckTaskName says why a task cannot have a name: directories and files are named by
// it, and it stands in commands.
func CheckTaskName(name string) error {
	switch {
	case len(name) > maxTaskName:
		return fmt.Errorf("the name of the task %.60s... has more than %d characters", name, maxTaskName)
	case !taskName.MatchString(name) || !filepath.IsLocal(name) || filepath.Clean(name) != name:
		return fmt.Errorf("%q is no name of a task: use letters, digits and ._+=,()~-", name)
	}
	return nil
}

// CheckCategory says why tasks cannot have a category: it stands in tables, and must not
// be taken for an examination of nets.
func CheckCategory(name string) error {
	if !categoryName.MatchString(name) {
		return fmt.Errorf("%q is no name of a category: use 1 to 64 letters, digits, '.', '_', '+' and '-'", name)
	}
	if _, err := examinations.ParseID(name); err == nil {
		return fmt.Errorf("%q is the name of an examination of nets: give the category another name", name)
	}
	return nil
}

// tasks is the kind of the instances that are tasks of SV-COMP.
type tasks struct{}

func (tasks) validate(i PlannedInstance, p *Plan) error {
	t := i.Task
	if err := CheckTaskName(i.ID); err != nil {
		return err
	}
	if i.Family != i.ID {
		return fmt.Errorf("the task %s is said to be of model %q", i.ID, i.Family)
	}
	if len(t.Categories) == 0 || !slices.IsSorted(t.Categories) {
		return fmt.Errorf("the categories of the task %s are missing, or out of order", i.ID)
	}
	for _, c := range t.Categories {
		if err := CheckCategory(string(c)); err != nil {
			return err
		}
		if !slices.Contains(p.Examinations, c) {
			return fmt.Errorf("the task %s is in the category %s, which the plan has not", i.ID, c)
		}
	}
	all := append(slices.Clone(t.Inputs), t.PropertyFile)
	if (t.Validates != nil) != p.Validates() {
		return fmt.Errorf("the plan has tasks, and answers whose witnesses are validated")
	} else if t.Validates != nil {
		if err := t.Validates.validate(i.ID); err != nil {
			return err
		}
		if p.ofValidation(i) == nil {
			return fmt.Errorf("the plan has no limits for the validation of %s", i.ID)
		}
		all = append(all, t.Validates.Witness)
	}
	for _, file := range all {
		if !filepath.IsLocal(file) {
			return fmt.Errorf("the file %q of the task %s is not in its directory", file, i.ID)
		}
	}
	return nil
}

func (tasks) asks(i PlannedInstance, exam examinations.ID) bool {
	return slices.Contains(i.Task.Categories, exam)
}

func (tasks) items(_ PlannedInstance, exam examinations.ID) []string { return exam.Items(nil) }

func (tasks) takes(t *PlannedTool, i PlannedInstance, exam examinations.ID) bool {
	p := t.Participation
	return t.Task != nil && (p == nil || (len(p.Categories) == 0 || slices.Contains(p.Categories, exam)) && p.task(i.Task))
}

// task reports whether a tool is run on a task at all.
func (p *Participation) task(t *PlannedTask) bool {
	takes := func(properties []string) bool { return len(properties) == 0 || slices.Contains(properties, t.Property) }
	if t.Validates == nil {
		return takes(p.Properties)
	}
	of, ok := p.Validates[t.Validates.Kind()]
	return ok && t.Validates.Refused == "" && takes(of) && takes(p.Properties)
}

func (tasks) unit(i PlannedInstance) string { return i.ID }

// CategoriesOf returns the categories that have tasks of a property, none where no task has it.
// mixed is one of them that has tasks of other properties, too; empty where there is none.
func (p *Plan) CategoriesOf(property string) (list []string, mixed string) {
	has, other := map[examinations.ID]bool{}, map[examinations.ID]bool{}
	for i := range p.Tasks() {
		for _, c := range i.Task.Categories {
			if i.Task.Property == property {
				has[c] = true
			} else {
				other[c] = true
			}
		}
	}
	for _, c := range p.Examinations {
		if has[c] {
			list = append(list, string(c))
			if other[c] {
				mixed = string(c)
			}
		}
	}
	return list, mixed
}

// Reference is the value that the answers of a task are compared with; zero where no
// verdict is expected, as for a net.
func (i PlannedInstance) Reference() (v examinations.Value) {
	if i.Task != nil {
		v = verdict.Expected(i.Task.Expected, i.Task.Property)
	}
	return v
}

// taskFiles lists the files of a task, relative to its directory, after the digest was
// compared with the plan's.
func (i PlannedInstance) taskFiles(dir string) (names []string, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, &ChangedError{What: "task " + i.ID}
	}
	digest, err := task.Digest(dir)
	if err != nil {
		return nil, err
	}
	if digest != i.Digest {
		return nil, &ChangedError{What: "task " + i.ID}
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		names = append(names, strings.TrimPrefix(path, dir+string(filepath.Separator)))
		return nil
	})
	return names, err
}

func (tasks) directory(c *Campaign, i PlannedInstance) (string, error) { return c.Path(i.Path), nil }

func (tasks) check(i PlannedInstance, dir string) error {
	_, err := i.taskFiles(dir)
	return err
}

func (tasks) copy(ctx context.Context, c *copier, list []*PlannedInstance) error {
	for _, planned := range list {
		from := planned.Path
		files, err := planned.taskFiles(from)
		if err != nil {
			return err
		}
		planned.Path = copyAt(planned.Digest, planned.ID)
		to := filepath.Join(c.root, planned.Path)
		for _, name := range files {
			path := filepath.Join(to, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := c.file(ctx, filepath.Join(from, name), path, 0o644); err != nil {
				return err
			}
		}
		if _, err := planned.taskFiles(to); err != nil {
			return err
		}
	}
	return nil
}
