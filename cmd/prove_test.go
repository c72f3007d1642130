package cmd

import (
	"fmt"
	"testing"

	"podium/examinations"
	"podium/examinations/oracle"
)

// TestProvedValuesAreSorted: formulas in the order of their ids, whichever was decided first;
// other values in the order of the examination.
func TestProvedValuesAreSorted(t *testing.T) {
	var o proveOptions
	o.list(oracle.Proof{Exam: examinations.UpperBounds, Values: []oracle.ProvedValue{{Item: "b-01"}, {Item: "b-00"}}})
	o.list(oracle.Proof{Exam: examinations.StateSpace, Values: []oracle.ProvedValue{{Item: "STATES"}, {Item: "MAX_TOKEN_IN_PLACE"}}})
	var items []string
	for _, v := range o.proved {
		items = append(items, v.Item)
	}
	if got, want := fmt.Sprint(items), "[b-00 b-01 STATES MAX_TOKEN_IN_PLACE]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
