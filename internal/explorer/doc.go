// Package explorer is the reference model checker: it enumerates the reachable
// markings of a P/T net and gives exact answers to every examination on nets
// small enough for that.
//
// # The walk of one question
//
// [Decide] is given a view ([unfold.View]) of a net, an examination and its formulas.
//
//  1. Formulas name places and transitions by ids. The view says what an id stands for:
//     a single place on a P/T net, a group of places on the unfolding of a coloured
//     one. Package state translates what one marking decides, package temporal what
//     needs runs: CTL into three operators, LTL into an automaton.
//  2. For each question the net is made smaller by package reduce, which keeps the
//     answer (question.go, decide_reduced.go). Several reduced nets are searched in
//     turn, with limits that grow (deepening.go), so that none starves another.
//  3. Package space enumerates the markings of a net, packed into few words by package
//     packed, in tables of package memory.
//  4. What one marking decides is watched while the search runs: an EF formula, a
//     deadlock, a place with two tokens, a first firing (observe.go).
//  5. Package check decides the rest on the space: CTL by labelling markings, LTL by
//     looking for an accepted run, liveness on the components that no edge leaves. This
//     is tried each time that the search pauses, and at its end.
//  6. On an unbounded net the coverability graph of package cover gives bounds, firings
//     and runs.
//  7. Where a run proves an answer, it becomes a [Witness] (witness.go, collect.go,
//     path_witness.go). A run of a reduced net is lifted back to the net that was given,
//     and is dropped when it cannot be fired there (lift.go).
//
// Package tokens has the firing rule and the sums of tokens that all of them use. The
// rooms see each other in one direction: tokens, memory and temporal below; then packed,
// reduce and cover; space and state; check; and this one above all.
//
// # What is never done
//
// Nothing is guessed. A search that meets its limit of memory or time says so
// ([space.Stop]), and then only what the markings seen so far prove is answered: an
// EF that was found, a deadlock that was found, a marking with two tokens in
// one place. A net is called unbounded only with a [space.Covering], a run that
// passes a marking and later one that strictly covers it (Karp and Miller,
// 1969); it is called bounded only when the space is complete.
//
// # Conventions of the contest
//
// One edge per marking and enabled transition. CTL is read on maximal paths: in
// a dead marking EX is false, AX is true, EG f and AF f are f. LTL stutters in
// a dead marking. Several transitions in one is-fireable mean at least one;
// several places mean their sum.
package explorer
