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

// TestParseID: names that programs would take for options, hidden files or paths are none.
func TestParseID(t *testing.T) {
	for name, fits := range map[string]bool{"Net-PT-1": true, "N-PT--1": true, "Net-COL-a.b_c-d": true, "-PT-1": false, "-Net-PT-1": false, "--out-PT-1": false,
		".Net-PT-1": false, "..-PT-1": false, "Net-PT-": false, "Net": false, "a/b-PT-1": false, "Net-PT-1\n": false, "Net-PT-\xff": false, "Net-PT-é": false, `a\b-PT-1`: false} {
		if id, err := ParseID(name); (err == nil) != fits || fits && id.String() != name {
			t.Errorf("%q: %v, %v", name, id, err)
		}
	}
}
