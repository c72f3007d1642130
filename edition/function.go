package edition

import (
	"fmt"
	"strconv"
	"strings"

	"podium/confidence"
)

// maxInt bounds whole numbers, so that products of points, factors and family
// sizes fit.
const maxInt = 10_000

// function describes a function that an edition may name. It lets a reader of
// editions check the name and every parameter without knowing what the function
// does.
type function struct {
	Name   string
	Doc    string // one sentence
	Params []param
}

// param is one parameter of a [function].
type param struct {
	Name    string
	Type    paramType
	Words   []string // the allowed words of a wordParam
	Default string   // used where the edition is silent; "" makes the parameter mandatory, except for a listParam
	Doc     string
}

// paramType is the type of a parameter's value.
type paramType uint8

// The types of parameters.
const (
	intParam        paramType = iota // a whole number, possibly negative
	fractionParam                    // 93/100, 0.93 or 2
	wordParam                        // one of Words
	flagParam                        // true or false
	listParam                        // names separated by commas
	identifierParam                  // one name
)

// arguments are the checked parameters of one use of a function, as texts by name.
// [function.check] makes them.
type arguments map[string]string

// check fills in the defaults of parameters that are not given, and returns all
// errors by the name of the parameter; the name is "" for an error of the whole
// call.
func (f function) check(given map[string]string) (arguments, map[string]error) {
	checked, wrong := arguments{}, map[string]error{}
	known := map[string]bool{}
	for _, p := range f.Params {
		known[p.Name] = true
		text, ok := given[p.Name]
		switch {
		case !ok && p.Default == "" && p.Type != listParam:
			wrong[""] = fmt.Errorf("%s needs the parameter %s: %s", f.Name, p.Name, p.Doc)
			continue
		case !ok:
			text = p.Default
		}
		if err := p.check(text); err != nil {
			wrong[p.Name] = fmt.Errorf("%s of %s: %w", p.Name, f.Name, err)
		}
		checked[p.Name] = text
	}
	for name := range given {
		if !known[name] {
			wrong[name] = fmt.Errorf("%s has no parameter %s; it has %s", f.Name, name, f.paramNames())
		}
	}
	return checked, wrong
}

func (f function) paramNames() string {
	if len(f.Params) == 0 {
		return "none"
	}
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

func (p param) check(text string) error {
	switch p.Type {
	case intParam:
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > maxInt || n < -maxInt {
			return fmt.Errorf("%q is no whole number up to %d", text, maxInt)
		}
	case fractionParam:
		_, err := confidence.ParseRatio(text)
		return err
	case wordParam:
		for _, w := range p.Words {
			if w == text {
				return nil
			}
		}
		return fmt.Errorf("%q is none of %s", text, strings.Join(p.Words, ", "))
	case flagParam:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case identifierParam:
		if text == "" {
			return fmt.Errorf("the name is empty")
		}
	}
	return nil
}

// Int returns the value of an intParam.
func (a arguments) Int(name string) int64 {
	n, _ := strconv.ParseInt(a[name], 10, 64)
	return n
}

// Fraction returns the value of a fractionParam.
func (a arguments) Fraction(name string) confidence.Ratio {
	r, _ := confidence.ParseRatio(a[name])
	return r
}

// Word returns the text of a wordParam or an identifierParam.
func (a arguments) Word(name string) string { return a[name] }

// Flag returns the value of a flagParam.
func (a arguments) Flag(name string) bool { return a[name] == "true" }

// List returns the value of a listParam.
func (a arguments) List(name string) []string {
	var names []string
	for _, word := range strings.Split(a[name], ",") {
		if word = strings.TrimSpace(word); word != "" {
			names = append(names, word)
		}
	}
	return names
}
