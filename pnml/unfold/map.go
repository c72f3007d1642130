package unfold

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"podium/pnml"
)

// WriteMap writes which coloured node each unfolded one comes from, as JSON lines:
// {"place":"Fork_3","of":"Fork","colour":["3"]} and
// {"transition":"Eat_1","of":"Eat","values":{"x":["1"]}}. A colour is the names of its
// components, or the ids of constants where names are not distinct; a dot has none.
func (u *Unfolding) WriteMap(w io.Writer) error {
	m := &mapWriter{Writer: bufio.NewWriterSize(w, 1<<16), u: u, ids: make([]bool, len(u.Source.Sorts))}
	for i := range u.Source.Sorts {
		m.ids[i] = repeated(u.Source.Sorts[i].Constants)
	}
	s := u.Source
	for p := range s.Places.Len() {
		of := text(s.Places.At(p))
		for i, to := u.PlacesOf(p); i < to; i++ {
			m.node("place", u.Net.Places.At(i), of)
			m.write(`,"colour":`)
			m.colour(s.PlaceSort[p], uint64(u.colours[i]))
			m.write("}\n")
		}
	}
	for t := range s.Transitions.Len() {
		of := text(s.Transitions.At(t))
		for i, to := u.TransitionsOf(t); i < to; i++ {
			m.node("transition", u.Net.Transitions.At(i), of)
			m.values(i)
		}
	}
	return m.Flush()
}

// mapWriter keeps the first error of the writer below until Flush.
type mapWriter struct {
	*bufio.Writer
	u    *Unfolding
	ids  []bool // by sort: constants are called by their ids
	line []byte
}

func (m *mapWriter) write(text string) { _, _ = m.WriteString(text) }

func (m *mapWriter) node(kind, id string, of []byte) {
	m.line = append(append(append(append(m.line[:0], `{"`...), kind...), `":`...), text(id)...)
	m.line = append(append(m.line, `,"of":`...), of...)
	_, _ = m.Write(m.line)
}

// values writes the binding of an unfolded transition.
func (m *mapWriter) values(i int) {
	t, values := m.u.TransitionOf(i)
	m.write(`,"values":{`)
	for k, v := range m.u.Variables(t) {
		if k > 0 {
			m.write(",")
		}
		x := &m.u.Source.Variables[v]
		_, _ = m.Write(append(text(x.ID), ':'))
		m.colour(x.Sort, values[k])
	}
	m.write("}}\n")
}

func (m *mapWriter) colour(sort int, colour uint64) {
	m.line = append(m.line[:0], '[')
	m.components(sort, colour)
	_, _ = m.Write(append(m.line, ']'))
}

func (m *mapWriter) components(sort int, colour uint64) {
	s := m.u.Source
	x := &s.Sorts[sort]
	if x.Kind == pnml.DotSort {
		return
	}
	if x.Kind == pnml.ProductSort {
		stride := x.Size
		for _, f := range x.Factors {
			size := s.Sorts[f].Size
			stride /= size
			m.components(f, colour/stride%size)
		}
		return
	}
	if len(m.line) > 1 {
		m.line = append(m.line, ',')
	}
	m.line = append(m.line, text(m.constant(x, sort, colour))...)
}

func (m *mapWriter) constant(x *pnml.Sort, sort int, colour uint64) string {
	switch {
	case x.Kind == pnml.RangeSort:
		return strconv.FormatInt(x.First+int64(colour), 10)
	case m.ids[sort]:
		return x.Constants[colour].ID
	}
	return x.Constants[colour].Name
}

// repeated reports whether names of constants are empty or not distinct.
func repeated(constants []pnml.Constant) bool {
	seen := make(map[string]bool, len(constants))
	for _, c := range constants {
		if c.Name == "" || seen[c.Name] {
			return true
		}
		seen[c.Name] = true
	}
	return false
}

// text returns a string of JSON.
func text(s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			quoted, _ := json.Marshal(s)
			return quoted
		}
	}
	return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
}
