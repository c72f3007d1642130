package wording

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 runs are", 1: "1 run is", 2: "2 runs are", 11: "11 runs are"} {
		if got := Count(n, "run is", "runs are"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	for n, want := range map[int]string{0: "0 of 7 runs are", 1: "1 of 7 runs is", 7: "7 of 7 runs are"} {
		if got := Part(n, 7, "runs is", "runs are"); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
