package wording

import "testing"

func TestFold(t *testing.T) {
	for _, c := range []struct {
		line  string
		width int
		want  string
	}{
		{"short", 80, "short"},
		{"* walk: rank 1 -> 2, points 12.00 -> 8.00", 24, "* walk: rank 1 -> 2,\n    points 12.00 -> 8.00"},
		{"  éé éé éé éé", 10, "  éé éé éé\n      éé"},
		{"averyveryverylongword and more", 12, "averyveryverylongword\n    and more"},
		{"no room at all", 5, "no room at all"},
	} {
		if got := Fold(c.line, c.width); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.line, c.width, got, c.want)
		}
	}
}
