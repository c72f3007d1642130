package task

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// Versions are the formats of task definitions that are read, as by BenchExec.
var Versions = []string{"0.1", "1.0", "2.0", "2.1"}

// Verdict is what is expected of a task.
type Verdict uint8

// The verdicts.
const (
	Unstated Verdict = iota // the task says nothing
	True                    // the property holds
	False                   // the property is violated
)

// String is the word of a definition; "unknown" for Unstated, as BenchExec calls it.
func (v Verdict) String() string {
	switch v {
	case True:
		return "true"
	case False:
		return "false"
	}
	return "unknown"
}

// MarshalText writes the word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// Pattern names files, relative to the file that it stands in.
type Pattern struct {
	Text      string
	Line, Col int
}

// Definition is the content of one task definition.
type Definition struct {
	File    string
	Version string
	// Inputs are given to the tool, Required has only to be there.
	Inputs, Required []Pattern
	Claims           []Claim
	// Options are for tools, such as language and data_model: words, numbers, truth
	// values, nil, []any and map[string]any. Nil where there are none.
	Options any
}

// Claim is a property that a program is a task for.
type Claim struct {
	Property    Pattern
	Verdict     Verdict
	Subproperty string // the part that is violated; only with False
}

var (
	topKeys   = []string{"format_version", "input_files", "required_files", "properties", "options", "additional_information"}
	claimKeys = []string{"property_file", "expected_verdict", "subproperty"}
)

// ReadDefinition reads a task definition. Name is the file in the findings. The
// definition is nil when a finding is an error. Files are not looked for.
func ReadDefinition(name string, text []byte) (*Definition, diagnostic.List) {
	d, found := readPart(name, text)
	if found.Err() != nil {
		return nil, found
	}
	return d, found
}

// readPart returns also what could be read of a definition with errors; nil where that is nothing.
func readPart(name string, text []byte) (*Definition, diagnostic.List) {
	r := definitionReader{yaml.Walker{File: name, Prefix: "task", What: "a task definition"}}
	d := r.definition(text)
	r.Found.Sort()
	return d, r.Found
}

type definitionReader struct{ yaml.Walker }

func (r *definitionReader) definition(text []byte) *Definition {
	root := r.Root(text)
	if root == nil {
		return nil
	}
	top := r.Mapping(root, "a task definition", nil)
	if top == nil {
		return nil
	}
	d := &Definition{File: r.File}
	if d.Version = r.version(top, root); d.Version == "" {
		return d // of a file that is something else, no more is said
	}
	r.passOver(top, topKeys, "a task definition")
	d.Inputs = r.patterns(top, "input_files")
	if e, given := top["input_files"]; !given {
		r.Fail(root, "task-missing-key", "write input_files: and the name of the program", "the key %q is missing", "input_files")
	} else if len(d.Inputs) == 0 && r.Found.Err() == nil {
		r.Fail(e.Value, "task-no-input", "name the program", "input_files is empty")
	}
	d.Required = r.patterns(top, "required_files")
	for _, n := range r.List(top, "properties") {
		if c, ok := r.claim(n); ok {
			d.Claims = r.add(d.Claims, c)
		}
	}
	if e, given := top["options"]; given {
		if d.Version < "2.0" {
			r.Fail(e.Key, "task-version", "write format_version: '2.0'", "format %s has no key %q", d.Version, "options")
		}
		d.Options = r.value(e.Value)
		if options, ok := d.Options.(map[string]any); ok && options["data_model"] != nil && options["data_model"] != "ILP32" && options["data_model"] != "LP64" {
			r.Warn(e.Key, "task-data-model", "write ILP32 or LP64", "there is no data model %s", diagnostic.Excerpt(fmt.Sprint(options["data_model"])))
		}
	}
	if e, given := top["additional_information"]; given && d.Version < "2.1" {
		r.Fail(e.Key, "task-version", "write format_version: '2.1'", "format %s has no key %q", d.Version, "additional_information")
	}
	return d
}

// version is empty where it is missing or not known.
func (r *definitionReader) version(top map[string]yaml.Entry, root yaml.Node) string {
	hint := "the formats are " + strings.Join(Versions, ", ") + "; today's files begin with format_version: '2.0'"
	e, given := top["format_version"]
	if !given {
		r.Fail(root, "task-version", hint, "this is no task definition: the key %q is missing", "format_version")
		return ""
	}
	version, ok := yaml.Scalar(e.Value)
	if !ok || !slices.Contains(Versions, version) {
		r.Fail(e.Value, "task-version", hint, "format_version %s is not known", diagnostic.Excerpt(version))
		return ""
	}
	return version
}

// passOver warns of keys that the format keeps for later.
func (r *definitionReader) passOver(in map[string]yaml.Entry, known []string, what string) {
	for name, e := range in {
		if !slices.Contains(known, name) {
			r.Warn(e.Key, "task-unknown-key", "the keys are "+strings.Join(known, ", "), "%s has no key %s: it is passed over", what, diagnostic.Excerpt(name))
		}
	}
}

// patterns reads one pattern or a list of them.
func (r *definitionReader) patterns(top map[string]yaml.Entry, key string) []Pattern {
	e, given := top[key]
	if !given {
		return nil
	}
	nodes := []yaml.Node{e.Value}
	if list, ok := yaml.Elements(e.Value); ok {
		nodes = list
	}
	var patterns []Pattern
	for _, n := range nodes {
		if p, ok := r.pattern(n, key); ok {
			patterns = append(patterns, p)
		}
	}
	return patterns
}

func (r *definitionReader) pattern(n yaml.Node, key string) (Pattern, bool) {
	text, ok := yaml.Scalar(n)
	if !ok || text == "" {
		r.Fail(n, "task-shape", "write names between quotes, one or a list", "%s holds what is no name of a file", key)
		return Pattern{}, false
	}
	if filepath.IsAbs(text) {
		r.Warn(n, "task-absolute", "put the file beside the definition, and name it from there", "%s is the name of a file on one computer", diagnostic.Excerpt(text))
	}
	line, col := yaml.Position(n)
	return Pattern{text, line, col}, true
}

// claim reads an element of properties.
func (r *definitionReader) claim(n yaml.Node) (c Claim, ok bool) {
	const hint = "write - property_file: NAME.prp, and below it expected_verdict: true or false"
	if _, word := yaml.Scalar(n); word {
		r.Fail(n, "task-shape", hint, "properties is a list of mappings, each with the key property_file")
		return c, false
	}
	in := r.Mapping(n, "a property", nil)
	if in == nil {
		return c, false
	}
	r.passOver(in, claimKeys, "a property")
	e, given := in["property_file"]
	if !given {
		r.Fail(n, "task-missing-key", hint, "the key %q is missing", "property_file")
		return c, false
	}
	if c.Property, ok = r.pattern(e.Value, "property_file"); !ok {
		return c, false
	}
	if e, given := in["expected_verdict"]; given {
		c.Verdict = r.verdict(e.Value)
	}
	c.Subproperty = r.Text(in, n, "subproperty", true)
	if c.Subproperty != "" && c.Verdict != False {
		r.Warn(in["subproperty"].Key, "task-subproperty", "", "a subproperty without expected_verdict: false says nothing")
		c.Subproperty = ""
	}
	return c, true
}

func (r *definitionReader) verdict(n yaml.Node) Verdict {
	switch v := version1(n).(type) {
	case bool:
		if v {
			return True
		}
		return False
	case nil:
	default:
		r.Fail(n, "task-verdict", "write expected_verdict: true or false, without quotes, or leave it out", "the expected verdict is neither true nor false")
	}
	return Unstated
}

// add appends a claim, unless its property is claimed already.
func (r *definitionReader) add(claims []Claim, c Claim) []Claim {
	for _, other := range claims {
		if other.Property.Text == c.Property.Text {
			r.Found.Add(diagnostic.Diagnostic{File: r.File, Line: c.Property.Line, Col: c.Property.Col, Code: "task-repeated",
				Message: fmt.Sprintf("the property %s stands in line %d already", diagnostic.Excerpt(c.Property.Text), other.Property.Line), Hint: "a property has one verdict: remove one of them"})
			return claims
		}
	}
	return append(claims, c)
}

// value returns an option as plain Go values.
func (r *definitionReader) value(n yaml.Node) any {
	if elements, ok := yaml.Elements(n); ok {
		list := make([]any, 0, len(elements))
		for _, element := range elements {
			list = append(list, r.value(element))
		}
		return list
	}
	if yaml.IsMapping(n) {
		in := r.Mapping(n, "an option", nil)
		values := make(map[string]any, len(in))
		for name, e := range in {
			values[name] = r.value(e.Value)
		}
		return values
	}
	if _, ok := yaml.Scalar(n); !ok && !yaml.Null(n) {
		r.Fail(n, "task-shape", "write the values out, without anchors, aliases and tags", "an option is a word, a number, a list or a mapping")
	}
	return version1(n)
}

// version1 reads a word as YAML 1.1 does, whose reader BenchExec has: yes is true, 017 is
// 15, 1:30 is 90. It is a bool, an int64, a float64, a string, or nil where there is
// nothing; in quotes all are strings.
func version1(n yaml.Node) any {
	text, ok := yaml.Scalar(n)
	if !ok || yaml.Quoted(n) {
		if !ok {
			return nil
		}
		return text
	}
	switch digits := strings.ReplaceAll(text, "_", ""); {
	case slices.Contains([]string{"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"}, text):
		return true
	case slices.Contains([]string{"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"}, text):
		return false
	case sexagesimal.MatchString(digits):
		sum := int64(0)
		for part := range strings.SplitSeq(strings.TrimLeft(digits, "+-"), ":") {
			next, _ := strconv.ParseInt(part, 10, 64)
			sum = sum*60 + next
		}
		if digits[0] == '-' {
			return -sum
		}
		return sum
	case strings.HasPrefix(digits, "0o"): // of YAML 1.2
	case yaml.Number(n):
		if n, err := strconv.ParseInt(digits, 0, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(digits, 64); err == nil && !math.IsInf(f, 0) {
			return f
		}
	}
	return text
}

// sexagesimal is a number of hours, minutes and seconds, of at most six parts.
var sexagesimal = regexp.MustCompile(`^[-+]?[1-9][0-9]{0,5}(:[0-5]?[0-9]){1,5}$`)
