package models

import (
	"errors"
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

// Check reports whether an instance is what its name says and whether its files
// agree with each other: the net with iscolored and the name, the file instance
// with the name, equiv_col or equiv_pt with the kind, formula files with the
// net (T-3, M-4). The findings of reading the net are in the list, too.
func Check(i Instance, o CheckOptions) diagnostic.List {
	c := checker{i: i}
	c.words()
	c.names(o.FormulaFiles)
	net := c.net()
	c.formulas(o, net)
	if c.i.Has(FormFile) {
		form, err := c.i.Form()
		if form != nil && net.Net != nil {
			c.form(form, net.Net)
		}
		if found, ok := errors.AsType[diagnostic.List](err); ok {
			found[0].Severity, found[0].Hint = diagnostic.Warning, rewriteForm
			c.found = append(c.found, found...)
		} else if err != nil {
			c.report(diagnostic.Error, FormFile, "models-unreadable", copyAgain, "%s", cause(err))
		}
	}
	c.found.Sort()
	return c.found
}

// form compares the structural properties of a form with those of the net.
func (c *checker) form(form *Form, net *pnml.Net) {
	of := map[string]pnml.Property{}
	for _, p := range net.Properties() {
		of[p.Name] = p
	}
	for _, v := range form.Verdicts {
		if p, ok := of[v.Property]; ok && v.Value != Unknown && v.Value != Decided(p.Holds) {
			why := ""
			if p.Witness != "" {
				why = ": " + p.Witness
			}
			found := finding(diagnostic.Warning, c.i.File(FormFile), "models-form", fmt.Sprintf("the form says that %s is %s, and of the net it is %s%s", p.Name, v.Value, Decided(p.Holds), why), rewriteForm)
			found.Line = v.Line
			c.found.Add(found)
		}
	}
}

// CheckNet is Check for the net alone. What a contest would want beside it is a note.
func CheckNet(i Instance, formulaFiles []string) diagnostic.List {
	c := checker{i: i}
	c.net()
	var missing []string
	for _, name := range slices.Concat([]string{ColoredFile, InstanceFile, EquivFile(i.ID.Kind)}, formulaFiles) {
		if !i.stands(name) {
			missing = append(missing, name)
		}
	}
	c.found = append(c.found, i.Missing(diagnostic.Note, missing)...)
	c.found.Sort()
	return c.found
}

const rewriteForm = "`podium model form --format xml` writes a form"

type checker struct {
	i       Instance
	missing []string // files
	found   diagnostic.List
}

func (c *checker) report(s diagnostic.Severity, name, code, hint, format string, args ...any) {
	c.found.Add(finding(s, c.i.File(name), code, fmt.Sprintf(format, args...), hint))
}

// wanted says what is to be written into the files of one word.
func (i Instance) wanted(name string) string {
	switch name {
	case ColoredFile:
		return strings.TrimSpace(word(i.ID.Kind == COL))
	case InstanceFile:
		return i.ID.Param
	}
	return "TRUE when the same net exists in the other kind, else FALSE"
}

// words checks the files of one word against the name.
func (c *checker) words() {
	f, id := c.i.Facts, c.i.ID
	equiv := EquivFile(id.Kind)
	for _, name := range []string{ColoredFile, InstanceFile, equiv} {
		hint := "write " + c.i.wanted(name)
		switch claim := map[string]Claim{ColoredFile: f.Colored, equiv: f.Twin}[name]; {
		case !c.i.stands(name):
			c.missing = append(c.missing, name)
		case name == InstanceFile && f.Param != id.Param:
			c.report(diagnostic.Error, name, "models-parameter", hint, "the file says %q, the name %q", shorten(f.Param), id.Param)
		case claim == Garbled:
			c.report(diagnostic.Error, name, wordCodes[name], hint, "the file says neither TRUE nor FALSE")
		case name == ColoredFile && (claim == Yes) != (id.Kind == COL):
			c.report(diagnostic.Error, name, wordCodes[name], hint, "the file contradicts the name: %s is a %s instance", id, id.Kind)
		}
	}
	if other := EquivFile(id.Kind.other()); c.i.Has(other) {
		c.report(diagnostic.Warning, other, "models-equiv", "remove it", "the file belongs to %s instances", id.Kind.other())
	}
	if f.New && strings.HasPrefix(id.Family, StrippedPrefix) {
		c.report(diagnostic.Warning, NewModelFile, "models-class", "remove the file or the prefix", "a stripped instance cannot be a new model")
	}
}

// wordCodes are those of findings on the files of one word.
var wordCodes = map[string]string{ColoredFile: "models-iscolored", InstanceFile: "models-parameter", EquivFile(PT): "models-equiv", EquivFile(COL): "models-equiv"}

// stands reports whether a file is on the disk, and not made up.
func (i Instance) stands(name string) bool { return i.Has(name) && !(i.Alone && i.memory[name] != nil) }

// knownFiles are those of the contest beside the formula files.
var knownFiles = []string{
	ModelFile, ColoredFile, InstanceFile, NewModelFile, LargeMarkingFile, UnfiniteFile, EquivFile(PT), EquivFile(COL),
	formDefinition, FormFile,
}

// names checks which files are there.
func (c *checker) names(formulas []string) {
	for _, name := range formulas {
		if !c.i.Has(name) {
			c.missing = append(c.missing, name)
		}
	}
	c.found = append(c.found, c.i.Missing(diagnostic.Error, c.missing)...)
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

// Missing reports files that an instance lacks: in one line, behind what is wrong with those
// that are there. They are files of one word, and behind them formula files.
func (i Instance) Missing(s diagnostic.Severity, files []string) (found diagnostic.List) {
	if len(files) == 0 {
		return nil
	}
	random := "`podium model formulas " + i.Path + "` writes random formulas"
	switch {
	case i.Alone && NetBeside(filepath.Dir(i.Path)) == "":
		random = "`podium model formulas` writes random formulas, once the net has a directory of its own"
	case i.Archive:
		random = "`podium model formulas` writes random formulas into a directory, before it is packed"
	}
	first := files[0]
	switch {
	case len(files) > 1:
	case wordCodes[first] != "":
		return diagnostic.List{finding(s, i.File(first), wordCodes[first], "there is no file "+first, "write "+i.wanted(first))}
	default:
		return diagnostic.List{finding(s, i.File(first), "models-formulas", "the formula file is missing", random)}
	}
	var hints []string
	for _, name := range files {
		if wordCodes[name] == "" {
			hints = append(hints, random)
			break
		}
		hints = append(hints, name+" says "+i.wanted(name))
	}
	return diagnostic.List{finding(s, i.File(ModelFile), "models-missing", "a contest also wants "+strings.Join(files, ", ")+" beside the net", strings.Join(hints, "; "))}
}

// net reads the net and compares it with the name.
func (c *checker) net() *pnml.Document {
	doc := &pnml.Document{}
	var net diagnostic.List
	err := c.i.With(ModelFile, func(r io.Reader) error {
		doc, net = c.i.Read(r)
		return nil
	})
	if err == nil && net.Err() == nil {
		lint := doc.Lint(c.i.File(ModelFile))
		c.i.locate(lint)
		net = append(net, lint...)
	}
	c.found = append(c.found, net...)
	id := ""
	switch {
	case err != nil:
		c.report(diagnostic.Error, ModelFile, "models-unreadable", copyAgain, "%s", cause(err))
	case pnml.DoubtfulType(net), c.i.Made: // the name may be right, or is made of that of the file
	case doc.Net != nil:
		id = doc.Net.ID
	case doc.Symmetric != nil:
		id = doc.Symmetric.ID
	}
	if id != "" && id != c.i.ID.String() {
		note := diagnostic.List{finding(diagnostic.Note, c.i.File(ModelFile), "models-net-id", fmt.Sprintf("the id of the net is %q, not the name of the instance", shorten(id)),
			`write <net id="`+c.i.ID.String()+`" ...>; the contest does not ask for it`)}
		note[0].Subject = id
		c.i.locate(note)
		c.found = append(c.found, note...)
	}
	return doc
}

func (c *checker) formulas(o CheckOptions, net *pnml.Document) {
	if o.Formulas == nil {
		return
	}
	for _, name := range o.FormulaFiles {
		if !c.i.Has(name) {
			continue
		}
		file := c.i.File(name)
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

// Twin returns the instance of the other kind with the same family and parameter,
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
		file := i.File(EquivFile(i.ID.Kind))
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
