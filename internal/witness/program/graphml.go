package program

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// Limits of a graph: its nodes and edges, and what is said of it.
const (
	mostElements = 1 << 20
	mostFindings = 1000
)

// datum is one place of a graph where data stand.
type datum uint8

const (
	ofGraph datum = iota
	ofNode
	ofEdge
)

var datumNames = [...]string{"graph", "node", "edge"}

// graphKey is a key of the format.
type graphKey struct {
	of     datum
	kind   string // of the only witnesses that may have it; empty: both
	needed bool
	check  func(text string) string // says what is wrong with a value
}

func oneOf(words ...string) func(string) string {
	return func(text string) string {
		if slices.Contains(words, text) {
			return ""
		}
		return "the value is " + strings.Join(words, " or ") + ", not " + diagnostic.Excerpt(text)
	}
}

func number(text string) string {
	if n, err := strconv.Atoi(text); err != nil || n < 0 {
		return "the value is a whole number, not " + diagnostic.Excerpt(text)
	}
	return ""
}

func present(text string) string {
	if text == "" {
		return "the value is empty"
	}
	return ""
}

var truth = oneOf("true", "false")

// graphKeys are the keys that the format gives a meaning. Tools may declare others.
var graphKeys = map[string]graphKey{
	"witness-format-version":    {ofGraph, "", false, oneOf("1.0")},
	"witness-type":              {ofGraph, "", true, oneOf("violation_witness", "correctness_witness")},
	"sourcecodelang":            {ofGraph, "", true, oneOf("C", "Java")},
	"producer":                  {ofGraph, "", true, present},
	"specification":             {ofGraph, "", true, present},
	"programfile":               {ofGraph, "", true, present},
	"programhash":               {ofGraph, "", true, present},
	"architecture":              {ofGraph, "", true, present},
	"creationtime":              {ofGraph, "", true, isMoment},
	"entry":                     {ofNode, "", false, truth},
	"sink":                      {ofNode, Violation, false, truth},
	"violation":                 {ofNode, Violation, false, truth},
	"cyclehead":                 {ofNode, Violation, false, truth},
	"invariant":                 {ofNode, Correctness, false, present},
	"invariant.scope":           {ofNode, Correctness, false, present},
	"assumption":                {ofEdge, "", false, present},
	"assumption.scope":          {ofEdge, "", false, present},
	"assumption.resultfunction": {ofEdge, "", false, present},
	"control":                   {ofEdge, "", false, oneOf("condition-true", "condition-false")},
	"startline":                 {ofEdge, "", false, number},
	"endline":                   {ofEdge, "", false, number},
	"startoffset":               {ofEdge, "", false, number},
	"endoffset":                 {ofEdge, "", false, number},
	"enterLoopHead":             {ofEdge, "", false, truth},
	"enterFunction":             {ofEdge, "", false, present},
	"returnFromFunction":        {ofEdge, "", false, present},
	"threadId":                  {ofEdge, "", false, present},
	"createThread":              {ofEdge, "", false, present},
}

func isMoment(text string) string {
	if moment.MatchString(text) {
		return ""
	}
	return "the time has the form 2016-12-24T13:15:32+02:00, not " + diagnostic.Excerpt(text)
}

// place is where something stands in the file.
type place struct{ line, col int }

// graphReader reads a witness in GraphML.
type graphReader struct {
	asked Asked
	scan  *xmlscan.Scanner
	found diagnostic.List
	name  string

	report   Report
	declared map[string]bool  // keys of the tool's own, as "node KEY"
	strange  map[string]place // keys that data have, as "node KEY", at their first mention, where they were not declared before
	graph    map[string]string
	at       map[string]place
	nodes    map[string]bool
	ends     map[string]place // nodes that edges name, at their first mention
	entries  int
	graphs   int
	elements int
	only     map[string]place // kinds of witnesses that keys are reserved for
	onlyKey  map[string]string
}

// fail adds a finding; those beyond the limit are only counted as one.
func (g *graphReader) fail(at place, code, format string, args ...any) {
	if len(g.found) > mostFindings {
		return
	}
	if len(g.found) == mostFindings {
		code, format, args = "witness-limit", "there are more than %d findings", []any{mostFindings}
	}
	g.found.Add(diagnostic.Diagnostic{File: g.name, Line: at.line, Col: at.col, Code: code, Message: fmt.Sprintf(format, args...)})
}

func (g *graphReader) here() place {
	line, col := g.scan.Pos()
	return place{line, col}
}

func (g *graphReader) attr(name string) string {
	value, _ := g.scan.Attr(name)
	return string(value)
}

func (g *graphReader) read(name string, text []byte) (Report, diagnostic.List) {
	g.name, g.report.Format, g.scan = name, GraphML, xmlscan.New(bytes.NewReader(text), name)
	g.strange = map[string]place{}
	g.declared, g.graph, g.at, g.nodes, g.ends, g.only, g.onlyKey = map[string]bool{}, map[string]string{}, map[string]place{}, map[string]bool{}, map[string]place{}, map[string]place{}, map[string]string{}
	for depth := 0; ; {
		switch event := g.scan.Next(); {
		case event == xmlscan.EOF:
			if fault, ok := g.scan.Fault(); ok {
				g.found.Add(fault)
			}
			g.conclude()
			return g.report, g.found
		case event == xmlscan.End:
			depth--
		case event == xmlscan.Start && depth == 0 && string(g.scan.Name()) != "graphml":
			g.fail(g.here(), "witness-graphml", "the document is a %s, not graphml", diagnostic.Excerpt(string(g.scan.Name())))
			return g.report, g.found
		case event == xmlscan.Start && depth == 0:
			depth++
		case event == xmlscan.Start && depth == 1 && string(g.scan.Name()) == "key":
			g.declare()
			g.scan.Skip()
		case event == xmlscan.Start && depth == 1 && string(g.scan.Name()) == "graph":
			if g.graphs++; g.graphs > 1 {
				g.fail(g.here(), "witness-graphml", "a witness has one graph")
			}
			depth++
		case event == xmlscan.Start && depth == 2:
			if !g.element() {
				return g.report, g.found
			}
		case event == xmlscan.Start:
			g.scan.Skip()
		}
	}
}

// declare notes a key of the header.
func (g *graphReader) declare() {
	at, id, of := g.here(), g.attr("id"), cmp.Or(g.attr("for"), "all")
	key, known := graphKeys[id]
	switch {
	case id == "":
		g.fail(at, "witness-key", "a key has an id")
	case known && of != datumNames[key.of] && of != "all":
		g.fail(at, "witness-key", "the key %s is for a %s, not for a %s", id, datumNames[key.of], diagnostic.Excerpt(of))
	case !known:
		g.declared[of+" "+id] = true
	}
}

// element reads a child of the graph. False ends the reading.
func (g *graphReader) element() bool {
	at := g.here()
	switch string(g.scan.Name()) {
	case "data":
		g.data(ofGraph, at)
		return true
	case "node":
		id := g.attr("id")
		switch {
		case id == "":
			g.fail(at, "witness-node", "a node has an id")
		case g.nodes[id]:
			g.fail(at, "witness-node", "the node %s stands twice", diagnostic.Excerpt(id))
		}
		g.nodes[id] = true
		g.children(ofNode)
	case "edge":
		for _, end := range []string{"source", "target"} {
			id := g.attr(end)
			if id == "" {
				g.fail(at, "witness-edge", "an edge has a %s", end)
			} else if _, named := g.ends[id]; !named {
				g.ends[id] = at
			}
		}
		g.children(ofEdge)
	default:
		g.scan.Skip()
		return true
	}
	if g.elements++; g.elements > mostElements {
		g.found.Add(diagnostic.Diagnostic{File: g.name, Line: at.line, Col: at.col, Code: "witness-limit",
			Message: fmt.Sprintf("the graph has more than %d nodes and edges", mostElements)})
		return false
	}
	return true
}

// children reads the data of a node or an edge, to its end.
func (g *graphReader) children(of datum) {
	for {
		switch g.scan.Next() {
		case xmlscan.Start:
			if string(g.scan.Name()) == "data" {
				g.data(of, g.here())
			} else {
				g.scan.Skip()
			}
		case xmlscan.Text:
		default:
			return
		}
	}
}

// data reads one datum.
func (g *graphReader) data(of datum, at place) {
	id := g.attr("key")
	text := string(g.scan.ElementText())
	key, known := graphKeys[id]
	if !known || key.of != of {
		name := datumNames[of] + " " + id
		if id == "" {
			g.fail(at, "witness-key", "data have a key")
		} else if _, met := g.strange[name]; !met && !g.isOwn(name) { // it may be declared behind the graph
			g.strange[name] = at
		}
		return
	}
	if problem := key.check(text); problem != "" {
		g.fail(at, "witness-value", "%s: %s", id, problem)
	}
	if key.kind != "" {
		if _, noted := g.only[key.kind]; !noted {
			g.only[key.kind], g.onlyKey[key.kind] = at, id
		}
	}
	if of == ofNode && id == "entry" && text == "true" {
		if g.entries++; g.entries == 2 {
			g.fail(at, "witness-entry", "a second node is an entry: a witness has one")
		}
	}
	if of == ofGraph {
		g.graph[id], g.at[id] = text, at
	}
}

// isOwn reports whether the tool has declared a key for data of a kind.
func (g *graphReader) isOwn(name string) bool {
	_, id, _ := strings.Cut(name, " ")
	return g.declared[name] || g.declared["all "+id]
}

// places returns the names that a map has a place of, as they stand in the file.
func places(of map[string]place) []string {
	return slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[a].line, of[b].line), cmp.Compare(of[a].col, of[b].col), cmp.Compare(a, b))
	})
}

// conclude checks what only the whole graph shows.
func (g *graphReader) conclude() {
	if g.scan.Failed() {
		return // what is missing may stand behind the fault
	}
	if g.graphs == 0 {
		g.fail(place{}, "witness-graphml", "there is no graph")
		return
	}
	for id, key := range graphKeys {
		if _, there := g.graph[id]; key.needed && !there {
			g.fail(place{}, "witness-missing", "the graph has no data of the key %s", id)
		}
	}
	for _, name := range places(g.strange) {
		if of, id, _ := strings.Cut(name, " "); !g.isOwn(name) {
			g.fail(g.strange[name], "witness-key", "the %s has no data of the key %s", of, diagnostic.Excerpt(id))
		}
	}
	for _, id := range places(g.ends) {
		if !g.nodes[id] {
			g.fail(g.ends[id], "witness-edge", "there is no node %s", diagnostic.Excerpt(id))
		}
	}
	if g.entries == 0 {
		g.fail(place{}, "witness-entry", "no node is the entry: it has the data entry, true")
	}
	g.report.Kind = strings.TrimSuffix(g.graph["witness-type"], "_witness")
	if g.report.Kind != Violation && g.report.Kind != Correctness {
		g.report.Kind = ""
	}
	g.about()
}

// about compares the graph with the task.
func (g *graphReader) about() {
	if kind := g.report.Kind; kind != "" {
		if problem := g.asked.aboutKind(kind); problem != "" {
			g.fail(g.at["witness-type"], "witness-kind", "%s", problem)
		}
		for only, at := range g.only {
			if only != kind {
				g.fail(at, "witness-key", "only a %s witness has data of the key %s", only, g.onlyKey[only])
			}
		}
	}
	if text := g.graph["specification"]; text != "" {
		problem, readable := g.asked.aboutSpecification(text)
		if problem != "" {
			g.fail(g.at["specification"], "witness-specification", "%s", problem)
		} else if !readable {
			at := g.at["specification"]
			g.found.Add(diagnostic.Diagnostic{File: g.name, Line: at.line, Col: at.col, Severity: diagnostic.Warning, Code: "witness-specification",
				Message: "the specification has not the form of a property file, so that it was not compared"})
		}
	}
	if digest := g.graph["programhash"]; digest != "" {
		if problem := g.asked.aboutProgram(g.graph["programfile"], digest); problem != "" {
			g.fail(g.at["programhash"], "witness-program", "%s", problem)
		}
	}
	bits := map[string]string{"32bit": "ILP32", "64bit": "LP64"}[g.graph["architecture"]]
	if bits != "" && g.asked.DataModel != "" && bits != g.asked.DataModel {
		g.fail(g.at["architecture"], "witness-data-model", "the architecture is %s, and the task has the data model %s", g.graph["architecture"], g.asked.DataModel)
	}
}
