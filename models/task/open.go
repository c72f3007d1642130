package task

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// Task is one program and one property.
type Task struct {
	// Set is the category: the name of the set file without .set, empty without one.
	Set string `json:"set,omitempty"`
	// File is the task definition, or the program where its name says the verdict.
	File string `json:"file"`
	// Inputs are the files that the tool is given, Required others that have to be
	// there. Paths, sorted within each pattern.
	Inputs   []string `json:"inputs"`
	Required []string `json:"required"`
	Property string   `json:"property"` // unreach-call, valid-memsafety, ...
	// PropertyFile may be empty for programs without task definition.
	PropertyFile string   `json:"property_file,omitempty"`
	Parts        []string `json:"-"`
	Verdict      Verdict  `json:"expected_verdict"`
	Subproperty  string   `json:"subproperty,omitempty"` // the part that is violated
	Options      any      `json:"-"`                     // see Definition
}

// Collection is what [Open] found.
type Collection struct {
	Definitions int             `json:"definitions"` // files of task definitions, good or not
	Properties  int             `json:"properties"`  // property files
	Tasks       []Task          `json:"tasks"`       // sorted by set, file and property
	Found       diagnostic.List `json:"-"`
}

// Limits of a collection.
const (
	maxTasks   = 1 << 20
	maxMatches = 1 << 16 // of one pattern
	maxFound   = 10_000
)

// Open reads task definitions (.yml, .yaml), set files (.set), property files (.prp),
// programs whose names say a verdict, and directories with such files below them,
// where programs are left out. Every file that is named must be there. The error is
// that of a path that cannot be looked at; what is wrong with contents is in Found.
func Open(paths ...string) (*Collection, error) {
	o := opener{c: &Collection{}, definitions: map[string]*Definition{}, properties: map[string]*Property{}}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			o.file(filepath.Clean(path), source{})
			continue
		}
		if err := o.directory(path); err != nil {
			return nil, err
		}
	}
	o.dropListed()
	return o.collection(), nil
}

// dropListed leaves out what was found in a directory, too, of a task that a set lists.
func (o *opener) dropListed() {
	type key struct{ file, property string }
	listed := map[key]bool{}
	for _, t := range o.c.Tasks {
		if t.Set != "" {
			listed[key{t.File, t.Property}] = true
		}
	}
	o.c.Tasks = slices.DeleteFunc(o.c.Tasks, func(t Task) bool { return t.Set == "" && listed[key{t.File, t.Property}] })
}

// collection is what was found, in order.
func (o *opener) collection() *Collection {
	o.c.Definitions, o.c.Properties = len(o.definitions), len(o.properties)
	slices.SortStableFunc(o.c.Tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.File, b.File), cmp.Compare(a.Property, b.Property))
	})
	o.c.Tasks = slices.CompactFunc(o.c.Tasks, func(a, b Task) bool {
		return a.Set == b.Set && a.File == b.File && a.PropertyFile == b.PropertyFile && a.Property == b.Property
	})
	o.c.Found.Sort()
	return o.c
}

// source says where a task is named: in a file at a pattern, for a category. It is zero
// for what a person names.
type source struct {
	set    string // category
	file   string
	at     Pattern
	choice *Choice // of a benchmark definition; nil elsewhere
}

// opener puts files together. What was read once is kept, nil where it was refused.
type opener struct {
	c           *Collection
	definitions map[string]*Definition
	properties  map[string]*Property
	seen        int // names that patterns were compared with
}

func (o *opener) add(d diagnostic.Diagnostic) {
	if len(o.c.Found) < maxFound {
		o.c.Found.Add(d)
	}
}

func (o *opener) fail(file string, at Pattern, code, hint, format string, args ...any) {
	o.add(diagnostic.Diagnostic{File: file, Line: at.Line, Col: at.Col, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// directory takes the files below a directory; links are not followed.
func (o *opener) directory(path string) error {
	return filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case e.IsDir():
		case slices.Contains([]string{".yml", ".yaml", ".set", ".prp"}, filepath.Ext(name)):
			o.file(name, source{})
		}
		return nil
	})
}

// file takes one file that is named somewhere.
func (o *opener) file(path string, from source) {
	switch filepath.Ext(path) {
	case ".yml", ".yaml":
		o.definition(path, from)
	case ".set":
		o.set(path)
	case ".prp":
		o.property(path, from.at, from.file)
	default:
		o.program(path, from)
	}
}

// read returns the content of a regular file that is not too large.
func (o *opener) read(path string, most int64) ([]byte, bool) {
	text, err := readFile(path, most)
	if err != nil {
		var at *fs.PathError
		var refused diagnostic.List
		if errors.As(err, &at) {
			err = at.Err
		} else if errors.As(err, &refused) {
			err = errors.New(refused[0].Message)
		}
		o.fail(path, Pattern{}, "task-unreadable", "", "the file cannot be read: %v", err)
	}
	return text, err == nil
}

func readFile(path string, most int64) ([]byte, error) {
	f, err := files.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1)) // readers refuse what is longer
}

func (o *opener) set(path string) {
	name := strings.TrimSuffix(filepath.Base(path), ".set")
	for _, p := range o.patternsOf(path) {
		o.named(o.expand(path, p), source{set: name, file: path, at: p})
	}
}

// patternsOf reads a set file.
func (o *opener) patternsOf(path string) []Pattern {
	text, ok := o.read(path, maxSet)
	if !ok {
		return nil
	}
	patterns, found := ReadSet(path, text)
	for _, d := range found {
		o.add(d)
	}
	return patterns
}

// named takes the files that a pattern of a set matches.
func (o *opener) named(matches []string, from source) {
	for _, match := range matches {
		if ext := filepath.Ext(match); ext == ".set" || ext == ".prp" {
			o.fail(from.file, from.at, "task-set", "name task definitions or programs", "a set names tasks, and %s is none", diagnostic.Excerpt(match))
			continue
		}
		o.file(match, from)
	}
}

// expand returns the files that a pattern in a file matches: one at least.
func (o *opener) expand(file string, p Pattern) []string {
	matches := o.match(file, p)
	if matches != nil && len(matches) == 0 {
		hint := "names are relative to the file that they stand in"
		if near, ok := diagnostic.NearestPath(filepath.Join(filepath.Dir(file), p.Text)); ok && !filepath.IsAbs(p.Text) {
			hint = "did you mean " + diagnostic.Excerpt(filepath.Join(filepath.Dir(p.Text), filepath.Base(near))) + "?"
		}
		o.fail(file, p, "task-missing-file", hint, "%s matches no file", diagnostic.Excerpt(p.Text))
	}
	return matches
}

// match returns the files that a pattern in a file matches; nil for a pattern that is
// refused.
func (o *opener) match(file string, p Pattern) []string {
	full := p.Text
	if !filepath.IsAbs(full) {
		full = filepath.Join(filepath.Dir(file), full)
	}
	matches, err := glob(strings.ReplaceAll(full, "[!", "[^"), &o.seen) // as BenchExec writes it
	switch {
	case errors.Is(err, errTooMany):
		o.fail(file, p, "task-pattern", "name fewer files at a time, or directories without wildcards", "%s: %v", diagnostic.Excerpt(p.Text), err)
	case err != nil:
		o.fail(file, p, "task-pattern", "close the bracket, or write \\[", "%s is no pattern of names", diagnostic.Excerpt(p.Text))
	case len(matches) > maxMatches:
		o.fail(file, p, "task-pattern", "name fewer", "%s matches more than %d files", diagnostic.Excerpt(p.Text), maxMatches)
	default:
		return append([]string{}, matches...)
	}
	return nil
}

func (o *opener) expandAll(file string, list []Pattern) []string {
	var all []string
	for _, p := range list {
		all = append(all, o.expand(file, p)...)
	}
	return all
}

// definition makes the tasks of a definition: of a set with a property beside it, or of a
// choice with one, those of this property, else all.
func (o *opener) definition(path string, from source) {
	d, known := o.definitions[path]
	if !known {
		if text, ok := o.read(path, yaml.MaxBytes); ok {
			var found diagnostic.List
			d, found = readPart(path, text)
			for _, x := range found {
				o.add(x)
			}
			if found.Err() != nil {
				o.lookFor(path, d)
				d = nil
			}
		}
		o.definitions[path] = d
	}
	if d == nil {
		return
	}
	only, refused := o.propertyAsked(path, from)
	if refused {
		return
	}
	asked := false
	t := Task{File: path, Set: from.set, Inputs: o.expandAll(path, d.Inputs), Required: append(o.expandAll(path, d.Required), o.requiredBy(path, from)...), Options: d.Options}
	for _, c := range d.Claims {
		files := o.expand(path, c.Property)
		if len(files) != 1 {
			if len(files) > 1 {
				o.fail(path, c.Property, "task-property", "name one", "%s matches %d property files", diagnostic.Excerpt(c.Property.Text), len(files))
			}
			continue
		}
		p := o.property(files[0], c.Property, path)
		if p == nil {
			continue
		}
		if only != nil && only.Name() != p.Name() {
			continue
		}
		asked = true
		one := t
		one.PropertyFile, one.Property, one.Parts, one.Verdict, one.Subproperty = files[0], p.Name(), p.Parts(), c.Verdict, c.Subproperty
		if c.Subproperty != "" && !slices.Contains(one.Parts, c.Subproperty) {
			o.fail(path, c.Property, "task-subproperty", "the parts are "+strings.Join(one.Parts, ", "), "%s is no part of this property", diagnostic.Excerpt(c.Subproperty))
			continue
		}
		if one.Property == "valid-memsafety" && one.Verdict == False && one.Subproperty == "" {
			o.add(diagnostic.Diagnostic{File: path, Line: c.Property.Line, Col: c.Property.Col, Severity: diagnostic.Warning, Code: "task-subproperty",
				Message: "the verdict false names no violated part: every FALSE is right", Hint: "write subproperty: and one of " + strings.Join(one.Parts, ", ")})
		}
		o.task(one, from)
	}
	if only != nil && !asked && d.Claims != nil && from.choice == nil { // BenchExec passes over them
		o.add(diagnostic.Diagnostic{File: from.file, Line: from.at.Line, Col: from.at.Col, Severity: diagnostic.Warning, Code: "task-property",
			Message: fmt.Sprintf("%s says nothing of %s, which %s asks for: the set has no task of it", diagnostic.Excerpt(path), only.Name(), diagnostic.Excerpt(only.File)), Hint: "add the property to the definition, or take it out of the set"})
	}
}

// lookFor looks for the files that a definition with errors names, so that all that is wrong is
// said at once.
func (o *opener) lookFor(path string, d *Definition) {
	if d == nil {
		return
	}
	o.expandAll(path, d.Inputs)
	o.expandAll(path, d.Required)
	for _, c := range d.Claims {
		for _, file := range o.expand(path, c.Property) {
			o.property(file, c.Property, path)
		}
	}
}

// propertyAsked is the one property that the tasks of a file are for, nil for all. It is
// refused where there ought to be one and is none.
func (o *opener) propertyAsked(path string, from source) (only *Property, refused bool) {
	if from.choice == nil {
		return o.propertyOfSet(from.file), false
	}
	return o.propertyOfChoice(path, from.choice)
}

// propertyOfSet reads Category.prp beside Category.set; nil where there is none.
func (o *opener) propertyOfSet(set string) *Property {
	base, ok := strings.CutSuffix(set, ".set")
	if !ok {
		return nil
	}
	if _, err := os.Stat(base + ".prp"); err != nil {
		return nil
	}
	return o.property(base+".prp", Pattern{}, "")
}

// property reads a property file that another file names, or a person. It is nil where
// the file is refused.
func (o *opener) property(path string, at Pattern, from string) *Property {
	if p, known := o.properties[path]; known {
		if p == nil && from != "" {
			o.fail(from, at, "task-property", "", "its property file %s is refused", diagnostic.Excerpt(path))
		}
		return p
	}
	var p *Property
	if text, ok := o.read(path, maxProperty); ok {
		var found diagnostic.List
		p, found = ReadProperty(path, text)
		for _, d := range found {
			o.add(d)
		}
	}
	o.properties[path] = p
	return p
}

// program makes the tasks that the name of a program speaks of.
func (o *opener) program(path string, s source) {
	from, at := s.file, s.at
	if from == "" {
		from = path
	}
	named, wrong := ReadName(path)
	for _, what := range wrong {
		o.fail(from, at, "task-name", "write a task definition", "the name %s %s", diagnostic.Excerpt(filepath.Base(path)), what)
	}
	if s.choice != nil && s.choice.Property.Text != "" {
		o.chosenProgram(path, named, s)
		return
	}
	if len(named)+len(wrong) == 0 {
		if ext := filepath.Ext(path); ext != ".c" && ext != ".i" {
			hint := "tasks are .yml, .set and .prp files, and programs .c and .i"
			if ext == ".xml" {
				hint = "of a benchmark definition of BenchExec, `podium plan --benchmark " + path + "` plans the tasks"
			}
			o.fail(from, at, "task-kind", hint, "%s is no file of a task", diagnostic.Excerpt(path))
			return
		}
		named = []Named{{}} // nothing is expected
	}
	p := o.propertyBeside(path, from)
	if len(named) == 1 && named[0] == (Named{}) {
		d := diagnostic.Diagnostic{File: from, Line: at.Line, Col: at.Col, Severity: diagnostic.Warning, Code: "task-name", Hint: "write a task definition",
			Message: fmt.Sprintf("the name %s says no verdict: none is expected", diagnostic.Excerpt(filepath.Base(path)))}
		if p == nil { // 2012 had no property files
			named[0].Verdict, d.Severity, d.Hint = True, diagnostic.Note, "in other years nothing is expected then: write a task definition"
			d.Message = fmt.Sprintf("the name %s says no verdict: by the rules of 2012 its error label is not reached", diagnostic.Excerpt(filepath.Base(path)))
		}
		o.add(d)
	}
	asked := false
	for _, n := range named {
		t := Task{File: path, Set: s.set, Inputs: []string{path}, Required: o.requiredBy(path, s), Property: n.Property, Verdict: n.Verdict, Subproperty: n.Subproperty}
		switch {
		case p != nil && (n.Property == "" || n.Property == p.Name()):
			t.PropertyFile, t.Property, t.Parts = p.File, p.Name(), p.Parts()
		case p != nil:
			continue // of another category
		case n.Property == "":
			t.Property = "unreach-label" // 2012 had no other
			t.Parts = []string{t.Property}
		case n.Property == "valid-memsafety":
			t.Parts = memorySafety
		default:
			t.Parts = []string{n.Property}
		}
		asked = true
		o.task(t, s)
	}
	if p != nil && !asked {
		o.fail(from, at, "task-name", "write a task definition", "the name %s says nothing of %s, which %s asks for", diagnostic.Excerpt(filepath.Base(path)), p.Name(), diagnostic.Excerpt(p.File))
	}
}

// propertyBeside reads path/filename.prp, or Category.prp beside the set; nil where
// there is neither.
func (o *opener) propertyBeside(program, set string) *Property {
	candidates := []string{strings.TrimSuffix(program, filepath.Ext(program)) + ".prp"}
	if base, ok := strings.CutSuffix(set, ".set"); ok {
		candidates = append(candidates, base+".prp")
	}
	for _, path := range candidates {
		if _, err := os.Stat(path); err == nil {
			return o.property(path, Pattern{}, "")
		}
	}
	return nil
}

func (o *opener) task(t Task, from source) {
	switch {
	case from.choice != nil && !from.choice.wants(t):
	case len(o.c.Tasks) < maxTasks:
		o.c.Tasks = append(o.c.Tasks, t)
	case len(o.c.Tasks) == maxTasks:
		o.fail(t.File, Pattern{}, "task-too-many", "check fewer directories at a time", "there are more than %d tasks", maxTasks)
	}
}
