package replay

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"podium/pnml"
)

// Unlike says why colours of a net may not be merged, nil where they may: whenever a binding
// takes a token, and another of merged colours is there, another binding of the transition
// takes that one, everything else alike, and puts as many tokens of merged colours. It tells by
// how terms read once the variable has its value.
func Unlike(net *pnml.Symmetric, by pnml.Merging) error {
	r := &reading{net: net, by: by, variable: -1}
	for t := range net.Transitions.Len() {
		r.transition, r.uses = t, map[uint64]int{}
		for _, a := range net.Pre[t] {
			a.Term.Walk(func(x *pnml.Term) {
				if x.Op == pnml.OpVariable {
					r.uses[x.Value]++
				}
			})
		}
		for _, a := range net.Pre[t] {
			if r.place = a.Place; !merges(by[a.Place]) {
				continue
			}
			if err := r.input(a.Term, false); err != nil {
				return fmt.Errorf("the merged colours are not alike: transition %s may tell those of place %s apart: %w",
					excerpt(net.Transitions.At(t)), excerpt(net.Places.At(a.Place)), err)
			}
		}
	}
	return nil
}

// merges reports whether colours of a place are merged.
func merges(components [][]uint32) bool {
	for _, c := range components {
		for v, first := range c {
			if uint32(v) != first {
				return true
			}
		}
	}
	return false
}

// reading reads the terms of a transition, one variable having a value, or none.
type reading struct {
	net        *pnml.Symmetric
	by         pnml.Merging
	transition int
	place      int            // of the inscription
	uses       map[uint64]int // of variables, by inputs
	variable   int            // -1 for none
	value      uint64
	steps      int // terms that were read
}

// maxReading bounds the terms that are read.
const maxReading = 1 << 25

var (
	errTogether = errors.New("it takes several tokens together")
	errConstant = errors.New("it takes one of them")
	errLong     = errors.New("it takes too long to see")
)

// input checks an inscription of an input place, or a part of one; several says that its
// tokens are taken together.
func (r *reading) input(t *pnml.Term, several bool) error {
	switch {
	case t.Op == pnml.OpEmpty || t.Op == pnml.OpNumberOf && t.Value == 0:
		return nil
	case t.Op == pnml.OpAdd || t.Op == pnml.OpNumberOf:
		for _, a := range t.Args {
			if err := r.input(a, several || t.Op == pnml.OpNumberOf && t.Value != 1); err != nil {
				return err
			}
		}
		return nil
	}
	parts := []*pnml.Term{t}
	if r.net.Sorts[r.net.PlaceSort[r.place]].Kind == pnml.ProductSort {
		if t.Op != pnml.OpTuple {
			return errTogether
		}
		parts = t.Args
	}
	for i, part := range parts {
		if c := r.by[r.place][i]; merges([][]uint32{c}) {
			if err := r.token(part, c, several || !t.IsColour()); err != nil {
				return err
			}
		}
	}
	return nil
}

// token checks a component of a token that is taken.
func (r *reading) token(part *pnml.Term, classes []uint32, several bool) error {
	size := make([]int, len(classes)) // of the classes
	for _, first := range classes {
		size[first]++
	}
	var variables []uint64
	part.Walk(func(t *pnml.Term) {
		if t.Op == pnml.OpVariable {
			variables = append(variables, t.Value)
		}
	})
	switch {
	case !part.IsColour() || len(variables) > 1:
		return errTogether
	case len(variables) == 0:
		if v, _ := r.read(part); size[classes[v]] > 1 {
			return errConstant
		}
		return nil
	}
	x := variables[0]
	values := r.net.Sorts[r.net.Variables[x].Sort].Size
	if values != uint64(len(classes)) {
		return errTogether
	}
	r.variable = int(x)
	defer func() { r.variable = -1 }()
	said, met := make([]string, len(classes)), make([]bool, len(classes))
	for r.value = range values {
		v, _ := r.read(part)
		if met[v] {
			return errTogether // two values take the same colour, and none another
		}
		if met[v] = true; size[classes[v]] == 1 {
			continue
		}
		says := r.whole()
		if r.steps > maxReading {
			return errLong
		}
		if said[classes[v]] == "" {
			said[classes[v]] = says
		}
		if says != said[classes[v]] {
			return fmt.Errorf("with another value of variable %s it says or puts something else", excerpt(r.net.Variables[x].ID))
		}
		if says != never && (several || r.uses[x] > 1) {
			return errTogether
		}
	}
	return nil
}

// whole is how guard and outputs read, "0" where the guard never holds.
func (r *reading) whole() string {
	texts := make([]string, 1, 1+len(r.net.Post[r.transition]))
	if g := r.net.Guards[r.transition]; g != nil {
		if texts[0] = r.text(g); texts[0] == never {
			return never
		}
	}
	for _, a := range r.net.Post[r.transition] {
		texts = append(texts, r.output(a.Place, -1, a.Term))
	}
	return strings.Join(texts, ";")
}

const never = "0"

// output is how an inscription of an output place reads, merged colours being the same, or a
// component of a tuple in it.
func (r *reading) output(place, component int, t *pnml.Term) string {
	if t.Op == pnml.OpNumberOf && t.Value == 0 {
		return ""
	}
	if t.IsColour() && (component >= 0 || t.Op != pnml.OpTuple) {
		v, text := r.read(t)
		if c := r.by[place][max(component, 0)]; text == "" && len(c) == int(r.net.Sorts[t.Sort].Size) {
			v = uint64(c[v])
		}
		return cmp.Or(text, strconv.FormatUint(v, 10))
	}
	parts := make([]string, len(t.Args))
	for i, a := range t.Args {
		inner := component
		if t.Op == pnml.OpTuple && component < 0 {
			inner = i
		}
		parts[i] = r.output(place, inner, a)
	}
	return "(" + strings.Join(parts, ",") + ")"
}

// orders are those of two colours for which comparisons hold.
var orders = map[pnml.Op][]int{pnml.OpEqual: {0}, pnml.OpUnequal: {-1, 1}, pnml.OpLess: {-1}, pnml.OpLessEqual: {-1, 0}, pnml.OpGreater: {1}, pnml.OpGreaterEqual: {0, 1}}

func (r *reading) text(t *pnml.Term) string {
	v, text := r.read(t)
	return cmp.Or(text, strconv.FormatUint(v, 10))
}

// read reads a term that stands for a colour or a truth value: what it is, 0 for false, or what is
// known of its parts. It is compared with the same term under another value, so that nothing else
// needs to be in it.
func (r *reading) read(t *pnml.Term) (value uint64, text string) {
	r.steps++
	switch t.Op {
	case pnml.OpConstant:
		return t.Value, ""
	case pnml.OpVariable:
		if int(t.Value) == r.variable {
			return r.value, ""
		}
		return 0, "?"
	}
	values, known, some := make([]uint64, len(t.Args)), true, false
	for i, a := range t.Args {
		v, s := r.read(a)
		values[i], known, some = v, known && s == "", some || s == "" && v != 0
		if t.Op == pnml.OpAnd && s == "" && v == 0 {
			return 0, ""
		}
		text += cmp.Or(s, strconv.FormatUint(v, 10)) + ","
	}
	if !known {
		return 0, "(" + text + ")"
	}
	var holds bool
	switch t.Op {
	case pnml.OpSuccessor, pnml.OpPredecessor:
		size := r.net.Sorts[t.Sort].Size
		if t.Op == pnml.OpSuccessor {
			return (values[0] + 1) % size, ""
		}
		return (values[0] + size - 1) % size, ""
	case pnml.OpElementOf:
		return uint64(r.net.Sorts[t.Sort].ElementOf[values[0]]), ""
	case pnml.OpTuple:
		for i, a := range t.Args {
			value = value*r.net.Sorts[a.Sort].Size + values[i]
		}
		return value, ""
	case pnml.OpTrue, pnml.OpAnd: // no part is false
		holds = true
	case pnml.OpFalse:
	case pnml.OpOr:
		holds = some
	case pnml.OpNot:
		holds = values[0] == 0
	case pnml.OpImply:
		holds = values[0] == 0 || values[1] != 0
	default:
		holds = slices.Contains(orders[t.Op], cmp.Compare(values[0], values[1]))
	}
	if holds {
		return 1, ""
	}
	return 0, ""
}
