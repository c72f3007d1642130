package planning

import (
	"errors"
	"strings"
	"testing"

	"podium/models"
)

// TestShortIsAnInstanceOfEachFamily also counts: each of them has every examination
// of the edition planned for a tool.
func TestShortIsAnInstanceOfEachFamily(t *testing.T) {
	tools, _ := inputs(t)
	var said []string
	o := options(tools[:1], nil, nil)
	o.Say = func(remark string) { said = append(said, remark) }
	c := plan(t, o)
	seen := map[string]int{}
	for _, i := range c.Plan.Instances {
		seen[i.Family]++
		if s := i.Size; s == nil || s.Places == 0 || s.Transitions == 0 || s.Arcs == 0 || (s.Tokens == "") == (s.Colours == "") {
			t.Errorf("%s has the size %+v", i.ID, s)
		}
	}
	for _, f := range models.Families() {
		if seen[f.Name] != 1 {
			t.Errorf("%s has %d instances", f.Name, seen[f.Name])
		}
	}
	if n, want := c.Plan.Count(), len(models.Families())*len(c.Plan.Examinations); n != want {
		t.Errorf("%d runs are planned, want %d", n, want)
	}
	if !strings.HasPrefix(strings.Join(said, "\n"), "writing 17 built-in models") {
		t.Errorf("said: %q", said)
	}
}

func TestSizesThatMeanNothing(t *testing.T) {
	tools, instances := inputs(t)
	for _, o := range []Options{options(tools, instances, nil), options(tools, nil, nil)} {
		o.Size = "full"
		if o.Models == nil {
			o.Size = "huge"
		}
		_, _, err := Prepare(t.Context(), t.TempDir(), o)
		var option *OptionError
		if !errors.As(err, &option) || !strings.Contains(err.Error(), "--size") {
			t.Errorf("size %s with %d models: %v", o.Size, len(o.Models), err)
		}
	}
}
