// Package unfold turns a symmetric net into a P/T net with the same behaviour.
//
// # Definition
//
// The exact unfolding of a symmetric net has
//   - a place for every pair of a coloured place and a colour of its sort,
//   - a transition for every pair of a coloured transition t and a binding of
//     the variables that occur in the guard of t or at an arc of t, provided that
//     the guard holds under the binding,
//   - between place (p, c) and transition (t, b) an arc whose weight is the
//     multiplicity of c in the inscription under b; no arc when it is 0,
//   - in place (p, c) as many tokens as c has in the initial marking of p.
//
// successor and predecessor are cyclic on every sort. A difference of multisets
// is 0 where it would be negative. A tuple with multisets inside is the multiset
// of all combinations. Colours are compared by their number in the sort.
//
// # Pruning
//
// The exact unfolding of some nets has 10^10 transitions of which a few thousand
// can ever fire, so what is normally computed is the pruned unfolding: the
// smallest part of the exact one that holds every initially marked place, every
// transition all of whose input places are in the part, and every place that such
// a transition puts tokens into. What is left out is never marked and never
// fires; reachable markings, and the transitions between them, are the same.
//
// The work has three steps. Colour domains: for each component of each place the
// set of values that may occur there, a fix point over whole sorts, cheap because
// no binding is looked at; where that costs little, also the combinations of small
// components, and the pairs of a small and a large one, which restrict bindings as
// tables do. Bindings: the variables of a transition are bound one after the other,
// in an order in which equations determine values and tests fail early; places whose tokens are only tested or taken away give their initial
// colours as a table that restricts bindings like a guard. Fix point: of the
// candidates found, those that the definition above keeps, in time linear in the
// number of arcs.
//
// # Merged colours
//
// For questions that count no markings, [Mergeable] finds colours that need not be told apart,
// and [Merged] unfolds the net with one colour in place of several.
//
// # Names
//
// The contest writes the ids of its P/T twins as the id of the coloured node and
// the names of its colours, joined by underscores: Fork_3, State_2_0; a dot adds
// nothing; for a transition, the values of its variables in the order in which
// they are declared. Twins made by other programs deviate from this;
// docs/models.md says how.
package unfold
