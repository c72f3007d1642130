package witness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"podium/examinations"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Net is what witnesses speak of: a P/T net, or a coloured net through its
// unfolding. It is used from one goroutine.
type Net struct {
	net         *pnml.Net
	unfolding   *unfold.Unfolding // nil where firings name transitions of the net
	bindings    []map[uint64]uint32
	places      nodes
	transitions nodes
}

// nodes are the places or the transitions as formulas and global properties see
// them: each by itself, or groups of them.
type nodes struct {
	names   examinations.NameSet
	of      []uint32   // node to group; nil when each is by itself
	members [][]uint32 // group to nodes
}

// Group is a coloured place or transition: its id and the nodes that it unfolds
// to.
type Group struct {
	ID      string
	Members []uint32
}

// Plain is a P/T net.
func Plain(net *pnml.Net) *Net {
	return &Net{net: net, places: nodes{names: &net.Places}, transitions: nodes{names: &net.Transitions}}
}

// Coloured is a coloured net. Formulas and global properties see a coloured place
// as the sum of its colours and a coloured transition as any of its bindings.
func Coloured(u *unfold.Unfolding) *Net {
	s := u.Source
	return &Net{net: u.Net, unfolding: u, bindings: make([]map[uint64]uint32, s.Transitions.Len()),
		places: unfolded(&s.Places, u.Net.Places.Len(), u.PlacesOf), transitions: unfolded(&s.Transitions, u.Net.Transitions.Len(), u.TransitionsOf)}
}

func unfolded(names *pnml.Names, total int, interval func(int) (from, to int)) nodes {
	g := nodes{names, make([]uint32, total), make([][]uint32, names.Len())}
	every := make([]uint32, total)
	for k := range g.members {
		from, to := interval(k)
		for i := from; i < to; i++ {
			every[i], g.of[i] = uint32(i), uint32(k)
		}
		g.members[k] = every[from:to]
	}
	return g
}

// Grouped is a net whose places and transitions are seen in groups that have no
// node in common, as those of an unfolding; nil groups are single nodes. Firings
// name transitions of the net.
func Grouped(net *pnml.Net, places, transitions []Group) *Net {
	n := Plain(net)
	if places != nil {
		n.places = grouped(places, net.Places.Len())
	}
	if transitions != nil {
		n.transitions = grouped(transitions, net.Transitions.Len())
	}
	return n
}

func grouped(list []Group, total int) nodes {
	g := nodes{of: make([]uint32, total)}
	names := groupNames{index: map[string]int{}}
	for k, group := range list {
		names.ids = append(names.ids, group.ID)
		names.index[group.ID] = k
		g.members = append(g.members, group.Members)
		for _, i := range group.Members {
			g.of[i] = uint32(k)
		}
	}
	g.names = names
	return g
}

type groupNames struct {
	ids   []string
	index map[string]int
}

func (n groupNames) Len() int        { return len(n.ids) }
func (n groupNames) At(i int) string { return n.ids[i] }
func (n groupNames) Find(id string) (int, bool) {
	i, ok := n.index[id]
	return i, ok
}

// Of is the net of a document. A coloured net whose unfolding is too large gives
// an *[unfold.TooLarge].
func Of(doc *pnml.Document, limits unfold.Limits) (*Net, error) {
	switch {
	case doc.Net != nil:
		return Plain(doc.Net), nil
	case doc.Symmetric == nil:
		return nil, errors.New("the document holds no net")
	}
	u, err := unfold.Unfold(doc.Symmetric, limits)
	if err != nil {
		return nil, err
	}
	return Coloured(u), nil
}

// group gives the group of a node.
func (g *nodes) group(i uint32) uint32 {
	if g.of == nil {
		return i
	}
	return g.of[i]
}

// append appends the members of a group.
func (g *nodes) append(list []uint32, group int) []uint32 {
	if g.of == nil {
		return append(list, uint32(group))
	}
	return append(list, g.members[group]...)
}

// appendFiring writes a transition as a word of a fire line.
func (n *Net) appendFiring(dst []byte, t uint32) []byte {
	if n.unfolding == nil {
		return appendName(dst, n.net.Transitions.At(int(t)))
	}
	u := n.unfolding
	coloured, values := u.TransitionOf(int(t))
	dst = appendName(dst, u.Source.Transitions.At(coloured))
	separator := byte('{')
	for k, v := range u.Variables(coloured) {
		variable := &u.Source.Variables[v]
		dst = append(appendName(append(dst, separator), variable.ID), '=')
		dst = n.appendColour(dst, variable.Sort, values[k])
		separator = ','
	}
	if separator == ',' {
		dst = append(dst, '}')
	}
	return dst
}

func (n *Net) appendColour(dst []byte, sort int, colour uint64) []byte {
	s := &n.unfolding.Source.Sorts[sort]
	switch s.Kind {
	case pnml.DotSort:
		return append(dst, "dot"...)
	case pnml.RangeSort:
		return strconv.AppendInt(dst, s.First+int64(colour), 10)
	case pnml.ProductSort:
		separator, stride := byte('('), s.Size
		for _, f := range s.Factors {
			size := n.unfolding.Source.Sorts[f].Size
			stride /= size
			dst = n.appendColour(append(dst, separator), f, colour/stride%size)
			separator = ','
		}
		return append(dst, ')')
	}
	return appendName(dst, s.Constants[colour].ID)
}

// appendName writes a name, as a JSON string when it is not plain.
func appendName(dst []byte, name string) []byte {
	if name != "" && !strings.ContainsFunc(name, special) {
		return append(dst, name...)
	}
	quoted, _ := json.Marshal(name) // a string cannot fail
	return append(dst, quoted...)
}

// special tells the characters that a plain name does not hold.
func special(r rune) bool {
	return r <= ' ' || r == 0x7f || r > '~' && !strconv.IsPrint(r) || strings.ContainsRune(`"\{}(),=#`, r)
}

// find gives the transition that a word of a fire line names.
func (n *Net) find(word []byte) (uint32, error) {
	c := &cursor{rest: word}
	id, err := c.name()
	if err != nil {
		return 0, err
	}
	if n.unfolding == nil {
		switch t, ok := n.net.Transitions.Find(id); {
		case !ok:
			return 0, unknownName("transition", id, allNames(&n.net.Transitions))
		case len(c.rest) > 0:
			return 0, fmt.Errorf("%q stands behind transition %q: a P/T net has no bindings", c.rest, id)
		default:
			return uint32(t), nil
		}
	}
	coloured, ok := n.unfolding.Source.Transitions.Find(id)
	if !ok {
		if t, ok := n.net.Transitions.Find(id); ok && len(c.rest) == 0 {
			return uint32(t), nil // by the id that the contest gives it in a P/T twin
		}
		return 0, unknownName("transition", id, allNames(&n.unfolding.Source.Transitions))
	}
	return n.bound(coloured, id, c)
}

// bound finds the unfolded transition of a binding.
func (n *Net) bound(coloured int, id string, c *cursor) (uint32, error) {
	source := n.unfolding.Source
	variables := n.unfolding.Variables(coloured)
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
		if values[k], err = n.colour(source.Variables[variables[k]].Sort, c); err != nil {
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

// bindingsOf gives the unfolded transitions of a coloured one by the number of
// their binding.
func (n *Net) bindingsOf(coloured int) map[uint64]uint32 {
	if n.bindings[coloured] == nil {
		from, to := n.unfolding.TransitionsOf(coloured)
		n.bindings[coloured] = make(map[uint64]uint32, to-from)
		variables := n.unfolding.Variables(coloured)
		for i := from; i < to; i++ {
			number := uint64(0)
			_, values := n.unfolding.TransitionOf(i)
			for k, v := range variables {
				number = number*n.unfolding.Source.Sorts[n.unfolding.Source.Variables[v].Sort].Size + values[k]
			}
			n.bindings[coloured][number] = uint32(i)
		}
	}
	return n.bindings[coloured]
}

// colour reads a colour of a sort.
func (n *Net) colour(sort int, c *cursor) (uint64, error) {
	s := &n.unfolding.Source.Sorts[sort]
	if s.Kind == pnml.ProductSort {
		colour := uint64(0)
		for k, f := range s.Factors {
			if k == 0 && !c.take('(') || k > 0 && !c.take(',') {
				return 0, fmt.Errorf("a tuple of %d colours is written as (colour,...)", len(s.Factors))
			}
			part, err := n.colour(f, c)
			if err != nil {
				return 0, err
			}
			colour = colour*n.unfolding.Source.Sorts[f].Size + part
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
			if !yield(n.unfolding.Source.Variables[v].ID) {
				return
			}
		}
	}
}

// unknownName is the error for a name that is not there, with one like it.
func unknownName(what, name string, known iter.Seq[string]) error {
	if near, ok := examinations.Nearest(name, known); ok {
		return fmt.Errorf("the net has no %s %s; did you mean %s?", what, excerpt(name), excerpt(near))
	}
	return fmt.Errorf("the net has no %s %s", what, excerpt(name))
}

// compared bounds the names that an unknown one is compared with.
const compared = 200_000

func allNames(names examinations.NameSet) iter.Seq[string] {
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

// quotedEnd gives the index behind the quotation mark that ends a string, or -1.
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
