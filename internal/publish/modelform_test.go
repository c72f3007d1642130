package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
)

// TestBehaviourOfModels: what the referee has proved stands before the vote, and what nobody
// knows is unknown.
func TestBehaviourOfModels(t *testing.T) {
	v, err := newView(fixture(1, 4, 3))
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(v, nil)
	c := &s.cells[s.examAt[examinations.OneSafe]]
	ref := c.refs[0]
	for _, x := range []struct {
		state         State
		value, proved examinations.Value
		text, how     string
	}{
		{Agreed, examinations.True, examinations.Value{}, "yes", "by the vote"},
		{Agreed, examinations.True, examinations.False, "no", "proved"},
		{Agreed, examinations.Value{Text: "T"}, examinations.Value{}, "yes", "by the vote"},
		{Oracle, examinations.True, examinations.Value{}, "yes", "given"},
		{Jury, examinations.False, examinations.Value{}, "no", "by the jury"},
		{Weak, examinations.True, examinations.Value{}, "unknown", ""},
		{Unknown, examinations.Value{}, examinations.Value{}, "unknown", ""},
		{Unknown, examinations.Value{}, examinations.True, "yes", "proved"},
	} {
		ref.State, ref.Value, ref.Ruling = x.state, x.value, &Ruling{Proved: x.proved}
		if got := s.behaviourIn(c); got.Text != x.text || got.How != x.how || !strings.HasSuffix(got.Path, "#OneSafe") {
			t.Errorf("%s %v, proved %v: %+v", x.state, x.value, x.proved, got)
		}
	}
}

// TestFormOfModels: sentences say which properties hold, and of which it is not known.
func TestFormOfModels(t *testing.T) {
	c := fixture(1, 4, 9)
	dir := publishedSite(t, c)
	model := c.Instances[0].ID.Family
	page, err := os.ReadFile(filepath.Join(dir, "models", model+".html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The structure of 1 of 2 nets was looked at. All of these are: ordinary, loop &lt;b&gt;free&lt;/b&gt;.", "Unknown, because only the unfolding of a coloured net could tell: connected &lt;i&gt;.",
		"without dead transitions", "by the vote"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say: %s", want)
		}
	}
}
