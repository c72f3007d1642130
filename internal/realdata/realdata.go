// Package realdata is where tests find models, formulas and agreed answers: the public
// data of the contest, which is not part of the project, or samples that the program
// made itself (make samples), so that a checkout tests what matters without more.
package realdata

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Contest returns the directory of the contest's data, or skips the test.
func Contest(t testing.TB) string {
	t.Helper()
	dir := contest()
	if dir == "" {
		t.Skip("the data of the contest is not here: set PODIUM_DATA to its directory")
	}
	return dir
}

// Dir returns the directory of the contest's data, or of the samples where that is not
// here. Both have a directory instances and a file oracle.tgz; only the former has more.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := contest(); dir != "" {
		return dir
	}
	return beside("internal/realdata/samples")
}

// Least returns how much a test has to see at least to mean something: the first number
// with the contest's data, the second with the samples, which are 13 instances and 1,349
// answers.
func Least(ofContest, ofSamples int) int {
	if contest() == "" {
		return ofSamples
	}
	return ofContest
}

// contest is the directory of the contest's data, empty where it is not here.
func contest() string {
	dir := os.Getenv("PODIUM_DATA")
	if dir == "" {
		dir = beside("shared/data")
	}
	if !exists(dir) {
		return ""
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
		list = list[:min(10, len(list))]
	}
	return list
}

// beside looks for a directory in the project or next to it, from a test's directory up.
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
