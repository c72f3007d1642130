package pnml

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Document is what a PNML file holds: one net, of one of two kinds.
type Document struct {
	Net       *Net       // a P/T net, or nil
	Symmetric *Symmetric // a symmetric net, or nil

	// References gives the id of the node that each reference node stands for, through
	// chains of them; nil where there are none.
	References map[string]string
}

// Read reads a PNML document in one pass; file is the name in the findings.
// The findings are sorted. When some are errors (see [diagnostic.List.Err]) the
// document holds what could be read, and may hold no net at all; it is never nil.
func Read(r io.Reader, file string) (*Document, diagnostic.List) {
	return read(xmlscan.New(r, file))
}

func read(s *xmlscan.Scanner) (*Document, diagnostic.List) {
	rd := newReader(s)
	doc := rd.document()
	rd.diags = rd.s.Conclude(rd.diags, followsOpen)
	rd.diags.Sort()
	return doc, rd.diags
}

// followsOpen reports whether a finding can come only from an element before it that was
// left open: what comes next seems to stand inside it.
func followsOpen(code string) bool {
	switch code {
	case "pnml-unknown-element", "pnml-stray-text", "pnml-duplicate-label", "pnml-marking", "pnml-inscription", "pnml-behaviour",
		"pnml-too-many", "pnml-missing", "pnml-order", "pnml-attribute", "pnml-value":
		return true
	}
	return strings.HasPrefix(code, "sym-") || strings.HasPrefix(code, "nupn-")
}

// ReadFile reads the PNML document at path.
func ReadFile(path string) (*Document, diagnostic.List) {
	f, err := os.Open(path)
	if err != nil {
		d := diagnostic.Diagnostic{File: path, Code: "xml-read", Message: "the file cannot be opened: " + err.Error(), Hint: "name a file that you may read"}
		if errors.Is(err, fs.ErrNotExist) {
			d.Message, d.Hint = "there is no such file", "write the net into a file of this name"
		}
		return &Document{}, diagnostic.List{d}
	}
	defer f.Close()
	doc, found := Read(f, path)
	locateIn(f, found)
	return doc, found
}

// Check reads the PNML document in f, with the warnings of Lint, unless there are errors. File is the
// name in the findings.
func Check(f io.ReadSeeker, file string) (*Document, diagnostic.List) {
	doc, found := Read(f, file)
	if found.Err() == nil {
		found = append(found, doc.Lint(file)...)
	}
	locateIn(f, found)
	return doc, found
}

func locateIn(f io.ReadSeeker, found diagnostic.List) {
	Locate(found, func(use func(io.Reader) error) error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return use(f)
	})
}

// Lint returns warnings about a net that is well-formed but probably not what its
// author meant, see [Net.Lint] and [Symmetric.Lint]. File is the name in the
// findings.
func (d *Document) Lint(file string) diagnostic.List {
	switch {
	case d.Net != nil:
		return d.Net.Lint(file)
	case d.Symmetric != nil:
		return d.Symmetric.Lint(file)
	}
	return nil
}

// Write writes the document in canonical form, see [Net.Write] and
// [Symmetric.Write]; a document without a net writes nothing.
func (d *Document) Write(w io.Writer) error {
	switch {
	case d.Net != nil:
		return d.Net.Write(w)
	case d.Symmetric != nil:
		return d.Symmetric.Write(w)
	}
	return nil
}
