// Package registration reads what submitters say of their models (M-2 to M-4, M-7): who
// made them, under which licence, where they come from. A campaign keeps the records of
// its models, and their pages show them.
package registration

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/yaml"
	"podium/models"
	"podium/pnml/diagnostic"
)

// Format is the value of the format key of a record.
const Format = "podium-model/1"

// dirName is where a campaign keeps records, each as MODEL.yaml.
const dirName = "models"

// Record is what a submitter says of a model.
type Record struct {
	Format      string `yaml:"format" json:"-"`
	Model       string `yaml:"model" json:"model"` // its family, as in Philosophers
	Title       string `yaml:"title" json:"title"` // a line
	Authors     string `yaml:"authors" json:"authors"`
	Affiliation string `yaml:"affiliation,omitempty" json:"affiliation,omitempty"`
	Licence     string `yaml:"licence" json:"licence"`
	Source      string `yaml:"source" json:"source"` // literature, or an address
	Description string `yaml:"description" json:"description"`
	Parameter   string `yaml:"parameter,omitempty" json:"parameter,omitempty"` // what the parameter means
	// Consent: the organisers may use the model and publish it (M-3).
	Consent bool `yaml:"consent" json:"-"`

	text []byte
}

// Skeleton is a record to fill in: it lacks what only its author knows.
func Skeleton(model string) string {
	return "format: " + Format + `
model: ` + model + ` # the part of the instances' names before -PT- or -COL-
title: ""
authors: ""
affiliation: "" # not needed
licence: CC0-1.0 # M-3 asks for the public domain
source: "" # literature, or an address
parameter: "" # not needed
description: |
  
consent: false # true: the organisers may use and publish the model (M-3)
`
}

// keys are those of a record.
func keys() (list []string) {
	for line := range strings.Lines(Skeleton("")) {
		if key, _, ok := strings.Cut(line, ":"); ok {
			list = append(list, key)
		}
	}
	return list
}

// maxLine bounds a field of one line, maxText a description.
const (
	maxLine = 500
	maxText = 10_000
)

// why says without the path why a file cannot be read.
func why(err error) string {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// Read reads a record. Findings have the position of the key; nothing is kept of a
// record with errors.
func Read(file string) (Record, diagnostic.List) {
	f, err := files.OpenNamed(file)
	if found, ok := errors.AsType[diagnostic.List](err); ok {
		return Record{}, found
	} else if err != nil {
		return Record{}, diagnostic.List{{File: file, Code: "record-unreadable", Message: why(err), Hint: "docs/models.md shows a record"}}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, yaml.MaxBytes+1))
	if err != nil {
		return Record{}, diagnostic.List{{File: file, Code: "record-unreadable", Message: why(err), Hint: "docs/models.md shows a record"}}
	}
	return parse(file, text)
}

func parse(file string, text []byte) (r Record, found diagnostic.List) {
	if err := yaml.Decode(text, &r); err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the record is empty")
		}
		found = yaml.Findings(file, err, "record-yaml", "docs/models.md shows a record")
		for i := range found {
			if name, unknown := strings.CutPrefix(found[i].Message, "unknown field "); unknown {
				found[i].Message += diagnostic.Instead(strings.Trim(name, `"`), keys())
			}
		}
		return Record{}, found
	}
	r.text = text
	c := checker{file: file, text: text}
	if r.Format != Format {
		c.find(diagnostic.Error, "format", fmt.Sprintf("format is %q", diagnostic.Cut(r.Format)), "write format: "+Format)
	}
	if id := (models.ID{Family: r.Model, Kind: models.PT, Param: "1"}); !named(id) {
		c.find(diagnostic.Error, "model", fmt.Sprintf("%s is no name of a model", diagnostic.Excerpt(r.Model)), "write the part of the instances' names before -PT- or -COL-")
	}
	for _, field := range []struct{ key, value, why string }{
		{"title", r.Title, "pages say in a line what the model is"},
		{"authors", r.Authors, "pages name the authors (M-7)"},
		{"licence", r.Licence, "models are in the public domain (M-3): public domain, CC0-1.0, ..."},
		{"source", r.Source, "say where the model comes from: literature, or an address (M-2)"},
		{"description", r.Description, "say what the model describes, and what its parameter is (M-2)"},
	} {
		if strings.TrimSpace(field.value) == "" {
			c.find(diagnostic.Error, field.key, "the record has no "+field.key, field.why)
		}
	}
	for _, field := range []struct{ key, value string }{{"title", r.Title}, {"authors", r.Authors}, {"affiliation", r.Affiliation}, {"licence", r.Licence}, {"source", r.Source}, {"parameter", r.Parameter}} {
		if len(field.value) > maxLine || strings.ContainsAny(strings.TrimSpace(field.value), "\n\r") {
			c.find(diagnostic.Error, field.key, fmt.Sprintf("%s is longer than a line of %d bytes", field.key, maxLine), "put the rest into description")
		}
	}
	if len(r.Description) > maxText {
		c.find(diagnostic.Error, "description", fmt.Sprintf("the description has %d bytes, and at most %d are kept", len(r.Description), maxText), "name a paper or a page in source")
	}
	if !r.Consent {
		c.find(diagnostic.Error, "consent", "the record has no consent: true", "submitters allow the organisers to use the model and to publish it (M-3)")
	}
	if r.Licence != "" && !free(r.Licence) {
		c.find(diagnostic.Warning, "licence", fmt.Sprintf("%s is not known to be the public domain", diagnostic.Excerpt(r.Licence)), "M-3 asks for it: public domain, CC0-1.0, Unlicense or PDDL-1.0")
	}
	c.found.Sort()
	return r, c.found
}

// named reports whether the name of a family makes names of instances.
func named(id models.ID) bool {
	parsed, err := models.ParseID(id.String())
	return err == nil && parsed == id && id.Family != "" && filepath.Base(id.Family) == id.Family
}

func free(licence string) bool {
	word := strings.ToLower(strings.TrimSpace(licence))
	return slices.Contains([]string{"public domain", "cc0", "cc0-1.0", "unlicense", "pddl-1.0"}, word) || strings.Contains(word, "creativecommons.org/publicdomain/")
}

type checker struct {
	file  string
	text  []byte
	found diagnostic.List
}

// find notes a finding at the line of a key, or at the first where there is none.
func (c *checker) find(severity diagnostic.Severity, key, message, hint string) {
	at := bytes.Index(append([]byte("\n"), c.text...), []byte("\n"+key+":"))
	line := bytes.Count(c.text[:max(0, at)], []byte("\n")) + 1
	c.found.Add(diagnostic.Diagnostic{File: c.file, Line: line, Col: 1, Severity: severity, Code: "record-" + key, Message: message, Hint: hint})
}

// Keep writes a record into the directory of a campaign, in place of an earlier one.
func (r *Record) Keep(campaign string) error {
	dir := filepath.Join(campaign, dirName)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return files.Replace(filepath.Join(dir, r.Model+".yaml"), func(out io.Writer) error { _, err := out.Write(r.text); return err })
}

// Kept returns the records of a campaign by model. Those that cannot be read are
// errors.
func Kept(campaign string) (map[string]Record, error) {
	entries, err := os.ReadDir(filepath.Join(campaign, dirName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	records := map[string]Record{}
	for _, e := range entries {
		model, ok := strings.CutSuffix(e.Name(), ".yaml")
		if !ok || strings.HasPrefix(model, ".") || !e.Type().IsRegular() {
			continue
		}
		r, found := Read(filepath.Join(campaign, dirName, e.Name()))
		if err := found.Err(); err != nil {
			return nil, err
		}
		records[model] = r
	}
	return records, nil
}
