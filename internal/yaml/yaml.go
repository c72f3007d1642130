// Package yaml reads what people write: editions and manifests of tools. It is the
// only door to the parser. A text is bounded by its size, by how deep its indentation
// and its values go, and by how many values it has.
package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"

	"podium/pnml/diagnostic"
)

// Limits of every text.
const (
	MaxBytes = 1 << 18
	maxDepth = 32
	maxNodes = 1 << 14 // values, keys, lists and mappings
)

// Node is a value of a document: a word, a list or a mapping.
type Node = *yaml.Node

// Error says what is wrong with a text, and where: line and column from 1, or 0.
type Error struct {
	Line, Col int
	Message   string
	Limit     bool // the text is beyond a limit; it may be YAML
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Message
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Message)
}

// Errors are the errors of one text, in its order.
type Errors []*Error

func (list Errors) Error() string {
	var lines []string
	for _, e := range list {
		lines = append(lines, e.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.As find the first.
func (list Errors) Unwrap() (all []error) {
	for _, e := range list {
		all = append(all, e)
	}
	return all
}

// Parse returns the root of the only document, nil when that is empty or one of
// several. The error holds an *[Error].
func Parse(text []byte) (Node, error) {
	text, err := bounded(text)
	if err != nil {
		return nil, err
	}
	documents, err := yaml.NewLoader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	var root Node
	for found := 0; ; {
		var document yaml.Node
		if err := documents.Load(&document); errors.Is(err, io.EOF) {
			return root, nil
		} else if err != nil {
			return nil, within(explained(err), text)
		}
		if len(document.Content) == 0 || empty(document.Content[0]) {
			continue // comments alone
		}
		root = document.Content[0]
		if found++; found > 1 {
			return nil, nil
		}
		nodes := maxNodes
		if err := small(root, maxDepth+1, &nodes); err != nil { // the root is a level of its own
			return nil, err
		}
	}
}

// Decode fills a struct, in which every key of the text must have a field. The error
// holds an *[Error] for each key that has none and each value of another type, or is
// io.EOF when the text is empty.
func Decode(text []byte, into any) error {
	root, err := Parse(text)
	switch {
	case err != nil:
		return err
	case root == nil:
		return io.EOF
	}
	return explained(root.Load(into, yaml.WithKnownFields()))
}

// Findings says what is wrong with a file whose text [Decode] refused, at each place, with
// a code and a next step.
func Findings(file string, err error, code, hint string) (list diagnostic.List) {
	found := Errors{{Message: err.Error()}}
	if one := (*Error)(nil); !errors.As(err, &found) && errors.As(err, &one) {
		found = Errors{one}
	}
	for _, e := range found {
		list.Add(diagnostic.Diagnostic{File: file, Line: e.Line, Col: e.Col, Code: code, Message: e.Message, Hint: hint})
	}
	return list
}

// Encode returns a value as text.
func Encode(v any) ([]byte, error) { return yaml.Dump(v, yaml.WithIndent(2)) }

// explained is an error of the parser with its positions.
func explained(err error) error {
	var (
		all  *yaml.LoadErrors
		one  *yaml.LoadError
		list Errors
	)
	switch {
	case errors.As(err, &all):
		for _, e := range all.Errors {
			list = append(list, explainedOne(e))
		}
	case errors.As(err, &one):
		list = Errors{explainedOne(one)}
	default:
		return err
	}
	return list
}

// within moves an error at the end of a text to the last word before it, since something was
// not closed, and names a tab, which looks like blanks.
func within(err error, text []byte) error {
	var list Errors
	if text = bytes.TrimRight(text, " \t\r\n"); errors.As(err, &list) {
		lines, last := bytes.Count(text, []byte("\n"))+1, len(text)-bytes.LastIndexByte(text, '\n')-1
		for _, e := range list {
			if e.Line > lines {
				e.Line, e.Col = lines, last
				continue
			}
			if rest := bytes.SplitN(text, []byte("\n"), e.Line+1)[max(0, e.Line-1)]; 0 < e.Col && e.Col <= len(rest) && rest[e.Col-1] == '\t' {
				e.Message = "a tab stands at the beginning of the line: YAML is indented by spaces"
			}
		}
	}
	return err
}

func explainedOne(e *yaml.LoadError) *Error {
	at, message := e.Mark, e.Message
	switch {
	case message == "could not find expected ':'":
		at, message = e.ContextMark, "a line has no colon behind its key: write key: value"
	case strings.HasPrefix(e.ContextMsg, "while parsing a flow") || strings.HasPrefix(e.ContextMsg, "while scanning a quoted"):
		at, message = e.ContextMark, "this is not closed: "+message
	case strings.HasPrefix(message, "field "):
		name, _, _ := strings.Cut(strings.TrimPrefix(message, "field "), " not found in type ")
		message = `unknown field "` + name + `"`
	}
	return &Error{Line: at.Line, Col: at.Column, Message: message, Limit: strings.HasPrefix(message, "exceeded max depth")}
}

// bounded takes a byte order mark away, and what says that the text is YAML 1.2, which the
// parser reads and does not know by name. It refuses what is beyond a limit.
func bounded(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(text) > 1 && (bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) || (text[0] == 0) != (text[1] == 0)) {
		return nil, &Error{Line: 1, Col: 1, Message: "the text is in UTF-16: save it as UTF-8"}
	}
	if len(text) > MaxBytes {
		return nil, &Error{Message: fmt.Sprintf("the text is larger than %d bytes", MaxBytes), Limit: true}
	}
	if line := tooIndented(text); line > 0 {
		return nil, &Error{line, 1, fmt.Sprintf("indentation deeper than %d", maxDepth), true}
	}
	if rest, ok := bytes.CutPrefix(text, []byte("%YAML 1.2")); ok {
		text = append([]byte("%YAML 1.1"), rest...)
	}
	return text, nil
}

// small refuses a value that is nested too deep or holds too many others. An alias, of
// which a few lines stand for more than any memory holds, is one.
func small(n Node, depth int, nodes *int) error {
	if *nodes--; *nodes < 0 {
		return &Error{n.Line, n.Column, fmt.Sprintf("more than %d values", maxNodes), true}
	}
	if len(n.Content) > 0 && depth == 0 {
		return &Error{n.Line, n.Column, fmt.Sprintf("values are nested deeper than %d", maxDepth), true}
	}
	if n.Kind == yaml.AliasNode {
		return &Error{Line: n.Line, Col: n.Column, Message: "this is an alias: write the value out"}
	}
	for _, below := range n.Content {
		if err := small(below, depth-1, nodes); err != nil {
			return err
		}
	}
	return nil
}

// tooIndented returns the first line that is indented too far: each level takes a
// column at least.
func tooIndented(text []byte) (line int) {
	for part := range strings.Lines(string(text)) {
		line++
		if rest := strings.TrimLeft(part, " -?\t"); len(part)-len(rest) > 4*maxDepth {
			return line
		}
	}
	return 0
}
