package models

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Handout says what runs are given of an instance besides its net and its formulas. Files that
// are none of the contest's, such as oracle files and witnesses, are given to no run.
type Handout string

// The handouts. The zero Handout, that of campaigns of earlier versions, gives every file.
const (
	GiveAll          Handout = "all"           // as the contest does
	GiveWithoutAsked Handout = "without-asked" // nothing that states what an examination asks
	GiveNoForm       Handout = "no-form"       // no form of properties at all
)

// Handouts are all of them, in the words of editions and of flags.
var Handouts = []Handout{GiveAll, GiveWithoutAsked, GiveNoForm}

// FormFile is the form of properties beside a net (M-4), with what is known of them.
const FormFile = "GenericPropertiesVerdict.xml"

// formDefinition says what the properties of forms mean.
const formDefinition = "GenericPropertiesDefinition.xml"

// maxForm bounds a form, in bytes.
const maxForm = 1 << 20

// GivenBy returns the instance as runs see it, with the names of the files and properties that they
// do not see; formulas are the names of formula files. Nothing of an instance is handed to a run but by it.
func (i Instance) GivenBy(h Handout, formulas []string) (given Instance, withheld []string, err error) {
	if h == "" {
		return i, nil, nil
	}
	given = i
	given.Files, given.memory = nil, map[string][]byte{}
	for _, f := range i.Files {
		content, inMemory := i.memory[f.Name]
		foreign := !slices.Contains(knownFiles, f.Name) && !slices.Contains(formulas, strings.TrimSuffix(f.Name, ".txt")+".xml") && !slices.Contains(formulas, f.Name)
		switch {
		case foreign, h != GiveAll && f.Name == UnfiniteFile, h == GiveNoForm && (f.Name == FormFile || f.Name == formDefinition):
			withheld = append(withheld, f.Name)
			continue
		case h == GiveWithoutAsked && f.Name == FormFile:
			form, err := i.Form()
			if found := (diagnostic.List)(nil); errors.As(err, &found) { // who knows what it says
				withheld = append(withheld, f.Name)
				continue
			} else if err != nil {
				return i, nil, err
			}
			withheld = append(withheld, form.withhold()...)
			var text bytes.Buffer
			if err := form.WriteXML(&text); err != nil {
				return i, nil, err
			}
			content, inMemory, f.Size = text.Bytes(), true, int64(text.Len())
		}
		if inMemory {
			given.memory[f.Name] = content
		}
		given.Files = append(given.Files, f)
	}
	if len(withheld) == 0 && len(given.memory) == len(i.memory) {
		return i, nil, nil
	}
	given.digest, given.partial = &digest{}, true
	return given, withheld, nil
}

// Form reads the form of properties. The error is fs.ErrNotExist where there is none, and a
// [diagnostic.List] where it cannot be read to its end; what was read before is in the form.
func (i Instance) Form() (*Form, error) {
	form := &Form{Model: i.ID.Family, By: "MCC"}
	var fault diagnostic.Diagnostic
	broken := false
	err := i.With(FormFile, func(r io.Reader) error {
		s := xmlscan.New(io.LimitReader(r, maxForm), i.File(FormFile))
		for event := s.Next(); event != xmlscan.EOF; event = s.Next() {
			if event == xmlscan.Start && string(s.Name()) == "verdict" {
				form.Verdicts = append(form.Verdicts, verdictOf(s))
			}
		}
		fault, broken = s.Fault()
		return nil
	})
	if broken {
		return form, diagnostic.List{fault}
	}
	return form, err
}

func verdictOf(s *xmlscan.Scanner) (v Verdict) {
	name, _ := s.Attr("reference")
	v.Property = string(name)
	v.Line, _ = s.Pos()
	word, _ := s.Attr("value")
	switch strings.ToLower(strings.TrimSpace(string(word))) {
	case True.String():
		v.Value = True
	case False.String():
		v.Value = False
	}
	return v
}

// withhold takes out what is said of the behaviour of the net, and returns the names of what was
// said. All of it decides what is asked: a net with a dead place has a stable one, and one that
// returns to its first marking has no deadlock. What else the form has, in explanations and comments,
// is not read in the first place.
func (f *Form) withhold() (names []string) {
	f.Verdicts = slices.DeleteFunc(f.Verdicts, func(v Verdict) bool {
		structural := slices.Contains(pnml.StructuralProperties, v.Property)
		if !structural && v.Value != Unknown {
			names = append(names, v.Property)
		}
		return !structural
	})
	return names
}

// Statement is what a file of an instance says of the net: of a property of forms, or by its presence.
type Statement struct {
	Property string // SAFE, or the name of a marker: unfinite
	Value    Truth
	File     string
}

// Statements lists what the files say of the behaviour of the net, units of the net included; net may be nil. What
// stands behind damage of a form is not in the list.
func (i Instance) Statements(net *pnml.Document) (list []Statement, err error) {
	if i.Has(FormFile) {
		form, err := i.Form()
		if found := (diagnostic.List)(nil); err != nil && !errors.As(err, &found) {
			return nil, err
		}
		for _, v := range form.Verdicts {
			if v.Value != Unknown && slices.Contains(pnml.BehaviouralProperties, v.Property) {
				list = append(list, Statement{v.Property, v.Value, FormFile})
			}
		}
	}
	if i.Has(UnfiniteFile) {
		list = append(list, Statement{UnfiniteFile, True, UnfiniteFile})
	}
	if net != nil && net.Net != nil && net.Net.NUPN != nil && net.Net.NUPN.Safe {
		list = append(list, Statement{"SAFE", True, ModelFile})
	}
	return list, nil
}
