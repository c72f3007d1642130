package edition

import (
	"path"
	"slices"
	"strings"

	"podium/examinations/verdict"
	"podium/internal/yaml"
)

// WitnessFormats say in which formats the rules take the witness of an answer (SV-COMP). Of
// several that fit an answer the first counts.
type WitnessFormats struct {
	Kind       string   // violation or correctness
	Properties []string // patterns, such as valid-*, of the tasks' properties or their violated parts; nil: all
	Categories []string // patterns, such as *Concurrency*; nil: all
	Formats    []string // 1.0, 2.0, 2.1; none: no witness is asked for
	Demo       bool     // in demo mode: witnesses are checked, and no answer is worth less without one
}

// AsksWitness reports whether the rules ask an answer for a witness: not where they take none,
// or only in demo mode. An edition that does not say asks for all.
func (e *Edition) AsksWitness(kind, property, part, category string) bool {
	w := e.witness(kind, property, part, category)
	return w == nil || len(w.Formats) > 0 && !w.Demo
}

// formatsOfWitnesses are the known versions.
var formatsOfWitnesses = []string{"1.0", "2.0", "2.1"}

// FormatsOf returns the formats in which the rules take a witness, and false where the
// edition does not say. The part is that of a violated property, or empty.
func (e *Edition) FormatsOf(kind, property, part, category string) (formats []string, said bool) {
	if w := e.witness(kind, property, part, category); w != nil {
		return w.Formats, true
	}
	return nil, false
}

// witness is the first line about witnesses that fits an answer, nil without one.
func (e *Edition) witness(kind, property, part, category string) *WitnessFormats {
	fits := func(list []string, word string) bool {
		return len(list) == 0 || word != "" && slices.ContainsFunc(list, func(pattern string) bool {
			ok, _ := path.Match(pattern, word) // read has tried the pattern
			return ok
		})
	}
	for i := range e.Witnesses {
		if w := &e.Witnesses[i]; w.Kind == kind && (fits(w.Properties, property) || fits(w.Properties, part)) && fits(w.Categories, category) {
			return w
		}
	}
	return nil
}

// witnesses reads {kind: violation, properties: [...], categories: [...], formats: [...]}.
func (r *reader) witnesses(top map[string]yaml.Entry) (list []WitnessFormats) {
	for _, n := range r.List(top, "witnesses") {
		in := r.Mapping(n, "an element of witnesses", []string{"kind", "properties", "categories", "formats", "demo"})
		if in == nil {
			continue
		}
		w := WitnessFormats{Kind: r.Text(in, n, "kind", false), Properties: r.Words(in, "properties"), Categories: r.Words(in, "categories"), Formats: r.Words(in, "formats")}
		if w.Kind != "violation" && w.Kind != "correctness" {
			r.Fail(n, "edition-value", "", "the kind of witnesses is violation or correctness, not %q", w.Kind)
		}
		switch demo := r.Text(in, n, "demo", true); demo {
		case "", "false":
		case "true":
			w.Demo = true
		default:
			r.Fail(in["demo"].Value, "edition-value", "", "demo is true or false, not %q", demo)
		}
		if _, given := in["formats"]; !given {
			r.Fail(n, "edition-missing-key", "write formats: [] where the rules ask for no witness", "the key %q is missing", "formats")
		}
		for _, f := range w.Formats {
			if !slices.Contains(formatsOfWitnesses, f) {
				r.Fail(in["formats"].Value, "edition-value", "one of "+strings.Join(formatsOfWitnesses, ", "), "there is no format %q of witnesses", f)
			}
		}
		r.patterns(in, "properties", w.Properties)
		r.patterns(in, "categories", w.Categories)
		list = append(list, w)
	}
	return list
}

// patterns refuses words of a key that are no patterns.
func (r *reader) patterns(in map[string]yaml.Entry, key string, words []string) {
	for _, pattern := range words {
		if _, err := path.Match(pattern, ""); err != nil {
			r.Fail(in[key].Value, "edition-value", "", "%q is no pattern: *, ? and [...] stand for characters", pattern)
		}
	}
}

// verdicts is the reading of answers to tasks.
func (r *reader) verdicts(top map[string]yaml.Entry, root yaml.Node) *verdict.Reading {
	name := r.Text(top, root, "verdicts", true)
	if read, ok := verdict.Named(name); ok {
		return read
	}
	if name != "" {
		var names []string
		for _, v := range verdict.Readings {
			names = append(names, v.Name)
		}
		r.Fail(top["verdicts"].Value, "edition-value", "", "verdicts is %s, not %q", strings.Join(names, " or "), name)
	}
	return verdict.Readings[0]
}
