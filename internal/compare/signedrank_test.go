package compare

import (
	"math"
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
	if !ok || low > centre || centre > high || low != 0.5 || high != 4.75 {
		t.Errorf("%g in [%g, %g], %v", centre, low, high, ok)
	}
	var turned []float64
	for _, x := range list {
		turned = append(turned, 10-x)
	}
	c, l, h, _ := shift(turned, 0.025)
	if c != 10-centre || l != 10-high || h != 10-low {
		t.Errorf("turned: %g in [%g, %g]", c, l, h)
	}
	if _, _, _, ok := shift(list[:5], 0.025); ok {
		t.Error("five observations have an interval")
	}
}

// TestUnlikely: the probability of five heads of five coins is 1/32.
func TestUnlikely(t *testing.T) {
	if unlikely(5, 5, 0.03) || !unlikely(5, 5, 0.04) || unlikely(0, 0, 0.5) || unlikely(3, 6, 0.3) {
		t.Error("wrong probability of heads")
	}
}
