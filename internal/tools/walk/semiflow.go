package walk

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"

	"podium/pnml"
)

// semiflow is a weighting of places, none negative, that no firing raises: a
// solution y >= 0 of y C <= 0, where C is the incidence matrix. So y m is at
// most y m0 in every reachable marking m.
type semiflow struct {
	weight map[int]int64 // place -> positive weight
	total  *big.Int      // y m0
}

// Limits of the search for semiflows: rows kept, combinations tried in one
// step, numbers kept, and numbers looked at in all.
const (
	maxRows    = 4000
	maxPairs   = 1 << 18
	maxEntries = 1 << 21
	maxWork    = 1 << 25
)

// row is a combination of places under construction.
type row struct {
	weight map[int]int64 // place -> weight
	effect map[int]int64 // transition -> change of the weighted sum
	first  int           // its first place
}

// semiflows searches for semiflows twice: once with all rows that fall kept,
// which finds bounds of tokens that vanish, and once without, which has far
// fewer rows and so gets to the end on more nets. What is found is sound, and
// may be incomplete, the more so when the context ends.
func semiflows(ctx context.Context, net *pnml.Net) []semiflow {
	return append(search(ctx, net, true), search(ctx, net, false)...)
}

// search is Farkas' elimination, transition by transition, dropping
// combinations when there are too many. Rows that fall are kept, or dropped
// with the rows they are combined with.
func search(ctx context.Context, net *pnml.Net, falling bool) []semiflow {
	rows := placeRows(net)
	c := newCensus(net.Transitions.Len(), rows)
	for work := 0; work < maxWork && ctx.Err() == nil; {
		t, ok := c.cheapest()
		if !ok {
			break
		}
		var entries int
		rows, entries = eliminate(rows, t, falling, c)
		work += entries + net.Transitions.Len()
	}
	rows = slices.DeleteFunc(rows, row.rises)
	flows := make([]semiflow, len(rows))
	for i, r := range rows {
		flows[i] = semiflow{r.weight, new(big.Int)}
		term := new(big.Int)
		for p, w := range r.weight {
			term.SetUint64(net.Initial[p])
			flows[i].total.Add(flows[i].total, term.Mul(term, big.NewInt(w)))
		}
	}
	return flows
}

// placeRows makes a row of every place whose arcs are in range.
func placeRows(net *pnml.Net) []row {
	rows := make([]row, net.Places.Len())
	for p := range rows {
		rows[p] = row{map[int]int64{p: 1}, map[int]int64{}, p}
	}
	for t := range net.Transitions.Len() {
		for _, c := range effect(net, t) {
			if c.amount > math.MaxInt32 {
				rows[c.place].effect = nil
			}
			if rows[c.place].effect == nil {
				continue
			}
			rows[c.place].effect[t] = int64(c.amount)
			if c.down {
				rows[c.place].effect[t] = -int64(c.amount)
			}
		}
	}
	return slices.DeleteFunc(rows, func(r row) bool { return r.effect == nil })
}

// rises reports whether some transition raises the weighted sum.
func (r row) rises() bool {
	for _, e := range r.effect {
		if e > 0 {
			return true
		}
	}
	return false
}

// census counts the rows that each transition raises and lowers.
type census struct{ up, down []int }

func newCensus(transitions int, rows []row) *census {
	c := &census{make([]int, transitions), make([]int, transitions)}
	for _, r := range rows {
		c.add(r, 1)
	}
	return c
}

func (c *census) add(r row, n int) {
	for t, e := range r.effect {
		if e > 0 {
			c.up[t] += n
		} else {
			c.down[t] += n
		}
	}
}

// cheapest returns the transition that raises some row and whose elimination
// makes the fewest new rows.
func (c *census) cheapest() (int, bool) {
	best, cost := -1, 0
	for t, n := range c.up {
		if n > 0 && (best < 0 || n*c.down[t] < cost) {
			best, cost = t, n*c.down[t]
		}
	}
	return best, best >= 0
}

// eliminate replaces the rows that raise transition t by their combinations
// with rows that t lowers. Rows that t lowers stay when falling says so: t may
// only lower them. It also tells how many numbers the rows hold.
func eliminate(rows []row, t int, falling bool, c *census) (next []row, entries int) {
	var up, down []row
	for _, r := range rows {
		entries += r.size()
		switch e := r.effect[t]; {
		case e > 0:
			up = append(up, r)
			c.add(r, -1)
			continue
		case e < 0:
			down = append(down, r)
			if !falling {
				c.add(r, -1)
				continue
			}
		}
		next = append(next, r)
	}
	bySize := func(a, b row) int { return cmp.Or(cmp.Compare(a.size(), b.size()), cmp.Compare(a.first, b.first)) }
	slices.SortStableFunc(up, bySize)
	slices.SortStableFunc(down, bySize)
	pairs := 0
	for _, u := range up {
		for _, d := range down {
			if pairs++; pairs > maxPairs || len(next) > maxRows || entries > maxEntries {
				return next, entries
			}
			if r, ok := combine(u, d, t); ok {
				next = append(next, r)
				entries += r.size()
				c.add(r, 1)
			}
		}
	}
	return next, entries
}

// size is the number of numbers that a row holds.
func (r row) size() int { return len(r.weight) + len(r.effect) }

// combine adds multiples of two rows so that t changes nothing, or fails when
// a number grows too large.
func combine(u, d row, t int) (row, bool) {
	a, b := -d.effect[t], u.effect[t]
	g := gcd(a, b)
	a, b = a/g, b/g
	r := row{make(map[int]int64, len(u.weight)+len(d.weight)), make(map[int]int64, len(u.effect)+len(d.effect)), min(u.first, d.first)}
	if !addTo(r.weight, u.weight, a) || !addTo(r.weight, d.weight, b) || !addTo(r.effect, u.effect, a) || !addTo(r.effect, d.effect, b) {
		return row{}, false
	}
	common := int64(0)
	for _, m := range []map[int]int64{r.weight, r.effect} {
		for _, v := range m {
			common = gcd(common, max(v, -v))
		}
	}
	for _, m := range []map[int]int64{r.weight, r.effect} {
		for k, v := range m {
			m[k] = v / common
		}
	}
	return r, true
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// addTo adds factor times from to m, and fails when a number leaves 31 bits.
func addTo(m, from map[int]int64, factor int64) bool {
	if factor > math.MaxInt32 {
		return false
	}
	for k, v := range from {
		sum := m[k] + factor*v
		if sum > math.MaxInt32 || sum < -math.MaxInt32 {
			return false
		}
		if sum == 0 {
			delete(m, k)
			continue
		}
		m[k] = sum
	}
	return true
}

// placeBounds returns for every place a number that its tokens never exceed, nil
// where no semiflow shows one.
func placeBounds(flows []semiflow, places int) []*big.Int {
	bounds := make([]*big.Int, places)
	for _, f := range flows {
		for p, w := range f.weight {
			bounds[p] = smaller(bounds[p], new(big.Int).Div(f.total, big.NewInt(w)))
		}
	}
	return bounds
}

// upperBound is a number that the sum of the places never exceeds, or nil when
// no semiflows show one: the whole sum by one semiflow that holds all places,
// or each place by its own bound.
func upperBound(flows []semiflow, each []*big.Int, places []uint32) *big.Int {
	var best *big.Int
	for _, f := range flows {
		least := int64(math.MaxInt64)
		for _, p := range places {
			if least = min(least, f.weight[int(p)]); least == 0 {
				break
			}
		}
		if least > 0 {
			best = smaller(best, new(big.Int).Div(f.total, big.NewInt(least)))
		}
	}
	total := new(big.Int)
	for _, p := range places {
		if each[p] == nil {
			return best
		}
		total.Add(total, each[p])
	}
	return smaller(best, total)
}

// smaller is the smaller of two numbers, of which the first may be nil.
func smaller(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) < 0 {
		return b
	}
	return a
}
