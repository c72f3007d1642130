// Package pnml reads and writes Petri nets in PNML (ISO/IEC 15909-2), the
// format of the contest's models (T-3), and checks them (M-4).
//
// A [Document] holds one net. A P/T net is a [Net]: ids interned once, arcs in
// compressed rows, tokens and weights as uint64. A coloured net is a
// [Symmetric]: sorts whose colours are numbered, and terms whose sorts were
// checked. Neither keeps what only people need: names of nodes, graphics, texts
// of terms, sections for other tools. The writers give one canonical document
// for a net.
//
// Reading streams: no tree of the document is built, so the memory needed is
// that of the net. Mistakes are collected as findings with a position and a
// code (see [LintRules]), and reading goes on, so that a submitter sees all of them
// at once. Only a document that is not well-formed XML ends at its first error.
// An element without meaning is a warning, because the net is the same without
// it.
//
// The nested-unit section of a net ([NUPN]) may claim that the net is
// unit-safe. The claim is checked in the initial marking only; nothing here
// relies on it.
//
// Package xmlscan is the reader of XML that PNML and formula files share.
package pnml
