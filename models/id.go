package models

import (
	"cmp"
	"fmt"
	"strings"
)

// Kind is the kind of net of an instance.
type Kind uint8

// The two kinds of the contest.
const (
	PT  Kind = iota // place/transition net
	COL             // symmetric (coloured) net
)

// String returns the part of the instance name, PT or COL.
func (k Kind) String() string {
	if k == COL {
		return "COL"
	}
	return "PT"
}

// ID names an instance: Family-PT-Param or Family-COL-Param. Param is "none"
// for a model without parameter and may hold dashes.
type ID struct {
	Family string
	Kind   Kind
	Param  string
}

// ParseID splits an instance name at its first "-PT-" or "-COL-".
func ParseID(name string) (ID, error) {
	pt, col := strings.Index(name, "-PT-"), strings.Index(name, "-COL-")
	id := ID{}
	switch {
	case pt > 0 && (col < 0 || pt < col):
		id = ID{name[:pt], PT, name[pt+len("-PT-"):]}
	case col > 0:
		id = ID{name[:col], COL, name[col+len("-COL-"):]}
	default:
		return ID{}, fmt.Errorf("%q is no instance name: it must read Family-PT-Parameter or Family-COL-Parameter, such as Philosophers-PT-05", name)
	}
	if id.Param == "" {
		return ID{}, fmt.Errorf("%q is no instance name: the parameter is missing (write %q for none)", name, name+"none")
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return !ofName(r) }); i >= 0 {
		return ID{}, fmt.Errorf("%q is no instance name: it may hold only letters, digits, '-', '_' and '.'", name)
	}
	if name[0] == '-' || name[0] == '.' {
		return ID{}, fmt.Errorf("%q is no instance name: it begins with %q, by which programs know their options and hidden files", name, name[:1])
	}
	return id, nil
}

// ofName reports whether names of instances may hold a character.
func ofName(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
}

// ParseAnyID reads the name of an instance as [ParseID] does, but takes any
// characters, because published files hold names that no rule of today allows. A
// name without kind is a family of its own.
func ParseAnyID(name string) ID {
	id, err := ParseID(name)
	if err == nil {
		return id
	}
	for at := range len(name) {
		for kind, mark := range map[Kind]string{PT: "-PT-", COL: "-COL-"} {
			if at > 0 && strings.HasPrefix(name[at:], mark) && len(name) > at+len(mark) {
				return ID{Family: name[:at], Kind: kind, Param: name[at+len(mark):]}
			}
		}
	}
	return ID{Family: name}
}

// String is the instance name; of an ID without parameter, which stands for a name
// that is not that of a net, the family.
func (id ID) String() string {
	if id.Param == "" {
		return id.Family
	}
	return id.Family + "-" + id.Kind.String() + "-" + id.Param
}

// Compare orders by family, kind and parameter.
func (id ID) Compare(other ID) int {
	return cmp.Or(cmp.Compare(id.Family, other.Family), cmp.Compare(id.Kind, other.Kind), cmp.Compare(id.Param, other.Param))
}

// Class is the class of a model in an edition (E-4.4).
type Class uint8

// The classes of E-4.4.
const (
	Known Class = iota
	Stripped
	Surprise
)

// String is the lower-case word used in files.
func (c Class) String() string {
	switch c {
	case Stripped:
		return "stripped"
	case Surprise:
		return "surprise"
	}
	return "known"
}

// ParseClass reads the word that String gives.
func ParseClass(word string) (Class, error) {
	for _, c := range []Class{Known, Stripped, Surprise} {
		if c.String() == word {
			return c, nil
		}
	}
	return Known, fmt.Errorf("%q is no class of models: known, stripped or surprise", word)
}
