package examinations

import (
	"slices"
	"testing"
)

func TestItems(t *testing.T) {
	formulas := []string{"b-2025-00", "a", "b-2023-15"}
	for exam, want := range map[ID][]string{
		StateSpace:       {"STATES", "TRANSITIONS", "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"},
		Liveness:         {"Liveness"},
		GlobalProperties: {"GlobalProperties"},
		CTLCardinality:   {"b-2025-00", "a", "b-2023-15"},
	} {
		if got := exam.Items(formulas); !slices.Equal(got, want) {
			t.Errorf("%s: %v", exam, got)
		}
	}
	if got := Ranked(CTLCardinality.Items(formulas)); !slices.Equal(got, []string{"a", "b-2023-15", "b-2025-00"}) {
		t.Errorf("ranked: %v", got)
	}
}
