//go:build linux

// Command actor plays the tools of the conformance suite where test binaries do
// not run.
package main

import "podium/vm/vmtest"

func main() { vmtest.Act() }
