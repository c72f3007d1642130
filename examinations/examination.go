package examinations

import (
	"fmt"
	"strings"

	"podium/pnml/diagnostic"
)

// ID is the name of an examination, as tools find it in BK_EXAMINATION.
type ID string

// The examinations of 2016 (nine) and of today (thirteen). GlobalProperties is
// the single deadlock examination of 2019.
const (
	StateSpace              ID = "StateSpace"
	OneSafe                 ID = "OneSafe"
	StableMarking           ID = "StableMarking"
	QuasiLiveness           ID = "QuasiLiveness"
	Liveness                ID = "Liveness"
	ReachabilityDeadlock    ID = "ReachabilityDeadlock"
	UpperBounds             ID = "UpperBounds"
	ReachabilityCardinality ID = "ReachabilityCardinality"
	ReachabilityFireability ID = "ReachabilityFireability"
	CTLCardinality          ID = "CTLCardinality"
	CTLFireability          ID = "CTLFireability"
	LTLCardinality          ID = "LTLCardinality"
	LTLFireability          ID = "LTLFireability"
	GlobalProperties        ID = "GlobalProperties"
)

// The four items of StateSpace, in the order of published vectors.
var StateSpaceItems = []string{"STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"}

// table has a row for each examination, in the order in which published pages show them.
var table = []struct {
	id       ID
	kind     Kind
	formulas bool // an instance has a file of formulas for it
}{
	{StateSpace, Nat, false},
	{ReachabilityDeadlock, Bool, false},
	{QuasiLiveness, Bool, false},
	{StableMarking, Bool, false},
	{Liveness, Bool, false},
	{OneSafe, Bool, false},
	{UpperBounds, Nat, true},
	{ReachabilityCardinality, Bool, true},
	{ReachabilityFireability, Bool, true},
	{CTLCardinality, Bool, true},
	{CTLFireability, Bool, true},
	{LTLCardinality, Bool, true},
	{LTLFireability, Bool, true},
	{GlobalProperties, Bool, false},
}

// All returns every examination, in the order in which published pages show them.
func All() []ID {
	list := make([]ID, len(table))
	for i := range table {
		list[i] = table[i].id
	}
	return list
}

// row returns the place of an examination in the table, -1 for another name.
func (id ID) row() int {
	for i := range table {
		if table[i].id == id {
			return i
		}
	}
	return -1
}

// Known reports whether the name is one of an examination. A category of tasks has no such name.
func (id ID) Known() bool { return id.row() >= 0 }

// ParseID reads an examination's name, as the contest writes it.
func ParseID(name string) (ID, error) {
	if id := ID(name); id.Known() {
		return id, nil
	}
	words := make([]string, len(table))
	for i := range table {
		words[i] = string(table[i].id)
	}
	return "", fmt.Errorf("%q is no examination%s", name, diagnostic.Instead(name, words))
}

// HasFormulas reports whether instances have a formula file for the examination.
func (id ID) HasFormulas() bool {
	i := id.row()
	return i >= 0 && table[i].formulas
}

// Kind returns the kind of the values that the examination asks for.
func (id ID) Kind() Kind {
	if i := id.row(); i >= 0 {
		return table[i].kind
	}
	return Bool
}

// Abbreviation returns the capital letters of the name, as in the names of oracle
// files: SS, UB, CTLC, RD, ...
func (id ID) Abbreviation() string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, string(id))
}

// FormulaFile returns the name of the formula file in an instance directory,
// <ID>.xml.
func (id ID) FormulaFile() string { return string(id) + ".xml" }

// FormulaFiles lists the formula files of an instance.
func FormulaFiles() (names []string) {
	for _, id := range All() {
		if id.HasFormulas() {
			names = append(names, id.FormulaFile())
		}
	}
	return names
}
