package temporal

// maxSearched bounds the states of an automaton of which [Automaton.Empty] says something.
const maxSearched = 512

// Empty tells whether no run is accepted when some literals never hold together: possible
// tells whether they may hold in a marking, or in the first one. False says nothing.
func (a *Automaton) Empty(possible func(list []Literal, first bool) bool) bool {
	n := len(a.Edges)
	if n > maxSearched {
		return false
	}
	var work []int
	met := make([]bool, n)
	enter := func(q uint32) {
		if !met[q] {
			met[q] = true
			work = append(work, int(q))
		}
	}
	for _, e := range a.Edges[0] {
		if possible(e.Literals, true) {
			enter(e.To)
		}
	}
	left := make([][]Edge, n)
	for len(work) > 0 {
		q := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range a.Edges[q] {
			if possible(e.Literals, false) {
				left[q] = append(left[q], e)
				enter(e.To)
			}
		}
	}
	reach := make([][]bool, n)
	for q := range reach {
		reach[q] = make([]bool, n)
		for work := []int{q}; len(work) > 0; {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			for _, e := range left[at] {
				if !reach[q][e.To] {
					reach[q][e.To] = true
					work = append(work, int(e.To))
				}
			}
		}
	}
	for q := range n {
		if !reach[q][q] {
			continue
		}
		accepts := uint32(0)
		for r := range n {
			for _, e := range left[r] {
				if (r == q || reach[q][r]) && reach[e.To][q] {
					accepts |= e.Accepts
				}
			}
		}
		if accepts&a.All == a.All {
			return false
		}
	}
	return true
}
