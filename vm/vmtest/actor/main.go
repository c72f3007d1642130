//go:build linux

// Command actor plays the tools of the conformance suite.
package main

import "podium/vm/vmtest"

func main() { vmtest.Act() }
