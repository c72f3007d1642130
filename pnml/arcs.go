package pnml

import "slices"

// arcList collects arcs in any order before they are compressed into rows. It
// grows by chunks, so that nothing is copied and little memory is held in vain.
type arcList struct {
	chunks []*arcChunk
	n      int
	odd    []oddWeight // in the order of the arcs
}

const chunkSize = 8 << 10

type arcChunk struct{ rows, places [chunkSize]uint32 }

// oddWeight is the weight of one arc that is not 1.
type oddWeight struct {
	arc    int
	weight uint64
}

func (l *arcList) add(row, place uint32, weight uint64) {
	k := l.n % chunkSize
	if k == 0 {
		l.chunks = append(l.chunks, new(arcChunk))
	}
	c := l.chunks[len(l.chunks)-1]
	c.rows[k], c.places[k] = row, place
	if weight != 1 {
		l.odd = append(l.odd, oddWeight{l.n, weight})
	}
	l.n++
}

// used is the part of chunk i that holds arcs.
func (l *arcList) used(i int) int { return min(chunkSize, l.n-i*chunkSize) }

// compress sorts the arcs into rows and empties the list. Weights of arcs
// between the same two nodes add up: repeated is called for each such pair, and
// heavy instead when the sum exceeds 2^64-1.
func (l *arcList) compress(rows int, repeated, heavy func(row, place uint32)) Arcs {
	a := Arcs{Start: make([]uint32, rows+1), Place: make([]uint32, l.n)}
	for i, c := range l.chunks {
		for _, r := range c.rows[:l.used(i)] {
			a.Start[r+1]++
		}
	}
	for t := range rows {
		a.Start[t+1] += a.Start[t]
	}
	l.scatter(&a)
	*l = arcList{}
	out := uint32(0)
	for t := range rows {
		lo, hi := a.Start[t], a.Start[t+1]
		a.sortRow(lo, hi)
		a.Start[t] = out
		out = a.mergeRow(uint32(t), lo, hi, out, repeated, heavy)
	}
	a.Start[rows] = out
	a.Place = a.Place[:out]
	if a.Weight != nil {
		a.Weight = a.Weight[:out]
	}
	return a
}

// scatter moves the arcs to their rows. It uses the starts as cursors, which
// leaves each at the start of the next row.
func (l *arcList) scatter(a *Arcs) {
	if len(l.odd) > 0 {
		a.needWeights()
	}
	odd := l.odd
	for i, c := range l.chunks {
		for k, r := range c.rows[:l.used(i)] {
			at := a.Start[r]
			a.Start[r]++
			a.Place[at] = c.places[k]
			if len(odd) > 0 && odd[0].arc == i*chunkSize+k {
				a.Weight[at] = odd[0].weight
				odd = odd[1:]
			}
		}
		l.chunks[i] = nil
	}
	copy(a.Start[1:], a.Start)
	a.Start[0] = 0
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
