package unfold

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/pnml"
)

// drawnMerging merges colours of a net at random, or all that can be merged.
func (d *drawing) drawnMerging(s *pnml.Symmetric) pnml.Merging {
	m := make(pnml.Merging, len(s.PlaceSort))
	all := d.IntN(4) == 0
	for p := range m {
		for _, sort := range s.Components(p) {
			var classes []uint32
			if s.CanMerge(sort) && (all || d.IntN(3) > 0) {
				classes = make([]uint32, s.Sorts[sort].Size)
				for v := range classes {
					if classes[v] = uint32(v); v > 0 && (all || d.IntN(2) == 0) {
						classes[v] = classes[d.IntN(v)]
					}
				}
			}
			m[p] = append(m[p], classes)
		}
	}
	return m
}

// moves writes the initial marking and the transitions of an unfolding, each once, by what they
// move; colour says what counts as the same colour of a place.
func moves(u *Unfolding, colour func(place int, colour uint64) string) []string {
	lines := map[string]bool{}
	write := func(counts map[string]uint64) string {
		var words []string
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			words = append(words, fmt.Sprintf("%d'%s", counts[k], k))
		}
		return strings.Join(words, "+")
	}
	initial := map[string]uint64{}
	for i, tokens := range u.Net.Initial {
		if place, c := u.PlaceOf(i); tokens > 0 {
			initial[colour(place, c)] += tokens
		}
	}
	lines["initial "+write(initial)] = true
	for i := range u.Net.Transitions.Len() {
		t, _ := u.TransitionOf(i)
		text := fmt.Sprintf("t%d", t)
		for _, a := range []*pnml.Arcs{&u.Net.Pre, &u.Net.Post} {
			moved := map[string]uint64{}
			places, weights := a.Row(i)
			for k, p := range places {
				moved[colour(u.PlaceOf(int(p)))] += weights.At(k)
			}
			text += ": " + write(moved)
		}
		lines[text] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// byClass names a colour by the first colours of its classes.
func byClass(s *pnml.Symmetric, m pnml.Merging) func(int, uint64) string {
	return func(place int, colour uint64) string {
		name := fmt.Sprint("p", place)
		stride := s.Sorts[s.PlaceSort[place]].Size
		for i, sort := range s.Components(place) {
			size := s.Sorts[sort].Size
			stride /= size
			v := colour / stride % size
			if c := m[place][i]; c != nil {
				v = uint64(c[v])
			}
			name += fmt.Sprint(".", v)
		}
		return name
	}
}

// TestMerge: whatever colours are merged, the unfolding of the net with merged colours has the
// transitions of the exact unfolding and its initial marking, as far as merged colours tell.
func TestMerge(t *testing.T) {
	compared, fewer, odd := 0, 0, 0
	compare := func(name string, s *pnml.Symmetric, m pnml.Merging, most uint64) {
		limits := Limits{Exact: true, Places: most, Transitions: most, Arcs: 10 * most, Steps: 100 * most}
		exact, err := Unfold(t.Context(), s, limits)
		if err != nil || m == nil {
			return
		}
		v, err := Merged(t.Context(), s, m, limits)
		if err != nil {
			odd++
			return
		}
		u := v.Unfolding
		compared++
		if u.Net.Transitions.Len() < exact.Net.Transitions.Len() {
			fewer++
		}
		if got, want := moves(u, byClass(s, m)), moves(exact, byClass(s, m)); !slices.Equal(got, want) {
			t.Errorf("%s: with %v merged, got\n%s\nwant\n%s", name, m, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	found := func(s *pnml.Symmetric) pnml.Merging {
		m, err := Mergeable(t.Context(), s, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		compare(name, s, found(s), 50_000)
		compare(name, s, (&drawing{rand.New(rand.NewPCG(1, 6))}).drawnMerging(s), 50_000)
	})
	for seed := range uint64(4000) {
		d := &drawing{rand.New(rand.NewPCG(seed, 6))}
		s := symmetric(t, drawnSorts, d.page())
		compare("drawn", s, found(s), 2000)
		compare("drawn", s, d.drawnMerging(s), 2000)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d mergings compared, %d with fewer transitions, %d are too odd", compared, fewer, odd)
	if fewer < 500 || odd == 0 {
		t.Errorf("%d mergings compared, %d with fewer transitions, %d are too odd", compared, fewer, odd)
	}
}
