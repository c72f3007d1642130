package edition

import (
	"strings"
	"testing"
)

// TestIntervalsWhereTheEditionSaysSo: for UpperBounds alone, and for information alone.
func TestIntervalsWhereTheEditionSaysSo(t *testing.T) {
	text, err := Source("mcc2016")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		exam, word string
		ok         bool
	}{{"UpperBounds", "information", true}, {"UpperBounds", "scored", false}, {"StateSpace", "information", false}} {
		own := strings.Replace(string(text), "{id: "+c.exam+",", "{id: "+c.exam+", intervals: "+c.word+",", 1)
		e, found := Load("own.yaml", []byte(own))
		if (e != nil) != c.ok || !c.ok && !strings.Contains(found[0].Error(), "intervals: information") {
			t.Errorf("%s, %s: %v", c.exam, c.word, found)
		}
		for i := 0; c.ok && i < len(e.Examinations); i++ {
			if x := e.Examinations[i]; x.Intervals != (string(x.ID) == c.exam) {
				t.Errorf("intervals of %s: %v", x.ID, x.Intervals)
			}
		}
	}
}
