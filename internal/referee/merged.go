package referee

import (
	"podium/examinations"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// netFor turns to the net of an examination, and reports whether it has to be unfolded, with which
// colours merged. Formulas and global properties do not tell a coloured net from the one with
// merged colours. StateSpace does, which counts markings.
func (h *hearing) netFor(exam examinations.ID) (look bool, merging pnml.Merging) {
	at := &h.whole
	if s := h.files.Document.Symmetric; s != nil && exam != examinations.StateSpace {
		if h.merging == nil {
			m := h.mergeable(s)
			h.merging = &m
		}
		if merging = *h.merging; merging != nil {
			at = &h.merged
		}
	}
	if look = *at == nil; look {
		*at = &net{}
	}
	if h.net != nil && h.net != *at { // what was found out is about the other net, which may have more markings
		h.facts, h.drawing = nil, drawing{small: h.drawing.small && merging != nil}
		if h.size == large || merging == nil {
			h.size = notCounted
		}
		(*at).witnesses = nil
	}
	h.net = *at
	return look, merging
}

// mergeable looks for colours to merge, nil where there are none, where the checker does not see
// it, and where the net is unfolded already and would not be a quarter smaller: then what was
// found out about it is worth more.
func (h *hearing) mergeable(s *pnml.Symmetric) pnml.Merging {
	limits := unfold.Limits{Arcs: uint64(h.Memory) / 256}
	m, err := unfold.Mergeable(h.limited, s, limits)
	if err != nil || m == nil || replay.Unlike(s, m) != nil {
		return nil
	}
	if h.whole != nil && h.whole.Net != nil {
		nodes := func(v unfold.View) int { return v.Net.Places.Len() + v.Net.Transitions.Len() }
		view, err := unfold.Merged(h.limited, s, m, limits)
		if err != nil || 4*nodes(view) > 3*nodes(h.whole.View) {
			return nil
		}
		h.merged = &net{View: view}
	}
	return m
}

// looked are the nets that were looked at in an examination.
func (h *hearing) looked() (list []*net) {
	for _, n := range []*net{h.skeleton, h.net} {
		if n != nil && n.Net != nil {
			list = append(list, n)
		}
	}
	return list
}

// witnesses are those of an examination, of all nets that were looked at.
func (h *hearing) witnesses() (list []*witness.Witness) {
	for _, n := range h.looked() {
		for _, w := range n.witnesses {
			w.Merging = n.Merging
			list = append(list, w)
		}
	}
	return list
}

// opened is the net as a replay opens it.
func (h *hearing) opened() *replay.Net {
	for _, n := range []*net{h.net, h.whole} {
		if n != nil && n.Net != nil && n.Merging == nil {
			return replay.NewNet(n.View)
		}
	}
	return replay.Open(h.files.Document, unfold.Limits{Arcs: uint64(h.Memory) / 256})
}
