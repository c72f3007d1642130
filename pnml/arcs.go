package pnml

import "slices"

// arcList collects arcs in any order before they are compressed into rows.
type arcList struct {
	rows, places []uint32
	weights      []uint64 // nil while every weight is 1
}

func (l *arcList) len() int { return len(l.rows) }

func (l *arcList) add(row, place uint32, weight uint64) {
	if weight != 1 && l.weights == nil {
		l.weights = make([]uint64, len(l.rows), cap(l.rows))
		for i := range l.weights {
			l.weights[i] = 1
		}
	}
	l.rows = append(l.rows, row)
	l.places = append(l.places, place)
	if l.weights != nil {
		l.weights = append(l.weights, weight)
	}
}

// compress sorts the arcs into rows and empties the list. Weights of arcs
// between the same two nodes add up: repeated is called for each such pair, and
// heavy instead when the sum exceeds 2^64-1.
func (l *arcList) compress(rows int, repeated, heavy func(row, place uint32)) Arcs {
	a := Arcs{Start: make([]uint32, rows+1)}
	inOrder := true
	for i, r := range l.rows {
		a.Start[r+1]++
		inOrder = inOrder && (i == 0 || l.rows[i-1] <= r)
	}
	for t := range rows {
		a.Start[t+1] += a.Start[t]
	}
	if inOrder {
		a.Place, a.Weight = l.places, l.weights
	} else {
		l.scatter(&a)
	}
	*l = arcList{}
	total := uint32(len(a.Place))
	out := uint32(0)
	for t := range rows {
		lo, hi := a.Start[t], a.Start[t+1]
		a.sortRow(lo, hi)
		a.Start[t] = out
		out = a.mergeRow(uint32(t), lo, hi, out, repeated, heavy)
	}
	a.Start[rows] = out
	if out < total {
		a.Place = a.Place[:out]
		if a.Weight != nil {
			a.Weight = a.Weight[:out]
		}
	}
	a.Place = slices.Clip(a.Place)
	return a
}

// scatter moves the arcs to their rows.
func (l *arcList) scatter(a *Arcs) {
	next := slices.Clone(a.Start)
	a.Place = make([]uint32, len(l.places))
	if l.weights != nil {
		a.Weight = make([]uint64, len(l.weights))
	}
	for i, r := range l.rows {
		at := next[r]
		next[r]++
		a.Place[at] = l.places[i]
		if l.weights != nil {
			a.Weight[at] = l.weights[i]
		}
	}
}

// sortRow sorts the arcs [lo, hi) by place.
func (a *Arcs) sortRow(lo, hi uint32) {
	places := a.Place[lo:hi]
	switch {
	case slices.IsSorted(places):
	case a.Weight == nil:
		slices.Sort(places)
	default:
		weights := a.Weight[lo:hi]
		order := make([]int, len(places))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(x, y int) int { return int(places[x]) - int(places[y]) })
		oldPlaces, oldWeights := slices.Clone(places), slices.Clone(weights)
		for i, k := range order {
			places[i], weights[i] = oldPlaces[k], oldWeights[k]
		}
	}
}

// mergeRow moves the sorted arcs [lo, hi) of row t to out and adds up those to
// one place. It gives the end of the row.
func (a *Arcs) mergeRow(t, lo, hi, out uint32, repeated, heavy func(row, place uint32)) uint32 {
	from := out
	for k := lo; k < hi; k++ {
		p := a.Place[k]
		if out > from && a.Place[out-1] == p {
			a.needWeights()
			sum := a.Weight[out-1] + a.Weight[k]
			switch {
			case sum < a.Weight[k]:
				heavy(t, p)
			case repeated != nil:
				repeated(t, p)
			}
			a.Weight[out-1] = sum
			continue
		}
		a.Place[out] = p
		if a.Weight != nil {
			a.Weight[out] = a.Weight[k]
		}
		out++
	}
	return out
}

func (a *Arcs) needWeights() {
	if a.Weight != nil {
		return
	}
	a.Weight = make([]uint64, len(a.Place))
	for i := range a.Weight {
		a.Weight[i] = 1
	}
}
