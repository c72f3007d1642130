package ask_test

import (
	"slices"
	"testing"
	"time"

	. "podium/internal/ask"
	"podium/internal/ask/asktest"
	"podium/models"
	"podium/scoring"
)

// TestWays: ways that leave out nothing are none; those that there are can be asked, and judge no
// more values than the contest.
func TestWays(t *testing.T) {
	c, _ := asktest.Contest(t)
	names := func(c *scoring.Contest) (list []string) {
		for _, way := range Ways(c) {
			list = append(list, way.Name)
			back, err := Parse(way.Question.String())
			if err != nil || back.String() != way.Question.String() {
				t.Errorf("%s: %q is read as %q, %v", way.Name, way.Question, back, err)
			}
		}
		return list
	}
	one := *c
	one.Instances, one.Runs = slices.Clone(c.Instances), slices.Clone(c.Runs)
	for i := range one.Instances {
		one.Instances[i].Class = models.Known
	}
	for i := range one.Runs {
		one.Runs[i].CPU, one.Runs[i].Memory = time.Second.Microseconds(), 1_000_000
	}
	if got := names(&one); !slices.Equal(got, []string{"Only values TRUE", "Only values FALSE"}) {
		t.Errorf("known models, a second and a megabyte: %q", got)
	}
	one.Instances[0].Class, one.Runs[0].CPU, one.Runs[1].Memory = models.Surprise, time.Hour.Microseconds(), 8e9
	if got := names(&one); !slices.Equal(got, []string{"Only known models", "Only surprise models", "Within 60 s of CPU time", "Within 1 GB of memory", "Only values TRUE", "Only values FALSE"}) {
		t.Errorf("an hour, 8 GB and a surprise: %q", got)
	}
}

// TestValuesApart: what is judged under TRUE or FALSE has this reference in the contest, and nearly
// all that has it is judged: confidences, and so a few references, are elected anew.
func TestValuesApart(t *testing.T) {
	c, ed := asktest.Contest(t)
	official := ed.Score(c)
	for _, text := range []string{"TRUE", "FALSE"} {
		r, err := (Question{Values: []string{text}}).Score(official, ed)
		if err != nil {
			t.Fatal(err)
		}
		has, judged := 0, 0
		for v := range c.Items {
			reference, known := official.ReferenceValue(v)
			is := known && reference.Text == text
			_, known = r.ReferenceValue(v)
			if known && !is {
				t.Fatalf("%s: value %d is judged, and its reference is %q", text, v, reference.Text)
			}
			if is {
				has++
			}
			if known {
				judged++
			}
		}
		if judged == 0 || judged < has-has/50 {
			t.Errorf("%s: %d of %d values are judged", text, judged, has)
		}
	}
	if _, err := (Question{Values: []string{"MAYBE"}}).Score(official, ed); err == nil {
		t.Error("a value that no answer has is asked")
	}
}
