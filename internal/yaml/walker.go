package yaml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"podium/pnml/diagnostic"
)

// Walker collects diagnostics while it walks the document of a file. The codes of
// its own begin with Prefix: edition-shape, edition-syntax.
type Walker struct {
	File   string
	Prefix string
	What   string // what the document is, with its article
	Found  diagnostic.List
}

// Entry is one key of a mapping.
type Entry struct {
	Name  string
	Key   Node
	Value Node
}

// Fail adds an error at a node, which may be nil. Code is the whole code.
func (w *Walker) Fail(at Node, code, hint, format string, args ...any) {
	w.add(at, diagnostic.Diagnostic{Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Warn adds a warning, as Fail adds an error.
func (w *Walker) Warn(at Node, code, hint, format string, args ...any) {
	w.add(at, diagnostic.Diagnostic{Severity: diagnostic.Warning, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

func (w *Walker) add(at Node, d diagnostic.Diagnostic) {
	d.File = w.File
	d.Line, d.Col = Position(at)
	w.Found.Add(d)
}

// Position is the line and column of a node from 1; 0 where it has none.
func Position(n Node) (line, col int) {
	if n == nil {
		return 0, 0
	}
	return n.Line, n.Column
}

// Root returns the root of the only document.
func (w *Walker) Root(data []byte) Node {
	root, err := Parse(data)
	var wrong *Error
	switch {
	case errors.As(err, &wrong) && wrong.Limit:
		w.Found.Add(diagnostic.Diagnostic{File: w.File, Line: wrong.Line, Col: wrong.Col, Code: w.Prefix + "-limit", Message: wrong.Message})
	case errors.As(err, &wrong):
		w.Found.Add(diagnostic.Diagnostic{File: w.File, Line: wrong.Line, Col: wrong.Col, Code: w.Prefix + "-syntax", Message: "this is no YAML: " + wrong.Message})
	case err != nil:
		w.Fail(nil, w.Prefix+"-syntax", "", "this is no YAML: %v", err)
	case root == nil:
		w.Fail(nil, w.Prefix+"-syntax", "", "%s is one YAML document that is not empty", w.What)
	}
	return root
}

// Mapping returns the entries of a mapping; each key must be among the allowed
// ones and stand once. With nil allowed every key passes.
func (w *Walker) Mapping(n Node, what string, allowed []string) map[string]Entry {
	if n == nil || n.Kind != yaml.MappingNode || marked(n) {
		w.Fail(n, w.Prefix+"-shape", "", "%s is a mapping of keys to values", what)
		return nil
	}
	entries := map[string]Entry{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		name, ok := Scalar(key)
		switch {
		case !ok:
			w.Fail(key, w.Prefix+"-shape", "", "a key of %s is one word", what)
		case allowed != nil && !slices.Contains(allowed, name):
			w.Fail(key, w.Prefix+"-unknown-key", "the keys are "+strings.Join(allowed, ", "), "%s has no key %q", what, name)
		case entries[name].Key != nil:
			w.Fail(key, w.Prefix+"-repeated-key", "", "%s has the key %q twice", what, name)
		default:
			entries[name] = Entry{name, key, value}
		}
	}
	return entries
}

// Scalar returns the text of a word, as it was written: 1.10 stays 1.10. It fails on
// nothing (as in "key:"), a list and a mapping, and on what has an anchor or a tag.
func Scalar(n Node) (string, bool) {
	if n == nil || n.Kind != yaml.ScalarNode || marked(n) || Null(n) {
		return "", false
	}
	return n.Value, true
}

// Elements returns what a list holds.
func Elements(n Node) ([]Node, bool) {
	if n == nil || n.Kind != yaml.SequenceNode || marked(n) {
		return nil, false
	}
	return n.Content, true
}

// Kinds of values without quotes.
func Null(n Node) bool   { return is(n, "!!null") }
func Number(n Node) bool { return is(n, "!!int") || is(n, "!!float") }

// Quoted reports whether a word is in quotes, or a block of lines.
func Quoted(n Node) bool { return n.Style&^yaml.TaggedStyle != 0 }

// IsMapping reports whether a node is a mapping.
func IsMapping(n Node) bool { return n != nil && n.Kind == yaml.MappingNode }

func is(n Node, tag string) bool {
	return n != nil && n.Kind == yaml.ScalarNode && !marked(n) && n.ShortTag() == tag
}

// marked reports whether a node has an anchor or a tag, which no file of ours needs.
func marked(n Node) bool { return n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 }

// empty reports whether a document holds nothing.
func empty(n Node) bool { return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0 }

// Text reads an entry that must be there unless optional.
func (w *Walker) Text(in map[string]Entry, at Node, name string, optional bool) string {
	e, ok := in[name]
	if !ok {
		if !optional {
			w.Fail(at, w.Prefix+"-missing-key", "", "the key %q is missing", name)
		}
		return ""
	}
	text, ok := Scalar(e.Value)
	if !ok {
		w.Fail(e.Value, w.Prefix+"-shape", "", "%s is one word or number", name)
	}
	return text
}

// List returns the elements of a sequence.
func (w *Walker) List(in map[string]Entry, name string) []Node {
	e, ok := in[name]
	if !ok {
		return nil
	}
	list, ok := Elements(e.Value)
	if !ok {
		w.Fail(e.Value, w.Prefix+"-shape", "", "%s is a list", name)
	}
	return list
}

// Words returns the elements of a sequence of words.
func (w *Walker) Words(in map[string]Entry, name string) []string {
	var words []string
	for _, n := range w.List(in, name) {
		word, ok := Scalar(n)
		if !ok {
			w.Fail(n, w.Prefix+"-shape", "", "%s is a list of words", name)
			continue
		}
		words = append(words, word)
	}
	return words
}
