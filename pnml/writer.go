package pnml

import (
	"io"
	"slices"
	"strconv"
)

// Write writes the net as a PNML document in canonical form: the same net gives
// the same bytes, and reading them gives the same net. Nodes come in the order
// of their indexes, then the arcs transition by transition, those into it first.
func (n *Net) Write(w io.Writer) error {
	x := newXMLWriter(w, n.ID, ptNetType, n.Name, freePrefix("page", n.ID, &n.Places, &n.Transitions))
	places := n.Places.gathered()
	for p := range places.Len() {
		x.raw("   <place id=\"").escaped(places.At(p))
		if n.Initial[p] == 0 {
			x.raw("\"/>\n")
			continue
		}
		x.raw("\"><initialMarking><text>").number(n.Initial[p]).raw("</text></initialMarking></place>\n")
	}
	for t := range n.Transitions.Len() {
		x.raw("   <transition id=\"").escaped(n.Transitions.At(t)).raw("\"/>\n")
	}
	prefix := freePrefix("arc", n.ID, &n.Places, &n.Transitions)
	arc := uint64(0)
	for t := range n.Transitions.Len() {
		name := n.Transitions.At(t)
		for k := n.Pre.Start[t]; k < n.Pre.Start[t+1]; k++ {
			x.arc(prefix, arc, places.At(int(n.Pre.Place[k])), name, n.Pre.WeightAt(k))
			arc++
		}
		for k := n.Post.Start[t]; k < n.Post.Start[t+1]; k++ {
			x.arc(prefix, arc, name, places.At(int(n.Post.Place[k])), n.Post.WeightAt(k))
			arc++
		}
	}
	if n.NUPN != nil {
		x.nupn(n)
	}
	x.raw("  </page>\n")
	return x.end()
}

// freePrefix returns a start for the ids of arcs (or pages) that no id of a node
// has before a number.
func freePrefix(prefix, net string, sets ...*Names) string {
	taken := func() bool {
		if isNumbered(net, prefix) {
			return true
		}
		return slices.ContainsFunc(sets, func(names *Names) bool { return names.anyNumbered(prefix) })
	}
	for taken() {
		prefix += "_"
	}
	return prefix
}

// isNumbered reports whether id is prefix and then digits only.
func isNumbered[T string | []byte](id T, prefix string) bool {
	if len(id) <= len(prefix) || string(id[:len(prefix)]) != prefix {
		return false
	}
	for i := len(prefix); i < len(id); i++ {
		if id[i] < '0' || id[i] > '9' {
			return false
		}
	}
	return true
}

// xmlWriter appends to a buffer that it empties now and then; the first error of
// the writer below is kept.
type xmlWriter struct {
	w   io.Writer
	buf []byte
	err error
}

const writeSize = 64 << 10

func newXMLWriter(w io.Writer, id, kind, name, page string) *xmlWriter {
	if id == "" {
		id = "net" // an id may not be empty
	}
	x := &xmlWriter{w: w, buf: make([]byte, 0, writeSize+4<<10)}
	x.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=\"" + pnmlNamespace + "\">\n <net id=\"").escaped(id)
	x.raw("\" type=\"" + kind + "\">\n")
	if name != "" {
		x.raw("  <name><text>").escaped(name).raw("</text></name>\n")
	}
	x.raw("  <page id=\"").raw(page).raw("0\">\n")
	return x
}

func (x *xmlWriter) end() error {
	x.raw(" </net>\n</pnml>\n")
	x.flush()
	return x.err
}

func (x *xmlWriter) flush() {
	if x.err == nil {
		_, x.err = x.w.Write(x.buf)
	}
	x.buf = x.buf[:0]
}

func (x *xmlWriter) raw(s string) *xmlWriter {
	if len(x.buf)+len(s) > writeSize {
		x.flush()
	}
	x.buf = append(x.buf, s...)
	return x
}

func (x *xmlWriter) number(n uint64) *xmlWriter {
	x.buf = strconv.AppendUint(x.buf, n, 10)
	return x
}

// escaped writes text that may stand in an attribute or between tags.
func (x *xmlWriter) escaped(s string) *xmlWriter {
	plain := 0
	for i := range len(s) {
		var entity string
		switch s[i] {
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		case '&':
			entity = "&amp;"
		case '"':
			entity = "&quot;"
		case '\t':
			entity = "&#9;"
		case '\n':
			entity = "&#10;"
		case '\r':
			entity = "&#13;"
		default:
			continue
		}
		x.raw(s[plain:i]).raw(entity)
		plain = i + 1
	}
	return x.raw(s[plain:])
}

func (x *xmlWriter) arc(prefix string, number uint64, source, target string, weight uint64) {
	x.raw("   <arc id=\"").raw(prefix).number(number)
	x.raw("\" source=\"").escaped(source).raw("\" target=\"").escaped(target)
	if weight == 1 {
		x.raw("\"/>\n")
		return
	}
	x.raw("\"><inscription><text>").number(weight).raw("</text></inscription></arc>\n")
}

func (x *xmlWriter) nupn(n *Net) {
	x.raw("   <toolspecific tool=\"nupn\" version=\"1.1\">\n    <size places=\"").number(uint64(n.Places.Len()))
	x.raw("\" transitions=\"").number(uint64(n.Transitions.Len()))
	x.raw("\" arcs=\"").number(uint64(n.Pre.Len() + n.Post.Len()))
	x.raw("\"/>\n    <structure units=\"").number(uint64(len(n.NUPN.Units)))
	x.raw("\" root=\"").escaped(n.NUPN.Units[n.NUPN.Root].ID)
	x.raw("\" safe=\"").raw(strconv.FormatBool(n.NUPN.Safe)).raw("\">\n")
	for i := range n.NUPN.Units {
		u := &n.NUPN.Units[i]
		x.raw("     <unit id=\"").escaped(u.ID).raw("\"><places>")
		for k, p := range u.Places {
			x.blank(k).escaped(n.Places.At(int(p)))
		}
		x.raw("</places><subunits>")
		for k, s := range u.Subunits {
			x.blank(k).escaped(n.NUPN.Units[s].ID)
		}
		x.raw("</subunits></unit>\n")
	}
	x.raw("    </structure>\n   </toolspecific>\n")
}

// blank separates the words of a list.
func (x *xmlWriter) blank(k int) *xmlWriter {
	if k > 0 {
		return x.raw(" ")
	}
	return x
}
