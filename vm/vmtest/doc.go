// Package vmtest tests drivers of machines, and has a driver for tests of other
// packages.
//
// [TestDriver] is the conformance suite: it tests the contract of package vm
// case by case, with tools that misbehave in every way that contests have seen.
// A driver is complete when the suite passes. [Options].Lacks names what a
// driver cannot do by its nature.
//
// The tools of the suite are shell scripts, and the actor: a program of its
// own, which [BuildActor] makes.
//
// [Fake] is a driver for unit tests of packages that use machines: its jobs are
// functions.
package vmtest
