package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/diagnostic"
	"podium/pnml/unfold"
)

// Net is the net that witnesses are about: a P/T net, or a coloured net through its
// unfolding or what stands for it. Only one goroutine at a time may use it.
type Net struct {
	net      *pnml.Net // nil where a coloured net was opened and not unfolded
	view     unfold.View
	coloured *coloured           // nil for others
	bindings []map[uint64]uint32 // by coloured transition, made when they are needed
	small    enumeration.Limits
	all      enumerated
	proofs   *certificate.Walk // nil before the first proof
}

// NewNet returns the net of a view.
func NewNet(view unfold.View) *Net {
	n := &Net{net: view.Net, view: view, small: enumeration.Small}
	if view.Coloured() {
		n.bindings = make([]map[uint64]uint32, view.Transitions().Len())
		if view.Merging == nil {
			n.coloured = &coloured{net: view.Unfolding.Source, whole: n}
		} else {
			n.coloured = &coloured{net: view.Unfolding.Source, merged: []merged{{by: view.Merging, net: n}}}
		}
	}
	return n
}

// Open returns the net of a document; a coloured one is unfolded, within limits, when a witness
// is about the unfolding.
func Open(doc *pnml.Document, limits unfold.Limits) *Net {
	if doc.Net != nil {
		return NewNet(unfold.Plain(doc.Net))
	}
	return &Net{coloured: &coloured{net: doc.Symmetric, limits: limits}, small: enumeration.Small}
}

// appendFiring writes a transition as a word of a fire line.
func (n *Net) appendFiring(dst []byte, t uint32) []byte {
	if n.view.Unfolding == nil {
		return witness.AppendName(dst, n.net.Transitions.At(int(t)))
	}
	u := n.view.Unfolding
	coloured, values := u.TransitionOf(int(t))
	dst = witness.AppendName(dst, u.Source.Transitions.At(coloured))
	separator := byte('{')
	for k, v := range u.Variables(coloured) {
		variable := &u.Source.Variables[v]
		dst = append(witness.AppendName(append(dst, separator), variable.ID), '=')
		dst = appendColour(dst, u.Source, variable.Sort, values[k])
		separator = ','
	}
	if separator == ',' {
		dst = append(dst, '}')
	}
	return dst
}

func appendColour(dst []byte, net *pnml.Symmetric, sort int, colour uint64) []byte {
	s := &net.Sorts[sort]
	switch s.Kind {
	case pnml.DotSort:
		return append(dst, "dot"...)
	case pnml.RangeSort:
		return strconv.AppendInt(dst, s.First+int64(colour), 10)
	case pnml.ProductSort:
		separator, stride := byte('('), s.Size
		for _, f := range s.Factors {
			size := net.Sorts[f].Size
			stride /= size
			dst = appendColour(append(dst, separator), net, f, colour/stride%size)
			separator = ','
		}
		return append(dst, ')')
	}
	return witness.AppendName(dst, s.Constants[colour].ID)
}

// find returns the transition that a word of a fire line names.
func (n *Net) find(word []byte) (uint32, error) {
	c := &cursor{rest: word}
	id, err := c.name()
	if err != nil {
		return 0, err
	}
	if n.view.Unfolding == nil {
		switch t, ok := n.net.Transitions.Find(id); {
		case !ok:
			return 0, unknownName("transition", id, allNames(&n.net.Transitions))
		case len(c.rest) > 0:
			return 0, fmt.Errorf("%q stands behind transition %q: a P/T net has no bindings", c.rest, id)
		default:
			return uint32(t), nil
		}
	}
	coloured, ok := n.view.Unfolding.Source.Transitions.Find(id)
	if !ok {
		if t, ok := n.net.Transitions.Find(id); ok && len(c.rest) == 0 {
			return uint32(t), nil // by the id that the contest gives it in a P/T twin
		}
		return 0, unknownName("transition", id, allNames(&n.view.Unfolding.Source.Transitions))
	}
	return n.bound(coloured, id, c)
}

// bound finds the unfolded transition of a binding.
func (n *Net) bound(coloured int, id string, c *cursor) (uint32, error) {
	source := n.view.Unfolding.Source
	variables := n.view.Unfolding.Variables(coloured)
	values := make([]uint64, len(variables))
	given := make([]bool, len(variables))
	closed := len(c.rest) == 0
	for first := true; !closed; first = false {
		if first && !c.take('{') || !first && !c.take(',') {
			return 0, fmt.Errorf("the binding of transition %q is not written as {variable=colour,...}", id)
		}
		if closed = first && c.take('}'); closed {
			break
		}
		name, err := c.name()
		if err != nil {
			return 0, err
		}
		k := -1
		for i, v := range variables {
			if source.Variables[v].ID == name {
				k = i
			}
		}
		switch {
		case k < 0:
			return 0, unknownName(fmt.Sprintf("variable of transition %q", id), name, n.variableNames(variables))
		case given[k]:
			return 0, fmt.Errorf("variable %q is bound twice", name)
		case !c.take('='):
			return 0, fmt.Errorf("variable %q is followed by no =", name)
		}
		given[k] = true
		if values[k], err = colourIn(source, source.Variables[variables[k]].Sort, c); err != nil {
			return 0, fmt.Errorf("variable %q: %w", name, err)
		}
		closed = c.take('}')
	}
	if len(c.rest) > 0 {
		return 0, fmt.Errorf("%q stands behind the binding of transition %q", c.rest, id)
	}
	number := uint64(0)
	for k, v := range variables {
		if !given[k] {
			return 0, fmt.Errorf("transition %q needs a value for variable %q, as in %s{%s=...}", id, source.Variables[v].ID, id, source.Variables[v].ID)
		}
		number = number*source.Sorts[source.Variables[v].Sort].Size + values[k]
	}
	t, ok := n.bindingsOf(coloured)[number]
	if !ok {
		return 0, fmt.Errorf("this binding of transition %q violates its guard, or needs colours that never come to its places", id)
	}
	return t, nil
}

// bindingsOf returns the unfolded transitions of a coloured one by the number of
// their binding.
func (n *Net) bindingsOf(coloured int) map[uint64]uint32 {
	if n.bindings[coloured] == nil {
		from, to := n.view.Unfolding.TransitionsOf(coloured)
		n.bindings[coloured] = make(map[uint64]uint32, to-from)
		variables := n.view.Unfolding.Variables(coloured)
		for i := from; i < to; i++ {
			number := uint64(0)
			_, values := n.view.Unfolding.TransitionOf(i)
			for k, v := range variables {
				number = number*n.view.Unfolding.Source.Sorts[n.view.Unfolding.Source.Variables[v].Sort].Size + values[k]
			}
			n.bindings[coloured][number] = uint32(i)
		}
	}
	return n.bindings[coloured]
}

// colourIn reads a colour of a sort.
func colourIn(net *pnml.Symmetric, sort int, c *cursor) (uint64, error) {
	s := &net.Sorts[sort]
	if s.Kind == pnml.ProductSort {
		colour := uint64(0)
		for k, f := range s.Factors {
			if k == 0 && !c.take('(') || k > 0 && !c.take(',') {
				return 0, fmt.Errorf("a tuple of %d colours is written as (colour,...)", len(s.Factors))
			}
			part, err := colourIn(net, f, c)
			if err != nil {
				return 0, err
			}
			colour = colour*net.Sorts[f].Size + part
		}
		if !c.take(')') {
			return 0, fmt.Errorf("a tuple of %d colours does not end with )", len(s.Factors))
		}
		return colour, nil
	}
	name, err := c.name()
	if err != nil {
		return 0, err
	}
	switch s.Kind {
	case pnml.DotSort:
		if name != "dot" {
			return 0, fmt.Errorf("the colour of sort %q is dot, not %q", s.ID, name)
		}
		return 0, nil
	case pnml.RangeSort:
		i, err := strconv.ParseInt(name, 10, 64)
		if err != nil || i < s.First || uint64(i-s.First) >= s.Size {
			return 0, fmt.Errorf("sort %q has no colour %q: its colours are %d to %d", s.ID, name, s.First, s.First+int64(s.Size)-1)
		}
		return uint64(i - s.First), nil
	}
	for i := range s.Constants {
		if s.Constants[i].ID == name {
			return uint64(i), nil
		}
	}
	for i := range s.Constants { // by their names, where these differ from ids
		if s.Constants[i].Name == name {
			return uint64(i), nil
		}
	}
	return 0, unknownName(fmt.Sprintf("colour of sort %q", s.ID), name, func(yield func(string) bool) {
		for i := range s.Constants {
			if !yield(s.Constants[i].ID) {
				return
			}
		}
	})
}

func (n *Net) variableNames(variables []int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, v := range variables {
			if !yield(n.view.Unfolding.Source.Variables[v].ID) {
				return
			}
		}
	}
}

// unknownName is the error for a name that is not there, with one like it.
func unknownName(what, name string, known iter.Seq[string]) error {
	if near, ok := diagnostic.Nearest(name, known); ok {
		return fmt.Errorf("the net has no %s %s; did you mean %s?", what, excerpt(name), excerpt(near))
	}
	return fmt.Errorf("the net has no %s %s", what, excerpt(name))
}

// compared bounds the names that an unknown one is compared with.
const compared = 200_000

func allNames(names formula.NameSet) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range min(names.Len(), compared) {
			if !yield(names.At(i)) {
				return
			}
		}
	}
}

// excerpt quotes a name, shortened.
func excerpt(name string) string {
	const most = 80
	if len(name) > most {
		return strconv.Quote(strings.ToValidUTF8(name[:most], "")) + "..."
	}
	return strconv.Quote(name)
}

// cursor reads the parts of a word.
type cursor struct{ rest []byte }

func (c *cursor) take(b byte) bool {
	if len(c.rest) == 0 || c.rest[0] != b {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

var errQuoted = errors.New("a name in quotation marks is no JSON string")

// name reads a plain name or a quoted one.
func (c *cursor) name() (string, error) {
	if len(c.rest) > 0 && c.rest[0] == '"' {
		end := quotedEnd(c.rest)
		if end < 0 {
			return "", errQuoted
		}
		var name string
		if err := json.Unmarshal(c.rest[:end], &name); err != nil {
			return "", errQuoted
		}
		c.rest = c.rest[end:]
		return name, nil
	}
	end := bytes.IndexAny(c.rest, `"\{}(),=`)
	if end < 0 {
		end = len(c.rest)
	}
	if end == 0 {
		return "", errors.New("a name is missing")
	}
	name := string(c.rest[:end])
	c.rest = c.rest[end:]
	return name, nil
}

// quotedEnd returns the index behind the quotation mark that ends a string, or -1.
func quotedEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}
