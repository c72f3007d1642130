package edition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"podium/internal/diagnostic"
)

// maxBytes and maxDepth bound what is read.
const (
	maxBytes = 1 << 18
	maxDepth = 32
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
	key   ast.Node
	value ast.Node
}

func (r *reader) fail(at ast.Node, code, hint, format string, args ...any) {
	d := diagnostic.Diagnostic{File: r.file, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
	if at != nil && at.GetToken() != nil && at.GetToken().Position != nil {
		d.Line, d.Col = at.GetToken().Position.Line, at.GetToken().Position.Column
	}
	r.found.Add(d)
}

// parse gives the root of the only document.
func (r *reader) parse(data []byte) ast.Node {
	if len(data) > maxBytes {
		r.fail(nil, "edition-too-large", "", "an edition has at most %d bytes", maxBytes)
		return nil
	}
	if tooDeep(data) {
		r.fail(nil, "edition-too-deep", "", "brackets or indentation are nested deeper than %d", maxDepth)
		return nil
	}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		r.syntax(err)
		return nil
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		r.fail(nil, "edition-syntax", "", "an edition is one YAML document that is not empty")
		return nil
	}
	return file.Docs[0].Body
}

// syntax turns an error of the parser, "[line:col] message", into a diagnostic.
func (r *reader) syntax(err error) {
	d := diagnostic.Diagnostic{File: r.file, Code: "edition-syntax"}
	text, _, _ := strings.Cut(err.Error(), "\n")
	if n, _ := fmt.Sscanf(text, "[%d:%d]", &d.Line, &d.Col); n == 2 {
		_, text, _ = strings.Cut(text, "] ")
	}
	d.Message = "this is no YAML: " + text
	r.found.Add(d)
}

// tooDeep looks at brackets and indentation before the parser, which recurses,
// sees the text.
func tooDeep(data []byte) bool {
	depth, blank, column := 0, true, 0
	for _, c := range data {
		switch {
		case c == '\n':
			blank, column = true, 0
		case blank && (c == ' ' || c == '-' || c == '?' || c == '\t'):
			if column++; column > 4*maxDepth {
				return true
			}
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return true
			}
			blank = false
		case c == ']' || c == '}':
			depth--
			blank = false
		default:
			blank = false
		}
	}
	return false
}

// mapping gives the entries of a mapping; each key must be among the allowed
// ones and stand once. With nil allowed every key passes.
func (r *reader) mapping(n ast.Node, what string, allowed []string) map[string]entry {
	var values []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
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
func scalar(n ast.Node) (string, bool) {
	switch s := n.(type) {
	case *ast.StringNode:
		return s.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// text reads an entry that must be there unless optional.
func (r *reader) text(in map[string]entry, at ast.Node, name string, optional bool) string {
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
func (r *reader) list(in map[string]entry, name string) []ast.Node {
	e, ok := in[name]
	if !ok {
		return nil
	}
	seq, ok := e.value.(*ast.SequenceNode)
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
