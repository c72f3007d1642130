package compare

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// exactUpTo is the number of observations up to which the distribution of the
// signed-rank statistic is computed; above it the normal distribution is close.
const exactUpTo = 100

// excluded is how many of the smallest, and as many of the largest, averages of two
// observations lie outside of the confidence interval: the number of values t of the
// signed-rank statistic of n observations with P(T <= t) <= tail. It is 0 where n is
// too small for such an interval.
func excluded(n int, tail float64) int {
	if n > exactUpTo {
		mean := float64(n*(n+1)) / 4
		deviation := math.Sqrt(float64(n*(n+1)*(2*n+1)) / 24)
		return max(0, int(math.Floor(mean+deviation*distuv.UnitNormal.Quantile(tail)-0.5))+1)
	}
	sum, t := 0.0, 0
	for _, p := range signedRanks(n) {
		if sum += p; sum > tail {
			break
		}
		t++
	}
	return t
}

// signedRanks returns the probability of each value of the signed-rank statistic: the
// sum of those of the ranks 1 to n whose sign is positive, when all signs are alike.
func signedRanks(n int) []float64 {
	p := make([]float64, n*(n+1)/2+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for t := rank * (rank + 1) / 2; t >= 0; t-- {
			with := 0.0
			if t >= rank {
				with = p[t-rank]
			}
			p[t] = (p[t] + with) / 2
		}
	}
	return p
}

// fewest is the smallest number of observations for which excluded is not 0.
func fewest(tail float64) int { return max(1, int(math.Ceil(-math.Log2(tail)))) }

// shift is the Hodges-Lehmann estimate of the centre of sorted observations, and the
// ends of its interval. ok is false where there are too few for an interval; the
// centre is given all the same.
func shift(sorted []float64, tail float64) (centre, low, high float64, ok bool) {
	n := len(sorted)
	all := n * (n + 1) / 2
	below, _ := average(sorted, (all+1)/2)
	_, above := average(sorted, all/2+1)
	centre = (below + above) / 2
	out := excluded(n, tail)
	if out == 0 {
		return centre, 0, 0, false
	}
	low, _ = average(sorted, out)
	_, high = average(sorted, all+1-out)
	return centre, low, high, true
}

// halvings is how often an interval is halved: its width is then far below the
// precision of a measured ratio.
const halvings = 64

// average finds the k-th smallest mean of two observations, or of one with itself,
// between two numbers that are next to equal. The means are too many to be listed
// where each file of a large benchmark counts as a model.
func average(sorted []float64, k int) (below, above float64) {
	below, above = sorted[0]-1e-9, sorted[len(sorted)-1]
	for range halvings {
		if half := below + (above-below)/2; atMost(sorted, half) >= k {
			above = half
		} else {
			below = half
		}
	}
	return below, above
}

// atMost counts the means of two observations that are no larger than x.
func atMost(sorted []float64, x float64) (count int) {
	j := len(sorted) - 1
	for i := range sorted {
		for j >= i && (sorted[i]+sorted[j])/2 > x {
			j--
		}
		if j < i {
			break
		}
		count += j - i + 1
	}
	return count
}

// middle is the median of sorted numbers. Of an even number it is the mean of the
// two in the middle, so that it has no bias to one side; stat.Quantile would take
// the lower one.
func middle(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// unlikely reports whether k or more of n coins show heads with a probability of at most
// the given one.
func unlikely(k, n int, probability float64) bool {
	if k == 0 {
		return false
	}
	return 1-distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(k-1)) <= probability
}
