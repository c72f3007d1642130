//go:build linux

package sandbox

import (
	"os"
	"path"
	"strings"
	"testing"
)

// TestViewIsDocumented wants every place that machines see on the page.
func TestViewIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/machines.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range hostView {
		names := []string{"`/" + place + "`", "`" + strings.TrimPrefix(place, "etc/") + "`"}
		if strings.HasPrefix(place, "usr/") {
			names = []string{"`" + path.Base(place) + "`"}
		}
		if !strings.Contains(string(page), names[0]) && !strings.Contains(string(page), names[len(names)-1]) {
			t.Errorf("%s is not on the page", place)
		}
	}
}

func TestOutermost(t *testing.T) {
	var many []string
	for i := range manySiblings {
		many = append(many, "usr/share/models/"+string(rune('a'+i)))
	}
	for _, c := range []struct{ paths, want []string }{
		{nil, nil},
		{[]string{"usr/share/b", "usr/share/a/c", "usr/share/a", "usr/share/a"}, []string{"usr/share/a", "usr/share/b"}},
		{[]string{"usr/share/ab", "usr/share/a"}, []string{"usr/share/a", "usr/share/ab"}},
		{many, []string{"usr/share/models"}},
	} {
		if got := outermost(c.paths); strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%q gives %q, not %q", c.paths, got, c.want)
		}
	}
}
