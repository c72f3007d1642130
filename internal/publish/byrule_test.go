package publish

import (
	"context"
	"math/big"
	"testing"
)

// TestRulesAddUp: what the rules gave and took is the points of the runs.
func TestRulesAddUp(t *testing.T) {
	c := fixture(4, 4, 6)
	v := newView(c)
	tables := newTree(context.Background(), t.TempDir())
	if err := v.writeCSV(tables); err != nil {
		t.Fatal(err)
	}
	s := newSite(v, tables)
	losses := 0
	for tool, of := range v.tools {
		want := new(big.Rat)
		for i := range c.runs {
			if c.runs[i].toolName() == of.Name {
				want.Add(want, c.runs[i].points)
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
		losses -= lost
		if got.Cmp(want) != 0 {
			t.Errorf("%s: rules give %s, runs have %s; %d rules took points", of.Name, got, want, -lost)
		}
	}
	if losses < 2 {
		t.Errorf("%d rules took points", losses)
	}
}
