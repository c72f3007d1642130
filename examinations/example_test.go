package examinations_test

import (
	"fmt"

	"podium/examinations"
)

// What the contest of 2025 asked, by category.
func ExampleProgrammeOf() {
	programme, ok := examinations.ProgrammeOf(2025)
	if !ok {
		return
	}
	for _, c := range programme.Categories {
		fmt.Println(c.Name, c.Examinations)
	}
	// Output:
	// StateSpace [StateSpace]
	// GlobalProperties [ReachabilityDeadlock QuasiLiveness StableMarking Liveness OneSafe]
	// UpperBounds [UpperBounds]
	// Reachability [ReachabilityCardinality ReachabilityFireability]
	// CTL [CTLCardinality CTLFireability]
	// LTL [LTLCardinality LTLFireability]
}

// Answers are compared as canonical text, and numbers are never rounded.
func ExampleParseValue() {
	for _, text := range []string{"4.0000E+0009", "inf", "007", "?"} {
		value, ok := examinations.ParseValue(text, examinations.Nat)
		fmt.Printf("%q %v\n", value.Text, ok)
	}
	// Output:
	// "4000000000" true
	// "+inf" true
	// "7" true
	// "" false
}
