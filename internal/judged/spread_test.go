package judged

import "testing"

// TestSpread: the sample 1, 2, 3, 10 has the mean 4 and the deviation of 50/3.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		list []int64
		want Spread
	}{
		{nil, Spread{}},
		{[]int64{5}, Spread{1, 5, 5, 5, 5, 0}},
		{[]int64{10, 2, 3, 1}, Spread{4, 4, 2, 1, 10, 4}},
		{[]int64{1e15 + 2, 1e15}, Spread{2, 1e15 + 1, 1e15 + 1, 1e15, 1e15 + 2, 1}},
	} {
		if got := SpreadOf(c.list); got != c.want {
			t.Errorf("%v spread by %+v, want %+v", c.list, got, c.want)
		}
	}
}
