package publish

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFiguresForPapers writes the figures twice: the same bytes, in three forms that are
// what they are called.
func TestFiguresForPapers(t *testing.T) {
	c := fixture(1, 3, 7)
	c.Categories = c.Categories[:2]
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, dir := range []string{first, second} {
		if err := WriteFigures(t.Context(), dir, c); err != nil {
			t.Fatal(err)
		}
	}
	one, two := digests(t, first), digests(t, second)
	forms := map[string]int{}
	for name, sum := range one {
		if two[name] != sum {
			t.Errorf("%s differs", name)
		}
		forms[filepath.Ext(name)]++
		text, err := os.ReadFile(filepath.Join(first, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".png":
			if picture, err := png.Decode(bytes.NewReader(text)); err != nil || picture.Bounds().Dx() < 900 {
				t.Errorf("%s: %v, %v", name, err, picture.Bounds())
			}
		case ".pdf":
			if !bytes.HasPrefix(text, []byte("%PDF-")) {
				t.Errorf("%s is no PDF", name)
			}
		case ".svg":
			if !strings.Contains(string(text), "<title") {
				t.Errorf("%s has no title", name)
			}
		}
	}
	// Two categories twice, two over time, three pairs, one of sets, one ladder (one model has two
	// nets of a kind), four of tools together, and the computers.
	if forms[".svg"] != forms[".png"] || forms[".svg"] != forms[".pdf"] || forms[".svg"] != 4+2+3+1+1+4+len(c.Drift) || len(one) != 3*forms[".svg"]+1 {
		t.Errorf("%v of %d files", forms, len(one))
	}
	for _, name := range []string{"cactus-StateSpace.pdf", "upset.png", "anytime.svg", "ladders/Philosophers-PT.pdf", "pairs/explicit/walk.pdf", "hardness.svg", "virtual.pdf", "techniques.png", "agreement.svg"} {
		if one[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	if err := WriteFigures(t.Context(), filepath.Join(t.TempDir(), "c"), nothing()); err == nil || !strings.Contains(err.Error(), "no runs") {
		t.Errorf("a contest without runs: %v", err)
	}
}
