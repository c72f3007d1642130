package campaign

import (
	"strings"
	"testing"

	"podium/examinations"
)

// TestE45UnconfirmedFamilies: a plan that says of a tool that it is of a family, and does not have it among those that were
// confirmed, is read as if the tool were its own family.
func TestE45UnconfirmedFamilies(t *testing.T) {
	p := &Plan{Name: "c", Examinations: []examinations.ID{"OneSafe"}, Instances: []PlannedInstance{{ID: "Ring-PT-1", Family: "Ring", Class: "known", Path: "inputs/Ring-PT-1"}},
		Families: map[string][]string{"team": {"alpha", "beta"}, "gamma": {"gamma"}}}
	for _, text := range []string{"alpha:team", "beta:team", "eve:team", "gamma:gamma", "delta:gamma", "zeta:zeta", "eta:zeta", "theta:"} {
		name, family, _ := strings.Cut(text, ":")
		p.Tools = append(p.Tools, PlannedTool{Name: name, Family: family, Dir: "inputs/" + name})
	}
	c, err := Create(t.TempDir(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"alpha": "team", "beta": "team", "eve": "eve", "gamma": "gamma", "delta": "delta", "zeta": "zeta", "eta": "eta", "theta": ""}
	for _, tool := range c.Plan.Tools {
		if tool.Family != want[tool.Name] {
			t.Errorf("%s is of the family %q", tool.Name, tool.Family)
		}
	}
	if len(c.Unconfirmed) != 3 || c.Unconfirmed[0].Family != "team" {
		t.Errorf("unconfirmed: %v", c.Unconfirmed)
	}
}
