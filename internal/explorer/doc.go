// Package explorer is the reference model checker: it enumerates the reachable
// markings of a P/T net and gives exact answers to every examination on nets
// small enough for that.
//
// # Words
//
// A marking is packed into a few 64-bit words, one field of bits per place
// ([layout]); a field that becomes too narrow is widened and every marking laid
// out anew, so no count ever wraps. The store gives every marking an index in
// the order of its discovery; the search is breadth-first, so the index order
// is also the order of the queue, and the parents of the markings ascend. A
// marking is expanded once all its successors are known; those that are not
// are the frontier. A space is complete when the frontier is empty. Where the
// edges are not kept, most firings that lead to a marking found otherwise are
// counted but not followed ([diamonds]). Several cores may search a window of the
// queue together; the numbers of the markings are the same ([window]).
//
// A view ([unfold.View]) says what ids stand for: single places and transitions on a P/T net,
// groups of them on the unfolding of a coloured one. [Explore] only enumerates;
// [Decide] answers an examination, with a [Witness] where a single run proves
// the answer. Formulas that one marking decides are watched while the search
// runs; CTL is decided by labelling markings backwards along the edges, with a
// lower and an upper bound while the space is not complete; LTL by looking for
// an accepted run in the product with an automaton of the negated formula. On an
// unbounded net the coverability graph gives bounds and firings.
//
// # What is never done
//
// Nothing is guessed. A search that meets its limit of memory or time says so
// ([Stop]), and then only what the markings seen so far prove is answered: an
// EF that was found, a deadlock that was found, a marking with two tokens in
// one place. A net is called unbounded only with a [Covering], a run that
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
