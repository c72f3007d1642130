package prover

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"podium/internal/witness"
)

// cube is a set of markings: those that satisfy all of some inequalities.
type cube []atom

// atom is the inequality: the sum of factors times tokens is at most a bound.
type atom struct {
	*sum
	most int64
}

// sum is a sum of factors times tokens. Equal sums of a search are the same.
type sum struct {
	terms []weighted // by place, ascending, no factor zero
}

// sums are the sums of a search, by their text.
type sums map[string]*sum

// of returns the sum of some terms.
func (s sums) of(terms []weighted) *sum {
	var key []byte
	for _, t := range terms {
		key = binary.AppendVarint(binary.AppendUvarint(key, uint64(t.place)), t.factor)
	}
	x := s[string(key)]
	if x == nil {
		x = &sum{terms}
		s[string(key)] = x
	}
	return x
}

type weighted struct {
	place  uint32
	factor int64
}

// Bounds of the numbers of atoms, which keep their products within 64 bits.
const (
	maxNumber = 1 << 40
	maxFactor = 1 << 20
)

func fits(n int64) bool { return n < maxNumber && n > -maxNumber }

// cubeOf returns the markings that satisfy inequalities of whole numbers, one atom for each.
func (s sums) cubeOf(list []witness.AtMost) (cube, bool) {
	c := make(cube, len(list))
	for i, x := range list {
		bound, ok := number(x.Bound)
		factors := map[uint32]int64{}
		for _, t := range x.Terms {
			factor, whole := number(t.Factor)
			ok = ok && whole && factor < maxFactor && factor > -maxFactor
			factors[t.Place] += factor
		}
		if !ok {
			return nil, false
		}
		var terms []weighted
		for place, factor := range factors {
			if factor != 0 {
				terms = append(terms, weighted{place, factor})
			}
		}
		slices.SortFunc(terms, func(a, b weighted) int { return int(a.place) - int(b.place) })
		c[i] = atom{s.of(terms), bound}
	}
	return c, true
}

func number(x *big.Rat) (int64, bool) {
	if !x.IsInt() || !x.Num().IsInt64() {
		return 0, false
	}
	n := x.Num().Int64()
	return n, fits(n)
}

// atMost is the inequality of an atom, or of its negation.
func (a atom) atMost(not bool) witness.AtMost {
	sign, bound := int64(1), a.most
	if not {
		sign, bound = -1, -a.most-1
	}
	x := witness.AtMost{Bound: big.NewRat(bound, 1)}
	for _, t := range a.terms {
		x.Terms = append(x.Terms, witness.Term{Factor: big.NewRat(sign*t.factor, 1), Place: t.place})
	}
	return x
}

// inequalities are those of the atoms.
func (c cube) inequalities() []witness.AtMost {
	list := make([]witness.AtMost, len(c))
	for i, a := range c {
		list[i] = a.atMost(false)
	}
	return list
}

// holds reports whether a marking satisfies an atom.
func (a atom) holds(m []uint64) bool {
	sum := new(big.Int)
	for _, t := range a.terms {
		x := new(big.Int).SetUint64(m[t.place])
		sum.Add(sum, x.Mul(x, big.NewInt(t.factor)))
	}
	return sum.Cmp(big.NewInt(a.most)) <= 0
}

func (c cube) holds(m []uint64) bool {
	return !slices.ContainsFunc(c, func(a atom) bool { return !a.holds(m) })
}

// implied returns the first atom of a cube that implies an atom, by a smaller bound of the
// same sum, -1 when there is none.
func (c cube) implied(a atom) int {
	for i, b := range c {
		if b.sum == a.sum && b.most <= a.most {
			return i
		}
	}
	return -1
}

// within reports whether all markings of a cube are in another one, as far as the atoms show
// that one by one.
func (c cube) within(d cube) bool {
	for _, a := range d {
		if c.implied(a) < 0 {
			return false
		}
	}
	return true
}

// trimmed leaves out atoms that are always true, or that another one implies.
func (c cube) trimmed() cube {
	var out cube
	for i, a := range c {
		always := a.most >= 0 && !slices.ContainsFunc(a.terms, func(t weighted) bool { return t.factor > 0 })
		if always || c[:i].implied(a) >= 0 || slices.ContainsFunc(c[i+1:], func(b atom) bool { return b.most < a.most && a.sum == b.sum }) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// key is the text of a cube.
func (c cube) key() string {
	var key []byte
	for _, a := range c {
		key = binary.AppendVarint(binary.AppendUvarint(key, uint64(len(a.terms))), a.most)
		for _, t := range a.terms {
			key = binary.AppendVarint(binary.AppendUvarint(key, uint64(t.place)), t.factor)
		}
	}
	return string(key)
}

// limits of the tokens of single places that a cube says, with the numbers of the atoms
// that say so.
type limits struct {
	low, high       map[uint32]float64
	lowest, highest map[uint32]int
}

func (c cube) limits() limits {
	l := limits{map[uint32]float64{}, map[uint32]float64{}, map[uint32]int{}, map[uint32]int{}}
	for i, a := range c {
		if len(a.terms) != 1 {
			continue
		}
		place, bound := a.terms[0].place, float64(a.most)/float64(a.terms[0].factor)
		if a.terms[0].factor < 0 {
			if old, ok := l.low[place]; !ok || bound > old {
				l.low[place], l.lowest[place] = bound, i
			}
		} else if old, ok := l.high[place]; !ok || bound < old {
			l.high[place], l.highest[place] = bound, i
		}
	}
	return l
}

// least is the least value of a sum over places within the limits, as far as they say.
func (l limits) least(x witness.AtMost) float64 {
	sum := 0.0
	for _, t := range x.Terms {
		factor, _ := t.Factor.Float64()
		if factor > 0 {
			sum += factor * max(0, l.low[t.Place])
		} else if high, ok := l.high[t.Place]; ok {
			sum += factor * high
		} else {
			return math.Inf(-1)
		}
	}
	return sum
}

// simply looks for a leaf that takes one fact or none, and inequalities of single places.
func (c cube) simply(facts []witness.AtMost) *witness.Step {
	leaf := &witness.Step{Kind: witness.Leaf}
	take := func(i int, factor *big.Rat) {
		leaf.Sum = append(leaf.Sum, witness.Part{Factor: factor, Number: i})
	}
	for i, a := range c {
		if a.most < 0 && !slices.ContainsFunc(a.terms, func(t weighted) bool { return t.factor < 0 }) {
			take(i, big.NewRat(1, 1))
			return leaf
		}
	}
	l := c.limits()
	for i, a := range c {
		if len(a.terms) != 1 || a.terms[0].factor > 0 {
			continue
		}
		place := a.terms[0].place
		if high, ok := l.high[place]; ok && high < l.low[place] {
			k := l.highest[place]
			i = l.lowest[place]
			take(i, big.NewRat(1, -c[i].terms[0].factor))
			take(k, big.NewRat(1, c[k].terms[0].factor))
			return leaf
		}
	}
	for number, x := range facts {
		bound, _ := x.Bound.Float64()
		if !(l.least(x) > bound+1e-6) {
			continue
		}
		leaf.Sum = append(leaf.Sum, witness.Part{Factor: big.NewRat(1, 1), Fact: true, Number: number})
		for _, t := range x.Terms {
			at := l.highest[t.Place]
			if t.Factor.Sign() > 0 {
				if l.low[t.Place] <= 0 {
					continue
				}
				at = l.lowest[t.Place]
			}
			factor := big.NewRat(-c[at].terms[0].factor, 1)
			take(at, factor.Quo(t.Factor, factor))
		}
		return leaf
	}
	return nil
}
