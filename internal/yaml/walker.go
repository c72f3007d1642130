package yaml

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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

// Position is the line and column of a node from 1; 0 where it has none. A mapping
// begins with its first key.
func Position(n Node) (line, col int) {
	switch m := n.(type) {
	case *MappingNode:
		if !m.IsFlowStyle && len(m.Values) > 0 {
			return Position(m.Values[0])
		}
	case *MappingValueNode:
		return Position(m.Key)
	}
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0, 0
	}
	return n.GetToken().Position.Line, n.GetToken().Position.Column
}

// Root gives the root of the only document.
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

// Mapping gives the entries of a mapping; each key must be among the allowed
// ones and stand once. With nil allowed every key passes.
func (w *Walker) Mapping(n Node, what string, allowed []string) map[string]Entry {
	var values []*MappingValueNode
	switch m := n.(type) {
	case *MappingNode:
		values = m.Values
	case *MappingValueNode:
		values = []*MappingValueNode{m}
	default:
		w.Fail(n, w.Prefix+"-shape", "", "%s is a mapping of keys to values", what)
		return nil
	}
	entries := map[string]Entry{}
	for _, v := range values {
		name, ok := Scalar(v.Key)
		switch {
		case !ok:
			w.Fail(v.Key, w.Prefix+"-shape", "", "a key of %s is one word", what)
		case allowed != nil && !slices.Contains(allowed, name):
			w.Fail(v.Key, w.Prefix+"-unknown-key", "the keys are "+strings.Join(allowed, ", "), "%s has no key %q", what, name)
		case entries[name].Key != nil:
			w.Fail(v.Key, w.Prefix+"-repeated-key", "", "%s has the key %q twice", what, name)
		default:
			entries[name] = Entry{name, v.Key, v.Value}
		}
	}
	return entries
}

// Scalar gives the text of a plain or quoted value.
func Scalar(n Node) (string, bool) {
	switch s := n.(type) {
	case *StringNode:
		return s.Value, true
	case *LiteralNode: // a block of lines
		return s.Value.Value, true
	case *IntegerNode, *FloatNode, *BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

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

// List gives the elements of a sequence.
func (w *Walker) List(in map[string]Entry, name string) []Node {
	e, ok := in[name]
	if !ok {
		return nil
	}
	seq, ok := e.Value.(*SequenceNode)
	if !ok {
		w.Fail(e.Value, w.Prefix+"-shape", "", "%s is a list", name)
		return nil
	}
	return seq.Values
}

// Words gives the elements of a sequence of words.
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
