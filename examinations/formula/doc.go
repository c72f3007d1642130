// Package formula holds the formulas that examinations ask about (E-1.8): their
// syntax tree, the files they come in, and a generator.
//
// A formula file holds properties; a [Property] is an id and a [Formula], a typed
// syntax tree. [Read] reads the XML form, which is normative (E-1.8), [Write] writes
// it, and [WriteText] the text form. [Check] compares formulas with their examination
// and the net, [Generate] makes new ones, and [Rename] gives their nodes other names.
package formula
