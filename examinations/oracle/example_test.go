package oracle_test

import (
	"fmt"
	"strings"

	"podium/examinations"
	"podium/examinations/oracle"
	"podium/models"
)

// An oracle file holds the values that were agreed on for one examination.
func ExampleRead() {
	const file = `Small-PT-1 StateSpace
STATE_SPACE STATES 243 TECHNIQUES ORACLE2025
STATE_SPACE TRANSITIONS ? TECHNIQUES ORACLE2025
`
	values, found := oracle.Read(strings.NewReader(file), "Small-PT-1-SS.out", nil)
	id := models.ID{Family: "Small", Kind: models.PT, Param: "1"}
	for _, item := range examinations.StateSpaceItems[:2] {
		value, known := values[examinations.Key{Instance: id, Exam: examinations.StateSpace, Item: item}]
		fmt.Printf("%s %q %v\n", item, value.Text, known)
	}
	fmt.Println(found.Err())
	// Output:
	// STATES "243" true
	// TRANSITIONS "" false
	// <nil>
}
