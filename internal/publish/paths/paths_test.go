package paths

import (
	"strings"
	"testing"
)

func TestSafeNames(t *testing.T) {
	long := strings.Repeat("x", 250)
	texts := []string{"plain-1.0", "Plain-1.0", "a/b", "a\\b", "..", ".hidden", "", "index", "INDEX", "ü", "a b", long, long + "y", "plain-1.0~2", "CON:"}
	names := Names(texts)
	taken := map[string]string{}
	for i, name := range names {
		if before, twice := taken[strings.ToLower(name)]; twice {
			t.Errorf("%q and %q are both %q", before, texts[i], name)
		}
		taken[strings.ToLower(name)] = texts[i]
		if !safe(name) {
			t.Errorf("%q became %q", texts[i], name)
		}
	}
	if names[0] != "plain-1.0" {
		t.Errorf("a plain name became %q", names[0])
	}
}

// safe reports whether a name is one plain path element.
func safe(name string) bool {
	return name != "" && len(name) <= maxFileName+8 && name[0] != '.' && !strings.EqualFold(name, "index") &&
		!strings.ContainsFunc(name, func(r rune) bool { return r > 0x7e || r <= ' ' || strings.ContainsRune(`/\:*?"<>|#%&+`, r) })
}

func FuzzName(f *testing.F) {
	for _, seed := range []string{"explicit", "../../etc/passwd", "a\x00b", "", "index", strings.Repeat("é", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if name := Name(text); !safe(name) {
			t.Errorf("%q became %q", text, name)
		}
	})
}
