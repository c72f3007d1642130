package task

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// Choice is a category of tasks as a benchmark definition of BenchExec puts it together.
// Patterns are relative to the file.
type Choice struct {
	File string
	At   Pattern // where the choice stands
	Name string  // of the category
	// Include and Exclude match tasks, the others files with such patterns (set files).
	Include, IncludeSets, Exclude, ExcludeSets []Pattern
	// Required files are given to each task besides those of its definition.
	Required []Pattern
	// Property is the property of the tasks: those that have another one are left out.
	// Without it each task has the properties of its definition.
	Property Pattern
	// Expected leaves out the tasks with another verdict: true, false, false(part) or
	// unknown; empty takes all.
	Expected string
}

// Variables that stand for a part of the task's name in the patterns of [Choice.Required]
// and [Choice.Property].
var (
	taskNames = []string{"${taskdef_name}", "${inputfile_name}"}
	taskPaths = []string{"${taskdef_path}", "${taskdef_path_abs}", "${inputfile_path}", "${inputfile_path_abs}"}
)

// Choose returns the tasks of choices, of all together and of each. What is wrong is in
// Found.
func Choose(choices []Choice) (all *Collection, each [][]Task) {
	o := opener{c: &Collection{}, definitions: map[string]*Definition{}, properties: map[string]*Property{}}
	known := map[string][]Task{}
	for i := range choices {
		key := choices[i].key()
		if _, done := known[key]; !done {
			before := len(o.c.Tasks)
			o.choice(&choices[i])
			known[key] = slices.Clone(o.c.Tasks[before:])
		}
		each = append(each, known[key])
	}
	return o.collection(), each
}

// key is the same for choices of the same tasks: the tools of a competition share most.
func (c *Choice) key() string {
	key := fmt.Sprintf("%q %q %q %q", filepath.Dir(c.File), c.Name, c.Property.Text, c.Expected)
	for _, list := range [][]Pattern{c.Include, c.IncludeSets, c.Exclude, c.ExcludeSets, c.Required} {
		key += " |"
		for _, p := range list {
			key += fmt.Sprintf(" %q", p.Text)
		}
	}
	return key
}

// choice takes the tasks that are included and not excluded, each once.
func (o *opener) choice(c *Choice) {
	out := map[string]bool{}
	o.each(c, c.Exclude, c.ExcludeSets, func(file string, p Pattern) {
		for _, match := range o.match(file, p) {
			out[match] = true
		}
	})
	before := len(o.c.Tasks)
	faults := len(o.c.Found)
	o.each(c, c.Include, c.IncludeSets, func(file string, p Pattern) {
		var matches []string
		for _, match := range o.expand(file, p) {
			if !out[match] {
				out[match] = true
				matches = append(matches, match)
			}
		}
		o.named(matches, source{set: c.Name, file: file, at: p, choice: c})
	})
	if len(o.c.Tasks) == before && len(o.c.Found) == faults {
		o.fail(c.File, c.At, "task-choice-empty", "`podium check task --show PATH` lists tasks with their properties", "the category %s has no task", diagnostic.Excerpt(c.Name))
	}
}

// each visits patterns of a choice, and those of its set files.
func (o *opener) each(c *Choice, patterns, sets []Pattern, visit func(file string, p Pattern)) {
	for _, p := range patterns {
		visit(c.File, p)
	}
	for _, p := range sets {
		for _, set := range o.expand(c.File, p) {
			for _, inside := range o.patternsOf(set) {
				visit(set, inside)
			}
		}
	}
}

// forTask puts the name and the directory of a task into a pattern.
func (c *Choice) forTask(p Pattern, path string) Pattern {
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		dir = filepath.Dir(path)
	}
	for _, name := range taskNames {
		p.Text = strings.ReplaceAll(p.Text, name, Literal(filepath.Base(path)))
	}
	for _, name := range taskPaths {
		p.Text = strings.ReplaceAll(p.Text, name, Literal(dir))
	}
	return p
}

// propertyOfChoice reads the property file that a choice names for a task.
func (o *opener) propertyOfChoice(path string, c *Choice) (only *Property, refused bool) {
	if c.Property.Text == "" {
		return nil, false
	}
	files := o.expand(c.File, c.forTask(c.Property, path))
	if len(files) > 1 {
		o.fail(c.File, c.Property, "task-property", "name one", "%s matches %d property files", diagnostic.Excerpt(c.Property.Text), len(files))
	}
	if len(files) != 1 {
		return nil, true
	}
	only = o.property(files[0], c.Property, c.File)
	return only, only == nil
}

// requiredBy returns the files that a choice requires for a task.
func (o *opener) requiredBy(path string, from source) (files []string) {
	if from.choice == nil {
		return nil
	}
	for _, p := range from.choice.Required {
		files = append(files, o.expand(from.choice.File, from.choice.forTask(p, path))...)
	}
	return files
}

// chosenProgram makes the task of a program without definition whose property the choice
// names. Where its name says no verdict on this property, none is expected.
func (o *opener) chosenProgram(path string, named []Named, from source) {
	p, refused := o.propertyOfChoice(path, from.choice)
	if refused {
		return
	}
	t := Task{File: path, Set: from.set, Inputs: []string{path}, Required: o.requiredBy(path, from),
		PropertyFile: p.File, Property: p.Name(), Parts: p.Parts()}
	for _, n := range named {
		if n.Property == t.Property || n.Property == "" {
			t.Verdict, t.Subproperty = n.Verdict, n.Subproperty
		}
	}
	o.task(t, from)
}

// wants reports whether a task has the verdict that the choice asks for.
func (c *Choice) wants(t Task) bool {
	return c.Expected == "" || c.Expected == t.Verdict.String() || t.Subproperty != "" && c.Expected == t.Verdict.String()+"("+t.Subproperty+")"
}
