package pnml

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
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

	namespace  string // of the elements that are read
	claims     []statement
	priorities priorities

	id, name  string // of the net
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
	oddID     bool                // an id has not the form of ids of XML, and it was said
	nupn      *nupnReader
	symmetric *symmetricReader // nil for a P/T net
	coloured  bool             // a P/T net has a label without a counterpart in P/T nets

	arcRests  xmlscan.Rests            // with weights
	nodeRests [nodeKinds]xmlscan.Rests // with tokens
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
	return &reader{s: s, nodes: newIDSet(), refs: map[string]reference{}, strayed: map[string]Position{}}
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

// elements are those of nets that a wrong name may stand for.
var elements = []string{"net", "page", "place", "transition", "arc", "name", "text", "initialMarking", "inscription", "toolspecific",
	"graphics", "referencePlace", "referenceTransition", "declaration", "hlinitialMarking", "hlinscription", "condition", "structure"}

// unknown passes over an element that has no meaning where it stands.
func (r *reader) unknown(inside string) {
	name := string(r.s.Name())
	if r.symmetric == nil && (ofSymmetric[name] || name == "type" && inside == "place") {
		r.symmetricLabel(name)
		return
	}
	if r.spelt(ownerOf(inside, 0), false) {
		return
	}
	severity, hint := diagnostic.Warning, "remove it, or put what belongs to a tool into <toolspecific>"
	if near, ok := diagnostic.Nearest(name, slices.Values(elements)); ok && near != name {
		hint = "did you mean <" + near + ">?"
		if r.isMisspelt(near) {
			severity = diagnostic.Error
			if id := r.attr("id"); id != nil && len(r.strayed) < maxFindings {
				r.strayed[string(id)] = r.pos()
			}
		}
	}
	r.add(r.pos(), severity, "pnml-unknown-element", hint, "element <%s> has no meaning inside <%s>", diagnostic.Cut(string(r.s.Name())), inside)
	r.pass(ownerOf(inside, 0), false)
}

// stray reports text where only elements belong.
func (r *reader) stray(inside string) {
	r.warnf("pnml-stray-text", "", "text %s inside <%s>", diagnostic.Excerpt(string(bytes.TrimSpace(r.s.Text()))), inside)
}

// next goes to the next child of an element: true at its Start, false when the
// element is over.
func (r *reader) next(inside string) bool {
	for r.nextOfAny(inside) {
		if r.ours() {
			return true
		}
		r.foreign(inside)
	}
	return false
}

// nextOfAny is next with elements of all namespaces.
func (r *reader) nextOfAny(inside string) bool {
	for {
		switch r.s.Next() {
		case xmlscan.Start:
			return true
		case xmlscan.Text:
			r.stray(inside)
		default:
			return false
		}
	}
}

// Namespaces and types of nets of the 2009 grammar.
const (
	pnmlNamespace = "http://www.pnml.org/version-2009/grammar/pnml"
	ptNetType     = "http://www.pnml.org/version-2009/grammar/ptnet"
	symmetricType = "http://www.pnml.org/version-2009/grammar/symmetricnet"
)

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
	for nets := 0; r.next("pnml"); {
		if string(r.s.Name()) != "net" {
			r.unknown("pnml")
			continue
		}
		if nets++; nets > 1 {
			r.errorf("pnml-net-count", "put each net into a file of its own", "a second net")
			r.s.Skip()
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
		r.warnf("pnml-namespace", "write <pnml xmlns=\""+pnmlNamespace+"\">", "the namespace of <pnml> is %s", diagnostic.Excerpt(r.namespace))
	}
}

func (r *reader) net(doc *Document) {
	switch kind := string(bytes.TrimSpace(r.attr("type"))); kind {
	case ptNetType:
	case symmetricType:
		r.symmetric = newSymmetricReader(r)
	default:
		r.errorf("pnml-net-type", "the contest has the types "+ptNetType+" and "+symmetricType, "the type of the net is %s", diagnostic.Excerpt(kind))
		r.otherType(kind)
	}
	if id := r.attr("id"); r.fresh("net", id) {
		r.id = string(id)
	}
	for r.next("net") {
		switch string(r.s.Name()) {
		case "page":
			r.page()
		case "declaration":
			if r.symmetric == nil {
				r.unknown("net")
				continue
			}
			r.symmetric.declaration()
		default:
			r.pageChild("net")
		}
	}
	r.finish(doc)
}

func (r *reader) page() {
	r.fresh("page", r.attr("id"))
	for r.plainChildren(); r.next("page"); r.plainChildren() {
		switch string(r.s.Name()) {
		case "place", "transition", "arc", "page", "referencePlace", "referenceTransition":
			r.node()
		case "declaration":
			if r.symmetric == nil {
				r.unknown("page")
				continue
			}
			r.symmetric.declaration()
		default:
			r.pageChild("page")
		}
	}
}

// node reads a child of a page that has an id.
func (r *reader) node() {
	switch string(r.s.Name()) {
	case "place":
		r.attributes("place", 1)
		r.place(r.attr("id"))
	case "transition":
		r.attributes("transition", 1)
		r.transition(r.attr("id"))
	case "arc":
		r.attributes("arc", 3)
		r.arc(r.attr("id"), r.attr("source"), r.attr("target"))
	case "page":
		r.page()
	case "referencePlace":
		r.referenceNode(placeNode)
	case "referenceTransition":
		r.referenceNode(transitionNode)
	}
}

// pageChild reads what may stand in a net as well as in a page.
func (r *reader) pageChild(inside string) {
	switch string(r.s.Name()) {
	case "name":
		text := r.label("name")
		if inside == "net" {
			r.name = string(text)
		}
	case "toolspecific":
		if tool, _ := r.s.Attr("tool"); string(tool) == "nupn" {
			r.readNUPN()
			return
		}
		r.section(inside)
	case "graphics":
		r.graphics()
	case "place", "transition", "arc", "referencePlace", "referenceTransition":
		r.warnf("pnml-no-page", "put the nodes and arcs into a <page>", "<%s> stands directly inside <%s>", diagnostic.Cut(string(r.s.Name())), inside)
		r.node()
	default:
		r.unknown(inside)
	}
}

// attr gives an attribute of the current start tag, nil when it is missing.
func (r *reader) attr(name string) []byte {
	value, _ := r.s.Attr(name)
	return value
}

// fresh checks that the id of an element, which is no place or transition, is
// there and new among all ids of the document.
func (r *reader) fresh(element string, id []byte) bool {
	if len(id) == 0 {
		r.errorf("pnml-id-missing", `write id="..." with an id of its own`, "<%s> has no id", element)
		return false
	}
	if !r.others.claim(id, r.nodes) {
		r.duplicate(element, id)
		return false
	}
	return true
}

// newNode interns the id of a place or transition.
func (r *reader) newNode(kind nodeKind, id []byte) (index int, ok bool) {
	if len(id) == 0 {
		r.errorf("pnml-id-missing", `write id="..." with an id of its own`, "<%s> has no id", nodeElements[kind])
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
	if !r.oddID && !isNCName(id) {
		r.oddID = true // one warning is enough: the ids of a net are mostly alike
		r.warnf("pnml-id-form", "begin ids with a letter or _, and use letters, digits, '.', '-' and '_'", "the id %s of a %s is no id of XML (NCName), and tools may refuse it", diagnostic.Excerpt(string(id)), nodeElements[kind])
	}
	return r.nodes.add(kind, hash, id), true
}

var nodeElements = [nodeKinds]string{"place", "transition"}

func (r *reader) place(id []byte) {
	tokens := r.readPlace(id)
	if len(r.claims) > 0 {
		r.judgeClaims(tokens)
	}
}

// readPlace gives the tokens of the place.
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
			return tokens
		}
	}
	mark := r.markRest()
	seen := false
	var plain Position
	for r.next("place") {
		name := r.s.Name()
		switch {
		case string(name) == "initialMarking" && r.symmetric != nil:
			plain = r.pos()
			r.s.Skip()
		case string(name) == "initialMarking":
			r.once(&seen, "initialMarking")
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

// once reports a second label of one kind.
func (r *reader) once(seen *bool, label string) {
	if *seen {
		r.errorf("pnml-duplicate-label", "remove one of them", "a second <%s>", label)
	}
	*seen = true
}

func (r *reader) transition(id []byte) {
	i, ok := r.newNode(transitionNode, id)
	if ok {
		if r.symmetric != nil {
			r.symmetric.newTransition(r.pos())
		}
		if _, name, same := r.s.PassRest(&r.nodeRests[transitionNode]); same {
			r.named(transitionNode, i, name)
			return
		}
	}
	mark := r.markRest()
	for r.next("transition") {
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
	name := r.textLabel("name", m)
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
	switch string(r.s.Name()) {
	case "name":
		r.label("name")
	case "graphics":
		r.graphics()
	case "toolspecific":
		r.section(inside)
	default:
		r.unknown(inside)
	}
}

// graphics passes over a graphics element.
func (r *reader) graphics() {
	for r.next("graphics") {
		switch string(r.s.Name()) {
		case "position", "offset", "dimension", "line", "fill", "font":
			r.s.Skip()
		default:
			r.unknown("graphics")
		}
	}
}

// label reads a label with a text and gives the text, valid until the next
// event.
func (r *reader) label(element string) (text []byte) { return r.textLabel(element, nil) }

// textLabel notes where a plain text stands, too.
func (r *reader) textLabel(element string, m *restMark) (text []byte) {
	found := false
	for r.next(element) {
		switch string(r.s.Name()) {
		case "text":
			r.once(&found, "text")
			text = r.s.ElementText()
			if m != nil {
				r.s.MarkGap(&m.RestMark)
			}
		case "graphics":
			r.graphics()
		case "toolspecific":
			r.s.Skip()
		default:
			r.unknown(element)
		}
	}
	return text
}

// number reads a label whose text is a natural number.
func (r *reader) number(element, code string, missing uint64) uint64 {
	r.s.Pin()
	text := r.label(element)
	if len(text) == 0 {
		r.add(r.pinned(), diagnostic.Error, code, "write <"+element+"><text>1</text></"+element+">, or leave it out", "<%s> holds no number", element)
		return missing
	}
	if len(text) < 19 {
		if n, ok := smallNumber(text); ok {
			return n
		}
	}
	n, err := strconv.ParseUint(string(text), 10, 64)
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
	id := r.attr("id")
	ok := r.fresh(element, id)
	ref, found := r.s.Attr("ref")
	switch {
	case !found:
		r.errorf("pnml-reference", `write ref="..." with the id of a node`, "<%s> has no ref", element)
	case ok:
		r.refs[string(id)] = reference{string(ref), kind, r.pos()}
	}
	for r.next(element) {
		r.nodeChild(element)
	}
}
