package wording

import "testing"

// TestCut keeps both ends of a name, or its beginning.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{{"lola", 4, "lola"}, {"", 1, ""}, {"Angiogenesis-PT-50", 9, "Angi…T-50"}, {"Angiogenesis-PT-50", 10, "Angio…T-50"}, {"ÄÖÜß", 3, "Ä…ß"}, {"ab", 1, "…"}} {
		if got := Cut(c.name, c.width); got != c.want {
			t.Errorf("%q in %d characters is %q, want %q", c.name, c.width, got, c.want)
		}
	}
	for want, width := range map[string]int{"Angio…": 6, "Angiogenesis": 12, "…": 1} {
		if got := CutEnd("Angiogenesis", width); got != want {
			t.Errorf("in %d characters: %q, want %q", width, got, want)
		}
	}
}
