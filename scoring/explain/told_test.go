package explain_test

import (
	"slices"
	"strings"
	"testing"

	"podium/internal/ask/asktest"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

// TestTold: what runs are told is marked, and without it nobody earns or loses points by it.
func TestTold(t *testing.T) {
	c, ed := asktest.Contest(t)
	r := ed.Score(c)
	marked := map[int]bool{}
	for _, w := range explain.Warnings(r, scoring.Twinning{}) {
		if w.Doubt == explain.GivenAway {
			marked[w.Value] = strings.Contains(w.Text, "states TRUE")
		}
	}
	without := ed.Score(whatif.WithoutTold(c))
	less := 0
	for sheet, s := range c.Sheets {
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			if told := v == int(s.First) && c.Exams[s.Exam].ID.HasFormulas(); marked[v] != told {
				t.Errorf("value %d is marked: %v", v, marked[v])
			}
		}
		for tool := range c.Tools {
			if slices.Contains(c.AnsweredAsTold(sheet, tool), c.Items[s.First]) != (c.Told[s.First] != 0 && c.Answer(int(s.First), tool) == c.Values[c.Told[s.First]]) {
				t.Errorf("%s of tool %d", c.Items[s.First], tool)
			}
			if before, after := r.RunMarks(sheet, tool), without.RunMarks(sheet, tool); before[0] != after[0] {
				less++
			}
			if m := without.RunMarks(sheet, tool)[0]; c.Told[s.First] != 0 && (m == scoring.Right || m == scoring.Wrong) {
				t.Errorf("sheet %d, tool %d: what is told is judged", sheet, tool)
			}
		}
	}
	if less == 0 || len(marked) != 48 {
		t.Errorf("%d values are marked, %d are no longer judged", len(marked), less)
	}
	if small := whatif.Without(c, func(t *scoring.Tool) bool { return t.Name == c.Tools[0].Name }, func(i *scoring.Instance) bool { return i.ID.Family == c.Instances[0].ID.Family }); len(small.Told) != len(small.Items) || small.Told[len(small.Told)-16] == 0 {
		t.Error("what is told does not stay with the values")
	}
}
