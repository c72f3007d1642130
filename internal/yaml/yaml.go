// Package yaml reads what people write: editions and manifests of tools. It is the
// only door to the parser. A text is bounded before the parser, which recurses,
// sees it: by its size, by its words, and by how deep brackets and indentation go.
package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits of every text.
const (
	MaxBytes  = 1 << 18
	maxDepth  = 32
	maxTokens = 1 << 14 // words and signs
)

// The nodes of a document.
type (
	Node             = ast.Node
	MappingNode      = ast.MappingNode
	MappingValueNode = ast.MappingValueNode
	SequenceNode     = ast.SequenceNode
	StringNode       = ast.StringNode
	IntegerNode      = ast.IntegerNode
	FloatNode        = ast.FloatNode
	BoolNode         = ast.BoolNode
	NullNode         = ast.NullNode
	LiteralNode      = ast.LiteralNode // a block of lines
)

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

// Parse gives the root of the only document, nil when that is empty or one of
// several. The error is an *[Error].
func Parse(text []byte) (Node, error) {
	text, err := bounded(text)
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, explained(err)
	}
	if len(file.Docs) != 1 || file.Docs[0].Body == nil {
		return nil, nil
	}
	return file.Docs[0].Body, nil
}

// Decode fills a struct, in which every key of the text must have a field. The
// error is an *[Error], or io.EOF when the text is empty.
func Decode(text []byte, into any) (err error) {
	if text, err = bounded(text); err != nil {
		return err
	}
	defer func() {
		// A list that is a tag without a value, as in "a: !b", is a nil pointer to the decoder.
		if failure := recover(); failure != nil {
			err = &Error{Message: "this is no YAML that can be read: the decoder gave up"}
		}
	}()
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(into); err != nil {
		return explained(err)
	}
	return nil
}

// Encode gives a value as text.
func Encode(v any) ([]byte, error) { return yaml.Marshal(v) }

// explained is an error of the parser with its position, and without the text that
// it shows.
func explained(err error) error {
	var at yaml.Error
	if !errors.As(err, &at) {
		return err
	}
	e := &Error{Message: at.GetMessage()}
	if e.Message == "non-map value is specified" {
		e.Message = "a line has no colon behind its key: write key: value"
	}
	if t := at.GetToken(); t != nil && t.Position != nil {
		e.Line, e.Col = t.Position.Line, t.Position.Column
	}
	return e
}

// bounded takes a byte order mark away, and refuses what is beyond a limit.
func bounded(text []byte) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	beyond := func(p token.Position, format string, args ...any) error {
		return &Error{p.Line, p.Column, fmt.Sprintf(format, args...), true}
	}
	if len(text) > 1 && (bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) || (text[0] == 0) != (text[1] == 0)) {
		return nil, &Error{Line: 1, Col: 1, Message: "the text is in UTF-16: save it as UTF-8"}
	}
	if len(text) > MaxBytes {
		return nil, beyond(token.Position{}, "the text is larger than %d bytes", MaxBytes)
	}
	if line := tooIndented(text); line > 0 {
		return nil, beyond(token.Position{Line: line, Column: 1}, "indentation deeper than %d", maxDepth)
	}
	tokens := lexer.Tokenize(string(text))
	if len(tokens) > maxTokens {
		return nil, beyond(*tokens[maxTokens].Position, "more than %d words and signs", maxTokens)
	}
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			if depth++; depth > maxDepth {
				return nil, beyond(*t.Position, "brackets are nested deeper than %d", maxDepth)
			}
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
	}
	return text, nil
}

// tooIndented gives the first line that is indented too far: each level takes a
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
