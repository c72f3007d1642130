package pnml

// Skeleton returns the net without its colours: each place has as many tokens as it has of
// all colours together, and each transition takes and puts as many as under every binding.
// Guards are left out. What the coloured net does the skeleton can do, and some more. It
// is nil where an inscription stands for more tokens under one binding than under another.
func (n *Symmetric) Skeleton() *Net {
	b := Builder{ID: n.ID, Name: n.Name}
	for p := range n.Places.Len() {
		tokens, known := uint64(0), true
		if n.Initial[p] != nil {
			tokens, known = n.tokens(n.Initial[p])
		}
		if !known {
			return nil
		}
		b.Place(n.Places.At(p), tokens)
	}
	for t := range n.Transitions.Len() {
		b.Transition(n.Transitions.At(t))
		for _, a := range n.Pre[t] {
			moved, known := n.tokens(a.Term)
			if !known {
				return nil
			}
			b.In(a.Place, t, moved)
		}
		for _, a := range n.Post[t] {
			moved, known := n.tokens(a.Term)
			if !known {
				return nil
			}
			b.Out(t, a.Place, moved)
		}
	}
	net, err := b.Build()
	if err != nil { // a weight beyond 2^64
		return nil
	}
	return net
}
