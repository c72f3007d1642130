package pnml

// Skeleton returns the net without its colours: each place has as many tokens as it has of
// all colours together, and each transition takes and puts as many as under every binding.
// Guards are left out. What the coloured net does the skeleton can do, and some more. It
// is nil where an inscription stands for more tokens under one binding than under another.
func (n *Symmetric) Skeleton() *Net {
	b := Builder{ID: n.ID, Name: n.Name}
	whole := true
	tokens := func(m *Term) uint64 {
		count, known := n.Tokens(m)
		whole = whole && known
		return count
	}
	for p, initial := range n.Initial {
		if initial == nil {
			initial = &Term{Op: OpEmpty}
		}
		b.Place(n.Places.At(p), tokens(initial))
	}
	for t := range n.Transitions.Len() {
		b.Transition(n.Transitions.At(t))
		for _, a := range n.Pre[t] {
			b.In(a.Place, t, tokens(a.Term))
		}
		for _, a := range n.Post[t] {
			b.Out(t, a.Place, tokens(a.Term))
		}
	}
	net, err := b.Build()
	if err != nil || !whole { // the error is a weight beyond 2^64
		return nil
	}
	return net
}
