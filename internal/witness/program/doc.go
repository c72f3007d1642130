// Package program recognises the witnesses of SV-COMP, which speak of programs, and checks
// their format: version 1.0, which is GraphML, and versions 2.0 and 2.1, which are YAML.
//
// A violation witness leads to a violation of a property, a correctness witness gives
// invariants. Whether what it says is true is the question of a validator. Here only its
// form is looked at: is it well formed, complete, and about the task: its kind, property,
// data model and program, by the digest where the format gives one? A file in no known
// format is nobody's mistake, since validators may know formats of their own.
//
// Sources: the documents of the two formats (sosy-lab/sv-witnesses), the rules of SV-COMP.
package program
