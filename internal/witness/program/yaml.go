package program

import (
	"path"
	"regexp"
	"slices"
	"strconv"

	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// yamlReader reads a witness in YAML. What it does not find, it says and passes over.
type yamlReader struct {
	yaml.Walker
	asked  Asked
	report Report
}

func readYAML(name string, text []byte, asked Asked) (Report, diagnostic.List) {
	r := &yamlReader{Walker: yaml.Walker{File: name, Prefix: "witness", What: "a witness"}, asked: asked}
	r.report.Format = YAML
	if root := r.Root(text); root != nil {
		r.entries(root)
	}
	return r.report, r.Found
}

// entries reads the list that a witness is.
func (r *yamlReader) entries(root yaml.Node) {
	list, ok := yaml.Elements(root)
	if !ok || len(list) == 0 {
		r.Fail(root, "witness-shape", "begin the first entry with \"- entry_type:\"", "a witness is a list of entries")
		return
	}
	for i, n := range list {
		in := r.Mapping(n, "an entry", []string{"entry_type", "metadata", "content"})
		if in == nil {
			continue
		}
		version := r.metadata(in, n)
		if version != "" && i > 0 && version != r.report.Format {
			r.Fail(n, "witness-version", "", "the entries are of different formats, %s and %s", r.report.Format, version)
		} else if version != "" {
			r.report.Format = version
		}
		r.entry(in, n, version)
	}
	if r.report.Kind != "" {
		if problem := r.asked.aboutKind(r.report.Kind); problem != "" {
			r.Fail(list[0], "witness-kind", "", "%s", problem)
		}
	}
}

// entry reads what one entry says.
func (r *yamlReader) entry(in map[string]yaml.Entry, at yaml.Node, version Format) {
	kind := Correctness
	switch word := r.Text(in, at, "entry_type", false); word {
	case "violation_sequence":
		kind = Violation
		r.segments(in, at, version)
	case "invariant_set":
		r.invariants(in, at, version)
	case "ghost_instrumentation":
		if version == YAML {
			r.Fail(in["entry_type"].Value, "witness-entry", "write format_version: \"2.1\"", "format 2.0 has no entry %s", word)
		}
	case "":
		return
	default:
		r.Fail(in["entry_type"].Value, "witness-entry", "the entries are violation_sequence, invariant_set and, in 2.1, ghost_instrumentation", "there is no entry %s", diagnostic.Excerpt(word))
		return
	}
	if r.report.Kind != "" && r.report.Kind != kind {
		r.Fail(at, "witness-kind", "", "a witness shows a violation or has invariants, not both")
	}
	r.report.Kind = kind
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// metadata reads what an entry says of itself, and returns its format; empty where it is none.
func (r *yamlReader) metadata(entry map[string]yaml.Entry, at yaml.Node) Format {
	in := r.inside(entry, at, "metadata", []string{"format_version", "uuid", "creation_time", "producer", "task"})
	if in == nil {
		return ""
	}
	where := entry["metadata"].Value
	version := Format(r.Text(in, where, "format_version", false))
	if version != "" && version != YAML && version != YAML21 {
		r.Fail(in["format_version"].Value, "witness-version", "the formats in YAML are 2.0 and 2.1", "the format is %s", diagnostic.Excerpt(string(version)))
		version = ""
	}
	if id := r.Text(in, where, "uuid", false); id != "" && !uuid.MatchString(id) {
		r.Fail(in["uuid"].Value, "witness-value", "", "%s is no UUID", diagnostic.Excerpt(id))
	}
	if e, given := in["creation_time"]; given {
		if problem := isMoment(r.Text(in, where, "creation_time", false)); problem != "" {
			r.Fail(e.Value, "witness-value", "", "%s", problem)
		}
	} else {
		r.Fail(where, "witness-missing-key", "", "the key %q is missing", "creation_time")
	}
	if producer := r.inside(in, where, "producer", []string{"name", "version", "configuration", "description", "command_line"}); producer != nil {
		r.Text(producer, in["producer"].Value, "name", false)
		r.Text(producer, in["producer"].Value, "version", false)
	}
	r.task(in, where)
	return version
}

// inside returns the entries of a mapping that must be there.
func (r *yamlReader) inside(in map[string]yaml.Entry, at yaml.Node, name string, keys []string) map[string]yaml.Entry {
	e, given := in[name]
	if !given {
		r.Fail(at, "witness-missing-key", "", "the key %q is missing", name)
		return nil
	}
	return r.Mapping(e.Value, name, keys)
}

// task compares what a witness says of its task.
func (r *yamlReader) task(metadata map[string]yaml.Entry, at yaml.Node) {
	in := r.inside(metadata, at, "task", []string{"input_files", "input_file_hashes", "specification", "data_model", "language"})
	if in == nil {
		return
	}
	where := metadata["task"].Value
	var files []string
	if e, given := in["input_files"]; !given {
		r.Fail(where, "witness-missing-key", "", "the key %q is missing", "input_files")
	} else if one, single := yaml.Scalar(e.Value); single {
		files = []string{one}
	} else {
		files = r.Words(in, "input_files")
	}
	hashes := r.inside(in, where, "input_file_hashes", nil)
	for _, file := range files {
		if e, hashed := hashes[file]; !hashed {
			r.Fail(where, "witness-program", "", "input_file_hashes has no digest of %s", diagnostic.Excerpt(file))
		} else if problem := r.asked.aboutProgram(file, r.Text(hashes, e.Key, file, false)); problem != "" {
			r.Fail(e.Value, "witness-program", "", "%s", problem)
		}
	}
	if text := r.Text(in, where, "specification", false); text != "" {
		problem, readable := r.asked.aboutSpecification(text)
		if !readable {
			problem, readable = r.asked.aboutSpecification("CHECK( init(main()), LTL(" + text + ") )") // the bare formula
		}
		if problem != "" {
			r.Fail(in["specification"].Value, "witness-specification", "", "%s", problem)
		} else if !readable {
			r.Warn(in["specification"].Value, "witness-specification", "", "the specification has not the form of a property file, so that it was not compared")
		}
	}
	switch model := r.Text(in, where, "data_model", false); {
	case model == "":
	case model != "ILP32" && model != "LP64":
		r.Fail(in["data_model"].Value, "witness-data-model", "", "data_model is ILP32 or LP64, not %s", diagnostic.Excerpt(model))
	case r.asked.DataModel != "" && model != r.asked.DataModel:
		r.Fail(in["data_model"].Value, "witness-data-model", "", "the data model is %s, and that of the task is %s", model, r.asked.DataModel)
	}
	if language := r.Text(in, where, "language", false); language != "" && language != "C" && language != "Java" {
		r.Fail(in["language"].Value, "witness-value", "", "language is C or Java, not %s", diagnostic.Excerpt(language))
	}
}

// segments reads the content of a violation_sequence.
func (r *yamlReader) segments(entry map[string]yaml.Entry, at yaml.Node, version Format) {
	if _, given := entry["content"]; !given {
		r.Fail(at, "witness-missing-key", "", "the key %q is missing", "content")
		return
	}
	list := r.List(entry, "content")
	endless := len(r.asked.Parts) == 1 && r.asked.Parts[0] == "termination"
	cycles, target := false, false
	for i, n := range list {
		in := r.Mapping(n, "an element of content", []string{"segment"})
		if in == nil {
			continue
		}
		points := r.List(in, "segment")
		if len(points) == 0 {
			r.Fail(n, "witness-segment", "", "a segment has a waypoint")
		}
		passed := 0
		for k, p := range points {
			one := r.Mapping(p, "an element of a segment", []string{"waypoint"})
			if one == nil {
				continue
			}
			what, action := r.waypoint(one, p, version)
			if action == "follow" || action == "cycle" {
				passed++
				cycles = cycles || action == "cycle"
				if k != len(points)-1 {
					r.Fail(p, "witness-segment", "", "the waypoint with the action %s is the last of its segment", action)
				}
			}
			if what == "target" {
				if target = true; i != len(list)-1 {
					r.Fail(p, "witness-segment", "", "the target stands in the last segment")
				}
			}
		}
		if passed != 1 && len(points) > 0 {
			r.Fail(n, "witness-segment", "", "a segment has one waypoint with the action follow, not %d", passed)
		}
	}
	switch {
	case !target && !cycles && r.Found.Err() == nil:
		r.Fail(at, "witness-segment", "", "the last segment has no waypoint of the type target")
	case cycles && version == YAML21 && len(r.asked.Parts) > 0 && !endless:
		r.Fail(at, "witness-segment", "", "only a witness for termination has waypoints with the action cycle")
	}
}

// waypoint reads a waypoint and returns its type and action.
func (r *yamlReader) waypoint(element map[string]yaml.Entry, at yaml.Node, version Format) (what, action string) {
	in := r.inside(element, at, "waypoint", []string{"type", "action", "constraint", "location", "thread_id"})
	if in == nil {
		return "", ""
	}
	where := element["waypoint"].Value
	what, action = r.Text(in, where, "type", false), r.Text(in, where, "action", false)
	types, actions := []string{"assumption", "branching", "function_enter", "function_return", "target"}, []string{"follow", "avoid"}
	if version == YAML21 {
		actions = append(actions, "cycle")
	}
	if what != "" && !slices.Contains(types, what) {
		r.Fail(in["type"].Value, "witness-waypoint", "", "there is no waypoint of the type %s", diagnostic.Excerpt(what))
	}
	if action != "" && !slices.Contains(actions, action) {
		r.Fail(in["action"].Value, "witness-waypoint", "", "there is no action %s in format %s", diagnostic.Excerpt(action), version)
	}
	_, constrained := in["constraint"]
	switch {
	case what == "target" && action == "avoid":
		r.Fail(in["action"].Value, "witness-waypoint", "", "a target is not avoided")
	case (what == "assumption" || what == "branching" || what == "function_return") && !constrained:
		r.Fail(where, "witness-missing-key", "", "the key %q is missing", "constraint")
	case (what == "target" || what == "function_enter") && constrained:
		r.Fail(in["constraint"].Key, "witness-waypoint", "", "a waypoint of the type %s has no constraint", what)
	}
	if constrained {
		if constraint := r.inside(in, where, "constraint", []string{"value", "format"}); constraint != nil {
			r.Text(constraint, in["constraint"].Value, "value", false)
			r.expression(constraint)
		}
	}
	r.location(in, where)
	return what, action
}

// expression checks the format of an expression, which may be left out.
func (r *yamlReader) expression(in map[string]yaml.Entry) {
	if e, given := in["format"]; given {
		if word := r.Text(in, e.Key, "format", false); word != "" && !slices.Contains([]string{"c_expression", "ext_c_expression", "acsl_expression"}, word) {
			r.Fail(e.Value, "witness-value", "", "there is no format of expressions %s", diagnostic.Excerpt(word))
		}
	}
}

// location reads a place in a program.
func (r *yamlReader) location(in map[string]yaml.Entry, at yaml.Node) {
	place := r.inside(in, at, "location", []string{"file_name", "line", "column", "function", "file_hash"})
	if place == nil {
		return
	}
	where := in["location"].Value
	if file := r.Text(place, where, "file_name", false); file != "" && len(r.asked.Programs) > 0 {
		if _, known := r.asked.Programs[path.Base(file)]; !known {
			r.Fail(place["file_name"].Value, "witness-program", "", "the task has no program %s", diagnostic.Excerpt(file))
		}
	}
	for _, key := range []string{"line", "column"} {
		e, given := place[key]
		if !given && key == "column" {
			continue
		}
		text := r.Text(place, where, key, false)
		if n, err := strconv.Atoi(text); given && (err != nil || n < 0 || n == 0 && key == "line") {
			r.Fail(e.Value, "witness-value", "", "%s is a number from 1, not %s", key, diagnostic.Excerpt(text))
		}
	}
}

// invariants reads the content of an invariant_set.
func (r *yamlReader) invariants(entry map[string]yaml.Entry, at yaml.Node, version Format) {
	if _, given := entry["content"]; !given {
		r.Fail(at, "witness-missing-key", "", "the key %q is missing", "content")
		return
	}
	types := []string{"loop_invariant", "location_invariant"}
	elements := []string{"invariant"}
	if version != YAML {
		types, elements = append(types, "loop_transition_invariant", "location_transition_invariant"), append(elements, "contract")
	}
	for _, n := range r.List(entry, "content") {
		in := r.Mapping(n, "an element of content", elements)
		if _, contract := in["contract"]; in == nil || contract {
			continue
		}
		of := r.inside(in, n, "invariant", []string{"type", "location", "value", "format", "labels"})
		if of == nil {
			continue
		}
		where := in["invariant"].Value
		if word := r.Text(of, where, "type", false); word != "" && !slices.Contains(types, word) {
			r.Fail(of["type"].Value, "witness-invariant", "", "there is no invariant of the type %s in format %s", diagnostic.Excerpt(word), version)
		}
		r.Text(of, where, "value", false)
		r.expression(of)
		r.location(of, where)
	}
}
