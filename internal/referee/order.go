package referee

import (
	"context"
	"fmt"
	"slices"
	"time"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/fault"
)

// step is a technique at its place in an order.
type step struct {
	technique string
	of        []examinations.ID // that it is for; nil: all
	share     float64           // of the time that is left of the budget
	do        func(*hearing, context.Context, *oracle.Proof)

	when  func(*hearing) bool // it has its turn; nil: always
	shows bool                // it looks for evidence of what is decided, else it decides what is open
}

// Examinations that techniques are for.
var (
	ofBounds      = []examinations.ID{examinations.UpperBounds}
	ofStates      = []examinations.ID{examinations.StateSpace}
	ofLiveness    = []examinations.ID{examinations.Liveness}
	ofEach        = []examinations.ID{examinations.QuasiLiveness, examinations.StableMarking} // transition or place
	ofCTL         = []examinations.ID{examinations.CTLCardinality, examinations.CTLFireability}
	ofLTL         = []examinations.ID{examinations.LTLCardinality, examinations.LTLFireability}
	ofMarking     = []examinations.ID{examinations.ReachabilityDeadlock, examinations.ReachabilityCardinality, examinations.ReachabilityFireability}
	ofNever       = append([]examinations.ID{examinations.OneSafe}, ofMarking...) // some values have proofs
	ofPaths       = slices.Concat(ofCTL, ofLTL)
	ofRuns        = slices.Concat(ofMarking, ofPaths)
	ofOneRun      = slices.Concat(ofMarking, ofLTL)
	ofGlobal      = slices.Concat(ofLiveness, ofEach)
	ofOthers      = slices.Concat(ofBounds, ofNever, ofPaths)
	ofConclusions = slices.Concat(ofStates, ofGlobal)
)

// order is the order of the techniques on a net: first what decides much in little time, then what
// may take all of it. Shares are measured (`podium prove --techniques`).
var order = []step{
	{technique: "bounds", of: ofBounds, share: 1. / 2, do: (*hearing).proveBounds},
	{technique: "few markings", share: 1. / 8, do: (*hearing).fewMarkings},
	{technique: "cover", of: ofEach, share: 1. / 4, do: (*hearing).cover, when: notSmall},
	{technique: "simplification", of: ofPaths, share: 1. / 8, do: (*hearing).simplify, when: notSmall},
	{technique: "proofs", of: ofNever, share: 1. / 32, do: (*hearing).proveRest, when: notSmall}, // most take milliseconds
	{technique: "walks", of: ofRuns, share: 1. / 8, do: (*hearing).walks, when: notSmall},
	{technique: "depth first", of: ofOneRun, share: 1. / 4, do: (*hearing).dives, when: notSmall},
	{technique: "proofs", of: ofNever, share: 1. / 4, do: (*hearing).proveRest, when: notSmall},
	{technique: "evidence", share: 1. / 8, do: (*hearing).showRest, when: notSmall, shows: true}, // most takes little
	{technique: "stubborn sets", of: ofLTL, share: 1. / 8, do: (*hearing).reachRest, when: notSmall},
	{technique: "on the fly", of: ofCTL, share: 1. / 4, do: (*hearing).onTheFly, when: notSmall},
	{technique: "ways back", of: ofLiveness, share: 3. / 8, do: (*hearing).returnRest, when: notSmall},
	{technique: "diagrams", of: slices.Concat(ofGlobal, ofCTL), share: 1. / 2, do: (*hearing).drawEarly, when: notSmall},
	{technique: "enumeration", of: ofGlobal, share: 7. / 8, do: (*hearing).enumerate},
	{technique: "enumeration", of: ofOthers, share: 1. / 2, do: (*hearing).enumerate},
	{technique: "enumeration", of: ofStates, share: 1. / 4, do: (*hearing).enumerate},
	{technique: "proofs", of: ofNever, share: 1. / 4, do: (*hearing).proveRest},
	{technique: "diagrams", of: ofStates, share: 3. / 4, do: (*hearing).drawRest},
	{technique: "conclusions", of: ofConclusions, share: 1. / 3, do: (*hearing).concludeRest},
	{technique: "depth first", of: ofOneRun, share: 1. / 2, do: (*hearing).dives},
	{technique: "walks", of: ofRuns, share: 1. / 2, do: (*hearing).walks},
	{technique: "ways back", of: ofCTL, share: 1. / 4, do: (*hearing).returnRest},
	{technique: "diagrams", share: 1. / 2, do: (*hearing).drawRest},
	{technique: "evidence", of: ofNever, share: 1. / 8, do: (*hearing).showRest, shows: true}, // what the state equation shows, it shows soon
	{technique: "evidence", of: ofPaths, share: 1. / 2, do: (*hearing).showRest, shows: true},
	{technique: "evidence by diagrams", share: 1. / 4, do: (*hearing).showDrawn, when: drawn, shows: true},
	{technique: "bounds", of: ofBounds, share: 1, do: (*hearing).proveBounds},
	{technique: "enumeration", of: ofStates, share: 7. / 8, do: (*hearing).enumerate},
	{technique: "clauses", of: ofNever, share: 1. / 2, do: (*hearing).strengthenRest},
	{technique: "stubborn sets", of: ofLTL, share: 1. / 4, do: (*hearing).reachRest},
	{technique: "walks", of: ofRuns, share: 7. / 8, do: (*hearing).walks},
}

// withoutColoursOrder is the order on the net without its colours, the skeleton. The skeleton can do what
// the net can, and some more: what it never does, the net never does, and both have as many tokens in the
// initial marking. What formulas meet on walks of the skeleton is no fact about the net, and its number of
// markings is another one. LoLA and TAPAAL use skeletons in this way.
var withoutColoursOrder = []step{
	{technique: "initial marking", of: slices.Concat(ofGlobal, ofNever, ofPaths), share: 1, do: (*hearing).initialRest},
	{technique: "bounds", of: ofBounds, share: 1, do: (*hearing).initialBounds},
	{technique: "simplification", of: ofPaths, share: 1. / 2, do: (*hearing).simplify},
	{technique: "proofs", of: ofNever, share: 1. / 2, do: (*hearing).proveRest},
	{technique: "conclusions", of: ofGlobal, share: 1. / 3, do: (*hearing).concludeRest},
	{technique: "clauses", of: ofNever, share: 1. / 2, do: (*hearing).strengthenRest},
}

// evidenceOrder is the order of the steps that look for evidence at the end.
var evidenceOrder = []step{
	{technique: "evidence by enumeration", share: 1, do: (*hearing).enumerable, shows: true},
	{technique: "evidence", share: 1. / 4, do: (*hearing).showRest, shows: true},
	{technique: "evidence by diagrams", share: 1, do: (*hearing).showDrawn, shows: true},
}

// Techniques returns the names of all techniques.
func Techniques() (names []string) {
	for _, s := range slices.Concat(withoutColoursOrder, order, evidenceOrder) {
		if !slices.Contains(names, s.technique) {
			names = append(names, s.technique)
		}
	}
	return names
}

// notSmall reports whether the markings of the net may be too many for an enumeration.
func notSmall(h *hearing) bool { return !h.drawing.small }

// drawn reports whether the reachable markings are known as decision diagrams.
func drawn(h *hearing) bool { return h.drawing.space != nil }

// follow lets the techniques of an order decide what they can, each in its share of the time that is
// left. After the end of the budget only evidence is looked for, which may need no time.
func (h *hearing) follow(p *oracle.Proof, order []step) {
	for _, s := range order {
		switch {
		case s.of != nil && !slices.Contains(s.of, p.Exam), s.when != nil && !s.when(h), slices.Contains(h.Without, s.technique):
		case !s.shows && (h.limited.Err() != nil || len(h.openItems(p)) == 0):
		default:
			h.turn(p, s)
		}
	}
}

// shareOf returns a context for a share of the time that is left.
func shareOf(ctx context.Context, share float64) (context.Context, context.CancelFunc) {
	left, _ := clock.Left(ctx)
	return clock.Within(ctx, time.Duration(share*float64(left)))
}

// turn lets a technique do what it can. Where it fails inside podium, what it has not decided
// stays open for the others.
func (h *hearing) turn(p *oracle.Proof, s step) {
	ctx, cancel := shareOf(h.limited, s.share)
	defer cancel()
	work := h.work(s.technique)
	work.Turns++
	began, decided, shown := clock.ProcessorTime(), len(p.Values), countShown(p)
	h.doing = fmt.Sprintf("%s %s, %s", h.instance.ID, p.Exam, s.technique)
	if err := fault.Contain(h.doing, func() error { s.do(h, ctx, p); return nil }); err != nil {
		h.leaveOpen(err)
	}
	work.CPU += (clock.ProcessorTime() - began).Microseconds()
	work.Decided += len(p.Values) - decided
	work.Shown += countShown(p) - shown
}

// countShown counts the values that a witness shows.
func countShown(p *oracle.Proof) (n int) {
	for _, v := range p.Values {
		if v.Shown() != oracle.NotShown {
			n++
		}
	}
	return n
}

// Work is what a technique did, over all examinations.
type Work struct {
	Technique string `json:"technique"`
	Turns     int    `json:"turns"`
	CPU       int64  `json:"cpu_us"`  // processor time in microseconds
	Decided   int    `json:"decided"` // values
	Shown     int    `json:"shown"`   // values that got evidence, of these and of others
}

// work returns the counts of a technique.
func (r *Referee) work(technique string) *Work {
	at := slices.IndexFunc(r.works, func(w *Work) bool { return w.Technique == technique })
	if at < 0 {
		at = len(r.works)
		r.works = append(r.works, &Work{Technique: technique})
	}
	return r.works[at]
}

// Works returns what the techniques did, in the order of their first turns.
func (r *Referee) Works() (list []Work) {
	for _, w := range r.works {
		list = append(list, *w)
	}
	return list
}
