package reduce

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"podium/internal/clock"
	"podium/pnml"
)

// Question says what a reduction must keep.
type Question struct {
	Keep Keep
	// Up marks the places of which many tokens, Down those of which few tokens
	// may be asked for; a place marked in neither is not observed. For all but
	// Reachable it makes no difference which. Graph observes all places.
	Up, Down []bool
	// Twins keeps transitions that have the same arcs, so that every transition
	// is found in a lifted run.
	Twins bool
}

func (q Question) up(p int) bool {
	return q.Keep == Graph || p < len(q.Up) && q.Up[p] || q.Keep != Reachable && p < len(q.Down) && q.Down[p]
}

func (q Question) down(p int) bool {
	return q.Keep == Graph || p < len(q.Down) && q.Down[p] || q.Keep != Reachable && p < len(q.Up) && q.Up[p]
}

// Reduction is a smaller net with the same answers.
type Reduction struct {
	Net    *pnml.Net
	source *pnml.Net
	used   [rules]int
	places []uint32 // original to reduced, none where it is removed; nil when nothing is
	runs   runs
	run    []uint32 // per transition of Net; nil when each stands for itself
	prefix []uint32
	finish []uint32
}

const none = ^uint32(0)

// Net reduces a net as far as the rules go, or until the context ends: each
// rule by itself keeps the answers. The clock, which may be nil, leaves it
// without a result.
func Net(ctx context.Context, c *clock.Clock, net *pnml.Net, q Question) *Reduction {
	w := newWork(c, net, q, func() bool { return clock.Ended(ctx) })
	w.reduce()
	return w.result(net)
}

// Bytes is about what the reduction of a net needs.
func Bytes(net *pnml.Net) int64 {
	return 64*int64(net.Pre.Len()+net.Post.Len()) + 256*int64(net.Places.Len()+net.Transitions.Len())
}

// None leaves a net as it is.
func None(net *pnml.Net) *Reduction { return &Reduction{Net: net, source: net} }

// reduce applies the rules until none applies, cheap ones first.
func (w *work) reduce() {
	steps := []struct {
		apply func() bool
		rules []Rule
	}{
		{w.cone, []Rule{Cone}},
		{w.deadTransitions, []Rule{DeadTransition}},
		{w.constantPlaces, []Rule{ConstantPlace}},
		{w.sinkPlaces, []Rule{SinkPlace}},
		{w.identityTransitions, []Rule{IdentityTransition}},
		{w.sourceTransitions, []Rule{SourceTransition}},
		{w.dearTransitions, []Rule{TwinTransition, DominatedTransition}},
		{w.agglomerate, []Rule{PostAgglomeration, PostChoice, PreAgglomeration, FreeAgglomeration}},
		{w.freeCircuits, []Rule{FreeCircuit}},
		{w.implicitPlaces, []Rule{ImplicitPlace}},
	}
	for done := true; done && !w.stop(); {
		done = false
		for _, step := range steps {
			if slices.ContainsFunc(step.rules, w.may) && !w.stop() {
				done = step.apply() || done
			}
		}
	}
}

func (w *work) result(net *pnml.Net) *Reduction {
	r := &Reduction{source: net, used: w.used, runs: w.runs, prefix: w.prefix, finish: w.finish, places: make([]uint32, len(w.places))}
	if !r.Changed() {
		return None(net)
	}
	small := &pnml.Net{ID: net.ID, Name: net.Name}
	names := &placeNames{names: &net.Places}
	for p := range w.places {
		if r.places[p] = none; !w.places[p].gone {
			r.places[p] = uint32(len(names.at))
			names.at = append(names.at, uint32(p))
			small.Initial = append(small.Initial, w.places[p].initial)
		}
	}
	var pre, post [][]arc
	for t := range w.transitions {
		if x := &w.transitions[t]; !x.gone {
			pre, post, r.run = append(pre, x.pre), append(post, x.post), append(r.run, x.run)
		}
	}
	small.Pre, small.Post = r.matrix(pre), r.matrix(post)
	small.Places, small.Transitions = pnml.NamesFrom(names), pnml.NamesFrom(numbers(len(pre)))
	r.Net = small
	return r
}

func (r *Reduction) matrix(rows [][]arc) pnml.Arcs {
	all := slices.Concat(rows...)
	m := pnml.Arcs{Start: make([]uint32, 1, len(rows)+1), Place: make([]uint32, len(all)), Weight: pnml.NewWeights(len(all))}
	for k, a := range all {
		m.Place[k] = r.places[a.place]
		m.Weight.Set(k, a.weight)
	}
	for t, row := range rows {
		m.Start = append(m.Start, m.Start[t]+uint32(len(row)))
	}
	return m
}

// placeNames are the ids of the places that are left.
type placeNames struct {
	names *pnml.Names
	at    []uint32
}

func (n *placeNames) Len() int { return len(n.at) }
func (n *placeNames) AppendName(dst []byte, i int) []byte {
	return append(dst, n.names.At(int(n.at[i]))...)
}

// numbers are the ids of transitions, which stand for several ones.
type numbers int

func (n numbers) Len() int                            { return int(n) }
func (n numbers) AppendName(dst []byte, i int) []byte { return strconv.AppendInt(dst, int64(i), 10) }

// Changed reports whether any rule applied.
func (r *Reduction) Changed() bool { return r.used != [rules]int{} }

// Used returns how often a rule was applied.
func (r *Reduction) Used(rule Rule) int { return r.used[rule] }

// String names the rules that were applied, and how often.
func (r *Reduction) String() string {
	var parts []string
	for rule, n := range r.used {
		if n > 0 {
			parts = append(parts, fmt.Sprint(Rule(rule), " ", n))
		}
	}
	return strings.Join(parts, ", ")
}

// Place returns the place of the reduced net that a place of the original one
// became; ok is false when it was removed, which no observed place is.
func (r *Reduction) Place(p uint32) (reduced uint32, ok bool) {
	if r.places == nil {
		return p, true
	}
	return r.places[p], r.places[p] != none
}

// Contained returns the transitions of the original net that fire when
// transition t of the reduced one does, or could fire with it as its twins.
func (r *Reduction) Contained(t int) []uint32 {
	if r.run == nil {
		return []uint32{uint32(t)}
	}
	return r.runs.leaves(r.run[t])
}
