// Package pnml reads and writes Petri nets in PNML (ISO/IEC 15909-2), the form
// in which the contest delivers its models (T-3), and checks them (M-4).
//
// A [Document] holds one net. A P/T net is a [Net]: ids interned once, arcs in
// compressed rows, tokens and weights as uint64. A coloured net is a [Symmetric]:
// sorts whose colours are numbered, and terms whose sorts were checked. Both are
// what is left of the document when everything that people see only - names of
// nodes, graphics, texts of terms, sections of other tools - is passed over; the
// writers give one canonical document for a net.
//
// Reading streams: no tree of the document is built, so the memory needed is
// that of the net. What is wrong is collected as findings with a position and a
// code, see [Rules], and reading goes on, so that a submitter learns everything
// at once; only a document that is no XML ends at its first error. An element
// without meaning is a warning, since the net is the same without it.
//
// The nested-unit section of a net ([NUPN]) carries a claim, unit-safety. It is
// checked against the initial marking and never believed further.
//
// [Scanner], the reader of XML below all this, serves the formula files, too.
package pnml
