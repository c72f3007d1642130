package pnml

import (
	"io"
	"strconv"
)

// Write writes the net as a PNML document in canonical form: the same net gives
// the same bytes, and reading them gives the same net. Each label is written as
// its structure only; the texts for people are left out.
func (n *Symmetric) Write(w io.Writer) error {
	x := &symmetricWriter{newXMLWriter(w, n.ID, symmetricType, n.Name, freePrefix("page", n.ID, &n.Places, &n.Transitions)), n}
	for p := range n.Places.Len() {
		x.raw("   <place id=\"").escaped(n.Places.At(p)).raw("\">")
		if n.PlaceSort[p] >= 0 {
			x.raw("<type><structure>")
			x.sortUse(n.PlaceSort[p])
			x.raw("</structure></type>")
		}
		x.label("hlinitialMarking", n.Initial[p])
		x.raw("</place>\n")
	}
	for t := range n.Transitions.Len() {
		x.raw("   <transition id=\"").escaped(n.Transitions.At(t)).raw("\">")
		x.label("condition", n.Guards[t])
		x.raw("</transition>\n")
	}
	x.arcs()
	x.raw("  </page>\n")
	x.declarations()
	return x.end()
}

type symmetricWriter struct {
	*xmlWriter
	n *Symmetric
}

func (x *symmetricWriter) label(element string, t *Term) {
	if t == nil {
		return
	}
	x.raw("<" + element + "><structure>")
	x.term(t)
	x.raw("</structure></" + element + ">")
}

func (x *symmetricWriter) arcs() {
	n := x.n
	prefix := freePrefix("arc", n.ID, &n.Places, &n.Transitions)
	number := uint64(0)
	write := func(source, target string, t *Term) {
		x.raw("   <arc id=\"").raw(prefix).number(number)
		x.raw("\" source=\"").escaped(source).raw("\" target=\"").escaped(target).raw("\">")
		x.label("hlinscription", t)
		x.raw("</arc>\n")
		number++
	}
	for t := range n.Transitions.Len() {
		name := n.Transitions.At(t)
		for _, a := range n.Pre[t] {
			write(n.Places.At(a.Place), name, a.Term)
		}
		for _, a := range n.Post[t] {
			write(name, n.Places.At(a.Place), a.Term)
		}
	}
}

func (x *symmetricWriter) declarations() {
	x.raw("  <declaration><structure><declarations>\n")
	for i := range x.n.Sorts {
		if s := &x.n.Sorts[i]; s.ID != "" {
			x.declaredSort(s)
		}
	}
	for i := range x.n.Variables {
		v := &x.n.Variables[i]
		x.raw("   <variabledecl id=\"").escaped(v.ID).raw("\" name=\"").escaped(v.Name).raw("\">")
		x.sortUse(v.Sort)
		x.raw("</variabledecl>\n")
	}
	x.raw("  </declarations></structure></declaration>\n")
}

func (x *symmetricWriter) declaredSort(s *Sort) {
	if s.Kind == PartitionSort {
		x.partition(s)
		return
	}
	x.raw("   <namedsort id=\"").escaped(s.ID).raw("\" name=\"").escaped(s.Name).raw("\">")
	x.sort(s)
	x.raw("</namedsort>\n")
}

func (x *symmetricWriter) partition(s *Sort) {
	x.raw("   <partition id=\"").escaped(s.ID).raw("\" name=\"").escaped(s.Name).raw("\">")
	x.sortUse(s.Base)
	base := x.n.Sorts[s.Base].Constants
	for e, c := range s.Constants {
		x.raw("<partitionelement id=\"").escaped(c.ID).raw("\" name=\"").escaped(c.Name).raw("\">")
		for v, of := range s.ElementOf {
			if int(of) == e {
				x.raw("<useroperator declaration=\"").escaped(base[v].ID).raw("\"/>")
			}
		}
		x.raw("</partitionelement>")
	}
	x.raw("</partition>\n")
}

// sortUse writes a sort where it is used.
func (x *symmetricWriter) sortUse(i int) {
	if s := &x.n.Sorts[i]; s.ID == "" {
		x.sort(s)
		return
	}
	x.raw("<usersort declaration=\"").escaped(x.n.Sorts[i].ID).raw("\"/>")
}

func (x *symmetricWriter) sort(s *Sort) {
	element := sortElements[s.Kind]
	x.raw("<" + element)
	switch s.Kind {
	case DotSort:
		x.raw("/>")
		return
	case RangeSort:
		x.raw(" start=\"" + strconv.FormatInt(s.First, 10) + "\" end=\"" + strconv.FormatInt(s.First+int64(s.Size)-1, 10) + "\"/>")
		return
	}
	x.raw(">")
	for _, c := range s.Constants {
		x.raw("<feconstant id=\"").escaped(c.ID).raw("\" name=\"").escaped(c.Name).raw("\"/>")
	}
	for _, f := range s.Factors {
		x.sortUse(f)
	}
	x.raw("</" + element + ">")
}

var opElements = [...]string{OpSuccessor: "successor", OpPredecessor: "predecessor", OpTuple: "tuple", OpAdd: "add", OpSubtract: "subtract",
	OpAnd: "and", OpOr: "or", OpNot: "not", OpImply: "imply", OpEqual: "equality", OpUnequal: "inequality",
	OpLess: "lessthan", OpLessEqual: "lessthanorequal", OpGreater: "greaterthan", OpGreaterEqual: "greaterthanorequal"}

func (x *symmetricWriter) term(t *Term) {
	switch t.Op {
	case OpConstant:
		x.constant(t)
	case OpVariable:
		x.raw("<variable refvariable=\"").escaped(x.n.Variables[t.Value].ID).raw("\"/>")
	case OpElements:
		x.raw("<useroperator declaration=\"").escaped(x.n.Sorts[t.Part].Constants[t.Value].ID).raw("\"/>")
	case OpAll:
		x.raw("<all>")
		x.sortUse(t.Sort)
		x.raw("</all>")
	case OpEmpty:
		x.raw("<empty>")
		x.sortUse(t.Sort)
		x.raw("</empty>")
	case OpTrue, OpFalse:
		x.raw("<booleanconstant value=\"" + strconv.FormatBool(t.Op == OpTrue) + "\"/>")
	case OpNumberOf:
		operator, kind := "numberof", "positive"
		if t.Args[0].isSum() {
			operator = "scalarproduct"
		}
		if t.Value == 0 {
			kind = "natural"
		}
		x.raw("<" + operator + "><subterm><numberconstant value=\"").number(t.Value).raw("\"><" + kind + "/></numberconstant></subterm>")
		x.subterms(t.Args)
		x.raw("</" + operator + ">")
	case OpElementOf:
		x.raw("<partitionelementof refpartition=\"").escaped(x.n.Sorts[t.Sort].ID).raw("\">")
		x.subterms(t.Args)
		x.raw("</partitionelementof>")
	default:
		element := opElements[t.Op]
		x.raw("<" + element + ">")
		x.subterms(t.Args)
		x.raw("</" + element + ">")
	}
}

func (x *symmetricWriter) subterms(args []*Term) {
	for _, a := range args {
		x.raw("<subterm>")
		x.term(a)
		x.raw("</subterm>")
	}
}

func (x *symmetricWriter) constant(t *Term) {
	s := &x.n.Sorts[t.Sort]
	switch s.Kind {
	case DotSort:
		x.raw("<dotconstant/>")
	case RangeSort:
		x.raw("<finiteintrangeconstant value=\"" + strconv.FormatInt(s.First+int64(t.Value), 10) + "\">")
		x.sort(s)
		x.raw("</finiteintrangeconstant>")
	default:
		x.raw("<useroperator declaration=\"").escaped(s.Constants[t.Value].ID).raw("\"/>")
	}
}
