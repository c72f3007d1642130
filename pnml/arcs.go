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

// each calls do for every arc, in the order in which they were added.
func (l *arcList) each(do func(row, place uint32)) {
	for i, c := range l.chunks {
		for k, row := range c.rows[:l.used(i)] {
			do(row, c.places[k])
		}
	}
}

// used is the part of chunk i that holds arcs.
func (l *arcList) used(i int) int { return min(chunkSize, l.n-i*chunkSize) }

// repeated is told of several arcs between the same two nodes: how many there
// are beyond the first, and whether the sum of their weights exceeds 2^64-1.
type repeated func(row, place uint32, more int, tooHeavy bool)

// compress sorts the arcs into rows and empties the list. Weights of arcs
// between the same two nodes add up.
func (l *arcList) compress(rows int, found repeated) Arcs {
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
		out = a.mergeRow(uint32(t), lo, hi, out, found)
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
func (a *Arcs) mergeRow(t, lo, hi, out uint32, found repeated) uint32 {
	for k := lo; k < hi; {
		p, sum, more, tooHeavy := a.Place[k], a.WeightAt(k), 0, false
		for k++; k < hi && a.Place[k] == p; k++ {
			w := a.WeightAt(k)
			sum += w
			tooHeavy = tooHeavy || sum < w
			more++
		}
		if more > 0 {
			a.needWeights()
			found(t, p, more, tooHeavy)
		}
		a.Place[out] = p
		if a.Weight != nil {
			a.Weight[out] = sum
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
