package publish

import (
	"context"
	"math/big"
	"testing"
)

// TestRulesAddUp: what the rules gave and took is the points of the runs.
func TestRulesAddUp(t *testing.T) {
	c := fixture(4, 4, 6)
	v, err := newView(c)
	if err != nil {
		t.Fatal(err)
	}
	tables := newTree(context.Background(), t.TempDir())
	if err := v.writeCSV(tables); err != nil {
		t.Fatal(err)
	}
	s := newSite(v, tables)
	for tool, of := range v.tools {
		want := new(big.Rat)
		for i := range c.Runs {
			if c.Runs[i].Tool == of.Name {
				want.Add(want, c.Runs[i].Points)
			}
		}
		got, lost := new(big.Rat), 0
		for _, row := range s.byRule(tool) {
			got.Add(got, row.Sum)
			lost += row.Lost.Sign()
			if row.Gained.Sign() < 0 || row.Lost.Sign() > 0 || row.Items == 0 {
				t.Errorf("%s: %+v", of.Name, row)
			}
		}
		if got.Cmp(want) != 0 || lost >= 0 {
			t.Errorf("%s: rules give %s, runs have %s; %d rules took points", of.Name, got, want, -lost)
		}
	}
}
