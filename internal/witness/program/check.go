package program

import (
	"bytes"
	"crypto/sha1" // witnesses before 2019 name programs by it
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"podium/models/task"
	"podium/pnml/diagnostic"
)

// Format is a version of the formats of SV-COMP.
type Format string

// The formats.
const (
	GraphML Format = "1.0"
	YAML    Format = "2.0"
	YAML21  Format = "2.1"
	Own     Format = "own" // none of these: a format of the tool and its validators
)

// The kinds of witnesses.
const (
	Violation   = "violation"
	Correctness = "correctness"
)

// Asked is what a witness has to be about. What is empty is not compared.
type Asked struct {
	Kind      string             // Violation or Correctness
	Parts     []string           // of the property, by the names of verdicts
	DataModel string             // ILP32 or LP64
	Programs  map[string]Digests // of the input files, by base name
	Formats   []Format           // that the rules take for the kind and property; nil: all
}

// Digests are what witnesses name a program by: SHA-256, and SHA-1 before 2019.
type Digests struct{ SHA256, SHA1 string }

// Program adds an input file.
func (a *Asked) Program(name string, content []byte) {
	if a.Programs == nil {
		a.Programs = map[string]Digests{}
	}
	long, short := sha256.Sum256(content), sha1.Sum(content)
	a.Programs[path.Base(name)] = Digests{hex.EncodeToString(long[:]), hex.EncodeToString(short[:])}
}

// has reports whether a digest is one of these.
func (d Digests) has(digest string) bool {
	return strings.EqualFold(d.SHA256, digest) || strings.EqualFold(d.SHA1, digest)
}

// Report is what a witness says of itself.
type Report struct {
	Format Format // Own where it is none that is known
	Kind   string // empty where it says none that is known
}

// recognised bounds the bytes at the beginning that show which format a file has.
const recognised = 1 << 16

var entryType = regexp.MustCompile(`(?m)^[ \t-]*["']?entry_type["']?[ \t]*:`)

// Recognise tells the kind of file by its first bytes: GraphML, YAML for every version of
// that format, or Own.
func Recognise(text []byte) Format {
	text = text[:min(len(text), recognised)]
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(text, "\ufeff \t\r\n"), []byte("<")) && bytes.Contains(text, []byte("<graphml")):
		return GraphML
	case entryType.Match(text):
		return YAML
	}
	return Own
}

// Check checks the form of a witness. Name is the file in the findings; one that is an error
// refuses the witness. A file in no known format has no findings.
func Check(name string, text []byte, asked Asked) (Report, diagnostic.List) {
	var r Report
	var found diagnostic.List
	switch Recognise(text) {
	case GraphML:
		g := &graphReader{asked: asked}
		r, found = g.read(name, text)
	case YAML:
		r, found = readYAML(name, text, asked)
	default:
		return Report{Format: Own}, nil
	}
	for i := range found {
		if strings.HasSuffix(found[i].Code, "-limit") { // it may be in order all the same
			found[i].Severity, found[i].Hint = diagnostic.Warning, "the rest was not checked"
		}
	}
	if asked.Formats != nil && !slices.Contains(asked.Formats, r.Format) {
		hint := "no format is taken for such an answer"
		if len(asked.Formats) > 0 {
			hint = "write " + joined(asked.Formats)
		}
		found.Add(diagnostic.Diagnostic{File: name, Code: "witness-format", Message: fmt.Sprintf("the rules take no %s witness in format %s for this property", asked.Kind, r.Format), Hint: hint})
	}
	found.Sort()
	return r, found
}

func joined(list []Format) string {
	words := make([]string, len(list))
	for i, f := range list {
		words[i] = string(f)
	}
	return strings.Join(words, ", ")
}

// aboutKind says why a witness of a kind is none for the answer; empty where it is.
func (a *Asked) aboutKind(kind string) string {
	if a.Kind == "" || kind == a.Kind {
		return ""
	}
	return fmt.Sprintf("this is a %s witness, and the answer needs a %s witness", kind, a.Kind)
}

// aboutSpecification says why a specification is not that of the task. Readable reports whether
// it has the form of a property file.
func (a *Asked) aboutSpecification(text string) (problem string, readable bool) {
	lines := strings.ReplaceAll(strings.TrimSpace(text), ") CHECK(", ")\nCHECK(")
	p, found := task.ReadProperty("specification", []byte(lines))
	if found.Err() != nil {
		return "", false
	}
	if len(a.Parts) == 0 || slices.ContainsFunc(p.Parts(), func(part string) bool { return slices.Contains(a.Parts, part) }) {
		return "", true
	}
	return fmt.Sprintf("the specification is %s, and the task asks for %s", strings.Join(p.Parts(), ", "), strings.Join(a.Parts, ", ")), true
}

var digestText = regexp.MustCompile(`^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$`)

// aboutProgram says why a digest is not that of a program of the task. A file of a known
// name is compared with that file alone.
func (a *Asked) aboutProgram(file, digest string) string {
	if !digestText.MatchString(digest) {
		return "the digest of the program has 64 hexadecimal digits (SHA-256)"
	}
	own, known := a.Programs[path.Base(file)]
	switch {
	case len(a.Programs) == 0 || known && own.has(digest):
		return ""
	case known:
		return fmt.Sprintf("the digest is not that of %s, which is %s", path.Base(file), own.SHA256)
	}
	for _, other := range a.Programs {
		if other.has(digest) {
			return ""
		}
	}
	return "no program of the task has this digest"
}

// moment is the form of a time of creation (ISO 8601).
var moment = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$`)
