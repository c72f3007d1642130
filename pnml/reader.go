package pnml

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// maxFindings bounds the findings of one document, of each severity.
const maxFindings = 1000

// reader turns the events of a scanner into a net. What a document says before
// its time (an arc before its place) waits until the end.
type reader struct {
	s     *xmlscan.Scanner
	diags diagnostic.List
	found [diagnostic.Note + 1]int // by severity, with those that are not shown
	noted int                      // findings and statements, in all

	grammar    *grammar
	frames     []frame // the open elements
	namespace  string  // of the elements that are read
	claims     []statement
	priorities priorities

	id, name  string // of the net
	pages     int
	aside     Position // of the first reference node, or second page
	nodes     *idSet
	others    otherIDs
	initial   []uint64
	pre, post arcList
	sieve     arcSieve
	pending   []pendingArc
	refs      map[string]reference
	strayed   map[string]Position // elements whose names are misspelt, by id
	followed  int                 // references, in all
	searched  int                 // pairs of bytes compared, for ids that were meant
	hinted    int                 // findings that were looked for in this way
	nupn      *nupnReader
	symmetric *symmetricReader // nil for a P/T net
	coloured  bool             // a P/T net has a label without a counterpart in P/T nets

	arcRests  xmlscan.Rests            // with weights
	nodeRests [nodeKinds]xmlscan.Rests // with tokens
	pictures  map[frame]*xmlscan.Rests // of graphics, by what was read of them before
	names     [nodeKinds]nodeNames
}

// Position is a place in a document: line and column from 1, the column in
// bytes.
type Position struct{ Line, Col int32 }

// pendingArc is an arc one of whose ends was not known when it was read.
type pendingArc struct {
	id, source, target string
	weight             uint64
	inscription        int32 // of a symmetric net
	pos                Position
}

// reference is a reference node: another name of a node of another page.
type reference struct {
	to   string
	kind nodeKind
	pos  Position
}

func newReader(s *xmlscan.Scanner) *reader {
	return &reader{s: s, grammar: grammars()[0], nodes: newIDSet(), refs: map[string]reference{}, pictures: map[frame]*xmlscan.Rests{}, strayed: map[string]Position{}}
}

func (r *reader) pos() Position { return position(r.s.Pos()) }

// pinned is the position of the event that was pinned.
func (r *reader) pinned() Position { return position(r.s.Pinned()) }

func position(line, col int) Position {
	return Position{int32(min(line, math.MaxInt32)), int32(min(col, math.MaxInt32))}
}

// add keeps a finding unless there are too many of its severity.
func (r *reader) add(pos Position, sev diagnostic.Severity, code, hint, format string, args ...any) {
	r.noted++
	r.found[sev]++
	switch n := r.found[sev]; {
	case n <= maxFindings:
		if hint == "" {
			hint = nextSteps[code]
		}
		r.diags.Add(diagnostic.Diagnostic{File: r.s.File(), Line: int(pos.Line), Col: int(pos.Col), Severity: sev, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
	case n == maxFindings+1:
		r.diags.Add(diagnostic.Diagnostic{File: r.s.File(), Severity: sev, Code: "pnml-too-many",
			Message: fmt.Sprintf("more than %d findings: the others are not shown", maxFindings), Hint: nextSteps["pnml-too-many"]})
	}
}

// errorf and warnf make a finding at the current event.
func (r *reader) errorf(code, hint, format string, args ...any) {
	r.add(r.pos(), diagnostic.Error, code, hint, format, args...)
}

func (r *reader) warnf(code, hint, format string, args ...any) {
	r.add(r.pos(), diagnostic.Warning, code, hint, format, args...)
}

// Namespaces and types of nets of the 2009 grammar.
const (
	pnmlNamespace = "http://www.pnml.org/version-2009/grammar/pnml"
	ptNetType     = "http://www.pnml.org/version-2009/grammar/ptnet"
	symmetricType = "http://www.pnml.org/version-2009/grammar/symmetricnet"
)

// orConvert is the next step for files of editors.
const orConvert = "; `podium model convert` writes the net of an editor as the contest has it"

func (r *reader) document() *Document {
	doc := &Document{}
	if r.s.Next() != xmlscan.Start {
		return doc
	}
	if string(r.s.Name()) != "pnml" {
		r.errorf("pnml-root", "is it a PNML file? Export the net as PNML (ISO/IEC 15909-2)", "the root element is <%s>, not <pnml>", diagnostic.Cut(string(r.s.Name())))
		r.s.Skip()
		r.s.Next()
		return doc
	}
	r.rootNamespace()
	r.enterAs(elementNumbers["pnml"])
	for nets := 0; r.next(); {
		if nets++; nets > 1 {
			r.errorf("pnml-net-count", "put each net into a file of its own", "a second net")
			r.skip()
			continue
		}
		r.net(doc)
	}
	if r.s.Next(); !r.s.Failed() && !r.sawNet(doc) {
		r.add(Position{}, diagnostic.Error, "pnml-net-count", "write a <net> inside <pnml>", "the document has no net")
	}
	return doc
}

func (r *reader) sawNet(doc *Document) bool {
	return doc.Net != nil || doc.Symmetric != nil || DoubtfulType(r.diags)
}

func (r *reader) rootNamespace() {
	if r.namespace = r.s.Namespace(); r.namespace != pnmlNamespace {
		r.errorf("pnml-namespace", "write <pnml xmlns=\""+pnmlNamespace+"\">"+orConvert, "the namespace of <pnml> is %s", diagnostic.Excerpt(r.namespace))
	}
}

func (r *reader) net(doc *Document) {
	switch kind := string(bytes.TrimSpace(r.attr("type"))); kind {
	case ptNetType:
	case symmetricType:
		r.readSymmetric()
	default:
		r.errorf("pnml-net-type", "the contest has the types "+ptNetType+" and "+symmetricType+orConvert, "the type of the net is %s", diagnostic.Excerpt(kind))
		r.otherType(kind)
	}
	if id := r.attr("id"); r.fresh("net", id) {
		r.id = string(id)
	}
	for r.next() {
		r.child("net")
	}
	r.finish(doc)
}

// readSymmetric goes on by the grammar of symmetric nets.
func (r *reader) readSymmetric() {
	r.symmetric = newSymmetricReader(r)
	r.grammar = grammars()[1]
}

func (r *reader) page() {
	r.fresh("page", r.attr("id"))
	if r.pages++; r.pages > 1 && r.aside.Line == 0 {
		r.aside = r.pos()
	}
	for r.plainChildren(); r.next(); r.plainChildren() {
		r.child("page")
	}
}

// child reads a child of a net or page.
func (r *reader) child(inside string) {
	switch name := string(r.s.Name()); name {
	case "page":
		r.page()
	case "declaration":
		r.symmetric.declaration()
	case "name":
		if text := r.label(); inside == "net" {
			r.name = string(text)
		}
	case "toolspecific":
		if string(r.attr("tool")) == "nupn" {
			r.readNUPN()
			return
		}
		r.section(inside)
	case "place", "transition", "arc", "referencePlace", "referenceTransition":
		if inside == "net" {
			r.errorf("pnml-no-page", "put the nodes and arcs into a <page>", "<%s> stands directly inside <%s>", name, inside)
		}
		r.node()
	default:
		r.skip()
	}
}

// node reads a node or an arc.
func (r *reader) node() {
	switch string(r.s.Name()) {
	case "place":
		r.place(r.attr("id"))
	case "transition":
		r.transition(r.attr("id"))
	case "arc":
		r.arc(r.attr("id"), r.attr("source"), r.attr("target"))
	case "referencePlace":
		r.referenceNode(placeNode)
	case "referenceTransition":
		r.referenceNode(transitionNode)
	}
}

// attr returns an attribute of the current start tag without white space around it, nil when
// it is missing.
func (r *reader) attr(name string) []byte {
	value, _ := r.s.Attr(name)
	return trimmed(value)
}

// fresh checks that the id of an element, which is no place or transition, is
// new among all ids of the document. That one is missing is said by the grammar.
func (r *reader) fresh(element string, id []byte) bool {
	if len(id) == 0 {
		r.emptyID(element, id)
		return false
	}
	r.checkID(element, id)
	if !r.others.claim(id, r.nodes) {
		r.duplicate(element, id)
		return false
	}
	return true
}

func (r *reader) emptyID(element string, id []byte) {
	if id != nil {
		r.errorf("pnml-id-missing", "", "<%s> has an empty id", element)
	}
}

// checkID warns of ids that are none of XML: models of the contest have them.
func (r *reader) checkID(element string, id []byte) {
	if !isNCName(id) {
		r.warnf("pnml-id-form", "", "the id %s of <%s> is no id of XML (NCName), and tools may refuse it", diagnostic.Excerpt(string(id)), element)
	}
}

// newNode interns the id of a place or transition.
func (r *reader) newNode(kind nodeKind, id []byte) (index int, ok bool) {
	id = trimmed(id)
	if len(id) == 0 {
		r.emptyID(nodeElements[kind], id)
		return 0, false
	}
	hash := r.nodes.hash(id)
	if _, _, taken := r.nodes.lookup(hash, id); taken || r.others.has(id, hash) {
		r.duplicate(nodeElements[kind], id)
		return 0, false
	}
	if r.nodes.full(kind, len(id)) {
		r.errorf("pnml-limit", "", "the net has more nodes, or longer ids, than fit into 32 bits")
		return 0, false
	}
	r.checkID(nodeElements[kind], id)
	return r.nodes.add(kind, hash, id), true
}

var nodeElements = [nodeKinds]string{"place", "transition"}

func (r *reader) place(id []byte) {
	tokens := r.readPlace(id)
	if len(r.claims) > 0 {
		r.judgeClaims(tokens)
	}
}

// readPlace returns the tokens of the place.
func (r *reader) readPlace(id []byte) uint64 {
	i, ok := r.newNode(placeNode, id)
	if ok {
		r.initial = append(r.initial, 0)
		if r.symmetric != nil {
			r.symmetric.newPlace(r.pos())
		}
		if tokens, name, same := r.s.PassRest(&r.nodeRests[placeNode]); same {
			r.initial[i] = tokens
			r.named(placeNode, i, name)
			r.close()
			return tokens
		}
	}
	mark := r.markRest()
	var plain Position
	for r.next() {
		name := r.s.Name()
		switch {
		case string(name) == "initialMarking" && r.symmetric != nil:
			plain = r.pos()
			r.skip()
		case string(name) == "initialMarking":
			tokens := r.number("initialMarking", "pnml-marking", 0)
			if ok {
				r.initial[i] = tokens
			}
		case string(name) == "name":
			r.nodeName(placeNode, i, ok, &mark)
		case r.symmetric != nil && ok && r.symmetric.placeLabel(i):
		default:
			r.nodeChild("place")
		}
	}
	if plain.Line > 0 {
		r.plainLabel(plain, "initialMarking", ok && r.symmetric.places[i].initial.seen)
	}
	if !ok {
		return 0
	}
	r.keepRest(&r.nodeRests[placeNode], &mark, r.initial[i])
	return r.initial[i]
}

func (r *reader) transition(id []byte) {
	i, ok := r.newNode(transitionNode, id)
	if ok {
		if r.symmetric != nil {
			r.symmetric.newTransition(r.pos())
		}
		if _, name, same := r.s.PassRest(&r.nodeRests[transitionNode]); same {
			r.named(transitionNode, i, name)
			r.close()
			return
		}
	}
	mark := r.markRest()
	for r.next() {
		switch {
		case string(r.s.Name()) == "name":
			r.nodeName(transitionNode, i, ok, &mark)
		case r.symmetric != nil && ok && r.symmetric.transitionLabel(i):
		default:
			r.nodeChild("transition")
		}
	}
	r.keepRest(&r.nodeRests[transitionNode], &mark, 0)
}

// nodeName reads the name of node i, unless that is unknown.
func (r *reader) nodeName(kind nodeKind, i int, known bool, m *restMark) {
	r.s.Pin()
	r.s.MarkHolder(&m.RestMark)
	name := r.textLabel(m)
	if known && len(name) > 0 && r.names[kind].take(r.nodes, kind, i, name) {
		r.sharedName(r.pinned(), kind, name)
	}
}

// named checks the name of node i, whose rest was passed.
func (r *reader) named(kind nodeKind, i int, text []byte) {
	if name := bytes.TrimSpace(text); len(name) > 0 && r.names[kind].take(r.nodes, kind, i, name) {
		r.sharedName(r.pos(), kind, name)
	}
}

func (r *reader) sharedName(pos Position, kind nodeKind, name []byte) {
	r.add(pos, diagnostic.Warning, "pnml-duplicate-name", "give every "+nodeElements[kind]+" a name of its own", "another %s is named %s, too", nodeElements[kind], diagnostic.Excerpt(string(name)))
}

// restMark notes what the rest of an element looks like, and how much was noted before it.
type restMark struct {
	xmlscan.RestMark
	noted int
}

func (r *reader) markRest() restMark { return restMark{r.s.MarkRest(), r.noted} }

// keepRest remembers the rest of an element of a P/T net, if nothing was wrong
// with it.
func (r *reader) keepRest(seen *xmlscan.Rests, m *restMark, number uint64) {
	if r.symmetric == nil && r.noted == m.noted && !r.s.Failed() {
		r.s.KeepRest(seen, &m.RestMark, number)
	}
}

// nodeChild reads what may stand in every node and arc.
func (r *reader) nodeChild(inside string) {
	if string(r.s.Name()) == "toolspecific" {
		r.section(inside)
		return
	}
	if string(r.s.Name()) == "graphics" && len(r.s.Prefix()) == 0 {
		r.graphics()
		return
	}
	r.skip()
}

// label reads a label with a text and returns the text, valid until the next
// event.
func (r *reader) label() (text []byte) { return r.textLabel(nil) }

// textLabel notes where a plain text stands, too.
func (r *reader) textLabel(m *restMark) (text []byte) {
	for r.next() {
		switch string(r.s.Name()) {
		case "text":
			text = r.text()
			if m != nil {
				r.s.MarkGap(&m.RestMark)
			}
		default:
			r.nodeChild("")
		}
	}
	return text
}

// number reads a label whose text is a natural number.
func (r *reader) number(element, code string, missing uint64) uint64 {
	r.s.Pin()
	text := r.label()
	if len(text) == 0 {
		r.add(r.pinned(), diagnostic.Error, code, "write <"+element+"><text>NUMBER</text></"+element+">, or leave it out; `podium model convert` reads what editors write there", "<%s> holds no number", element)
		return missing
	}
	if len(text) < 19 {
		if n, ok := smallNumber(text); ok {
			return n
		}
	}
	n, err := parseNatural(text)
	if err != nil {
		what, hint := "not a natural number", "write a whole number in digits"
		if errors.Is(err, strconv.ErrRange) {
			what, hint = "too large", "the largest number is 2^64-1"
		}
		r.add(r.pinned(), diagnostic.Error, code, hint, "<%s> is %s, %s", element, diagnostic.Excerpt(string(text)), what)
		return missing
	}
	return n
}

func smallNumber(text []byte) (n uint64, ok bool) {
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, true
}

func (r *reader) referenceNode(kind nodeKind) {
	element := [...]string{"referencePlace", "referenceTransition"}[kind]
	if r.aside.Line == 0 {
		r.aside = r.pos()
	}
	id := r.attr("id")
	ok := r.fresh(element, id)
	if ref := r.attr("ref"); ref != nil && ok {
		r.refs[string(id)] = reference{string(ref), kind, r.pos()}
	}
	for r.next() {
		r.nodeChild(element)
	}
}
