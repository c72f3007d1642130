package examinations

import (
	"slices"
	"testing"
)

func TestProgrammes(t *testing.T) {
	for _, c := range []struct{ year, examinations, categories, values int }{
		{2016, 9, 5, 4 + 7*16 + 1},
		{2018, 9, 5, 4 + 7*16 + 1},
		{2019, 9, 6, 4 + 7*16 + 1},
		{2020, 13, 6, 4 + 7*16 + 5},
		{2025, 13, 6, 4 + 7*16 + 5},
	} {
		p, ok := ProgrammeOf(c.year)
		exams := p.Examinations()
		values := 0
		for _, exam := range exams {
			values += exam.Values()
			if !exam.Known() || p.Category(exam) == "" {
				t.Errorf("%d: %s", c.year, exam)
			}
		}
		if !ok || len(exams) != c.examinations || len(p.Categories) != c.categories || values != c.values {
			t.Errorf("%d: %d examinations in %d categories with %d values", c.year, len(exams), len(p.Categories), values)
		}
	}
	if _, ok := ProgrammeOf(2015); ok {
		t.Error("2015 has a programme")
	}
	today, _ := ProgrammeOf(2025)
	if got := today.Category(GlobalProperties); got != "" {
		t.Errorf("GlobalProperties of 2025 is in %s", got)
	}
}

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
