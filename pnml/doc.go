// Package pnml reads and writes Petri nets in PNML (ISO/IEC 15909-2), the form
// in which the contest delivers its models (T-3), and checks them (M-4).
//
// A P/T net becomes a [Net]: ids interned once, arcs in compressed rows, tokens
// and weights as uint64. Reading streams: no tree of the document is built, so
// the memory needed is that of the net.
package pnml
