package publish

import (
	"os"
	"path/filepath"
	"testing"
)

// published writes a contest to a directory that ends with the test; the
// variable PODIUM_KEEP_SITE names a directory to keep it in instead, to look at.
func publishedSite(t testing.TB, c *Contest) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "published")
	if keep := os.Getenv("PODIUM_KEEP_SITE"); keep != "" {
		dir = filepath.Join(keep, t.Name())
	}
	if err := Write(dir, c); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestWriteFixture(t *testing.T) {
	dir := publishedSite(t, fixture(1, 4, 12))
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		t.Fatal(err)
	}
}
