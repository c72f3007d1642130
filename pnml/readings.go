package pnml

import "podium/pnml/diagnostic"

// What tools of the contest make of valid symmetric nets that they read otherwise than the standard: notes for
// those who hand in a net. Each was seen by asking the tool about a small net.

// readings are by tool; mcc is that of dalzilio/mcc (github.com/dalzilio/mcc, commit 917f20a), by `mcc tina`.
var readings = []struct {
	tool, says, hint string
	where            func(n *Symmetric, found func(Position))
}{
	{"mcc 917f20a", "one of the numbers that an initial marking adds to a colour, not their sum", "name each colour once in the <add>", addedTwice},
	{"mcc 917f20a", "a transition that needs several tokens which it puts back into a place that nothing changes, as one that needs none of them", "write the tokens that are needed as one", readOnly},
	{"mcc 917f20a", "an arc with a <numberof> of 0 as an arc of weight 0", "remove the arc", zeroTimes},
	{"mcc 917f20a", "the first page alone: arcs at a reference node, or at a node of another page, are left out", "put all nodes into one page, without reference nodes", func(n *Symmetric, found func(Position)) {
		if n.aside.Line > 0 {
			found(n.aside)
		}
	}},
}

// readByTools returns the notes.
func (n *Symmetric) readByTools(file string) (list diagnostic.List) {
	for _, r := range readings {
		r.where(n, func(pos Position) {
			list.Add(diagnostic.Diagnostic{File: file, Line: int(pos.Line), Col: int(pos.Col), Severity: diagnostic.Note, Code: "sym-reading", Message: "valid, but " + r.tool + " reads " + r.says, Hint: r.hint})
		})
	}
	return list
}

// counted returns the colour of a summand that counts one constant.
func (t *Term) counted() (sort int, value uint64, ok bool) {
	if t.Op == OpNumberOf {
		t = t.Args[0]
	}
	return t.Sort, t.Value, t.Op == OpConstant
}

func addedTwice(n *Symmetric, found func(Position)) {
	for _, m := range n.Initial {
		if m == nil || m.Op != OpAdd {
			continue
		}
		seen := map[colour]bool{}
		for _, a := range m.Args {
			sort, value, ok := a.counted()
			if c := (colour{sort, value}); ok && seen[c] {
				found(a.Pos)
				break
			} else if ok {
				seen[c] = true
			}
		}
	}
}

// readOnly finds places that no transition changes, from which one takes a colour more than once.
func readOnly(n *Symmetric, found func(Position)) {
	changed, several := make([]bool, n.Places.Len()), make([]Position, n.Places.Len())
	for t := range n.Pre {
		balance := map[int][]*Term{}
		for _, a := range n.Pre[t] {
			balance[a.Place] = append(balance[a.Place], a.Term)
			a.Term.Walk(func(x *Term) {
				if x.Op == OpNumberOf && x.Value > 1 {
					several[a.Place] = a.Pos
				}
			})
		}
		for _, a := range n.Post[t] {
			if b := balance[a.Place]; len(b) == 1 && b[0].equal(a.Term) {
				delete(balance, a.Place)
			} else {
				changed[a.Place] = true
			}
		}
		for p := range balance {
			changed[p] = true
		}
	}
	for p, pos := range several {
		if !changed[p] && pos.Line > 0 {
			found(pos)
		}
	}
}

func (t *Term) equal(o *Term) bool {
	same := t.Op == o.Op && t.Sort == o.Sort && t.Value == o.Value && t.Part == o.Part && len(t.Args) == len(o.Args)
	for k := range t.Args {
		same = same && t.Args[k].equal(o.Args[k])
	}
	return same
}

func zeroTimes(n *Symmetric, found func(Position)) {
	for t := range n.Pre {
		for _, arcs := range [][]ColouredArc{n.Pre[t], n.Post[t]} {
			for _, a := range arcs {
				if a.Term.Op == OpNumberOf && a.Term.Value == 0 {
					found(a.Pos)
				}
			}
		}
	}
}

// belowZero warns of differences of constants that take more than there is: what would fall below zero is zero.
func (n *Symmetric) belowZero(file string) (list diagnostic.List) {
	look := func(t *Term) {
		if t.Op != OpSubtract {
			return
		}
		have := map[colour]uint64{}
		for k, a := range t.Args {
			sort, value, ok := a.counted()
			number := uint64(1)
			if a.Op == OpNumberOf {
				number = a.Value
			}
			switch c := (colour{sort, value}); {
			case !ok:
				return
			case k == 0:
				have[c] = number
			case have[c] < number:
				list.Add(diagnostic.Diagnostic{File: file, Line: int(a.Pos.Line), Col: int(a.Pos.Col), Severity: diagnostic.Warning, Code: "sym-subtract",
					Message: "<subtract> takes more of a colour than there is: the rest is taken as 0, which no definition of multisets has", Hint: "take no more than there is"})
				return
			default:
				have[c] -= number
			}
		}
	}
	for _, m := range n.Initial {
		if m != nil {
			m.Walk(look)
		}
	}
	for t := range n.Pre {
		for _, arcs := range [][]ColouredArc{n.Pre[t], n.Post[t]} {
			for _, a := range arcs {
				a.Term.Walk(look)
			}
		}
	}
	return list
}
