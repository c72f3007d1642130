// Package drawing draws small nets. [Dot] writes a net, P/T or coloured, in the
// language of Graphviz; [Picture] lets Graphviz lay it out.
package drawing

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"podium/models"
	"podium/pnml"
	"podium/pnml/diagnostic"
)

// drawing writes a net in the language of Graphviz.
type drawing struct {
	*bufio.Writer
	labels map[string]string // of places and transitions, see [pnml.Labels]
}

// Dot draws an instance in the language of Graphviz. A net with more than limit
// places and transitions, or ten times as many arcs, is an error of type
// [diagnostic.Diagnostic].
func Dot(i models.Instance, doc *pnml.Document, limit int) ([]byte, error) {
	var places, transitions *pnml.Names
	arcs, boxed := 0, false
	if n := doc.Net; n != nil {
		boxed = n.NUPN != nil
		places, transitions, arcs = &n.Places, &n.Transitions, n.Pre.Len()+n.Post.Len()
	} else {
		places, transitions = &doc.Symmetric.Places, &doc.Symmetric.Transitions
		arcs = int(doc.Symmetric.Statistics().Arcs)
	}
	if nodes := places.Len() + transitions.Len(); nodes > limit || arcs > 10*limit {
		return nil, diagnostic.Diagnostic{File: i.Path, Severity: diagnostic.Error, Code: "draw-large",
			Message: fmt.Sprintf("%d places and transitions with %d arcs are too many for a picture that can be read (limit: %d, and %d arcs)", nodes, arcs, limit, 10*limit),
			Hint:    "draw a smaller instance of the model, or allow more with --limit"}
	}
	var labels map[string]string
	if text, err := i.ReadFile(models.ModelFile, mostLabelled); err == nil {
		labels = pnml.Labels(bytes.NewReader(text))
	}
	var b bytes.Buffer
	d := drawing{bufio.NewWriter(&b), labels}
	fmt.Fprintf(d, "digraph {\n  graph [label=%s labelloc=t fontname=Helvetica fontsize=14 %snodesep=0.6 ranksep=0.4 outputorder=edgesfirst]\n", quoted(i.ID.String()), layoutOf(places.Len()+transitions.Len()+arcs, boxed))
	d.WriteString("  node [fontname=Helvetica fontsize=9 fixedsize=true]\n  edge [fontname=Helvetica fontsize=9 arrowsize=0.6]\n")
	if doc.Net != nil {
		d.net(doc.Net)
	} else {
		d.symmetric(doc.Symmetric)
	}
	d.WriteString("}\n")
	d.Flush()
	return b.Bytes(), nil
}

// mostLabelled is the largest file that is read for names, in bytes: nets that are drawn are small.
const mostLabelled = 16 << 20

// label is what stands beside a node.
func (d drawing) label(id string) string { return clipped(pnml.Labelled(id, d.labels)) }

func (d drawing) place(p int, id, inside, beside string) {
	fmt.Fprintf(d, "  p%d [shape=circle width=0.38 label=%s xlabel=%s tooltip=%s]\n", p, quoted(inside), quoted(beside), quoted(id))
}

func (d drawing) transition(t int, id, beside string) {
	fmt.Fprintf(d, "  t%d [shape=box style=filled fillcolor=black width=0.38 height=0.08 label=\"\" xlabel=%s tooltip=%s]\n", t, quoted(beside), quoted(id))
}

// arcs draws what is written on the arcs of a transition, by place; the same
// both ways is one arc with two heads.
func (d drawing) arcs(t int, pre, post map[int]string, places int) {
	for p := range places {
		in, consumes := pre[p]
		out, produces := post[p]
		switch {
		case consumes && produces && in == out:
			fmt.Fprintf(d, "  p%d -> t%d [dir=both xlabel=%s]\n", p, t, quoted(in))
			continue
		case consumes:
			fmt.Fprintf(d, "  p%d -> t%d [xlabel=%s]\n", p, t, quoted(in))
		}
		if produces {
			fmt.Fprintf(d, "  t%d -> p%d [xlabel=%s]\n", t, p, quoted(out))
		}
	}
}

func (d drawing) net(n *pnml.Net) {
	for p := range n.Places.Len() {
		d.place(p, n.Places.At(p), tokens(n.Initial[p]), d.label(n.Places.At(p)))
	}
	d.units(n)
	weights := func(a *pnml.Arcs, t int) map[int]string {
		labels := map[int]string{}
		places, weights := a.Row(t)
		for k, p := range places {
			labels[int(p)] = ""
			if w := weights.At(k); w != 1 {
				labels[int(p)] = fmt.Sprint(w)
			}
		}
		return labels
	}
	for t := range n.Transitions.Len() {
		d.transition(t, n.Transitions.At(t), d.label(n.Transitions.At(t)))
		d.arcs(t, weights(&n.Pre, t), weights(&n.Post, t), n.Places.Len())
	}
}

func (d drawing) symmetric(s *pnml.Symmetric) {
	for p := range s.Places.Len() {
		inside, beside := "", d.label(s.Places.At(p))
		if sort := s.PlaceSort[p]; sort >= 0 {
			beside += "\n" + clipped(sortText(s, sort))
		}
		if m := s.Initial[p]; m != nil {
			inside, beside = "●", beside+"\n"+clipped(termText(s, m))
			if n, known := s.Tokens(m); known {
				inside = tokens(n)
			}
		}
		d.place(p, s.Places.At(p), inside, beside)
	}
	inscriptions := func(arcs []pnml.ColouredArc) map[int]string {
		labels := map[int]string{}
		for _, a := range arcs {
			label := clipped(termText(s, a.Term))
			if before, ok := labels[a.Place]; ok {
				label = before + " +\n" + label
			}
			labels[a.Place] = label
		}
		return labels
	}
	for t := range s.Transitions.Len() {
		beside := d.label(s.Transitions.At(t))
		if g := s.Guards[t]; g != nil {
			beside += "\n[" + clipped(termText(s, g)) + "]"
		}
		d.transition(t, s.Transitions.At(t), beside)
		d.arcs(t, inscriptions(s.Pre[t]), inscriptions(s.Post[t]), s.Places.Len())
	}
}

// tokens are dots as long as they fit.
func tokens(n uint64) string {
	switch n {
	case 0:
		return ""
	case 1, 2:
		return strings.Repeat("●", int(n))
	case 3, 4:
		return "●●\n" + strings.Repeat("●", int(n-2))
	}
	return fmt.Sprint(n)
}

// clipped cuts what would cover the picture.
func clipped(s string) string {
	const most = 48
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// quoted is a string of Graphviz: line breaks are \n, and nothing else is an escape.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '&':
			b.WriteString("&amp;") // Graphviz reads entities
		case r < ' ':
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
