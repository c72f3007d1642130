package pnml

import (
	"bytes"
	"strconv"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// nupnReader reads the nested-unit section and checks its structure when the
// net is complete (the manual of caesar.bdd; rule codes nupn-...).
type nupnReader struct {
	r          *reader
	pos        Position // of the structure element
	size       map[string]string
	sizePos    Position
	units      []Unit
	unitPos    []Position
	index      map[string]int
	subunits   [][]string
	pending    []pendingUnitPlace
	root       string
	count      string
	safe       bool
	structures int
}

// pendingUnitPlace is a place of a unit that was not known when it was read.
type pendingUnitPlace struct {
	unit  int
	place string
	pos   Position
}

// readNUPN reads <toolspecific tool="nupn">.
func (r *reader) readNUPN() {
	defer r.close()
	if r.symmetric != nil {
		r.warnf("nupn-coloured", "", "a nested-unit section has no meaning in a coloured net")
		r.s.Skip()
		return
	}
	if r.nupn != nil {
		r.errorf("nupn-twice", "", "a second nested-unit section")
		r.s.Skip()
		return
	}
	if v, _ := r.s.Attr("version"); string(v) != "1.1" {
		r.warnf("nupn-version", "", "version %s of the nested-unit section is not 1.1", diagnostic.Excerpt(string(v)))
	}
	n := &nupnReader{r: r, index: map[string]int{}, size: map[string]string{}, pos: r.pos()}
	r.nupn = n
	for r.nextOfAny("toolspecific") {
		switch string(r.s.Name()) {
		case "size":
			n.sizePos = r.pos()
			for _, a := range []string{"places", "transitions", "arcs"} {
				v, _ := r.s.Attr(a)
				n.size[a] = string(v)
			}
			r.s.Skip()
		case "structure":
			n.structure()
		default:
			r.noUnits("toolspecific")
		}
	}
}

// nestedUnits is what messages call the structure of the section.
const nestedUnits = "structure of units"

// noUnits passes over an element of the section that has no meaning.
func (r *reader) noUnits(inside string) {
	r.warnf("pnml-unknown-element", "remove it", "element <%s> has no meaning inside <%s>", diagnostic.Cut(string(r.s.Name())), inside)
	r.s.Skip()
}

func (n *nupnReader) structure() {
	r := n.r
	n.pos = r.pos()
	if n.structures++; n.structures > 1 {
		r.errorf("nupn-twice", "", "a second <structure>")
		r.s.Skip()
		return
	}
	count, _ := r.s.Attr("units")
	root, _ := r.s.Attr("root")
	safe, _ := r.s.Attr("safe")
	n.count, n.root, n.safe = string(count), string(root), string(safe) == "true"
	if !n.safe && string(safe) != "false" {
		r.errorf("nupn-safe", "write true or false", "the attribute safe is %s", diagnostic.Excerpt(string(safe)))
	}
	for r.nextOfAny(nestedUnits) {
		if string(r.s.Name()) != "unit" {
			r.noUnits(nestedUnits)
			continue
		}
		n.unit()
	}
}

func (n *nupnReader) unit() {
	r := n.r
	id, _ := r.s.Attr("id")
	first, taken := n.index[string(id)]
	switch {
	case len(id) == 0:
		r.errorf("nupn-unit-id", `write id="..."`, "<unit> has no id")
	case taken:
		r.errorf("nupn-unit-id", anotherID, "id %s of <unit> is used twice: the first stands in line %d", diagnostic.Excerpt(string(id)), n.unitPos[first].Line)
	}
	if taken || len(id) == 0 {
		r.s.Skip()
		return
	}
	u := len(n.units)
	n.index[string(id)] = u
	n.units = append(n.units, Unit{ID: string(id)})
	n.unitPos = append(n.unitPos, r.pos())
	n.subunits = append(n.subunits, nil)
	for r.nextOfAny("unit") {
		switch string(r.s.Name()) {
		case "places":
			pos := r.pos()
			r.words(func(id []byte) { n.place(u, id, pos) })
		case "subunits":
			r.words(func(id []byte) { n.subunits[u] = append(n.subunits[u], string(id)) })
		default:
			r.noUnits("unit")
		}
	}
}

func (n *nupnReader) place(unit int, id []byte, pos Position) {
	kind, p, ok := n.r.nodes.lookup(n.r.nodes.hash(id), id)
	if ok && kind == placeNode {
		n.units[unit].Places = append(n.units[unit].Places, p)
		return
	}
	n.pending = append(n.pending, pendingUnitPlace{unit, string(id), pos})
}

// words reads the text of an element, of any length, as words.
func (r *reader) words(yield func(word []byte)) {
	var carry []byte
	for {
		e := r.s.Next()
		switch e {
		case xmlscan.Start:
			r.noUnits("a list of ids")
		case xmlscan.Text:
			text := r.s.Text()
			for len(text) > 0 {
				k := bytes.IndexAny(text, " \t\n\r")
				if k < 0 {
					carry = append(carry, text...)
					break
				}
				if len(carry) > 0 {
					carry = append(carry, text[:k]...)
					yield(carry)
					carry = carry[:0]
				} else if k > 0 {
					yield(text[:k])
				}
				text = text[k+1:]
			}
		default:
			if len(carry) > 0 {
				yield(carry)
			}
			return
		}
	}
}

func (n *nupnReader) errorf(pos Position, code, hint, format string, args ...any) {
	n.r.add(pos, diagnostic.Error, code, hint, format, args...)
}

// finish checks the section against the net; nil when it has no sound structure.
func (n *nupnReader) finish(net *Net) *NUPN {
	for _, p := range n.pending {
		i, ok := net.Places.Find(p.place)
		if !ok {
			n.errorf(p.pos, "nupn-place", n.r.meant(p.place), "unit %s holds %s, which is no place of the net", n.units[p.unit].ID, diagnostic.Excerpt(p.place))
			continue
		}
		n.units[p.unit].Places = append(n.units[p.unit].Places, uint32(i))
	}
	n.checkSizes(net)
	root, ok := n.tree()
	if !n.partition(net) || !ok {
		return nil
	}
	section := &NUPN{Units: n.units, Root: root, Safe: n.safe}
	if reason := section.RefutedBy(net.Initial); section.Safe && reason != "" {
		n.errorf(n.pos, "nupn-unsafe", `write safe="false"`, "the net is not unit-safe: in the initial marking %s", reason)
	}
	return section
}

// checkSizes compares the numbers that the section repeats.
func (n *nupnReader) checkSizes(net *Net) {
	arcs := net.Pre.Len() + net.Post.Len()
	for _, c := range []struct {
		name string
		want int
	}{{"places", net.Places.Len()}, {"transitions", net.Transitions.Len()}, {"arcs", arcs}} {
		if got, ok := n.size[c.name]; ok && got != strconv.Itoa(c.want) {
			n.errorf(n.sizePos, "nupn-size", "write "+c.name+"="+strconv.Quote(strconv.Itoa(c.want)), "the section says %s=%s, the net has %d", c.name, diagnostic.Excerpt(got), c.want)
		}
	}
	if n.structures == 0 {
		n.errorf(n.pos, "nupn-structure", "write one with its units, or remove the section", "the nested-unit section has no <structure>")
		return
	}
	if n.count != strconv.Itoa(len(n.units)) {
		n.errorf(n.pos, "nupn-size", "write units="+strconv.Quote(strconv.Itoa(len(n.units))), "the structure says units=%s and has %d", diagnostic.Excerpt(n.count), len(n.units))
	}
}

// tree resolves the subunits and checks that the units are a tree below the root.
func (n *nupnReader) tree() (root int, ok bool) {
	if n.structures == 0 {
		return 0, false
	}
	root, ok = n.index[n.root]
	if !ok {
		n.errorf(n.pos, "nupn-root", meantDeclared(n.r, n.root, n.index), "the root %s is no unit", diagnostic.Excerpt(n.root))
	}
	parents := make([]int, len(n.units))
	for u, subs := range n.subunits {
		for _, id := range subs {
			v, known := n.index[id]
			if !known {
				n.errorf(n.unitPos[u], "nupn-subunit", meantDeclared(n.r, id, n.index), "unit %s has the subunit %s, which is no unit", n.units[u].ID, diagnostic.Excerpt(id))
				ok = false
				continue
			}
			if parents[v]++; parents[v] > 1 || ok && v == root {
				n.errorf(n.unitPos[u], "nupn-tree", "name every unit but the root in the <subunits> of one unit", "unit %s is a subunit of two units, or the root is a subunit", n.units[v].ID)
				ok = false
			}
			n.units[u].Subunits = append(n.units[u].Subunits, v)
		}
	}
	if !ok {
		return root, false
	}
	reached := make([]bool, len(n.units))
	for stack := []int{root}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = append(stack[:len(stack)-1], n.units[u].Subunits...)
		reached[u] = true
	}
	for u, r := range reached {
		if !r {
			n.errorf(n.unitPos[u], "nupn-tree", "name it in the <subunits> of a unit below the root", "unit %s is not below the root", n.units[u].ID)
			ok = false
		}
	}
	return root, ok
}

// partition checks that every place is in exactly one unit.
func (n *nupnReader) partition(net *Net) bool {
	if n.structures == 0 {
		return false
	}
	ok := true
	unit := make([]int, net.Places.Len())
	for u := range n.units {
		for _, p := range n.units[u].Places {
			if unit[p] != 0 {
				n.errorf(n.unitPos[u], "nupn-partition", "remove it from one of them", "place %s is in unit %s and in unit %s", net.Places.At(int(p)), n.units[unit[p]-1].ID, n.units[u].ID)
				ok = false
			}
			unit[p] = u + 1
		}
	}
	for p, u := range unit {
		if u == 0 {
			n.errorf(n.pos, "nupn-partition", "name it in the <places> of one unit", "place %s is in no unit", net.Places.At(p))
			ok = false
		}
	}
	return ok
}

// RefutedBy says in words why a marking is not unit-safe, or gives "" when it
// is. Unit-safe means that no place holds two tokens and that no two marked
// places are in one unit or in units of which one contains the other.
func (n *NUPN) RefutedBy(marking []uint64) string {
	type visit struct {
		unit   int
		marked bool // some unit above has a marked place
	}
	for stack := []visit{{n.Root, false}}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		unit := &n.Units[v.unit]
		tokens := uint64(0)
		for _, p := range unit.Places {
			if marking[p] > 1 {
				return "a place of unit " + unit.ID + " holds " + strconv.FormatUint(marking[p], 10) + " tokens"
			}
			tokens += marking[p]
		}
		switch {
		case tokens > 1:
			return "two places of unit " + unit.ID + " are marked"
		case tokens > 0 && v.marked:
			return "a place of unit " + unit.ID + " and one of a unit around it are marked"
		}
		for _, s := range unit.Subunits {
			stack = append(stack, visit{s, v.marked || tokens > 0})
		}
	}
	return ""
}
