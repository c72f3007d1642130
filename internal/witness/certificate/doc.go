// Package certificate checks proofs of what no run can show: that no reachable marking
// of a net is bad. A proof states facts that hold in every reachable marking, each
// because it holds in the initial one and no firing breaks it, and then shows that a
// bad marking would contradict them: by cases, each closed by a sum of inequalities
// that cannot be true (the lemma of Farkas), or by a set of markings that holds no such one:
// a decision diagram, which no firing leaves. With a rank and moves that make it smaller, it
// shows that there always is a way to some marking. All numbers are exact. The checker searches
// for nothing: it takes each line of a proof once. docs/witnesses.md is the manual.
//
// It shares nothing with what finds proofs but the reading of nets and formulas.
package certificate
