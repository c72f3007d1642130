package models

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"podium/pnml"
	"podium/pnml/diagnostic"
)

// CheckOptions say what [Check] expects besides the net.
type CheckOptions struct {
	FormulaFiles []string // files that must be there, CTLFireability.xml say

	// Formulas checks one of these files against the net; nil for no check. The
	// document is what could be read of the net, never nil.
	Formulas func(name, file string, content io.Reader, net *pnml.Document) diagnostic.List
}

// Check tells whether an instance is what its name says and whether its files
// agree with each other: the net with iscolored and the name, the file instance
// with the name, equiv_col or equiv_pt with the kind, formula files with the
// net (T-3, M-4). The findings of reading the net are in the list, too.
func Check(i Instance, o CheckOptions) diagnostic.List {
	c := checker{i: i}
	c.words()
	c.names(o.FormulaFiles)
	net := c.net()
	c.formulas(o, net)
	c.found.Sort()
	return c.found
}

type checker struct {
	i     Instance
	found diagnostic.List
}

func (c *checker) report(s diagnostic.Severity, name, code, hint, format string, args ...any) {
	c.found.Add(finding(s, filepath.Join(c.i.Path, name), code, fmt.Sprintf(format, args...), hint))
}

// words checks the files of one word against the name.
func (c *checker) words() {
	f, id := c.i.Facts, c.i.ID
	write := func(content string) string { return "write " + strings.TrimSpace(content) }
	switch {
	case f.Colored == Unsaid:
		c.report(diagnostic.Error, ColoredFile, "models-iscolored", write(word(id.Kind == COL)), "there is no file %s", ColoredFile)
	case f.Colored == Garbled:
		c.report(diagnostic.Error, ColoredFile, "models-iscolored", write(word(id.Kind == COL)), "the file says neither TRUE nor FALSE")
	case (f.Colored == Yes) != (id.Kind == COL):
		c.report(diagnostic.Error, ColoredFile, "models-iscolored", write(word(id.Kind == COL)), "the file contradicts the name: %s is a %s instance", id, id.Kind)
	}
	switch {
	case !c.i.Has(InstanceFile):
		c.report(diagnostic.Error, InstanceFile, "models-parameter", write(id.Param), "there is no file %s", InstanceFile)
	case f.Param != id.Param:
		c.report(diagnostic.Error, InstanceFile, "models-parameter", write(id.Param), "the file says %q, the name %q", shorten(f.Param), id.Param)
	}
	switch equiv := EquivFile(id.Kind); f.Twin {
	case Unsaid:
		c.report(diagnostic.Error, equiv, "models-equiv", "write TRUE when the same net exists in the other kind, else FALSE", "there is no file %s", equiv)
	case Garbled:
		c.report(diagnostic.Error, equiv, "models-equiv", "write TRUE when the same net exists in the other kind, else FALSE", "the file says neither TRUE nor FALSE")
	}
	if other := EquivFile(id.Kind.other()); c.i.Has(other) {
		c.report(diagnostic.Warning, other, "models-equiv", "remove it", "the file belongs to %s instances", id.Kind.other())
	}
	if f.New && strings.HasPrefix(id.Family, StrippedPrefix) {
		c.report(diagnostic.Warning, NewModelFile, "models-class", "remove the file or the prefix", "a stripped instance cannot be a new model")
	}
}

// knownFiles are those of the contest beside the formula files.
var knownFiles = []string{
	ModelFile, ColoredFile, InstanceFile, NewModelFile, LargeMarkingFile, UnfiniteFile, EquivFile(PT), EquivFile(COL),
	"GenericPropertiesDefinition.xml", "GenericPropertiesVerdict.xml",
}

// names checks which files are there.
func (c *checker) names(formulas []string) {
	c.found = append(c.found, MissingFormulas(c.i, formulas)...)
	if formulas == nil {
		return
	}
	for _, f := range c.i.Files {
		xml := strings.TrimSuffix(f.Name, ".txt") + ".xml"
		if !slices.Contains(knownFiles, f.Name) && !slices.Contains(formulas, f.Name) && !slices.Contains(formulas, xml) {
			c.report(diagnostic.Note, f.Name, "models-file", "remove it, unless it is meant for people", "the file is not one of the contest's")
		}
	}
}

// MissingFormulas reports those of some formula files that an instance lacks.
func MissingFormulas(i Instance, files []string) (found diagnostic.List) {
	hint := "`podium model formulas " + i.Path + "` writes random ones"
	if i.Archive {
		hint = "add it; `podium model formulas` writes random ones into a directory, before it is packed"
	}
	for _, name := range files {
		if !i.Has(name) {
			found.Add(finding(diagnostic.Error, filepath.Join(i.Path, name), "models-formulas", "the formula file is missing", hint))
		}
	}
	return found
}

// net reads the net and compares it with the name.
func (c *checker) net() *pnml.Document {
	doc := &pnml.Document{}
	file := filepath.Join(c.i.Path, ModelFile)
	err := c.i.With(ModelFile, func(r io.Reader) error {
		var found diagnostic.List
		doc, found = pnml.Read(r, file)
		c.found = append(c.found, found...)
		if found.Err() == nil {
			c.found = append(c.found, doc.Lint(file)...)
		}
		return nil
	})
	defer func() {
		pnml.Locate(c.found, func(use func(io.Reader) error) error { return c.i.With(ModelFile, use) })
	}()
	id := ""
	switch {
	case err == nil && pnml.DoubtfulType(c.found): // the name may be right
	case err != nil:
		c.report(diagnostic.Error, ModelFile, "models-unreadable", copyAgain, "%s", cause(err))
		return doc
	case doc.Net != nil:
		id = doc.Net.ID
		c.kind(PT, "place/transition", id)
	case doc.Symmetric != nil:
		id = doc.Symmetric.ID
		c.kind(COL, "symmetric", id)
	}
	if id != "" && id != c.i.ID.String() {
		c.report(diagnostic.Note, ModelFile, "models-net-id", `write <net id="`+c.i.ID.String()+`" ...>; the contest does not ask for it`, "the id of the net is %q, not the name of the instance", shorten(id))
		c.found[len(c.found)-1].Subject = id
	}
	return doc
}

// kind reports a net that is of another kind than the name says; id is that of the net.
func (c *checker) kind(k Kind, what, id string) {
	if k != c.i.ID.Kind {
		c.report(diagnostic.Error, ModelFile, "models-kind", fmt.Sprintf("name the instance %s, or correct the type of the net", ID{c.i.ID.Family, k, c.i.ID.Param}), "the net is a %s net, the name says %s", what, c.i.ID.Kind)
		c.found[len(c.found)-1].Subject = id
	}
}

func (c *checker) formulas(o CheckOptions, net *pnml.Document) {
	if o.Formulas == nil {
		return
	}
	for _, name := range o.FormulaFiles {
		if !c.i.Has(name) {
			continue
		}
		file := filepath.Join(c.i.Path, name)
		err := c.i.With(name, func(r io.Reader) error {
			c.found = append(c.found, o.Formulas(name, file, r, net)...)
			return nil
		})
		if err != nil {
			c.report(diagnostic.Error, name, "models-unreadable", copyAgain, "%s", cause(err))
		}
	}
}

func (k Kind) other() Kind { return COL - k }

// Twin gives the instance of the other kind with the same family and parameter,
// and false when there is none.
func (c *Collection) Twin(i Instance) (Instance, bool) {
	return c.Find(ID{i.ID.Family, i.ID.Kind.other(), i.ID.Param})
}

// Check compares the instances of a collection with each other. It reports an
// instance that denies its twin, a twin that is not in the collection, and
// families whose parameters, sorted as text, are not sorted by the size of the
// net.
func (c *Collection) Check() diagnostic.List {
	var found diagnostic.List
	for _, i := range c.Instances {
		twin, ok := c.Twin(i)
		file := filepath.Join(i.Path, EquivFile(i.ID.Kind))
		switch {
		case ok && i.Facts.Twin == No:
			found.Add(finding(diagnostic.Error, file, "models-twin", fmt.Sprintf("the file says FALSE, but there is %s", twin.ID), "write TRUE"))
		case !ok && i.Facts.Twin == Yes:
			found.Add(finding(diagnostic.Note, file, "models-twin", fmt.Sprintf("the twin %s is not in this collection", ID{i.ID.Family, i.ID.Kind.other(), i.ID.Param}), "hand it in, too, or write FALSE when there is none"))
		}
	}
	for at := 0; at < len(c.Instances); {
		end := at + 1
		for end < len(c.Instances) && c.Instances[end].ID.Family == c.Instances[at].ID.Family && c.Instances[end].ID.Kind == c.Instances[at].ID.Kind {
			end++
		}
		checkLadder(c.Instances[at:end], &found)
		at = end
	}
	found.Sort()
	return found
}

// checkLadder looks at the instances of one family and kind, sorted by name.
func checkLadder(ladder []Instance, found *diagnostic.List) {
	for k := 1; k < len(ladder); k++ {
		a, errA := strconv.ParseUint(ladder[k-1].ID.Param, 10, 64)
		b, errB := strconv.ParseUint(ladder[k].ID.Param, 10, 64)
		if errA != nil || errB != nil || a < b {
			continue
		}
		message := fmt.Sprintf("%s sorts before %s", ladder[k-1].ID, ladder[k].ID)
		if a == b {
			message = fmt.Sprintf("%s and %s have the same parameter", ladder[k-1].ID, ladder[k].ID)
		}
		found.Add(finding(diagnostic.Warning, ladder[k].Path, "models-ladder", message, "write all parameters with the same number of digits"))
	}
}
