package diagnostic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
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

func TestNearestPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"Desk-PT-1", "Desk-PT-22", "other"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"Desk-PT-222": "Desk-PT-22", "desk-PT-1": "Desk-PT-1", "nothing": "", "no/Desk-PT-1": ""} {
		got, ok := NearestPath(filepath.Join(dir, name))
		if ok != (want != "") || ok && got != filepath.Join(dir, want) {
			t.Errorf("%s: %q %v, want %q", name, got, ok, want)
		}
	}
}

func TestDistance(t *testing.T) {
	row, before := make([]int, 100), make([]int, 100)
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "bc", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"palce", "place", 1}, {"xabcd", "badcy", 3}, {"abcd", "badc", 2}, {"ca", "abc", 3}} {
		if got := distance(c.a, c.b, 100, row[:len(c.b)+1], before[:len(c.b)+1]); got != c.want {
			t.Errorf("%q to %q: %d", c.a, c.b, got)
		}
	}
	if got := distance("aaaaaaaaaa", "bbbbbbbbbb", 3, row[:11], before[:11]); got != 4 {
		t.Errorf("beyond the limit: %d", got)
	}
}

func TestInstead(t *testing.T) {
	many := make([]string, 30)
	for i := range many {
		many[i] = string(rune('a'+i%26)) + "-place"
	}
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"explict", []string{"walk", "explicit"}, "; the nearest is explicit"},
		{"nothing", []string{"walk", "explicit"}, "; there are walk, explicit"},
		{"nothing", nil, "; there are none"},
		{"tokenring", []string{"TokenRingMutex", "KanbanCells"}, "; the nearest is TokenRingMutex"},
		{"TokenRing", []string{"TokenRingMutex", "TokenRingTimed"}, "; there are TokenRingMutex, TokenRingTimed"},
		{"", []string{"walk"}, "; there are walk"},
	} {
		if got := Instead(c.name, c.known); got != c.want {
			t.Errorf("%s among %v: %q", c.name, c.known, got)
		}
	}
	if got := Instead("nothing", many); !strings.HasSuffix(got, "t-place and 10 more") {
		t.Errorf("many names: %q", got)
	}
}

func TestBrief(t *testing.T) {
	list := List{{Code: "a", Message: "1"}, {Code: "b", Message: "2"}, {Code: "a", Message: "3"}, {Code: "a", Message: "4"}, {Code: "c", Message: "5"}}
	want := []string{"1 [a]", "2 [b]", "3 [a] (and 1 more like this)", "5 [c]"}
	if got := list.Brief(2); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
