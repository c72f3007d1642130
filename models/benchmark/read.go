package benchmark

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"podium/models/task"
	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Limits of a benchmark definition.
const (
	MaxBytes    = 16 << 20
	maxElements = 100_000  // of a kind below one element
	maxSets     = 100_000  // of tasks, over all run definitions
	maxWords    = 64 << 20 // bytes of the options and patterns of all sets
	maxFindings = 1000
)

// Read reads a benchmark definition. Name is the file in the findings, which patterns are
// relative to. The definition is nil when a finding is an error. Files are not looked for.
func Read(name string, text []byte) (*Definition, diagnostic.List) {
	if len(text) > MaxBytes {
		return nil, diagnostic.List{{File: name, Code: "benchmark-size", Message: fmt.Sprintf("the benchmark definition is larger than %d bytes", MaxBytes)}}
	}
	r := reader{scan: xmlscan.New(bytes.NewReader(text), name), file: name}
	d := r.document()
	if fault, failed := r.scan.Fault(); failed {
		r.found.Add(fault)
	}
	r.found.Sort()
	if r.found.Err() != nil {
		return nil, r.found
	}
	return d, r.found
}

type reader struct {
	scan  *xmlscan.Scanner
	file  string
	found diagnostic.List
	words int // bytes that the words of the sets take
}

func (r *reader) add(d diagnostic.Diagnostic) {
	if len(r.found) < maxFindings {
		r.found.Add(d)
	}
}

// fail refuses what stands at the current tag.
func (r *reader) fail(code, hint, format string, args ...any) {
	r.add(r.scan.Diagnostic(diagnostic.Error, code, fmt.Sprintf(format, args...), hint))
}

func (r *reader) warn(code, hint, format string, args ...any) {
	r.add(r.scan.Diagnostic(diagnostic.Warning, code, fmt.Sprintf(format, args...), hint))
}

func (r *reader) failAt(p task.Pattern, code, hint, format string, args ...any) {
	r.add(diagnostic.Diagnostic{File: r.file, Line: p.Line, Col: p.Col, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// level is what the elements benchmark, rundefinition and tasks may all hold.
type level struct {
	name     string
	at       task.Pattern // of the tag
	options  []task.Pattern
	property *property
	required []task.Pattern
	sets     []*set // not of tasks
}

type property struct {
	pattern  task.Pattern
	expected string
}

// set is an element tasks.
type set struct {
	level
	include, includeSets, exclude, excludeSets []task.Pattern
}

func (r *reader) document() *Definition {
	if event := r.scan.Next(); event != xmlscan.Start || string(r.scan.Name()) != "benchmark" {
		if !r.scan.Failed() {
			r.fail("benchmark-root", "benchmark definitions of BenchExec begin with <benchmark tool=\"...\">", "the outer element is not <benchmark>")
			r.scan.Skip()
		}
		return nil
	}
	d := &Definition{File: r.file}
	r.benchmark(d)
	all := level{at: r.here()}
	var runs []*level
	r.children(func(name string) {
		switch name {
		case "rundefinition":
			runs = append(runs, r.runDefinition())
		case "tasks":
			all.sets = append(all.sets, r.tasks())
		case "resultfiles":
			r.warn("benchmark-resultfiles", "write {witness} in the command of the tool's manifest where the name of the witness shall stand", "of the files that a run leaves Podium keeps its witness")
			r.scan.Skip()
		case "require":
			r.warn("benchmark-require", "", "the runs are made on the computers that run `podium run`, whatever is required here")
			r.scan.Skip()
		case "columns":
			r.warn("benchmark-columns", "`podium logs` shows what the tool printed", "columns of the tool's output are passed over")
			r.scan.Skip()
		default:
			r.common(&all, name, "benchmark", "rundefinition", "tasks", "resultfiles", "require", "columns")
		}
	})
	if r.scan.Failed() {
		return d
	}
	for r.scan.Next() != xmlscan.EOF {
	}
	if len(runs) == 0 {
		r.failAt(all.at, "benchmark-empty", "add <rundefinition/>", "there is no <rundefinition>, so that nothing is run")
	}
	total := 0
	for _, run := range runs {
		sets := slices.Concat(all.sets, run.sets)
		if total += len(sets); total > maxSets {
			r.failAt(run.at, "benchmark-size", "", "there are more than %d sets of tasks", maxSets)
			break
		}
		if len(sets) == 0 {
			r.failAt(run.at, "benchmark-empty", "add <tasks> with <include> or <includesfile>", "the run definition has no tasks")
		}
		d.Runs = append(d.Runs, r.flatten(&all, run, sets))
		if r.words > maxWords {
			r.failAt(run.at, "benchmark-size", "write fewer options, or divide the definition", "with what stands above them the sets of tasks have more than %d bytes of options and patterns", maxWords)
			break
		}
	}
	return d
}

// here is the position of the current tag.
func (r *reader) here() task.Pattern {
	line, col := r.scan.Pos()
	return task.Pattern{Line: line, Col: col}
}

// children visits the elements inside of the current one, which visit has to read to their
// ends, and reads to its end.
func (r *reader) children(visit func(name string)) {
	counts := map[string]int{}
	for {
		switch r.scan.Next() {
		case xmlscan.Start:
			name := string(r.scan.Name())
			if counts[name]++; counts[name] > maxElements {
				r.fail("benchmark-size", "", "there are more than %d elements of one kind", maxElements)
				r.scan.Skip()
				continue
			}
			visit(name)
		case xmlscan.Text:
			r.fail("benchmark-text", "", "text stands between elements: %s", diagnostic.Excerpt(strings.TrimSpace(string(r.scan.Text()))))
		default:
			return
		}
	}
}

// attributes returns the attributes of the current tag, which must be among the known ones.
func (r *reader) attributes(known ...string) map[string]string {
	values := map[string]string{}
	for i := range r.scan.Attrs() {
		name, value := r.scan.AttrAt(i)
		if !slices.Contains(known, string(name)) {
			r.fail("benchmark-attribute", "", "<%s> has no attribute %s%s", r.scan.Name(), diagnostic.Excerpt(string(name)), diagnostic.Instead(string(name), known))
			continue
		}
		values[string(name)] = string(value)
	}
	return values
}

// benchmark reads the attributes of the outer element.
func (r *reader) benchmark(d *Definition) {
	is := r.attributes("tool", "displayName", "timelimit", "hardtimelimit", "walltimelimit", "memlimit", "cpuCores", "threads")
	if d.Tool, d.Title = is["tool"], is["displayName"]; d.Tool == "" {
		r.fail("benchmark-tool", "write tool=\"NAME\", the name of a tool of --tools", "the attribute tool is missing")
	}
	hard := time.Duration(0)
	times := map[string]*time.Duration{"timelimit": &d.CPU, "hardtimelimit": &hard, "walltimelimit": &d.Wall}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		if text, given := is[name]; given {
			limit, err := parseTime(text)
			if err != nil {
				r.fail("benchmark-limit", "", "%s: %v", name, err)
			}
			*times[name] = limit
		}
	}
	switch {
	case d.CPU == 0:
		d.CPU = hard
	case hard > d.CPU:
		r.warn("benchmark-hardtimelimit", "", "a run is ended at timelimit: between timelimit and hardtimelimit BenchExec only lets a tool write more")
	}
	if text, given := is["memlimit"]; given {
		var err error
		if d.Memory, err = parseMemory(text); err != nil {
			r.fail("benchmark-limit", "", "memlimit: %v", err)
		}
	}
	if text, given := is["cpuCores"]; given {
		var err error
		if d.Cores, err = strconv.Atoi(strings.TrimSpace(text)); err != nil || d.Cores < 1 || d.Cores > 4096 {
			r.fail("benchmark-limit", "", "cpuCores: %s is no number of cores", diagnostic.Excerpt(text))
		}
	}
	if _, given := is["threads"]; given {
		r.warn("benchmark-threads", "`podium run --cores-used` says how many cores all runs use together", "threads is passed over")
	}
}

func (r *reader) runDefinition() *level {
	run := &level{at: r.here(), name: r.attributes("name")["name"]}
	r.children(func(name string) {
		if name == "tasks" {
			run.sets = append(run.sets, r.tasks())
			return
		}
		r.common(run, name, "rundefinition", "tasks")
	})
	return run
}

func (r *reader) tasks() *set {
	s := &set{level: level{at: r.here(), name: r.attributes("name")["name"]}}
	lists := map[string]*[]task.Pattern{"include": &s.include, "includesfile": &s.includeSets, "exclude": &s.exclude, "excludesfile": &s.excludeSets}
	r.children(func(name string) {
		switch list := lists[name]; {
		case list != nil:
			r.attributes()
			*list = append(*list, r.text(name)...)
		case name == "withoutfile" || name == "append":
			r.fail("benchmark-no-counterpart", "write task definitions (.yml) that name the input files, and include them", "tasks are programs and properties, and <%s> names none", name)
			r.scan.Skip()
		default:
			r.common(&s.level, name, "tasks", "include", "includesfile", "exclude", "excludesfile")
		}
	})
	if len(s.include)+len(s.includeSets) == 0 {
		r.failAt(s.at, "benchmark-empty", "add <include> or <includesfile>", "the set includes no tasks")
	}
	return s
}

// common takes an element that may stand on each level.
func (r *reader) common(in *level, name, where string, others ...string) {
	switch name {
	case "option":
		if option, given := r.attributes("name")["name"]; given && option != "" {
			in.options = append(in.options, r.at(option))
		}
		in.options = append(in.options, r.optional(name)...)
	case "propertyfile":
		expected := r.attributes("expectedverdict")["expectedverdict"]
		if expected != "" && expected != "true" && expected != "false" && expected != "unknown" && !(strings.HasPrefix(expected, "false(") && strings.HasSuffix(expected, ")")) {
			r.fail("benchmark-expected", "write true, false, false(SUBPROPERTY) or unknown", "expectedverdict is %s", diagnostic.Excerpt(expected))
		}
		if in.property != nil {
			r.fail("benchmark-property", "name one", "<%s> has two property files", where)
		}
		for _, p := range r.text(name) {
			in.property = &property{p, expected}
		}
	case "requiredfiles":
		r.attributes()
		in.required = append(in.required, r.text(name)...)
	case "sourcefiles", "test":
		now := map[string]string{"sourcefiles": "tasks", "test": "rundefinition"}[name]
		r.fail("benchmark-old", "write <"+now+">", "<%s> is of BenchExec before 2.0", name)
		r.scan.Skip()
	default:
		known := append([]string{"option", "propertyfile", "requiredfiles"}, others...)
		r.fail("benchmark-element", "", "<%s> has no element <%s>%s", where, diagnostic.Excerpt(name), diagnostic.Instead(name, known))
		r.scan.Skip()
	}
}

// at is a text with the position of the current tag.
func (r *reader) at(text string) task.Pattern {
	p := r.here()
	p.Text = text
	return p
}

// text reads the text of an element, which must not be empty.
func (r *reader) text(name string) []task.Pattern {
	list := r.optional(name)
	if list == nil && !r.scan.Failed() {
		r.fail("benchmark-text", "", "<%s> is empty", name)
	}
	return list
}

// optional reads the text of an element; nil where there is none.
func (r *reader) optional(name string) []task.Pattern {
	p := r.here()
	var text strings.Builder
	for {
		switch r.scan.Next() {
		case xmlscan.Text:
			text.Write(r.scan.Text())
		case xmlscan.Start:
			r.fail("benchmark-element", "", "<%s> holds text alone, and no <%s>", name, r.scan.Name())
			r.scan.Skip()
		default:
			if p.Text = strings.TrimSpace(text.String()); p.Text == "" {
				return nil
			}
			return []task.Pattern{p}
		}
	}
}
