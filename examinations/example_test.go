package examinations_test

import (
	"fmt"

	"podium/examinations"
)

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
