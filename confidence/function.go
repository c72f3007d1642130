package confidence

import (
	"fmt"
	"strconv"
	"strings"
)

// Function describes a function that an edition may name. It lets a reader of
// editions check the name and every parameter without knowing what the function
// does.
type Function struct {
	Name   string
	Doc    string // one sentence
	Params []Param
}

// Param is one parameter of a [Function].
type Param struct {
	Name    string
	Type    ParamType
	Words   []string // the allowed words of a Word
	Default string   // used where the edition is silent; "" makes the parameter mandatory, except for a List
	Doc     string
}

// ParamType is the type of a parameter's value.
type ParamType uint8

// The types of parameters.
const (
	Int        ParamType = iota // a whole number, possibly negative
	Fraction                    // 93/100, 0.93 or 2
	Word                        // one of Words
	Flag                        // true or false
	List                        // names separated by commas
	Identifier                  // one name
)

// Args are the checked parameters of one use of a function, as texts by name.
// [Function.Check] makes them.
type Args map[string]string

// Check fills in the defaults of parameters that are not given, and gives all
// errors by the name of the parameter; the name is "" for an error of the whole
// call.
func (f Function) Check(given map[string]string) (Args, map[string]error) {
	args, wrong := Args{}, map[string]error{}
	known := map[string]bool{}
	for _, p := range f.Params {
		known[p.Name] = true
		text, ok := given[p.Name]
		switch {
		case !ok && p.Default == "" && p.Type != List:
			wrong[""] = fmt.Errorf("%s needs the parameter %s: %s", f.Name, p.Name, p.Doc)
			continue
		case !ok:
			text = p.Default
		}
		if err := p.check(text); err != nil {
			wrong[p.Name] = fmt.Errorf("%s of %s: %w", p.Name, f.Name, err)
		}
		args[p.Name] = text
	}
	for name := range given {
		if !known[name] {
			wrong[name] = fmt.Errorf("%s has no parameter %s; it has %s", f.Name, name, f.paramNames())
		}
	}
	return args, wrong
}

func (f Function) paramNames() string {
	if len(f.Params) == 0 {
		return "none"
	}
	names := make([]string, len(f.Params))
	for i, p := range f.Params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

func (p Param) check(text string) error {
	switch p.Type {
	case Int:
		if n, err := strconv.ParseInt(text, 10, 64); err != nil || n > maxInt || n < -maxInt {
			return fmt.Errorf("%q is no whole number up to %d", text, maxInt)
		}
	case Fraction:
		_, err := ParseRatio(text)
		return err
	case Word:
		for _, w := range p.Words {
			if w == text {
				return nil
			}
		}
		return fmt.Errorf("%q is none of %s", text, strings.Join(p.Words, ", "))
	case Flag:
		if text != "true" && text != "false" {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case Identifier:
		if text == "" {
			return fmt.Errorf("the name is empty")
		}
	}
	return nil
}

// Int gives the value of an Int parameter.
func (a Args) Int(name string) int64 {
	n, _ := strconv.ParseInt(a[name], 10, 64)
	return n
}

// Fraction gives the value of a Fraction parameter.
func (a Args) Fraction(name string) Ratio {
	r, _ := ParseRatio(a[name])
	return r
}

// Word gives the text of a Word or Identifier parameter.
func (a Args) Word(name string) string { return a[name] }

// Flag gives the value of a Flag parameter.
func (a Args) Flag(name string) bool { return a[name] == "true" }

// List gives the value of a List parameter.
func (a Args) List(name string) []string {
	var names []string
	for _, word := range strings.Split(a[name], ",") {
		if word = strings.TrimSpace(word); word != "" {
			names = append(names, word)
		}
	}
	return names
}
