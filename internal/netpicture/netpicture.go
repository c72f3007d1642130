// Package netpicture draws small nets as SVG, without Graphviz: layer below layer, from the
// places that are marked. It draws for the pages of a site and, in the browser, for the
// workbench; internal/drawing draws nets of any size with Graphviz.
package netpicture

import (
	"cmp"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"

	"podium/internal/wording"
	"podium/pnml/diagnostic"
)

// Picture is a small net, to be drawn: places and transitions, and the arcs between them.
type Picture struct {
	Nodes []Node
	Arcs  []Arc
}

// Node is a place or a transition.
type Node struct {
	Place bool
	Name  string
	Text  string // the tokens of a place, as a number; "*" for a coloured marking
}

// Arc is an arc between two nodes, by their numbers.
type Arc struct {
	From, To int
	Weight   string // empty for 1
}

// The most nodes and arcs of a net that is drawn: a larger picture explains nothing.
const (
	mostNodes = 42
	mostArcs  = 110
)

// The distances of a picture, in units of its drawing.
const (
	nodeAcross, nodeDown = 86.0, 58.0
	nodeRadius           = 10.0
)

// spot is where a node stands.
type spot struct{ x, y float64 }

// layers gives each node a layer: places that are marked first, then what follows them.
func (n *Picture) layers() [][]int {
	next := make([][]int, len(n.Nodes))
	for _, a := range n.Arcs {
		next[a.From] = append(next[a.From], a.To)
	}
	at := slices.Repeat([]int{-1}, len(n.Nodes))
	var queue []int
	for i, node := range n.Nodes {
		if node.Place && node.Text != "" {
			at[i], queue = 0, append(queue, i)
		}
	}
	for left := 0; ; {
		for ; len(queue) > 0; queue = queue[1:] {
			for _, to := range next[queue[0]] {
				if at[to] < 0 {
					at[to], queue = at[queue[0]]+1, append(queue, to)
				}
			}
		}
		for left < len(at) && at[left] >= 0 {
			left++
		}
		if left == len(at) {
			break
		}
		at[left], queue = 0, append(queue, left) // nothing leads here
		if !n.Nodes[left].Place {
			at[left] = 1
		}
	}
	list := make([][]int, slices.Max(at)+1)
	for i, layer := range at {
		list[layer] = append(list[layer], i)
	}
	return slices.DeleteFunc(list, func(layer []int) bool { return len(layer) == 0 })
}

// mostAcross is how many nodes stand beside each other before a layer is broken in two.
const mostAcross = 8

// place gives each node its spot: layer below layer, and in each the nodes near those that
// they are joined with.
func (n *Picture) place() (spots []spot, width, height float64) {
	var layers [][]int
	for _, layer := range n.layers() {
		layers = append(layers, slices.Collect(slices.Chunk(layer, mostAcross))...)
	}
	joined := make([][]int, len(n.Nodes))
	for _, a := range n.Arcs {
		joined[a.From], joined[a.To] = append(joined[a.From], a.To), append(joined[a.To], a.From)
	}
	most := 1
	for _, layer := range layers {
		most = max(most, len(layer))
	}
	spots = make([]spot, len(n.Nodes))
	set := func() {
		for y, layer := range layers {
			for x, node := range layer {
				spots[node] = spot{(float64(x) + 0.5 + float64(most-len(layer))/2) * nodeAcross, (float64(y) + 0.5) * nodeDown}
			}
		}
	}
	set()
	const sweeps = 8
	for range sweeps {
		for _, layer := range layers {
			slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(middle(spots, joined[a], a), middle(spots, joined[b], b)) })
			set()
		}
	}
	return spots, float64(most)*nodeAcross + 24, float64(len(layers)) * nodeDown // room for the last name
}

// middle is where the nodes that a node is joined with stand.
func middle(spots []spot, joined []int, node int) float64 {
	if len(joined) == 0 {
		return spots[node].x
	}
	sum := 0.0
	for _, i := range joined {
		sum += spots[i].x
	}
	return sum / float64(len(joined))
}

// SVG draws the net. What tells of it in words is given. Every node is a group with its
// number, so that a page can let transitions fire.
func (n *Picture) SVG(alt string) string {
	spots, width, height := n.place()
	m := &strings.Builder{}
	write(m, `<svg xmlns="http://www.w3.org/2000/svg" width="`, coordinate(width*1.2), `" height="`, coordinate(height*1.2), `" viewBox="0 0 `, coordinate(width), " ", coordinate(height), `" role="img" aria-label="`, text(alt), `">`)
	pairs := map[[2]int]bool{}
	for _, a := range n.Arcs {
		pairs[[2]int{a.From, a.To}] = true
	}
	for _, a := range n.Arcs {
		n.arc(m, spots, a, pairs[[2]int{a.To, a.From}])
	}
	for i, node := range n.Nodes {
		x, y := coordinate(spots[i].x), coordinate(spots[i].y)
		write(m, `<g data-node="`, strconv.Itoa(i), `"><title>`, text(node.Name), `</title>`)
		if node.Place {
			write(m, `<circle class="place" cx="`, x, `" cy="`, y, `" r="`, coordinate(nodeRadius), `"/>`)
		} else {
			write(m, `<rect class="transition" x="`, coordinate(spots[i].x-nodeRadius), `" y="`, coordinate(spots[i].y-3), `" width="`, coordinate(2*nodeRadius), `" height="6"/>`)
		}
		switch tokens, err := strconv.Atoi(node.Text); {
		case node.Text == "*" || err == nil && tokens == 1:
			write(m, `<circle class="token" cx="`, x, `" cy="`, y, `" r="3.4"/>`)
		case node.Text != "":
			write(m, `<text class="tokens" x="`, x, `" y="`, coordinate(spots[i].y+3.6), `">`, text(wording.CutEnd(node.Text, 4)), `</text>`)
		}
		write(m, `<text x="`, coordinate(spots[i].x+nodeRadius+3), `" y="`, coordinate(spots[i].y+3.5), `">`, text(wording.CutEnd(node.Name, 10)), `</text></g>`)
	}
	write(m, `</svg>`)
	return m.String()
}

// write writes parts of SVG, in which every text from outside went through text.
func write(m *strings.Builder, parts ...string) {
	for _, p := range parts {
		m.WriteString(p)
	}
}

// text makes any text one that stands for itself in SVG.
func text(s string) string { return html.EscapeString(diagnostic.Clean(s)) }

func coordinate(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

// arc draws an arc: straight to a neighbouring layer, bent where it would run over other
// nodes or over the arc back.
func (n *Picture) arc(m *strings.Builder, spots []spot, a Arc, back bool) {
	from, to := spots[a.From], spots[a.To]
	dx, dy := to.x-from.x, to.y-from.y
	length := math.Hypot(dx, dy)
	bend := 0.0
	if back {
		bend = 9
	}
	if math.Abs(dy) > 1.5*nodeDown || math.Abs(dy) < 1 && math.Abs(dx) > 1.5*nodeAcross {
		bend = 14 + length/6
	}
	// The middle of the curve lies to the left of its direction.
	cx, cy := (from.x+to.x)/2+dy/length*bend, (from.y+to.y)/2-dx/length*bend
	start, end := towards(from, spot{cx, cy}, n.edge(a.From, from, spot{cx, cy})), towards(to, spot{cx, cy}, n.edge(a.To, to, spot{cx, cy})+1)
	back1 := towards(end, spot{cx, cy}, 6)
	ux, uy := end.x-back1.x, end.y-back1.y
	write(m, `<path class="arc" d="M`, coordinate(start.x), " ", coordinate(start.y))
	if bend == 0 {
		write(m, "L", coordinate(end.x), " ", coordinate(end.y))
	} else {
		write(m, "Q", coordinate(cx), " ", coordinate(cy), " ", coordinate(end.x), " ", coordinate(end.y))
	}
	write(m, "M", coordinate(back1.x-uy/2), " ", coordinate(back1.y+ux/2), "L", coordinate(end.x), " ", coordinate(end.y), "L", coordinate(back1.x+uy/2), " ", coordinate(back1.y-ux/2), `"/>`)
	if a.Weight != "" {
		write(m, `<text class="weight" x="`, coordinate((cx+(from.x+to.x)/2)/2+3), `" y="`, coordinate((cy+(from.y+to.y)/2)/2), `">`, text(wording.CutEnd(a.Weight, 6)), `</text>`)
	}
}

// edge is how far from the middle of a node its edge is, in a direction.
func (n *Picture) edge(node int, at, to spot) float64 {
	const high = 4
	if steep := math.Abs(to.y - at.y); !n.Nodes[node].Place && steep > math.Abs(to.x-at.x)*high/nodeRadius {
		return high * math.Hypot(to.x-at.x, to.y-at.y) / steep
	}
	return nodeRadius + 1
}

// towards is so far from a spot in the direction of another.
func towards(from, to spot, by float64) spot {
	length := math.Hypot(to.x-from.x, to.y-from.y)
	if length == 0 {
		return from
	}
	return spot{from.x + (to.x-from.x)/length*by, from.y + (to.y-from.y)/length*by}
}
