package prover

import (
	"math"
	"math/rand/v2"

	"podium/internal/clock"
)

// tableau is a linear program: the least cost of z >= 0 with rows * z <= bounds, where
// no bound is negative, so that z = 0 is a first solution. It is solved by the simplex
// method on the whole table.
type tableau struct {
	columns  int
	rows     [][]float64 // the columns of z, as they stand in the present basis
	slack    []int       // which variable is basic in a row: below columns one of z, else the slack of a row
	free     []int       // which variable stands in a column
	cost     []float64
	bound    []float64
	shaken   []float64 // bounds that differ a little, so that no two rows tie
	value    float64   // of the cost, negated
	patience int
}

// small is what counts as zero.
const small = 1e-9

func newTableau(rows [][]float64, bounds, cost []float64) *tableau {
	t := &tableau{columns: len(cost), rows: rows, cost: cost, bound: bounds, patience: 50 * (len(rows) + len(cost))}
	shake := rand.New(rand.NewPCG(1, uint64(len(rows))))
	for i := range rows {
		t.slack = append(t.slack, t.columns+i)
		t.shaken = append(t.shaken, bounds[i]+1e-6*(1+shake.Float64()))
	}
	for j := range cost {
		t.free = append(t.free, j)
	}
	return t
}

// below goes on until the cost is below enough, and reports whether it gets there.
func (t *tableau) below(clock *clock.Clock, enough float64) bool {
	for range t.patience {
		if -t.value < enough {
			return true
		}
		if t.improve(clock) != better {
			return false
		}
	}
	return false
}

// least goes on until the cost is least, and reports whether it gets there.
func (t *tableau) least(clock *clock.Clock) bool {
	for range t.patience {
		switch t.improve(clock) {
		case best:
			return true
		case endless:
			return false
		}
	}
	return false
}

// progress is what a step came to.
type progress uint8

const (
	better  progress = iota
	best             // nothing costs less
	endless          // the cost can be as low as one likes
)

// improve takes a step to a lower cost.
func (t *tableau) improve(clock *clock.Clock) progress {
	clock.Work(len(t.rows)*16 + len(t.cost))
	enter := -1
	for j, c := range t.cost {
		if c < -small && (enter < 0 || c < t.cost[enter]) {
			enter = j
		}
	}
	if enter < 0 {
		return best
	}
	leave, least := -1, math.Inf(1)
	for i, row := range t.rows {
		if row[enter] > 1e-7 {
			if ratio := t.shaken[i] / row[enter]; ratio < least {
				leave, least = i, ratio
			}
		}
	}
	if leave < 0 {
		return endless
	}
	t.pivot(clock, leave, enter)
	return better
}

// pivot exchanges the variable of a row and that of a column.
func (t *tableau) pivot(clock *clock.Clock, r, c int) {
	row := t.rows[r]
	factor := 1 / row[c]
	for j := range row {
		row[j] *= factor
	}
	row[c] = factor
	t.bound[r] *= factor
	t.shaken[r] *= factor
	for i, other := range t.rows {
		if i == r || other[c] == 0 {
			continue
		}
		clock.Work(len(row))
		f := other[c]
		other[c] = 0
		for j, x := range row {
			if x != 0 {
				other[j] -= f * x
			}
		}
		t.bound[i] -= f * t.bound[r]
		t.shaken[i] -= f * t.shaken[r]
	}
	f := t.cost[c]
	t.cost[c] = 0
	for j, x := range row {
		t.cost[j] -= f * x
	}
	t.value -= f * t.bound[r]
	t.slack[r], t.free[c] = t.free[c], t.slack[r]
}

// solution returns z.
func (t *tableau) solution() []float64 {
	z := make([]float64, t.columns)
	for i, v := range t.slack {
		if v < t.columns {
			z[v] = max(0, t.bound[i])
		}
	}
	return z
}

// prices returns what a larger bound of each row would be worth.
func (t *tableau) prices() []float64 {
	u := make([]float64, len(t.rows))
	for j, v := range t.free {
		if v >= t.columns {
			u[v-t.columns] = max(0, t.cost[j])
		}
	}
	return u
}
