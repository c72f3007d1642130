package output_test

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/examinations/output"
)

// The answers of a tool are taken from what it prints.
func ExampleReader() {
	printed := "reading the net\nSTATE_SPACE STATES 12 TECHNIQUES EXPLICIT\nSTATE_SPACE TRANSITIONS 1.5E1 TECHNIQUES EXPLICIT\n"
	r := output.NewReader(strings.NewReader(printed), examinations.StateSpace, output.ReaderOptions{})
	for r.Scan() {
		a := r.Answer()
		fmt.Println(a.Line, a.Item, a.Value, a.Techniques)
	}
	fmt.Println(r.Participation())
	// Output:
	// 2 STATES 12 [EXPLICIT]
	// 3 TRANSITIONS 15 [EXPLICIT]
	// answered
}
