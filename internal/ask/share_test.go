package ask

import (
	"testing"

	"podium/internal/plots"
)

// TestSpotsAreShared: of too many points each tool keeps an equal share, from its first to
// near its last, and a tool with fewer keeps all.
func TestSpotsAreShared(t *testing.T) {
	var spots []plots.Spot
	for tool, n := range []int{5000, 10, 0, 3000} {
		for k := range n {
			spots = append(spots, plots.Spot{X: float64(k), Run: 4*k + tool})
		}
	}
	kept, of, last := share(spots, 4, 1000), [4]int{}, [4]float64{}
	for _, s := range kept {
		of[s.Run%4]++
		last[s.Run%4] = s.X
	}
	if of != [4]int{495, 10, 0, 495} || last[0] < 4900 || last[3] < 2900 {
		t.Errorf("of each tool there are %v, the last ones %v", of, last)
	}
	if all := share(spots, 4, len(spots)); len(all) != len(spots) {
		t.Errorf("%d of %d spots", len(all), len(spots))
	}
}
