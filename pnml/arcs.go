package pnml

import (
	"math"
	"slices"
)

// arcList collects arcs in any order before they are compressed into rows. It
// grows by chunks, so that nothing is copied and little memory is held in vain.
type arcList struct {
	chunks []arcChunk
	open   *[2][chunkSize]uint32 // rows and places of the chunk that is being filled
	n      int
	odd    []oddWeight // in the order of the arcs
}

const chunkSize = 8 << 10

// arcChunk holds the rows and places of chunkSize arcs.
type arcChunk struct{ rows, places column }

// column holds numbers. Those of a chunk are mostly near each other.
type column struct {
	least uint32
	near  []uint16 // less the least, nil when some are too large
	far   []uint32
}

func newColumn(numbers []uint32) column {
	least, most := numbers[0], numbers[0]
	for _, x := range numbers {
		least, most = min(least, x), max(most, x)
	}
	if most-least > math.MaxUint16 {
		return column{far: slices.Clone(numbers)}
	}
	c := column{least: least, near: make([]uint16, len(numbers))}
	for i, x := range numbers {
		c.near[i] = uint16(x - least)
	}
	return c
}

// numbers returns them, in space that may be used for them.
func (c *column) numbers(space []uint32) []uint32 {
	if c.near == nil {
		return c.far
	}
	for i, x := range c.near {
		space[i] = c.least + uint32(x)
	}
	return space[:len(c.near)]
}

// oddWeight is the weight of one arc that is not 1.
type oddWeight struct {
	arc    int
	weight uint64
}

func (l *arcList) add(row, place uint32, weight uint64) {
	if l.open == nil {
		l.open = new([2][chunkSize]uint32)
	}
	k := l.n % chunkSize
	l.open[0][k], l.open[1][k] = row, place
	if weight != 1 {
		l.odd = append(l.odd, oddWeight{l.n, weight})
	}
	if l.n++; k == chunkSize-1 {
		l.chunks = append(l.chunks, arcChunk{newColumn(l.open[0][:]), newColumn(l.open[1][:])})
	}
}

// each calls do for the arcs of every chunk, in the order in which they were added.
func (l *arcList) each(do func(rows, places []uint32)) {
	if len(l.chunks) > 0 {
		var space [2][chunkSize]uint32
		for i := range l.chunks {
			c := &l.chunks[i]
			do(c.rows.numbers(space[0][:]), c.places.numbers(space[1][:]))
		}
	}
	if rest := l.n % chunkSize; rest > 0 {
		do(l.open[0][:rest], l.open[1][:rest])
	}
}

// repeated is told of several arcs between the same two nodes: how many there
// are beyond the first, and whether the sum of their weights exceeds 2^64-1.
type repeated func(row, place uint32, more int, tooHeavy bool)

// compress sorts the arcs into rows and empties the list. Weights of arcs
// between the same two nodes add up.
func (l *arcList) compress(rows int, found repeated) Arcs {
	a := Arcs{Start: make([]uint32, rows+1), Place: make([]uint32, l.n), Weight: NewWeights(l.n)}
	l.each(func(rows, _ []uint32) {
		for _, r := range rows {
			a.Start[r+1]++
		}
	})
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
	a.Place, a.Weight = a.Place[:out], a.Weight.Slice(0, int(out))
	return a
}

// scatter moves the arcs to their rows. It uses the starts as cursors, which
// leaves each at the start of the next row.
func (l *arcList) scatter(a *Arcs) {
	odd, n := l.odd, 0
	l.each(func(rows, places []uint32) {
		for k, r := range rows {
			at := a.Start[r]
			a.Start[r]++
			a.Place[at] = places[k]
			if len(odd) > 0 && odd[0].arc == n+k {
				a.Weight.Set(int(at), odd[0].weight)
				odd = odd[1:]
			}
		}
		if n += len(rows); n%chunkSize == 0 {
			l.chunks[n/chunkSize-1] = arcChunk{}
		}
	})
	copy(a.Start[1:], a.Start)
	a.Start[0] = 0
}

// sortRow sorts the arcs [lo, hi) by place.
func (a *Arcs) sortRow(lo, hi uint32) {
	places := a.Place[lo:hi]
	switch {
	case slices.IsSorted(places):
	case a.Weight.Slice(int(lo), int(hi)).plain():
		slices.Sort(places)
	default:
		order := make([]int, len(places))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(x, y int) int { return int(places[x]) - int(places[y]) })
		oldPlaces, oldWeights := slices.Clone(places), NewWeights(len(places))
		oldWeights.Copy(0, a.Weight.Slice(int(lo), int(hi)))
		for i, k := range order {
			places[i] = oldPlaces[k]
			a.Weight.Set(int(lo)+i, oldWeights.At(k))
		}
	}
}

// mergeRow moves the sorted arcs [lo, hi) of row t to out and adds up those to
// one place. It returns the end of the row.
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
			found(t, p, more, tooHeavy)
		}
		a.Place[out] = p
		a.Weight.Set(int(out), sum)
		out++
	}
	return out
}
