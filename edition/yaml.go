package edition

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"podium/internal/yaml"
	"podium/pnml/diagnostic"
)

// reader collects diagnostics while it walks a YAML document.
type reader struct {
	file  string
	found diagnostic.List
	uses  []use
}

// entry is one key of a mapping.
type entry struct {
	name  string
	key   yaml.Node
	value yaml.Node
}

func (r *reader) fail(at yaml.Node, code, hint, format string, args ...any) {
	d := diagnostic.Diagnostic{File: r.file, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
	if at != nil && at.GetToken() != nil && at.GetToken().Position != nil {
		d.Line, d.Col = at.GetToken().Position.Line, at.GetToken().Position.Column
	}
	r.found.Add(d)
}

// parse gives the root of the only document.
func (r *reader) parse(data []byte) yaml.Node {
	root, err := yaml.Parse(data)
	var wrong *yaml.Error
	switch {
	case errors.As(err, &wrong) && wrong.Limit:
		r.found.Add(diagnostic.Diagnostic{File: r.file, Line: wrong.Line, Col: wrong.Col, Code: "edition-limit", Message: wrong.Message})
	case errors.As(err, &wrong):
		r.found.Add(diagnostic.Diagnostic{File: r.file, Line: wrong.Line, Col: wrong.Col, Code: "edition-syntax", Message: "this is no YAML: " + wrong.Message})
	case err != nil:
		r.fail(nil, "edition-syntax", "", "this is no YAML: %v", err)
	case root == nil:
		r.fail(nil, "edition-syntax", "", "an edition is one YAML document that is not empty")
	}
	return root
}

// mapping gives the entries of a mapping; each key must be among the allowed
// ones and stand once. With nil allowed every key passes.
func (r *reader) mapping(n yaml.Node, what string, allowed []string) map[string]entry {
	var values []*yaml.MappingValueNode
	switch m := n.(type) {
	case *yaml.MappingNode:
		values = m.Values
	case *yaml.MappingValueNode:
		values = []*yaml.MappingValueNode{m}
	default:
		r.fail(n, "edition-shape", "", "%s is a mapping of keys to values", what)
		return nil
	}
	entries := map[string]entry{}
	for _, v := range values {
		name, ok := scalar(v.Key)
		switch {
		case !ok:
			r.fail(v.Key, "edition-shape", "", "a key of %s is one word", what)
		case allowed != nil && !slices.Contains(allowed, name):
			r.fail(v.Key, "edition-unknown-key", "the keys are "+strings.Join(allowed, ", "), "%s has no key %q", what, name)
		case entries[name].key != nil:
			r.fail(v.Key, "edition-repeated-key", "", "%s has the key %q twice", what, name)
		default:
			entries[name] = entry{name, v.Key, v.Value}
		}
	}
	return entries
}

// scalar gives the text of a plain or quoted value.
func scalar(n yaml.Node) (string, bool) {
	switch s := n.(type) {
	case *yaml.StringNode:
		return s.Value, true
	case *yaml.IntegerNode, *yaml.FloatNode, *yaml.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// text reads an entry that must be there unless optional.
func (r *reader) text(in map[string]entry, at yaml.Node, name string, optional bool) string {
	e, ok := in[name]
	if !ok {
		if !optional {
			r.fail(at, "edition-missing-key", "", "the key %q is missing", name)
		}
		return ""
	}
	text, ok := scalar(e.value)
	if !ok {
		r.fail(e.value, "edition-shape", "", "%s is one word or number", name)
	}
	return text
}

// list gives the elements of a sequence.
func (r *reader) list(in map[string]entry, name string) []yaml.Node {
	e, ok := in[name]
	if !ok {
		return nil
	}
	seq, ok := e.value.(*yaml.SequenceNode)
	if !ok {
		r.fail(e.value, "edition-shape", "", "%s is a list", name)
		return nil
	}
	return seq.Values
}

// words gives the elements of a sequence of words.
func (r *reader) words(in map[string]entry, name string) []string {
	var words []string
	for _, n := range r.list(in, name) {
		word, ok := scalar(n)
		if !ok {
			r.fail(n, "edition-shape", "", "%s is a list of words", name)
			continue
		}
		words = append(words, word)
	}
	return words
}
