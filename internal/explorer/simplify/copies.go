package simplify

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/pnml/diagnostic"
)

// Key returns a text that formulas of one examination share which ask the same: the order of
// operands and names does not matter, and for CTL and reachability the laws of [CTL] hold.
func Key(f formula.Formula, exam examinations.ID) string {
	if exam != examinations.LTLCardinality && exam != examinations.LTLFireability {
		f = CTL(f, func(formula.Formula) (value, known bool) { return false, false })
	}
	return key(f)
}

func key(f formula.Formula) string {
	switch f := f.(type) {
	case *formula.And:
		return joined("&", keys(nil, f, true))
	case *formula.Or:
		return joined("|", keys(nil, f, false))
	case *formula.Until:
		return "(" + key(f.Before) + "U" + key(f.Reach) + ")"
	case *formula.Not:
		return "!" + key(f.F)
	case *formula.AllPaths:
		return "A" + key(f.F)
	case *formula.ExistsPath:
		return "E" + key(f.F)
	case *formula.Next:
		return "X" + key(f.F)
	case *formula.Globally:
		return "G" + key(f.F)
	case *formula.Finally:
		return "F" + key(f.F)
	case *formula.Fireable:
		return "fire" + set(f.Transitions, true)
	case *formula.Bound:
		return "bound" + set(f.Places, false)
	case *formula.LessEqual:
		return "<" + number(f.Left) + "," + number(f.Right) + ">"
	}
	return formula.Print(f)
}

// keys lists those of the operands of a conjunction or a disjunction, also of those inside it.
func keys(list []string, f formula.Formula, conjunction bool) []string {
	inside := operands(f, conjunction)
	if len(inside) == 1 && inside[0] == f {
		return append(list, key(f))
	}
	for _, g := range inside {
		list = keys(list, g, conjunction)
	}
	return list
}

func joined(sign string, list []string) string {
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 1 {
		return list[0]
	}
	return sign + set(list, true)
}

// set writes texts in order, each once where that says the same. Names may hold any sign.
func set(texts []string, once bool) string {
	list := slices.Clone(texts) // an atom may have thousands
	slices.Sort(list)
	if once {
		list = slices.Compact(list)
	}
	size := 2
	for _, t := range list {
		size += len(t) + len("1000:")
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteByte('[')
	for _, t := range list {
		b.WriteString(strconv.Itoa(len(t)))
		b.WriteByte(':')
		b.WriteString(t)
	}
	b.WriteByte(']')
	return b.String()
}

func number(i formula.Integer) string {
	switch i := i.(type) {
	case *formula.Number:
		return strconv.FormatUint(i.N, 10)
	case *formula.TokensCount:
		return "tokens" + set(i.Places, false)
	case *formula.Sum:
		return "+" + set(numbers(i.Terms), false)
	case *formula.Difference:
		return "-" + number(i.Terms[0]) + set(numbers(i.Terms[1:]), false)
	}
	return ""
}

func numbers(terms []formula.Integer) []string {
	list := make([]string, len(terms))
	for i, t := range terms {
		list[i] = number(t)
	}
	return list
}

// Copies returns the formulas of a file that ask the same as an earlier one, by id: the id of
// the first that asks it.
func Copies(properties []formula.Property, exam examinations.ID) map[string]string {
	first, copies := map[string]string{}, map[string]string{}
	for i := range properties {
		k := Key(properties[i].Formula, exam)
		if before, seen := first[k]; seen {
			copies[properties[i].ID] = before
		} else {
			first[k] = properties[i].ID
		}
	}
	return copies
}

// CheckFile is [formula.CheckFile], and names copies.
func CheckFile(r io.Reader, path string, names *formula.NetNames, instance string) diagnostic.List {
	properties, exam, found := formula.CheckFile(r, path, names, instance)
	copies := Copies(properties, exam)
	for i := range properties {
		if before, ok := copies[properties[i].ID]; ok {
			p := &properties[i]
			found.Add(diagnostic.Diagnostic{File: path, Line: p.Line, Col: p.Col, Severity: diagnostic.Note, Code: "formula-copy",
				Message: diagnostic.Excerpt(p.ID) + " asks the same as " + diagnostic.Excerpt(before), Hint: "who answers one of them answers both: ask something else"})
		}
	}
	return found
}
