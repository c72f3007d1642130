package explain_test

import (
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/ask/asktest"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

// TestSameQuestion: two answers of one tool to one question are a contradiction, and so
// are two references; copies stay with their values when tools or models go.
func TestSameQuestion(t *testing.T) {
	c, ed := asktest.Contest(t)
	copies, tool := map[examinations.Key]string{}, -1
	differ := map[int]bool{} // second values of two that a tool answered otherwise
	for _, s := range c.Sheets {
		if !c.Exams[s.Exam].ID.HasFormulas() || s.Values < 2 {
			continue
		}
		first, second := int(s.First), int(s.First)+1
		copies[examinations.Key{Instance: c.Instances[s.Instance].ID, Exam: c.Exams[s.Exam].ID, Item: c.Items[second]}] = c.Items[first]
		for k := range c.Tools {
			if a, b := c.Answer(first, k), c.Answer(second, k); !a.IsZero() && !b.IsZero() && a != b {
				differ[second], tool = true, k
			}
		}
	}
	if tool < 0 {
		t.Fatal("nobody answers otherwise")
	}
	c = c.WithCopies(copies)
	r := ed.Score(c)
	said, broken := map[int]bool{}, 0
	for _, w := range explain.Warnings(r, scoring.Twinning{}) {
		switch w.Doubt {
		case explain.SelfContradiction:
			said[w.Value] = true
		case explain.Break:
			if strings.Contains(w.Text, "same question") {
				broken++
			}
		case explain.Copy:
			if c.Copies[w.Value] == "" {
				t.Errorf("%d is no copy", w.Value)
			}
		}
	}
	want := 0
	for v, item := range c.Copies {
		a, b := r.References[v].Answer, r.References[max(v-1, 0)].Answer
		if item != "" && r.References[v].Known() && r.References[v-1].Known() && a != b {
			want++
		}
		if said[v] != differ[v] {
			t.Errorf("value %d: contradiction %v, want %v", v, said[v], differ[v])
		}
	}
	if broken != want {
		t.Errorf("%d references differ on one question, want %d", broken, want)
	}
	small := whatif.Without(c, func(t *scoring.Tool) bool { return t.Name == c.Tools[0].Name }, func(i *scoring.Instance) bool { return i.ID.Family == c.Instances[0].ID.Family })
	if len(small.Copies) != len(small.Items) {
		t.Error("copies do not stay with the values")
	}
	for v, item := range small.Copies {
		if item != "" && small.Items[v-1] != item {
			t.Errorf("value %d asks the same as %s", v, item)
		}
	}
}
