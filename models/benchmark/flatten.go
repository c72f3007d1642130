package benchmark

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/models/task"
	"podium/pnml/diagnostic"
)

// flatten returns a run definition whose sets have all that the levels above them say.
func (r *reader) flatten(all, run *level, sets []*set) RunDefinition {
	d := RunDefinition{Name: run.name, Line: run.at.Line, Col: run.at.Col}
	variables := r.variables(run.name)
	named := map[string][]string{} // the options of each category
	for i, s := range sets {
		if r.words > maxWords {
			return d
		}
		c := task.Choice{File: r.file, At: s.at, Name: r.category(s, i)}
		for _, p := range []struct{ from, to *[]task.Pattern }{{&s.include, &c.Include}, {&s.includeSets, &c.IncludeSets}, {&s.exclude, &c.Exclude}, {&s.excludeSets, &c.ExcludeSets}} {
			*p.to = r.patterns(*p.from, variables, nil)
		}
		c.Required = r.patterns(slices.Concat(all.required, run.required, s.required), variables, ofTask)
		for _, l := range []*level{all, run, &s.level} { // the nearest one counts
			if l.property != nil {
				c.Property, c.Expected = r.patterns([]task.Pattern{l.property.pattern}, variables, ofTask)[0], l.property.expected
			}
		}
		if c.Property.Text == "" {
			r.add(diagnostic.Diagnostic{File: r.file, Line: s.at.Line, Col: s.at.Col, Severity: diagnostic.Warning, Code: "benchmark-property",
				Message: "no property file is named: the tasks have all properties of their definitions", Hint: "name one with <propertyfile>"})
		}
		var options []string
		for _, o := range r.options(slices.Concat(all.options, run.options, s.options), variables) {
			options = append(options, o.Text)
		}
		if other, twice := named[c.Name]; twice && !slices.Equal(other, options) {
			r.failAt(s.at, "benchmark-set-twice", "give each set of tasks a name of its own", "another set of tasks is named %s, and has other options", diagnostic.Excerpt(c.Name))
		}
		named[c.Name] = options
		d.Sets = append(d.Sets, Set{c, options})
	}
	return d
}

// category names a set of tasks: by itself, or by its only set file.
func (r *reader) category(s *set, i int) string {
	switch {
	case s.name != "":
		return s.name
	case len(s.includeSets) == 1 && len(s.include) == 0:
		return strings.TrimSuffix(filepath.Base(s.includeSets[0].Text), ".set")
	}
	return strconv.Itoa(i)
}

// Variables that patterns may have besides those of a run definition, and what they stand
// for in options: placeholders of manifests. Nil: [task.Choose] knows them.
var (
	ofTask   = map[string]string{"taskdef_name": "", "taskdef_path": "", "taskdef_path_abs": "", "inputfile_name": "", "inputfile_path": "", "inputfile_path_abs": ""}
	inOption = map[string]string{"taskdef_name": "{task_name}", "taskdef_path": "{task_dir}", "taskdef_path_abs": "{task_dir}",
		"inputfile_name": "{task_name}", "inputfile_path": "{task_dir}", "inputfile_path_abs": "{task_dir}", "witness": "{witness}"}
)

// variables are those of a run definition.
func (r *reader) variables(run string) map[string]string {
	base := filepath.Base(r.file)
	return map[string]string{"benchmark_name": strings.TrimSuffix(base, ".xml"), "benchmark_file": base, "rundefinition_name": run, "test_name": run}
}

// patterns puts the values of variables into patterns of files.
func (r *reader) patterns(list []task.Pattern, variables, others map[string]string) (done []task.Pattern) {
	for _, p := range list {
		text, unknown := r.substitute(p.Text, func(name string) (string, bool) {
			if name == "benchmark_path" || name == "benchmark_path_abs" {
				return ".", true // patterns are relative to it
			}
			value, ok := variables[name]
			if _, later := others[name]; later {
				value, ok = "${"+name+"}", true
			}
			return value, ok
		})
		for _, name := range unknown {
			r.failAt(p, "benchmark-variable", "write the name of the file", "the variable ${%s} stands for nothing in names of files here", name)
		}
		p.Text = text
		done = append(done, p)
	}
	return done
}

// options puts the values of variables into options.
func (r *reader) options(list []task.Pattern, variables map[string]string) (done []task.Pattern) {
	for _, p := range list {
		text, unknown := r.substitute(p.Text, func(name string) (string, bool) {
			if value, ok := inOption[name]; ok {
				return value, true
			}
			value, ok := variables[name]
			return value, ok
		})
		for _, name := range unknown {
			r.failAt(p, "benchmark-variable", "a run sees the tool, the files of its task, and no others: put the file into the tool's directory", "the variable ${%s} stands for nothing in a run", name)
		}
		p.Text = text
		done = append(done, p)
	}
	return done
}

// perWord are the bytes that a word takes besides its text.
const perWord = 64

// substitute replaces ${NAME}; unknown are the names without a value. It stops where the
// words of the sets take more than maxWords.
func (r *reader) substitute(text string, value func(name string) (string, bool)) (done string, unknown []string) {
	r.words += len(text) + perWord
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "${")
		if !ok && b.Len() == 0 || r.words > maxWords {
			return text, unknown
		}
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, "}")
		if !ok {
			return b.String(), unknown
		}
		if !closed {
			b.WriteString("${" + rest)
			return b.String(), unknown
		}
		v, known := value(name)
		if !known {
			unknown = append(unknown, diagnostic.Printable(name))
		}
		r.words += len(v)
		b.WriteString(v)
		text = after
	}
}
