package formula

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// Check checks formulas that were read or generated: there are sixteen,
// their ids differ, they fit the examination ("" for any), atoms are of its
// kind, and their names are in the net (nil when it is not known). Positions
// are those of the properties; ReadOf knows where a name stands.
func Check(file string, properties []Property, exam examinations.ID, net *NetNames) diagnostic.List {
	c := formulaChecker{file: file, exam: exam, net: net}
	if exam.HasFormulas() && len(properties) != examinations.FormulasPerFile {
		c.list.Add(diagnostic.Diagnostic{File: file, Severity: diagnostic.Warning, Code: "formula-count",
			Message: "the file holds " + strconv.Itoa(len(properties)) + " formulas, not " + strconv.Itoa(examinations.FormulasPerFile),
			Hint:    "the contest asks sixteen questions per file"})
	}
	first := map[string]int{}
	for i := range properties {
		p := &properties[i]
		if before, ok := first[p.ID]; ok {
			c.add(p, diagnostic.Error, "formula-duplicate-id", "the id "+strconv.Quote(p.ID)+" stands also in line "+strconv.Itoa(properties[before].Line), "")
		} else {
			first[p.ID] = i
		}
		if d, ok := fragment(p, exam); !ok {
			c.add(p, d.Severity, d.Code, d.Message, d.Hint)
		}
		c.atoms(p)
	}
	c.unknown.close(&c.list, file)
	advise(c.list)
	c.list.Sort()
	return c.list
}

type formulaChecker struct {
	file string
	exam examinations.ID
	net  *NetNames
	list diagnostic.List

	unknown unknownNames
}

func (c *formulaChecker) add(p *Property, severity diagnostic.Severity, code, message, hint string) {
	c.list.Add(diagnostic.Diagnostic{File: c.file, Line: p.Line, Col: p.Col, Severity: severity, Code: code, Message: message, Hint: hint})
}

// atoms checks the names of a formula and the kind of its atoms.
func (c *formulaChecker) atoms(p *Property) {
	Walk(p.Formula, func(f Formula) {
		switch f := f.(type) {
		case *Fireable:
			if c.exam == examinations.ReachabilityCardinality || c.exam == examinations.CTLCardinality || c.exam == examinations.LTLCardinality {
				c.add(p, diagnostic.Warning, "formula-atom", "a fireability atom in "+string(c.exam), "compare numbers of tokens there: <integer-le>")
			}
			if c.net != nil {
				c.names(p, "transition", f.Transitions)
			}
		case *Bound:
			if c.net != nil {
				c.names(p, "place", f.Places)
			}
		case *LessEqual:
			if c.exam == examinations.ReachabilityFireability || c.exam == examinations.CTLFireability || c.exam == examinations.LTLFireability {
				c.add(p, diagnostic.Warning, "formula-atom", "a cardinality atom in "+string(c.exam), "ask for transitions there: <is-fireable>")
			}
			if c.net != nil {
				for i := range f.Terms() {
					if t, ok := i.(*TokensCount); ok {
						c.names(p, "place", t.Places)
					}
				}
			}
		}
	})
}

func (c *formulaChecker) names(p *Property, kind string, names []string) {
	for _, name := range names {
		c.unknown.check(&c.list, diagnostic.Diagnostic{File: c.file, Line: p.Line, Col: p.Col}, c.net, kind, name)
	}
}

// Bounds of the findings about names that the net lacks, and of those that say
// what was perhaps meant: the formulas of another net would give thousands.
const (
	maxUnknown = 100
	maxMeant   = 10
)

// unknownNames counts them.
type unknownNames struct{ count int }

// check adds a finding to the list when the net lacks a node of this kind and name; at
// says where.
func (u *unknownNames) check(list *diagnostic.List, at diagnostic.Diagnostic, net *NetNames, kind, name string) {
	known, other, asked := net.Places, net.Transitions, "transition: ask for %s in <is-fireable>"
	if kind == "transition" {
		known, other, asked = other, known, "place: ask for %s in <tokens-count> or <place-bound>"
	}
	if _, ok := known.Find(name); ok {
		return
	}
	if u.count++; u.count > maxUnknown {
		return
	}
	at.Code, at.Message = "formula-unknown-"+kind, "the net has no "+kind+" "+diagnostic.Excerpt(name)
	if u.count > maxMeant {
		list.Add(at)
		return
	}
	target := net.references[name]
	if _, ok := known.Find(target); ok {
		at.Hint = diagnostic.Excerpt(name) + " is a reference to " + kind + " " + diagnostic.Excerpt(target) + "; write " + diagnostic.Excerpt(target)
	} else if _, ok := other.Find(target); ok {
		at.Hint = "it is a reference to a " + fmt.Sprintf(asked, diagnostic.Excerpt(target))
	} else if _, ok := other.Find(name); ok {
		at.Hint = "it is a " + fmt.Sprintf(asked, "it")
	} else if near, ok := diagnostic.Nearest(name, net.candidates(known)); ok {
		at.Hint = "did you mean " + strconv.Quote(near) + "?"
		if target := net.references[near]; target != "" {
			at.Hint += " It is a reference to " + kind + " " + diagnostic.Excerpt(target) + "; write " + diagnostic.Excerpt(target)
		}
	}
	list.Add(at)
}

// close says how many findings were left out.
func (u *unknownNames) close(list *diagnostic.List, file string) {
	if u.count > maxUnknown {
		list.Add(diagnostic.Diagnostic{File: file, Severity: diagnostic.Note, Code: "formula-unknown",
			Message: "the net lacks " + strconv.Itoa(u.count-maxUnknown) + " more names", Hint: "do the formulas belong to this net?"})
	}
}

// candidates are the names of nodes of one kind, then those of references to them.
func (n *NetNames) candidates(known NameSet) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range known.Len() {
			if !yield(known.At(i)) {
				return
			}
		}
		for _, name := range slices.Sorted(maps.Keys(n.references)) {
			if _, ok := known.Find(n.references[name]); ok && !yield(name) {
				return
			}
		}
	}
}

// Walk calls visit for a formula and all formulas inside it, outermost first.
func Walk(f Formula, visit func(Formula)) {
	visit(f)
	for _, g := range Operands(f) {
		Walk(g, visit)
	}
}

// States returns the largest parts of a formula that are about one marking, in the order in which
// they stand in it.
func States(f Formula) (list []Formula) {
	if IsState(f) {
		return []Formula{f}
	}
	for _, g := range Operands(f) {
		list = append(list, States(g)...)
	}
	return list
}

// Quantified returns the parts of a formula that begin with a path quantifier, in the order in
// which they stand in it, each before those inside of it.
func Quantified(f Formula) (list []Formula) {
	Walk(f, func(g Formula) {
		switch g.(type) {
		case *ExistsPath, *AllPaths:
			list = append(list, g)
		}
	})
	return list
}

// fragment checks that a formula is of the logic of its examination (E-1.3 to
// E-1.6); otherwise it returns a finding without file.
func fragment(p *Property, exam examinations.ID) (diagnostic.Diagnostic, bool) {
	wrong := ""
	_, bound := p.Formula.(*Bound)
	switch exam {
	case examinations.UpperBounds:
		if !bound {
			wrong = "a formula of UpperBounds is one place-bound"
		}
	case examinations.ReachabilityDeadlock, examinations.ReachabilityCardinality, examinations.ReachabilityFireability:
		if !isReachability(p.Formula) {
			wrong = "a reachability formula is EF or AG of a formula without path quantifiers and temporal operators"
		}
	case examinations.CTLCardinality, examinations.CTLFireability:
		if !isCTL(p.Formula) {
			wrong = "in CTL every path quantifier stands directly before a temporal operator, and the other way round"
		}
	case examinations.LTLCardinality, examinations.LTLFireability:
		if a, ok := p.Formula.(*AllPaths); !ok || !isPath(a.F) {
			wrong = "an LTL formula has one path quantifier, all-paths, at its root"
		}
	}
	if wrong == "" {
		return diagnostic.Diagnostic{}, true
	}
	return diagnostic.Diagnostic{Line: p.Line, Col: p.Col, Code: "formula-fragment",
		Message: wrong + "; " + diagnostic.Excerpt(p.ID) + " is none", Hint: shapes[exam]}, false
}

func isReachability(f Formula) bool {
	switch f := f.(type) {
	case *ExistsPath:
		if finally, ok := f.F.(*Finally); ok {
			return IsState(finally.F)
		}
	case *AllPaths:
		if globally, ok := f.F.(*Globally); ok {
			return IsState(globally.F)
		}
	}
	return false
}

// IsState reports whether the truth of a formula depends on one marking only: it
// has no path quantifier and no temporal operator.
func IsState(f Formula) bool {
	switch f.(type) {
	case *AllPaths, *ExistsPath, *Next, *Globally, *Finally, *Until, *Bound:
		return false
	}
	return everyOperand(f, IsState)
}

// isPath reports whether a formula is of LTL without its quantifier.
func isPath(f Formula) bool {
	switch f.(type) {
	case *AllPaths, *ExistsPath, *Bound:
		return false
	}
	return everyOperand(f, isPath)
}

func isCTL(f Formula) bool {
	switch f := f.(type) {
	case *AllPaths:
		return isTemporal(f.F) && everyOperand(f.F, isCTL)
	case *ExistsPath:
		return isTemporal(f.F) && everyOperand(f.F, isCTL)
	case *Bound:
		return false
	}
	return !isTemporal(f) && everyOperand(f, isCTL)
}

func isTemporal(f Formula) bool {
	switch f.(type) {
	case *Next, *Globally, *Finally, *Until:
		return true
	}
	return false
}

func everyOperand(f Formula, holds func(Formula) bool) bool {
	for _, g := range Operands(f) {
		if !holds(g) {
			return false
		}
	}
	return true
}
