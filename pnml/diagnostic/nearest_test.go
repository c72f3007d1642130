package diagnostic

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"Idle_1", "Idle_12", "Turn_0_1", "x"}
	for name, want := range map[string]string{
		"Idle_2":    "Idle_1",
		"Idle-12":   "Idle_12",
		"idle_12":   "Idle_12",
		"Turn_01":   "Turn_0_1",
		"Turn__0_1": "Turn_0_1",
		"Nothing":   "",
		"":          "",
		"x":         "x",
	} {
		if got, _ := Nearest(name, slices.Values(names)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got, ok := Nearest(string(make([]byte, 1000)), slices.Values(names)); ok {
		t.Errorf("a long name: %q", got)
	}
}

func TestDistance(t *testing.T) {
	row := make([]int, 100)
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "bc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2}} {
		if got := distance(c.a, c.b, 100, row[:len(c.b)+1]); got != c.want {
			t.Errorf("%q to %q: %d", c.a, c.b, got)
		}
	}
	if got := distance("aaaaaaaaaa", "bbbbbbbbbb", 3, row[:11]); got != 4 {
		t.Errorf("beyond the limit: %d", got)
	}
}
