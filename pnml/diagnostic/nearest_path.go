package diagnostic

import (
	"os"
	"path/filepath"
	"slices"
)

// mostBeside is how many names of a directory are compared with one that is not in it.
const mostBeside = 10_000

// NearestPath returns the path in the same directory whose name is most like that of a
// path that does not exist, as [Nearest] does for names.
func NearestPath(path string) (string, bool) {
	parent := filepath.Dir(path)
	if info, err := os.Stat(parent); err != nil || !info.IsDir() { // a pipe would wait for its writer
		return "", false
	}
	dir, err := os.Open(parent)
	if err != nil {
		return "", false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(mostBeside)
	names = slices.DeleteFunc(names, func(name string) bool { return name == filepath.Base(path) }) // a link to nowhere
	slices.Sort(names)
	near, ok := Nearest(filepath.Base(path), slices.Values(names))
	return filepath.Join(parent, near), ok
}
