package models_test

import (
	"testing"

	"podium/internal/explorer/space"
	"podium/models"
)

// TestLargeStateCounts repeats published counts of millions of states.
func TestLargeStateCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds: left out with -short")
	}
	for _, c := range []struct {
		family, param string
		states, edges uint64 // 0 edges: not asked
		why           string
	}{
		{"KanbanCells", "0005", 2546432, 24460016, "Ciardo and Tilgner 1996"},
		{"FlexibleManufacturing", "0005", 2895018, 0, "Ciardo, Lüttgen, Siminiscalchi 2001 (2.90e6)"},
		{"TowersOfHanoi", "10", 59049, 177144, "3^n, 3^(n+1)-3"},
		{"BinaryCounter", "16", 65536, 65536, "2^n"},
		{"MilnerScheduler", "011", 45056, 0, "n 2^(n+1)"},
		{"BoundedBuffer", "0090", 753571, 0, "(n+1)^3"},
		{"EnzymeKinetics", "0000001000", 501501, 1501500, "(n+1)(n+2)/2, 3n(n+1)/2"},
		{"ReadersWriters", "0100", 176851 + 5050, 0, "(n+3 over 3) + (n+1 over 2)"},
	} {
		f, ok := models.FindFamily(c.family)
		if !ok {
			t.Fatalf("no family %s", c.family)
		}
		n, err := f.Build(c.param)
		if err != nil {
			t.Fatal(err)
		}
		s := space.Explore(t.Context(), n, space.Options{})
		if !s.Complete() || s.States() != c.states || c.edges != 0 && s.Edges() != c.edges {
			t.Errorf("%s: %d states, %d edges, complete %v; want %+v", n.ID, s.States(), s.Edges(), s.Complete(), c)
		}
		s.Close()
	}
}
