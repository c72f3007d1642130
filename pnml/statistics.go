package pnml

import (
	"fmt"
	"math/big"

	"podium/pnml/diagnostic"
)

// Statistics are the sizes of a P/T net. Arcs are counted once whatever their
// weight.
type Statistics struct {
	Places, Transitions, Arcs int
	Units                     int // of the nested-unit section
	Tokens                    *big.Int
	MarkedPlaces              int
	MaxTokens                 uint64 // in one place of the initial marking
	MaxWeight                 uint64 // of an arc
	HeavyArcs                 int    // with a weight other than 1
}

// Statistics returns the numbers of nodes, arcs and tokens of the net as it is
// written.
func (n *Net) Statistics() Statistics {
	s := Statistics{Places: n.Places.Len(), Transitions: n.Transitions.Len(), Arcs: n.Pre.Len() + n.Post.Len(), Tokens: new(big.Int)}
	if n.NUPN != nil {
		s.Units = len(n.NUPN.Units)
	}
	for _, m := range n.Initial {
		if m == 0 {
			continue
		}
		s.MarkedPlaces++
		s.MaxTokens = max(s.MaxTokens, m)
		s.Tokens.Add(s.Tokens, new(big.Int).SetUint64(m))
	}
	for _, a := range []*Arcs{&n.Pre, &n.Post} {
		for k := range a.Place {
			w := a.WeightAt(uint32(k))
			s.MaxWeight = max(s.MaxWeight, w)
			if w != 1 {
				s.HeavyArcs++
			}
		}
	}
	return s
}

// SymmetricStatistics are the sizes of a symmetric net.
type SymmetricStatistics struct {
	Places, Transitions, Arcs int
	Sorts, Variables, Guards  int
	LargestSort               uint64   // of the declared ones
	Colours                   *big.Int // of all places together: places of the exact unfolding
	Tokens                    *big.Int // of all colours; nil where a difference leaves it open
}

// Statistics returns the numbers of nodes, arcs, sorts and colours of the net as
// it is written; nothing is unfolded.
func (n *Symmetric) Statistics() SymmetricStatistics {
	s := SymmetricStatistics{Places: n.Places.Len(), Transitions: n.Transitions.Len(), Variables: len(n.Variables), Colours: new(big.Int), Tokens: new(big.Int)}
	for _, m := range n.Initial {
		if m == nil {
			continue
		}
		count, known := n.Tokens(m)
		if !known {
			s.Tokens = nil
			break
		}
		s.Tokens.Add(s.Tokens, new(big.Int).SetUint64(count))
	}
	for i := range n.Sorts {
		if n.Sorts[i].ID != "" {
			s.Sorts++
			s.LargestSort = max(s.LargestSort, n.Sorts[i].Size)
		}
	}
	for _, sort := range n.PlaceSort {
		if sort >= 0 {
			s.Colours.Add(s.Colours, new(big.Int).SetUint64(n.Sorts[sort].Size))
		}
	}
	for t := range n.Pre {
		s.Arcs += len(n.Pre[t]) + len(n.Post[t])
		if n.Guards[t] != nil {
			s.Guards++
		}
	}
	return s
}

// Lint returns warnings about a net that is well-formed but probably not what its
// author meant (M-4): an empty net, nodes without arcs, no transition enabled
// in the initial marking. File is the name in the findings.
func (n *Net) Lint(file string) diagnostic.List {
	var list diagnostic.List
	warn := func(id, code, format string, args ...any) {
		list.Add(lintOf(file, Position{}, id, code, fmt.Sprintf(format, args...)))
	}
	if n.Places.Len() == 0 || n.Transitions.Len() == 0 {
		warn(n.ID, "net-empty", "the net has %s and %s", things(n.Places.Len(), "place"), things(n.Transitions.Len(), "transition"))
	}
	g := newGraph(n)
	for p := range n.Places.Len() {
		if len(g.in.row(p))+len(g.out.row(p)) == 0 {
			warn(n.Places.At(p), "net-isolated", "%s has no arcs", n.place(p))
		}
	}
	enabled := n.Transitions.Len() == 0
	for t := range n.Transitions.Len() {
		pre, _ := n.Pre.Row(t)
		post, _ := n.Post.Row(t)
		if len(pre)+len(post) == 0 {
			warn(n.Transitions.At(t), "net-isolated", "%s has no arcs", n.transition(t))
		}
		enabled = enabled || n.Enabled(t)
	}
	if !enabled {
		warn(n.ID, "net-dead", "no transition is enabled in the initial marking")
	}
	return list
}

// lintOf is a warning of Lint. Where there is no position, [Locate] finds that of the
// element with the id.
func lintOf(file string, pos Position, id, code, message string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{File: file, Line: int(pos.Line), Col: int(pos.Col), Severity: diagnostic.Warning, Code: code, Message: message, Hint: nextSteps[code], Subject: id}
}

// Enabled reports whether a transition is enabled in the initial marking.
func (n *Net) Enabled(t int) bool {
	pre, weights := n.Pre.Row(t)
	for k, p := range pre {
		if n.Initial[p] < weights.At(k) {
			return false
		}
	}
	return true
}

// Lint returns warnings about declarations that nothing uses, nodes without arcs, and differences below zero, and
// notes on what tools read otherwise.
func (n *Symmetric) Lint(file string) diagnostic.List {
	var list diagnostic.List
	warn := func(pos Position, id, code, what string) { list.Add(lintOf(file, pos, id, code, what)) }
	sorts, variables := make([]bool, len(n.Sorts)), make([]bool, len(n.Variables))
	n.use(sorts, variables)
	for i, used := range sorts {
		if s := &n.Sorts[i]; !used && s.ID != "" {
			warn(s.Pos, "", "sym-unused", fmt.Sprintf("sort %q is not used", s.ID))
		}
	}
	for i, used := range variables {
		if !used {
			warn(n.Variables[i].Pos, "", "sym-unused", fmt.Sprintf("variable %q is not used", n.Variables[i].ID))
		}
	}
	arcs := make([]int, n.Places.Len())
	for t := range n.Pre {
		if len(n.Pre[t])+len(n.Post[t]) == 0 {
			warn(Position{}, n.Transitions.At(t), "net-isolated", "transition "+n.Transitions.At(t)+" has no arcs")
		}
		for _, side := range [2][]ColouredArc{n.Pre[t], n.Post[t]} {
			for _, a := range side {
				arcs[a.Place]++
			}
		}
	}
	for p, k := range arcs {
		if k == 0 {
			warn(Position{}, n.Places.At(p), "net-isolated", "place "+n.Places.At(p)+" has no arcs")
		}
	}
	return append(append(list, n.belowZero(file)...), n.readByTools(file)...)
}

// use marks the sorts and variables that occur somewhere.
func (n *Symmetric) use(sorts, variables []bool) {
	var useSort func(i int)
	useSort = func(i int) {
		if i < 0 || sorts[i] {
			return
		}
		sorts[i] = true
		s := &n.Sorts[i]
		useSort(s.Canonical)
		for _, f := range s.Factors {
			useSort(f)
		}
		if s.Kind == PartitionSort {
			useSort(s.Base)
		}
	}
	useTerm := func(t *Term) {
		if t == nil {
			return
		}
		t.Walk(func(x *Term) {
			useSort(x.Sort)
			switch x.Op {
			case OpElements:
				useSort(x.Part)
			case OpVariable:
				variables[x.Value] = true
			}
		})
	}
	for p, sort := range n.PlaceSort {
		useSort(sort)
		useTerm(n.Initial[p])
	}
	for t, g := range n.Guards {
		useTerm(g)
		for _, side := range [2][]ColouredArc{n.Pre[t], n.Post[t]} {
			for _, a := range side {
				useTerm(a.Term)
			}
		}
	}
}

// things says a number of things, with an s behind all but one.
func things(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
