package pnml

import (
	"slices"
	"strings"
	"sync"
)

// The grammar of PNML for P/T nets and symmetric nets (ISO/IEC 15909-2, the grammar of
// version 2009), as one table that the reader asks at every element.

// rows has a row for each element: its name, and behind a slash which of several that
// are so named; its attributes with their types; its children. "?" is at most one, "*" any number, "+" at
// least one. Children stand in any order, but those behind a semicolon behind those before it.
// "P:" and "S:" are of P/T nets and of symmetric nets alone. What stands behind "!" is
// against the grammar: it is reported, and read nevertheless. "~" is the same where the
// reader has words of its own for it.
var rows = [][3]string{
	{"pnml", "", "net*"},
	{"net", "id:ID type:any", "name? page+ toolspecific* S:declaration* ~place ~transition ~arc ~referencePlace ~referenceTransition"},
	{"page", "id:ID", "name? toolspecific* page* place* transition* arc* referencePlace* referenceTransition* graphics/node? S:declaration*"},
	{"place", "id:ID", "name? toolspecific* graphics/node? P:initialMarking? S:type? S:hlinitialMarking? S:~initialMarking"},
	{"transition", "id:ID", "name? toolspecific* graphics/node? S:condition?"},
	{"arc", "id:ID source:any target:any", "name? toolspecific* graphics/arc? P:inscription? S:hlinscription? S:~inscription"},
	{"referencePlace", "id:ID ref:any", "name? toolspecific* ; graphics/node?"},
	{"referenceTransition", "id:ID ref:any", "name? toolspecific* ; graphics/node?"},

	{"name", "", "text? graphics/label? toolspecific*"},
	{"initialMarking", "", "text? graphics/label? toolspecific*"},
	{"inscription", "", "text? graphics/label? toolspecific*"},
	{"text", "", "#"},
	{"toolspecific", "tool:any version:any", ""},

	{"graphics/node", "", "position dimension? fill? line?"},
	{"graphics/arc", "", "position* line?"},
	{"graphics/label", "", "offset ; fill? line? font?"},
	{"position", "x:decimal y:decimal", ""},
	{"offset", "x:decimal y:decimal", ""},
	{"dimension", "x:size y:size", ""},
	{"fill", "color:any? gradient-color:any? gradient-rotation:vertical|horizontal|diagonal? image:any?", ""},
	{"line", "shape:line|curve? color:any? width:size? style:solid|dash|dot?", ""},
	{"font", "family:any? weight:any? decoration:underline|overline|line-through? align:left|center|right? rotation:decimal?", ""},

	{"declaration", "", "text? graphics/label? toolspecific* structure/declarations?"},
	{"type", "", "text? graphics/label? toolspecific* structure/sort?"},
	{"hlinitialMarking", "", "text? graphics/label? toolspecific* structure/term?"},
	{"condition", "", "text? graphics/label? toolspecific* structure/term?"},
	{"hlinscription", "", "text? graphics/label? toolspecific* structure/term?"},
	{"structure/declarations", "", "declarations"},
	{"structure/sort", "", "SORT?"},
	{"structure/term", "", "TERM? !subterm"},
	{"declarations", "", "DECLARATION*"},
	{"namedsort", "id:ID name:any", "SORT?"},
	{"variabledecl", "id:ID name:any", "SORT?"},
	{"partition", "id:ID name:any", "SORT? partitionelement+"},
	{"partitionelement", "id:ID name:any", "TERM*"},
	{"namedoperator", "id:ID name:any", "parameter ; def"},
	{"parameter", "", "variabledecl*"},
	{"def", "", "TERM?"},
	{"feconstant", "id:ID name:any", ""},

	{"bool", "", ""},
	{"dot", "", ""},
	{"natural", "", ""},
	{"positive", "", ""},
	{"integer", "", ""},
	{"finiteenumeration", "", "feconstant*"},
	{"cyclicenumeration", "", "feconstant*"},
	{"finiteintrange", "start:integer end:integer", ""},
	{"multisetsort", "", "SORT?"},
	{"productsort", "", "SORT*"},
	{"usersort", "declaration:any", ""},

	{"subterm", "", "TERM? !subterm"},
	{"variable", "refvariable:any", ""},
	{"useroperator", "declaration:any", "subterm*"},
	{"dotconstant", "", ""},
	{"booleanconstant", "value:boolean", "subterm*"},
	{"numberconstant", "value:integer", "subterm* NUMBER"},
	{"finiteintrangeconstant", "value:integer", "finiteintrange ; subterm*"},
	{"partitionelementof", "refpartition:any", "subterm* !TERM"},
	{"all", "", "subterm* ; SORT?"},
	{"empty", "", "subterm* ; SORT?"},
	{"OPERATOR", "", "subterm* !TERM"},
}

// choices are what stands for one of several elements in rows. OPERATOR is also a row
// for each of its elements.
var choices = map[string]string{
	"DECLARATION": "namedsort variabledecl partition namedoperator feconstant partitionelement",
	"SORT":        "usersort dot finiteintrange finiteenumeration cyclicenumeration productsort bool natural positive integer multisetsort",
	"NUMBER":      "natural positive integer",
	"TERM":        "variable useroperator dotconstant booleanconstant numberconstant finiteintrangeconstant partitionelementof all empty OPERATOR",
	"OPERATOR": "add subtract numberof scalarproduct tuple successor predecessor and or not imply equality inequality " +
		"lessthan lessthanorequal greaterthan greaterthanorequal ltp gtp cardinality cardinalityof contains " +
		"lt leq gt geq addition subtraction mult div mod",
}

// unused are elements of the standard that the contest does not have, with the next step.
var unused = map[string]string{
	"bool": declareSort, "natural": declareSort, "positive": declareSort, "integer": declareSort, "multisetsort": declareSort,
	"lt": "colours are compared by <lessthan>", "leq": "colours are compared by <lessthanorequal>",
	"gt": "colours are compared by <greaterthan>", "geq": "colours are compared by <greaterthanorequal>",
	"cardinality": withoutIt, "cardinalityof": withoutIt, "contains": withoutIt,
	"addition": withoutIt, "subtraction": withoutIt, "mult": withoutIt, "div": withoutIt, "mod": withoutIt,
	"namedoperator": "write its term where it is used",
}

const (
	declareSort = `declare a <namedsort>, and name it by <usersort declaration="..."/>`
	withoutIt   = "write the term without it"
)

// grammar is the table for one type of nets.
type grammar struct{ elements []element }

// element is one element, where it stands.
type element struct {
	name       string
	holdsText  bool
	attributes []attribute
	needed     uint32  // attributes
	children   []child // by number of a name
	slots      []slot
	required   uint32 // slots
	single     uint32 // slots of which there is at most one
}

// child is how an element may stand in another one; the zero value is that it may not.
type child struct {
	element  uint8
	slot     uint8
	standing standing
}

type standing uint8

const (
	allowed standing = iota
	reported
	leftToReader
)

// slot is a child, or a choice of children.
type slot struct {
	name   string
	choice bool
	later  uint32 // slots that must not stand before it
}

type attribute struct {
	name string
	form form
}

// The numbers of elements and names begin with 1; 0 is none.
var (
	elementNumbers = map[string]uint8{} // by row
	nameNumbers    = map[string]uint8{} // by name
	grammars       = sync.OnceValue(func() (both [2]*grammar) {
		all := slices.Clone(rows)
		for i, row := range all {
			if row[0] == "OPERATOR" {
				for _, name := range strings.Fields(choices["OPERATOR"]) {
					all = append(all, [3]string{name, row[1], row[2]})
				}
				all = slices.Delete(all, i, i+1)
				break
			}
		}
		for i, row := range all {
			elementNumbers[row[0]] = uint8(i + 1)
			name, _, _ := strings.Cut(row[0], "/")
			if nameNumbers[name] > 0 {
				continue
			}
			nameNumbers[name] = uint8(len(names))
			at := nameHash([]byte(name))
			for nameSlots[at] != 0 {
				at = (at + 1) % hashed
			}
			nameSlots[at] = uint8(len(names))
			names = append(names, name)
		}
		for k, other := range []string{"S:", "P:"} {
			g := &grammar{elements: make([]element, len(all)+1)}
			for i, row := range all {
				g.elements[i+1] = newElement(row, other)
			}
			both[k] = g
		}
		return both
	})
)

// numberOf returns the number of a name, 0 for one that is none of the grammar.
func numberOf(name []byte) uint8 {
	for at := nameHash(name); ; at = (at + 1) % hashed {
		switch n := nameSlots[at]; {
		case n == 0:
			return 0
		case names[n] == string(name):
			return n
		}
	}
}

// nameSlots finds names by a hash that costs little.
var (
	nameSlots [hashed]uint8
	names     = []string{""} // by number
)

const hashed = 1024

func nameHash(name []byte) int {
	n := len(name)
	return (n*67 + int(name[0])*5 + int(name[n/2])*131 + int(name[n-1])*29) % hashed
}

// newElement reads a row, without what is of the other type of nets.
func newElement(row [3]string, other string) element {
	name, _, _ := strings.Cut(row[0], "/")
	e := element{name: name, children: make([]child, len(nameNumbers)+1)}
	for _, word := range strings.Fields(row[1]) {
		key, form, _ := strings.Cut(word, ":")
		form, optional := strings.CutSuffix(form, "?")
		if !optional && word != "type:any" { // the reader speaks of the type of a net
			e.needed |= 1 << len(e.attributes)
		}
		e.attributes = append(e.attributes, attribute{key, formOf(form)})
	}
	before := uint32(0)
	for _, word := range strings.Fields(row[2]) {
		switch {
		case word == "#":
			e.holdsText = true
		case word == ";":
			before = 1<<len(e.slots) - 1
		case !strings.HasPrefix(word, other):
			e.addSlot(strings.TrimPrefix(strings.TrimPrefix(word, "P:"), "S:"), before)
		}
	}
	return e
}

// addSlot adds a child, with a word of a row; before are the slots that stand before it.
func (e *element) addSlot(word string, before uint32) {
	how := allowed
	switch word[0] {
	case '!':
		how = reported
	case '~':
		how = leftToReader
	}
	name := strings.TrimRight(strings.TrimLeft(word, "!~"), "?*+")
	number := len(e.slots)
	bit := uint32(1) << number
	switch word[len(word)-1] {
	case '*':
	case '+':
		e.required |= bit
	case '?':
		e.single |= bit
	default:
		if how == allowed {
			e.required |= bit
			e.single |= bit
		}
	}
	list, choice := choices[name]
	if !choice {
		list = name
	}
	list = strings.ReplaceAll(list, "OPERATOR", choices["OPERATOR"])
	for _, row := range strings.Fields(list) {
		n, _, _ := strings.Cut(row, "/")
		c := &e.children[nameNumbers[n]]
		if c.element == 0 {
			*c = child{elementNumbers[row], uint8(number), how}
		}
	}
	shown, _, _ := strings.Cut(name, "/")
	if choice {
		shown = strings.ToLower(name)
	}
	e.slots = append(e.slots, slot{name: shown, choice: choice})
	for i := range e.slots {
		if before>>i&1 != 0 {
			e.slots[i].later |= bit
		}
	}
}

// holds lists what may stand in an element, for a message.
func (e *element) holds() string {
	var list []string
	for i, s := range e.slots {
		standing := slices.ContainsFunc(e.children, func(c child) bool { return c.element != 0 && int(c.slot) == i && c.standing == allowed })
		switch {
		case !standing:
		case s.choice:
			list = append(list, "a "+s.name)
		default:
			list = append(list, "<"+s.name+">")
		}
	}
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " or " + list[n-1]
	}
}

// names lists the names of the children of an element, sorted.
func (e *element) names(yield func(string) bool) {
	for _, name := range slices.Sorted(slices.Values(names)) {
		if c := e.children[nameNumbers[name]]; c.element != 0 && c.standing == allowed && !yield(name) {
			return
		}
	}
}
