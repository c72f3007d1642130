package drawing

import (
	"fmt"
	"strings"

	"podium/pnml"
)

// operators are those that stand between their operands.
var operators = map[pnml.Op]string{
	pnml.OpAdd: " + ", pnml.OpSubtract: " − ", pnml.OpAnd: " and ", pnml.OpOr: " or ", pnml.OpImply: " → ",
	pnml.OpEqual: " = ", pnml.OpUnequal: " ≠ ", pnml.OpLess: " < ", pnml.OpLessEqual: " ≤ ", pnml.OpGreater: " > ", pnml.OpGreaterEqual: " ≥ ",
}

// termText writes a term as mathematicians do: 2'x + (y++, all L).
func termText(s *pnml.Symmetric, t *pnml.Term) string {
	switch t.Op {
	case pnml.OpConstant:
		return colourText(s, t.Sort, t.Value)
	case pnml.OpVariable:
		return named(s.Variables[t.Value].Name, s.Variables[t.Value].ID)
	case pnml.OpSuccessor:
		return operand(s, t.Args[0], true) + "++"
	case pnml.OpPredecessor:
		return operand(s, t.Args[0], true) + "−−"
	case pnml.OpElementOf:
		return sortText(s, t.Sort) + "(" + termText(s, t.Args[0]) + ")"
	case pnml.OpTuple:
		return "(" + joined(s, t.Args, ", ", false) + ")"
	case pnml.OpNumberOf:
		if t.Value == 1 {
			return operand(s, t.Args[0], false)
		}
		return fmt.Sprintf("%d'%s", t.Value, operand(s, t.Args[0], true))
	case pnml.OpAll:
		return "all " + sortText(s, t.Sort)
	case pnml.OpElements:
		return colourText(s, t.Part, t.Value)
	case pnml.OpEmpty:
		return "∅"
	case pnml.OpTrue:
		return "true"
	case pnml.OpFalse:
		return "false"
	case pnml.OpNot:
		return "not " + operand(s, t.Args[0], true)
	}
	return joined(s, t.Args, operators[t.Op], true)
}

func joined(s *pnml.Symmetric, args []*pnml.Term, between string, brackets bool) string {
	words := make([]string, len(args))
	for k, a := range args {
		words[k] = operand(s, a, brackets)
	}
	return strings.Join(words, between)
}

// operand puts a term in brackets where it would be read wrongly without.
func operand(s *pnml.Symmetric, t *pnml.Term, brackets bool) string {
	text := termText(s, t)
	if _, between := operators[t.Op]; brackets && between && (t.Op < pnml.OpEqual) && len(t.Args) > 1 {
		return "(" + text + ")"
	}
	return text
}

// colourText writes a colour, or an element of a partition.
func colourText(s *pnml.Symmetric, sort int, colour uint64) string {
	x := &s.Sorts[sort]
	switch x.Kind {
	case pnml.DotSort:
		return "●"
	case pnml.RangeSort:
		return fmt.Sprint(x.First + int64(colour))
	case pnml.ProductSort:
		words := make([]string, len(x.Factors))
		for k := len(x.Factors) - 1; k >= 0; k-- {
			size := s.Sorts[x.Factors[k]].Size
			words[k], colour = colourText(s, x.Factors[k], colour%size), colour/size
		}
		return "(" + strings.Join(words, ", ") + ")"
	}
	return named(x.Constants[colour].Name, x.Constants[colour].ID)
}

// sortText is the name of a sort, or what it is made of.
func sortText(s *pnml.Symmetric, sort int) string {
	x := &s.Sorts[sort]
	if x.Name != "" || x.ID != "" {
		return named(x.Name, x.ID)
	}
	switch x.Kind {
	case pnml.DotSort:
		return "●"
	case pnml.RangeSort:
		return fmt.Sprintf("%d..%d", x.First, x.First+int64(x.Size)-1)
	case pnml.ProductSort:
		words := make([]string, len(x.Factors))
		for k, f := range x.Factors {
			words[k] = sortText(s, f)
		}
		return strings.Join(words, " × ")
	}
	words := make([]string, len(x.Constants))
	for k, c := range x.Constants {
		words[k] = named(c.Name, c.ID)
	}
	return "{" + strings.Join(words, ", ") + "}"
}

func named(name, id string) string {
	if name != "" {
		return name
	}
	return id
}
