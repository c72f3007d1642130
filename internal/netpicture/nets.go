package netpicture

import (
	"fmt"

	"podium/pnml"
)

// drawable reports whether a picture explains a net of so many nodes and arcs.
func drawable(nodes, arcs int) bool { return nodes > 0 && nodes <= mostNodes && arcs <= mostArcs }

// Plain returns the picture of a P/T net, nil when it is empty or too large to be drawn. The places
// are the first nodes, then the transitions.
func Plain(net *pnml.Net) *Picture {
	if s := net.Statistics(); !drawable(s.Places+s.Transitions, s.Arcs) {
		return nil
	}
	n, places := &Picture{}, net.Places.Len()
	for p := range places {
		text := ""
		if m := net.Initial[p]; m > 0 {
			text = fmt.Sprint(m)
		}
		n.Nodes = append(n.Nodes, Node{Place: true, Name: net.Places.At(p), Text: text})
	}
	weight := func(w uint64) string {
		if w == 1 {
			return ""
		}
		return fmt.Sprint(w)
	}
	for t := range net.Transitions.Len() {
		n.Nodes = append(n.Nodes, Node{Name: net.Transitions.At(t)})
		pre, weights := net.Pre.Row(t)
		for k, p := range pre {
			n.Arcs = append(n.Arcs, Arc{From: int(p), To: places + t, Weight: weight(weights.At(k))})
		}
		post, weights := net.Post.Row(t)
		for k, p := range post {
			n.Arcs = append(n.Arcs, Arc{From: places + t, To: int(p), Weight: weight(weights.At(k))})
		}
	}
	return n
}

// Symmetric returns the picture of a coloured net without its inscriptions, nil when it is
// empty or too large to be drawn.
func Symmetric(net *pnml.Symmetric) *Picture {
	if s := net.Statistics(); !drawable(s.Places+s.Transitions, s.Arcs) {
		return nil
	}
	n, places := &Picture{}, net.Places.Len()
	for p := range places {
		text := ""
		if net.Initial[p] != nil {
			text = "*"
		}
		n.Nodes = append(n.Nodes, Node{Place: true, Name: net.Places.At(p), Text: text})
	}
	for t := range net.Transitions.Len() {
		n.Nodes = append(n.Nodes, Node{Name: net.Transitions.At(t)})
		for _, a := range net.Pre[t] {
			n.Arcs = append(n.Arcs, Arc{From: a.Place, To: places + t})
		}
		for _, a := range net.Post[t] {
			n.Arcs = append(n.Arcs, Arc{From: places + t, To: a.Place})
		}
	}
	return n
}
