package ask_test

import (
	"encoding/json"
	"strings"
	"testing"

	"podium/internal/ask"
	"podium/internal/ask/asktest"
)

// TestNamesAreLists: also where no edition asks for the examinations of the contest and no
// tool has variants, as on tasks, a page gets lists.
func TestNamesAreLists(t *testing.T) {
	c, ed := asktest.Contest(t)
	for i := range c.Exams {
		c.Exams[i].ID = "Loops"
	}
	for i := range c.Tools {
		c.Tools[i].Family = ""
	}
	text, err := json.Marshal(ask.NewSession(c, ed).Names())
	if err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%s, %v", text, err)
	}
}
