package models

import "testing"

// TestParseAnyID: names that no rule of today allows have a family all the same.
func TestParseAnyID(t *testing.T) {
	for name, want := range map[string]ID{
		"Net-PT-1":          {Family: "Net", Kind: PT, Param: "1"},
		"Odd name!-COL-a b": {Family: "Odd name!", Kind: COL, Param: "a b"},
		"task.c":            {Family: "task.c"},
		"!-PT-1":            {Family: "!", Kind: PT, Param: "1"},
		"-PT-1":             {Family: "-PT-1"},
	} {
		if got := ParseAnyID(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
