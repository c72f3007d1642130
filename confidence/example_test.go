package confidence_test

import (
	"fmt"

	"podium/confidence"
)

// Two tools of confidence 1/2 and 1 elect the answer of the second.
func ExampleWeightedMajorityPolicy() {
	tools := confidence.NewElectorate([]confidence.Ratio{confidence.NewRatio(1, 2), confidence.NewRatio(1, 1)})
	votes := []confidence.Vote{{Tool: 0, Answer: 1}, {Tool: 1, Answer: 2}}
	elected := confidence.WeightedMajorityPolicy{}.Elect(tools, votes)
	fmt.Println(elected.Answer, elected.Known())
	// Output: 2 true
}
