package cmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/spf13/cobra"

	"podium/pnml/diagnostic"
)

// registerJSON gives the commands that print results the flag --json: one JSON document instead of text, or
// a document a line. docs/json.md describes the fields of all, and replies holds their types.
func registerJSON(s *streams, cmd *cobra.Command) {
	for _, below := range cmd.Commands() {
		registerJSON(s, below)
	}
	path := pathOf(cmd)
	switch verb, ofDecide := strings.CutPrefix(path, "decide "); {
	case path == "decide":
		return // it prints nothing, and all its verbs the same
	case ofDecide && verb != "list":
		path = "decide"
	}
	about := "print one JSON document (docs/json.md)"
	if linesOf[path] {
		about = "print JSON, one document a line (docs/json.md)"
	}
	if replies[path] != nil {
		cmd.Flags().BoolVar(&s.asJSON, "json", false, about)
	}
}

// linesOf are the commands that print a document a line.
var linesOf = map[string]bool{"check witness": true, "logs": true}

// beside refuses a document where the net that a command writes has no file of its own.
func (s *streams) beside(out string) error {
	if s.asJSON && out == "" {
		return usageError{errors.New("the net goes to standard output: --json needs --out")}
	}
	return nil
}

// formOf names the form of what a command prints with --json after its path, as in
// podium-decide-list/1. A change that takes a field away, or gives it another meaning, needs
// another version.
func formOf(cmd *cobra.Command) string {
	return strings.ReplaceAll("podium "+pathOf(cmd), " ", "-") + "/1"
}

// print prints a document, or with text what people read.
func (s *streams) print(document any, text func(io.Writer) error) error {
	if s.asJSON {
		return s.reply(document)
	}
	return text(s.out)
}

// reply prints a document.
func (s *streams) reply(document any) error { return s.document(s.out, document) }

// document writes a document, which is a struct, with the key "format" in front, unless it
// begins with one of its own. Lists without elements are written as such, and never as null.
func (s *streams) document(w io.Writer, document any) error {
	// people read ranks as "3 -> 1"
	text, err := jsonv2.Marshal(document, jsonv1.DefaultOptionsV1(), jsonv2.FormatNilSliceAsNull(false), jsontext.EscapeForHTML(false))
	if err != nil {
		return err
	}
	if own := []byte(`{"format":`); !bytes.HasPrefix(text, own) {
		rest := bytes.TrimPrefix(text, []byte("{"))
		text = append(append(own, `"`+formOf(s.command)+`",`...), rest...)
	}
	var out bytes.Buffer
	if linesOf[pathOf(s.command)] {
		out.Write(text)
	} else if err := json.Indent(&out, text, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = w.Write(diagnostic.EscapeJSON(out.Bytes()))
	return err
}
