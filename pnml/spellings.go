package pnml

import (
	"slices"
	"strings"

	"podium/pnml/diagnostic"
)

// What editors write into nets beyond the standard, and what it would change. The nets of
// the contest have ordinary arcs, places without capacity, and transitions without
// priority, time and data: a net that says more is another net.

// effect is what a spelling would do to a net that obeyed it.
type effect struct {
	code     string // "" for that of what has no meaning where it stands
	severity diagnostic.Severity
	message  string // of the place of the spelling and its value
	hint     string
	neutral  []string // values that change nothing, as in plainly
	number   bool     // it repeats the marking of the place or the weight of the arc
	together bool     // it changes nothing where all transitions say the same
}

const behaviour = "pnml-behaviour"

var (
	arcKind = &effect{code: "pnml-arc-type", message: "an arc of type %[2]s", hint: "the contest has ordinary arcs only: test for zero by a place that holds what is free, or leave it out with `podium model convert --drop %s`",
		neutral: []string{"normal", "ordinary", "standard", "regular", "basic", "simple", "discrete", "false"}}
	otherArc    = &effect{code: "pnml-arc-type", message: "%[1]s is no ordinary arc", hint: "the contest has ordinary arcs only, and writes them <arc>"}
	otherWeight = &effect{code: behaviour, message: "%s gives the arc the weight %s, which is not read", hint: "write <inscription><text>%s</text></inscription> into the arc", number: true}
	otherTokens = &effect{code: behaviour, message: "%s gives the place the tokens %s, which are not read", hint: "write <initialMarking><text>%s</text></initialMarking> into the place", number: true}
	capacity    = &effect{code: behaviour, message: "%s gives the place the capacity %s", hint: "the contest's places hold any number of tokens: remove it, or add a place that holds what is free",
		neutral: []string{"0", "-1", "inf", "infinity", "infinite", "unbounded", "unlimited", "omega", "w", "ω", "∞", "false"}}
	priority  = &effect{code: behaviour, message: "%s gives the transition the priority %s", hint: "the contest has no priorities: remove them if the net is meant without", together: true}
	otherTime = &effect{code: behaviour, message: "%s sets a time, %s", hint: "the contest's nets have no time: remove it if the net is meant without",
		neutral: []string{"0", "0.0", "false", "none", "immediate", "inf", "<inf", "[0,inf)", "[0,inf[", "[0,w[", "[0,∞)", "[0,∞["}}
	otherColour = &effect{code: behaviour, message: "%s sets colours, %s", hint: "a coloured net has the type " + symmetricType + ", and declares its sorts in <declaration>",
		neutral: []string{"default", "dot", "dots", "false"}}
	data = &effect{code: behaviour, message: "%s makes the net depend on data, %s", hint: "the contest's transitions have no data: remove it if the net is meant without; the guard of a coloured net is a <condition>",
		neutral: []string{"true", ""}}
	final  = &effect{code: "pnml-final", severity: diagnostic.Note, message: "%[1]s names final markings: the contest does not ask for them", hint: "remove it, or keep it in a file of your own"}
	chance = &effect{severity: diagnostic.Warning, message: "%[1]s says how fast or likely something is, which no question of the contest asks", hint: "remove it"}
)

// owner is the part of a net that says something.
type owner uint8

const (
	ofArc owner = 1 << iota
	ofPlace
	ofTransition
	ofNet
	ofAny = ofArc | ofPlace | ofTransition | ofNet
)

// spellings lists the names of elements and attributes by which editors say something, as
// plainly writes them.
var spellings = []struct {
	of    owner
	names string
	says  *effect
}{
	// <type value="inhibitor"/> is GreatSPN's, Tina's and PIPE's, <type><text> Renew's, <arctype><text> that of ProM and
	// pm4py, the attribute TAPAAL's, the rest of hand and of data formats.
	{ofArc, "type arctype arckind arcclass kind edgetype inhibitor isinhibitor reset isreset read isread test istest transport", arcKind},
	{ofNet, "inhibitorarc resetarc readarc testarc transportarc flusharc emptyarc cleararc equalarc modifierarc stopwatcharc timedarc inputarc outputarc", otherArc},
	{ofArc, "weight multiplicity arcweight inscription cardinality", otherWeight},
	{ofPlace, "tokens token marking initialmarking initialtokens tokencount initial", otherTokens},
	{ofPlace | ofNet, "capacity maxcapacity placecapacity tokenlimit maxtokens kbound bound", capacity},
	{ofTransition, "priority firingpriority", priority},
	{ofNet, "priorities prioritydeclaration prioritydeclarations", priority},
	// <delay> with an interval of MathML is Tina's, <timed> PIPE's, the attributes invariant, urgent and inscription
	// TAPAAL's, <time> that of WoPeD and of CPN Tools' exports.
	{ofAny, "delay interval timeinterval staticinterval firinginterval time timing timed istimed firingtime firingdelay duration invariant urgent " +
		"age clock clocks eft lft earliestfiringtime latestfiringtime enablingtime timestamp period deadline distributiontype", otherTime},
	{ofAny, "colorset colourset colorsets coloursets colortype colourtype tokencolor tokencolour tokenclass colorinvariant colourinvariant", otherColour},
	{ofNet, "token tokens", otherColour}, // PIPE's classes of tokens
	// <guard> and its like are Renew's and CPN Tools', readVariable and writeVariable those of data nets of ProM,
	// pm4py and YAPNE.
	{ofTransition, "guard colorguard precondition postcondition predicate expression code codesegment action create uplink downlink " +
		"readvariable writevariable update script", data},
	{ofNet, "variables variable datavariables", data},
	{ofAny, "finalmarkings finalmarking finalmarkingset final isfinal", final},
	{ofAny, "rate infiniteserver servertype server probability distribution distributionparameters", chance},
	{ofTransition, "weight", chance},
}

// editors are the tools in whose sections the spellings above are looked for. Other tools may
// mean other things by the same words.
var editors = []string{"greatspn", "tapaal", "pipe", "woped", "prom", "pm4py", "snoopy", "tina", "cpntools", "cpn", "yapne", "renew", "stochasticpetrinet", "yasper", "pneditor"}

type spelt struct {
	of   owner
	name string
}

var effects = func() map[spelt]*effect {
	m := map[spelt]*effect{}
	for _, s := range spellings {
		for _, name := range strings.Fields(s.names) {
			for _, of := range []owner{ofArc, ofPlace, ofTransition, ofNet} {
				if s.of&of != 0 {
					m[spelt{of, name}] = s.says
				}
			}
		}
	}
	return m
}()

// plainly writes a name or a value in the way that the tables have.
func plainly(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', ' ', '\t', '\n', '\r':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// effectOf returns what a name says of an owner, nil when it is none of the spellings.
func effectOf(of owner, name string) *effect {
	if of == 0 {
		return nil
	}
	return effects[spelt{of, strings.ReplaceAll(plainly(name), "-", "")}]
}

// ownerOf returns the owner that an element is, else the one that it stands in.
func ownerOf(element string, outer owner) owner {
	switch element {
	case "arc":
		return ofArc
	case "place", "referencePlace":
		return ofPlace
	case "transition", "referenceTransition":
		return ofTransition
	case "pnml", "net", "page":
		return ofNet
	}
	return outer
}

// isEditor reports whether the sections of a tool are looked at.
func isEditor(tool string) bool {
	name := strings.ReplaceAll(plainly(tool), "-", "")
	return slices.ContainsFunc(editors, func(e string) bool { return strings.HasPrefix(name, e) })
}

// changesNothing reports whether obeying a value makes no difference, as far as the value alone shows.
func (e *effect) changesNothing(value string) bool {
	v := plainly(value)
	return v == "" && e != otherArc && e != data || slices.Contains(e.neutral, v)
}
