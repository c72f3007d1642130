package compare

import (
	"math"
	"slices"
	"testing"
)

// TestSignedRankTable: critical values of Wilcoxon's test, two-sided at 5 %, as
// published tables have them; one more value lies in the tail, because 0 does.
func TestSignedRankTable(t *testing.T) {
	for n, critical := range map[int]int{5: -1, 6: 0, 7: 2, 8: 3, 10: 8, 15: 25, 20: 52, 25: 89, 30: 137, 50: 434} {
		if got := excluded(n, 0.025); got != critical+1 {
			t.Errorf("n = %d: %d values in the tail, not %d", n, got, critical+1)
		}
	}
	if got := fewest(0.025); got != 6 {
		t.Errorf("an interval needs %d observations, not 6", got)
	}
}

// TestNormalIsCloseToExact: where the normal distribution takes over, it differs by
// little from the computed one.
func TestNormalIsCloseToExact(t *testing.T) {
	const n = exactUpTo + 1
	for _, tail := range []float64{0.025, 0.005, 0.0005} {
		sum, exact := 0.0, 0
		for _, p := range signedRanks(n) {
			if sum += p; sum > tail {
				break
			}
			exact++
		}
		if got := excluded(n, tail); math.Abs(float64(got-exact)) > float64(exact)/100 {
			t.Errorf("tail %g: %d, not %d", tail, got, exact)
		}
	}
}

// TestShift: the estimate and its interval move with the observations and turn
// around with their signs.
func TestShift(t *testing.T) {
	list := []float64{-1, 0.5, 1, 2, 2.5, 3, 4, 7}
	centre, low, high, ok := shift(list, 0.025)
	if !ok || !near(low, 0.5) || !near(high, 4.75) || !near(centre, 2.25) {
		t.Errorf("%g in [%g, %g], %v", centre, low, high, ok)
	}
	var turned []float64
	for _, x := range list {
		turned = slices.Insert(turned, 0, 10-x)
	}
	c, l, h, _ := shift(turned, 0.025)
	if !near(c, 10-centre) || !near(l, 10-high) || !near(h, 10-low) {
		t.Errorf("turned: %g in [%g, %g]", c, l, h)
	}
	if _, _, _, ok := shift(list[:5], 0.025); ok {
		t.Error("five observations have an interval")
	}
}

// TestEqualFiguresClaimNothing: observations of which so many are 0 that an end of the
// interval is 0; that is no change.
func TestEqualFiguresClaimNothing(t *testing.T) {
	list := []float64{0, 0, 0, 0, 0, 0, 0, 0, 0.1, 0.2}
	if _, low, _, ok := shift(list, 0.025); !ok || math.Exp(low) > 1 {
		t.Errorf("the interval begins at %g", low)
	}
}

// TestManyModels: a hundred thousand observations are no trouble.
func TestManyModels(t *testing.T) {
	list := make([]float64, 100_001)
	for i := range list {
		list[i] = float64(i-50_000) / 1e6
	}
	if centre, low, high, ok := shift(list, 0.025); !ok || !near(centre, 0) || low > -1e-5 || low < -1e-3 || !near(low, -high) {
		t.Errorf("%g in [%g, %g]", centre, low, high)
	}
}

// near allows for the width to which an interval is halved.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// TestUnlikely: the probability of five heads of five coins is 1/32.
func TestUnlikely(t *testing.T) {
	if unlikely(5, 5, 0.03) || !unlikely(5, 5, 0.04) || unlikely(0, 0, 0.5) || unlikely(3, 6, 0.3) {
		t.Error("wrong probability of heads")
	}
}
