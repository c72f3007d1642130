// Package prover finds proofs of what no run can show (package
// podium/internal/witness/certificate checks them). First it looks for a proof that no
// marking of a linear over-approximation of the reachable ones is bad: the state equation
// with marked traps (Esparza and Melzer, Verification of safety properties using integer
// programming, 2000). Where this does not do, it looks for clauses that are inductive
// together. It also looks for proofs that there always is a way back to some marking. It
// searches with floating point and keeps only what the exact checker accepts.
package prover
