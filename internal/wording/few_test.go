package wording

import "testing"

func TestFew(t *testing.T) {
	for want, names := range map[string][]string{
		"": nil, "a": {"a"}, "a, b": {"a", "b"}, "a, b and 1 more": {"a", "b", "c"}, "a, b and 2 more": {"a", "b", "c", "d"},
	} {
		if got := Few(names, 2); got != want {
			t.Errorf("%v: %q, want %q", names, got, want)
		}
	}
}

func TestAnd(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := And(names); got != want {
			t.Errorf("And(%q) = %q, want %q", names, got, want)
		}
	}
}
