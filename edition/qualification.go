package edition

import (
	"slices"
	"strings"

	"podium/internal/yaml"
)

// Conditions are what qualification may ask of a tool (T-7), in the order of a report.
var Conditions = []string{"complete", "starts", "understood", "right", "declines", "ends", "releases"}

// qualification reads the conditions that a tool must meet; all, where the edition does
// not name them.
func (r *reader) qualification(top map[string]yaml.Entry) []string {
	words := r.Words(top, "qualification")
	for i, n := range r.List(top, "qualification") {
		if i < len(words) && !slices.Contains(Conditions, words[i]) {
			r.Fail(n, "edition-value", "one of "+strings.Join(Conditions, ", "), "there is no condition %q of qualification", words[i])
		}
	}
	if len(words) == 0 {
		return Conditions
	}
	return words
}
