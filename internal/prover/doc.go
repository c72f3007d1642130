// Package prover finds proofs of what no run can show (package
// podium/internal/witness/certificate checks them): that no marking of a linear
// over-approximation of the reachable ones is bad. The approximation is the state
// equation with marked traps (Esparza and Melzer, Verification of safety properties
// using integer programming, 2000). It searches with floating point and keeps only what
// the exact checker accepts.
package prover
