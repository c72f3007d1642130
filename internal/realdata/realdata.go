// Package realdata is where tests find the public data of the contest, which is
// not part of the project: models, formulas and agreed answers.
package realdata

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Dir gives the directory of the real data, or skips the test.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PODIUM_DATA")
	if dir == "" {
		dir = beside("shared/data")
	}
	if !exists(dir) {
		t.Skip("no real data: set PODIUM_DATA to its directory")
	}
	return dir
}

// EachFile calls visit for every regular file of an archive.
func EachFile(t testing.TB, archive string, visit func(name string, content []byte)) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		visit(h.Name, content)
	}
}

// InstanceArchives lists the archives of instances, ten of them in short tests.
func InstanceArchives(t testing.TB) []string {
	list, err := filepath.Glob(filepath.Join(Dir(t), "instances", "*.tgz"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no instances: %v", err)
	}
	if testing.Short() {
		list = list[:10]
	}
	return list
}

// beside looks for a directory next to the project, from a test's directory up.
func beside(name string) string {
	for up := ".."; len(up) < 20; up = filepath.Join(up, "..") {
		if dir := filepath.Join(up, name); exists(dir) {
			return dir
		}
	}
	return name
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
