package scoring

import (
	"cmp"
	"math/big"
	"slices"
	"strings"
)

// Worth splits the points of a run into addends, in points of the ranking.
// Every addend is a decimal fraction that can be printed in full, and the
// addends add up to the score of the run. Where the rules round the sum of a
// run, the last addend is the difference that rounding made. Equal answers have
// equal points.
type Worth struct {
	Addends []Addend
	Factors []Addend // what made points of the ranking out of raw points; their Points are the factor
}

// Addend is an item with its points in the ranking. Equal items share the numbers,
// which are not to be changed.
type Addend struct {
	Item   Item
	Points *big.Rat // points of the ranking
	// Raw is the number of points that the rule states, before all factors; nil
	// where there is none.
	Raw *big.Rat
}

// Points turns units into points, exactly.
func (s *Scheme) Points(units int64) *big.Rat { return big.NewRat(units, s.Unit) }

// PointsText writes units as points, with at most six decimals: "12", "-10.13".
func (s *Scheme) PointsText(units int64) string { return PointsText(s.Points(units)) }

// PointsText writes points with at most six decimals.
func PointsText(points *big.Rat) string {
	text := points.FloatString(6)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// grid is the number of the smallest printed parts in a point: hundredths, or
// millionths where the unit needs them.
func (s *Scheme) grid() *big.Rat {
	if 100%s.Unit == 0 {
		return big.NewRat(100, 1)
	}
	return big.NewRat(1_000_000, 1)
}

// worth accounts for the points of a run, in units, by the items that were booked
// for it. It goes back from the last item to the first, so that it knows the factors
// that came after each.
func (s *Scheme) worth(items []Item, total int64) Worth {
	var w Worth
	left, grid := s.Points(total), s.grid()
	factor, rule := big.NewRat(1, 1), ""
	raw := s.Points(1)              // of one unit
	same := map[int64][2]*big.Rat{} // points and raw points of equal items between two factors
	for i := len(items) - 1; i >= 0; i-- {
		item := items[i]
		if !item.Factor() {
			worth, known := same[item.Points]
			if !known {
				worth[0] = rounded(new(big.Rat).Mul(s.Points(item.Points), factor), grid)
				if len(w.Factors) > 0 {
					worth[1] = new(big.Rat).Mul(big.NewRat(item.Points, 1), raw)
				}
				same[item.Points] = worth
			}
			a := Addend{Item: item, Points: worth[0], Raw: worth[1]}
			left.Sub(left, a.Points)
			w.Addends = append(w.Addends, a)
			continue
		}
		clear(same)
		ratio := big.NewRat(item.Num, item.Den)
		factor.Mul(factor, ratio)
		if item.Reason == WeightOfFamily { // it makes units of the ranking out of raw points
			ratio.Mul(ratio, s.Points(1))
			raw, rule = big.NewRat(1, 1), item.Rule
		}
		w.Factors = append(w.Factors, Addend{Item: item, Points: ratio})
	}
	slices.Reverse(w.Addends)
	slices.Reverse(w.Factors)
	if left.Sign() != 0 {
		w.Addends = append(w.Addends, Addend{Item: Item{Rule: cmp.Or(rule, items[len(items)-1].Rule), Reason: Rounding, Value: wholeRun}, Points: left})
	}
	return w
}

// rounded is x as a number of the parts that grid makes of a point, a half
// rounded away from zero.
func rounded(x, grid *big.Rat) *big.Rat {
	parts := new(big.Rat).Mul(x, grid)
	whole, ok := new(big.Int).SetString(parts.FloatString(0), 10)
	if !ok {
		return x // a ratio always has digits
	}
	return parts.Quo(new(big.Rat).SetInt(whole), grid)
}
