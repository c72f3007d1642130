package formula

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Write writes a formula file in XML as the contest delivers it.
// Read gives equal properties back, up to their positions.
func Write(w io.Writer, properties []Property) error {
	x := &xmlWriter{w: bufio.NewWriter(w)}
	x.w.WriteString("<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n")
	x.depth = 1
	for i := range properties {
		p := &properties[i]
		x.open("property")
		x.leaf("id", p.ID)
		x.leaf("description", p.Description)
		x.open("formula")
		x.formula(p.Formula)
		x.close("formula")
		x.close("property")
	}
	x.w.WriteString("</property-set>\n")
	if x.err != nil {
		return x.err
	}
	return x.w.Flush()
}

// xmlWriter writes elements, each on a line of its own.
type xmlWriter struct {
	w     *bufio.Writer
	depth int
	err   error
}

const (
	indentation    = "  "
	maxIndentation = 40 // levels: what is nested deeper is not indented further
)

func (x *xmlWriter) indent() {
	for range min(x.depth, maxIndentation) {
		x.w.WriteString(indentation)
	}
}

func (x *xmlWriter) open(name string) {
	x.indent()
	x.w.WriteString("<" + name + ">\n")
	x.depth++
}

func (x *xmlWriter) close(name string) {
	x.depth--
	x.indent()
	x.w.WriteString("</" + name + ">\n")
}

func (x *xmlWriter) leaf(name, text string) {
	x.indent()
	x.w.WriteString("<" + name + ">")
	_ = xml.EscapeText(x.w, []byte(text)) // an error of the writer stays until Flush
	x.w.WriteString("</" + name + ">\n")
}

func (x *xmlWriter) empty(name string) {
	x.indent()
	x.w.WriteString("<" + name + "/>\n")
}

func (x *xmlWriter) leaves(parent, name string, texts []string) {
	x.open(parent)
	for _, t := range texts {
		x.leaf(name, t)
	}
	x.close(parent)
}

// elementName is the element of a formula's outermost operator.
func elementName(f Formula) string {
	switch f := f.(type) {
	case *AllPaths:
		return "all-paths"
	case *ExistsPath:
		return "exists-path"
	case *Next:
		return "next"
	case *Globally:
		return "globally"
	case *Finally:
		return "finally"
	case *Until:
		return "until"
	case *Not:
		return "negation"
	case *And:
		return "conjunction"
	case *Or:
		return "disjunction"
	case *Fireable:
		return "is-fireable"
	case *LessEqual:
		return "integer-le"
	case *Deadlock:
		return "deadlock"
	case *Constant:
		return strconv.FormatBool(f.Value)
	case *Bound:
		return "place-bound"
	}
	return ""
}

func (x *xmlWriter) formula(f Formula) {
	name := elementName(f)
	switch f := f.(type) {
	case nil:
		x.fail("a formula or operand is missing")
	case *Fireable:
		x.leaves(name, "transition", f.Transitions)
	case *Bound:
		x.leaves(name, "place", f.Places)
	case *Deadlock, *Constant:
		x.empty(name)
	case *LessEqual:
		x.open(name)
		x.integer(f.Left)
		x.integer(f.Right)
		x.close(name)
	case *Until:
		x.open(name)
		x.open("before")
		x.formula(f.Before)
		x.close("before")
		x.open("reach")
		x.formula(f.Reach)
		x.close("reach")
		x.close(name)
	default:
		x.open(name)
		for _, g := range Operands(f) {
			x.formula(g)
		}
		x.close(name)
	}
}

func (x *xmlWriter) fail(message string) {
	if x.err == nil {
		x.err = fmt.Errorf("cannot write the formula: %s", message)
	}
}

func (x *xmlWriter) integer(i Integer) {
	switch i := i.(type) {
	case *Number:
		x.leaf("integer-constant", strconv.FormatUint(i.N, 10))
	case *TokensCount:
		x.leaves("tokens-count", "place", i.Places)
	case *Sum:
		x.terms("integer-sum", i.Terms)
	case *Difference:
		x.terms("integer-difference", i.Terms)
	default:
		x.fail("an operand of a comparison is missing")
	}
}

func (x *xmlWriter) terms(name string, terms []Integer) {
	x.open(name)
	for _, t := range terms {
		x.integer(t)
	}
	x.close(name)
}

// WriteText writes the text form of a formula file, which is for reading only
// (E-1.8). Tests read it, and get equal properties back.
func WriteText(w io.Writer, properties []Property) error {
	b := bufio.NewWriter(w)
	for i := range properties {
		p := &properties[i]
		b.WriteString("Property " + p.ID + "\n" + indentation + quoteText(p.Description) + "\n" + indentation + "is:\n" + indentation + indentation)
		printFormula(b, p.Formula)
		b.WriteString("\n" + indentation + "end.\n")
	}
	return b.Flush()
}

// Print returns a formula in the text form, on one line: A, E, X, F, G, U, !, &
// and | with every operand in parentheses.
func Print(f Formula) string {
	var b strings.Builder
	printFormula(&b, f)
	return b.String()
}

// String is the id and the formula on one line.
func (p Property) String() string { return p.ID + ": " + Print(p.Formula) }

// quoteText puts text in quotes; a quote or backslash inside gets a backslash.
func quoteText(s string) string { return `"` + quoting.Replace(s) + `"` }

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func printFormula(w io.StringWriter, f Formula) {
	switch f := f.(type) {
	case *AllPaths:
		printUnary(w, "A ", f.F)
	case *ExistsPath:
		printUnary(w, "E ", f.F)
	case *Next:
		printUnary(w, "X ", f.F)
	case *Globally:
		printUnary(w, "G ", f.F)
	case *Finally:
		printUnary(w, "F ", f.F)
	case *Not:
		printUnary(w, "! ", f.F)
	case *Until:
		printInfix(w, " U ", []Formula{f.Before, f.Reach})
	case *And:
		printInfix(w, " & ", f.Fs)
	case *Or:
		printInfix(w, " | ", f.Fs)
	case *Fireable:
		printAtom(w, "is-fireable", f.Transitions)
	case *Bound:
		printAtom(w, "bound", f.Places)
	case *LessEqual:
		printInteger(w, f.Left)
		w.WriteString(" <= ")
		printInteger(w, f.Right)
	case *Deadlock, *Constant:
		w.WriteString(elementName(f))
	}
}

func printUnary(w io.StringWriter, operator string, f Formula) {
	w.WriteString(operator)
	printOperand(w, f)
}

func printInfix(w io.StringWriter, operator string, fs []Formula) {
	for i, f := range fs {
		if i > 0 {
			w.WriteString(operator)
		}
		printOperand(w, f)
	}
}

func printOperand(w io.StringWriter, f Formula) {
	w.WriteString("(")
	printFormula(w, f)
	w.WriteString(")")
}

func printAtom(w io.StringWriter, name string, ids []string) {
	w.WriteString(name + "(")
	for i, id := range ids {
		if i > 0 {
			w.WriteString(", ")
		}
		w.WriteString(quoteText(id))
	}
	w.WriteString(")")
}

func printInteger(w io.StringWriter, i Integer) {
	switch i := i.(type) {
	case *Number:
		w.WriteString(strconv.FormatUint(i.N, 10))
	case *TokensCount:
		printAtom(w, "tokens-count", i.Places)
	case *Sum:
		printTerms(w, " + ", i.Terms)
	case *Difference:
		printTerms(w, " - ", i.Terms)
	}
}

func printTerms(w io.StringWriter, operator string, terms []Integer) {
	w.WriteString("(")
	for i, t := range terms {
		if i > 0 {
			w.WriteString(operator)
		}
		printInteger(w, t)
	}
	w.WriteString(")")
}
