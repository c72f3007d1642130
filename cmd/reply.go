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

// reply is the flag --json of a command that prints results: one JSON document instead
// of text, or with lines one for each line. docs/json.md describes the fields of all,
// and replies holds their types.
type reply struct {
	asJSON bool
	lines  bool
	of     *cobra.Command
}

// register gives a command the flag.
func (r *reply) register(cmd *cobra.Command) {
	about := "print one JSON document (docs/json.md)"
	if r.lines {
		about = "print JSON, one document a line (docs/json.md)"
	}
	r.of = cmd
	cmd.Flags().BoolVar(&r.asJSON, "json", false, about)
}

// beside refuses a document where the net that a command writes has no file of its own.
func (r *reply) beside(out string) error {
	if r.asJSON && out == "" {
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

// print writes a document, or with text what people read.
func (r *reply) print(w io.Writer, document any, text func(io.Writer) error) error {
	if r.asJSON {
		return r.write(w, document)
	}
	return text(w)
}

// write writes a document, which is a struct, with the key "format" in front, unless it
// begins with one of its own. Lists without elements are written as such, and never as null.
func (r *reply) write(w io.Writer, document any) error {
	// people read ranks as "3 -> 1"
	text, err := jsonv2.Marshal(document, jsonv1.DefaultOptionsV1(), jsonv2.FormatNilSliceAsNull(false), jsontext.EscapeForHTML(false))
	if err != nil {
		return err
	}
	if own := []byte(`{"format":`); !bytes.HasPrefix(text, own) {
		rest := bytes.TrimPrefix(text, []byte("{"))
		text = append(append(own, `"`+formOf(r.of)+`",`...), rest...)
	}
	var out bytes.Buffer
	if r.lines {
		out.Write(text)
	} else if err := json.Indent(&out, text, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = w.Write(diagnostic.EscapeJSON(out.Bytes()))
	return err
}
