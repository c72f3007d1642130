// Package vmtest checks drivers of machines and stands in for them.
//
// [TestDriver] is the conformance suite: what package vm promises, case by
// case, with tools that misbehave in every way that contests have seen. A
// driver is done when the suite passes. What a driver cannot do by its nature
// it says with a [Need] in [Options].
//
// The tools of the suite are shell scripts, and the actor: a program of its own,
// which [BuildActor] makes.
//
// [Fake] is a driver for the unit tests of those who use machines: its jobs are
// functions.
package vmtest
