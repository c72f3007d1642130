package pnml

import (
	"strings"

	"podium/pnml/diagnostic"
)

// Nets of one type with labels of the other.

// ofSymmetric are the elements that only symmetric nets have.
var ofSymmetric = map[string]bool{"declaration": true, "hlinitialMarking": true, "hlinscription": true, "condition": true}

// otherType reads a net of a type that the contest does not have as one of those that it has, in
// order that all is found that is wrong with it.
func (r *reader) otherType(name string) {
	name = strings.ToLower(name)
	for _, part := range []string{"symmetric", "high", "hlpn", "hlcore", "colo"} {
		if strings.Contains(name, part) {
			r.readSymmetric()
		}
	}
	r.coloured = true // the type was reported
}

// plainLabels are what a P/T net has instead of labels of symmetric nets.
var plainLabels = map[string]string{
	"hlinitialMarking": "<initialMarking><text>1</text></initialMarking>",
	"hlinscription":    "<inscription><text>1</text></inscription>",
}

// symmetricLabel reports that a P/T net has a label of symmetric nets, and passes over it.
// A label that has no counterpart in P/T nets shows that the type of the net is wrong: none
// is reported after it.
func (r *reader) symmetricLabel(name string) {
	hint := "is the net coloured? Then write type=\"" + symmetricType + "\" in its <net>"
	plain := plainLabels[name]
	if plain != "" {
		hint = "a P/T net has " + plain + "; " + hint
	}
	if !r.coloured {
		r.errorf("pnml-net-type", hint+orConvert, "<%s> belongs to symmetric nets, and the type of this net is that of P/T nets", name)
	}
	r.coloured = r.coloured || plain == ""
	r.pass(0, false)
}

// plainLabel reports a label of P/T nets in a symmetric net. It is an error, unless the label
// of symmetric nets stands beside it: then nothing is lost.
func (r *reader) plainLabel(pos Position, name string, beside bool) {
	severity, code := diagnostic.Error, "pnml-net-type"
	instead := "hl" + name
	hint := "a symmetric net has <" + instead + "> with a <structure>; has the net no colours? Then write type=\"" + ptNetType + "\" in its <net>"
	if beside {
		severity, code, hint = diagnostic.Warning, "pnml-unknown-element", "remove it: <"+instead+"> stands beside it, and is read"
	}
	r.symmetric.plain = r.symmetric.plain || !beside
	if r.coloured && !beside { // the type was reported
		return
	}
	r.add(pos, severity, code, hint, "<%s> belongs to P/T nets, and the type of this net is that of symmetric nets", name)
}

// DoubtfulType reports whether findings say that the type of a net is unknown, or not that
// of its labels.
func DoubtfulType(found diagnostic.List) bool {
	for _, d := range found {
		if d.Code == "pnml-net-type" {
			return true
		}
	}
	return false
}
