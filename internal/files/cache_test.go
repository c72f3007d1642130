package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCache: a user without a home still has a directory of their own.
func TestCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/somewhere")
	if dir := Cache(); dir != "/somewhere/podium" {
		t.Errorf("the cache is %s", dir)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if dir := Cache(); filepath.Dir(dir) != filepath.Clean(os.TempDir()) || !strings.HasPrefix(filepath.Base(dir), "podium-") {
		t.Errorf("without a home the cache is %s", dir)
	}
}

// TestRemoveAll: closed directories go, what a link leads to stays, and nothing is no error.
func TestRemoveAll(t *testing.T) {
	dir := t.TempDir()
	kept, tree := filepath.Join(dir, "kept"), filepath.Join(dir, "tree")
	if err := os.WriteFile(kept, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(tree, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, filepath.Join(tree, "a", "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(tree, "a"), 0); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := RemoveAll(tree); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(tree); !os.IsNotExist(err) {
		t.Errorf("the tree is there still: %v", err)
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
	if err := RemoveAll(filepath.Join(dir, "nowhere", "x")); err != nil {
		t.Error(err)
	}
}
