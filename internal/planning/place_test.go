package planning

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlaces: the root of a new file system is an empty directory.
func TestPlaces(t *testing.T) {
	for name, refused := range map[string]bool{"": false, "lost+found": false, ".hidden": false, "inputs": false, "notes.txt": true} {
		dir := t.TempDir()
		if name != "" {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := CheckPlace(dir); refused != (err != nil) || refused && !strings.Contains(err.Error(), "holds other files (notes.txt)") {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := CheckPlace(filepath.Join(t.TempDir(), "new")); err != nil {
		t.Error(err)
	}
}
