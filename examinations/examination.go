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

// All lists every examination in the order in which published pages show them.
var All = []ID{
	StateSpace, ReachabilityDeadlock, QuasiLiveness, StableMarking, Liveness, OneSafe, UpperBounds,
	ReachabilityCardinality, ReachabilityFireability, CTLCardinality, CTLFireability, LTLCardinality, LTLFireability,
	GlobalProperties,
}

// ParseID reads an examination's name, as the contest writes it.
func ParseID(name string) (ID, error) {
	for _, id := range All {
		if string(id) == name {
			return id, nil
		}
	}
	words := make([]string, len(All))
	for i, id := range All {
		words[i] = string(id)
	}
	return "", fmt.Errorf("%q is no examination%s", name, diagnostic.Instead(name, words))
}

// HasFormulas reports whether instances have a formula file for the examination.
func (id ID) HasFormulas() bool {
	switch id {
	case UpperBounds, ReachabilityCardinality, ReachabilityFireability, CTLCardinality, CTLFireability, LTLCardinality, LTLFireability:
		return true
	}
	return false
}

// Kind returns the kind of the values that the examination asks for.
func (id ID) Kind() Kind {
	if id == StateSpace || id == UpperBounds {
		return Nat
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
	for _, id := range All {
		if id.HasFormulas() {
			names = append(names, id.FormulaFile())
		}
	}
	return names
}
