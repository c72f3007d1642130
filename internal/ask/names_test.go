package ask_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/scoring"
)

// TestNamesAreLists: also where no edition asks for the examinations of the contest and no
// tool has variants, as on tasks, a page gets lists. What stands for any category is in none.
func TestNamesAreLists(t *testing.T) {
	c, ed := asktest.Contest(t)
	for i := range c.Exams {
		c.Exams[i].ID = "Loops"
	}
	c.Exams = append(c.Exams, scoring.Examination{ID: scoring.AnyExamination})
	for i := range c.Tools {
		c.Tools[i].Family = ""
	}
	names := ask.NewSession(c, ed).Names()
	if text, err := json.Marshal(names); err != nil || strings.Contains(string(text), "null") || slices.Contains(names.Examinations, scoring.AnyExamination) {
		t.Errorf("%s, %v", text, err)
	}
}
