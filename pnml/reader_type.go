package pnml

import "podium/pnml/diagnostic"

// Nets of one type with labels of the other.

// ofSymmetric are the elements that only symmetric nets have.
var ofSymmetric = map[string]bool{"declaration": true, "hlinitialMarking": true, "hlinscription": true, "condition": true}

// symmetricLabels say what a symmetric net has instead of a label of P/T nets.
var symmetricLabels = map[string]string{
	"initialMarking": "a symmetric net has <hlinitialMarking>",
	"inscription":    "a symmetric net has <hlinscription>",
}

// symmetricLabel reports, once, that a P/T net has labels of symmetric nets, and passes
// over the one that was just begun.
func (r *reader) symmetricLabel(name string) {
	if !r.coloured {
		r.coloured = true
		r.errorf("pnml-net-type", "is the net coloured? Then write type=\""+symmetricType+"\" in its <net>", "<%s> belongs to symmetric nets, and the type of this net is that of P/T nets", name)
	}
	r.s.Skip()
}

// DoubtfulType tells whether findings say that the type of a net is unknown, or not that
// of its labels.
func DoubtfulType(found diagnostic.List) bool {
	for _, d := range found {
		if d.Code == "pnml-net-type" {
			return true
		}
	}
	return false
}
