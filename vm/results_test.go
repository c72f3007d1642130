package vm

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// archiveOf is an archive of files, with their content by name.
func archiveOf(files ...[2]string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		_ = w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f[0], Size: int64(len(f[1])), Mode: 0o644})
		_, _ = w.Write([]byte(f[1]))
	}
	_ = w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "link", Linkname: "/etc"})
	_ = w.Close()
	return b.Bytes()
}

// takeTar takes the files of an archive.
func takeTar(archive []byte, dir string, bound SideLimit) (warnings []string, err error) {
	r, err := OpenResults(&Job{SideOut: dir, SideLimit: bound})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	err = r.AddTar(bytes.NewReader(archive))
	return r.Warnings(), err
}

func TestResultsOfAnArchive(t *testing.T) {
	whole := archiveOf([2]string{"./a.w", "1"}, [2]string{"d/b.w", "22"}, [2]string{"../c.w", "3"}, [2]string{"link/d.w", "4"}, [2]string{"e.txt", "5"})
	for _, c := range []struct {
		name     string
		archive  []byte
		bound    SideLimit
		want     string
		warnings int
	}{
		{"all", whole, SideLimit{}, "a.w d/b.w e.txt link/d.w", 0},
		{"by suffix", whole, SideLimit{Suffix: ".w"}, "a.w d/b.w link/d.w", 0},
		{"few", whole, SideLimit{Files: 2}, "a.w d/b.w", 1},
		{"small", whole, SideLimit{Bytes: 1}, "a.w", 1},
		{"torn", whole[:1100], SideLimit{}, "a.w", 1},
		{"twice", archiveOf([2]string{"a", "1"}, [2]string{"a", "2"}), SideLimit{}, "a", 1},
		{"below a file", archiveOf([2]string{"a", "1"}, [2]string{"a/b", "2"}), SideLimit{}, "a", 1},
		{"a name that is too long", archiveOf([2]string{strings.Repeat("a/", MaxResultName/2) + "b", "1"}, [2]string{"c", "2"}), SideLimit{}, "c", 1},
		{"a name that cannot be", archiveOf([2]string{strings.Repeat("a", 300), "1"}), SideLimit{}, "", 1},
		{"none", []byte("x"), SideLimit{}, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			warnings, err := takeTar(c.archive, dir, c.bound)
			if got := strings.Join(filesOf(t, dir), " "); err != nil || got != c.want || len(warnings) != c.warnings {
				t.Errorf("%q, %q, %v", got, warnings, err)
			}
		})
	}
	if _, err := takeTar(whole, filepath.Join(t.TempDir(), "missing"), SideLimit{}); err == nil {
		t.Error("a directory of ours that is missing is no error")
	}
}

func filesOf(t *testing.T, dir string) []string {
	var list []string
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			list = append(list, strings.TrimPrefix(file, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// FuzzResults: whatever an archive says, only its files are made, below the
// directory and within the bound.
func FuzzResults(f *testing.F) {
	f.Add(archiveOf([2]string{"./a.w", "1"}, [2]string{"d/../../b.w", "22"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "below")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		bound := SideLimit{Files: 3, Bytes: 100}
		if _, err := takeTar(b, dir, bound); err != nil {
			t.Errorf("a guest's archive is our error: %v", err)
		}
		files, size := filesOf(t, parent), int64(0)
		for _, file := range files {
			info, err := os.Lstat(filepath.Join(parent, file))
			if err != nil || !info.Mode().IsRegular() || !strings.HasPrefix(file, "below/") {
				t.Fatalf("%s: %v, %v", file, info, err)
			}
			size += info.Size()
		}
		if len(files) > bound.Files || size > bound.Bytes {
			t.Errorf("%d files, %d bytes", len(files), size)
		}
	})
}

// TestResultsLimit: the limit of disk space bounds results that have no limit of
// their own, and what was taken counts.
func TestResultsLimit(t *testing.T) {
	full := errors.New("full")
	var taken []string
	r := NewResults(&Job{Limits: Limits{Disk: 10}}, func(name string, size int64, from io.Reader) error {
		taken = append(taken, name)
		if name == "full" {
			return full
		}
		return nil
	})
	for _, f := range []struct {
		name string
		size int64
	}{{"sparse", 1 << 40}, {"a", 6}, {"b", 5}, {"c", 4}} {
		if err := r.Add(f.name, f.size, nil); err != nil {
			t.Error(err)
		}
	}
	if err := r.Add("full", 0, nil); err != full {
		t.Errorf("the taker's error is %v", err)
	}
	if !slices.Equal(taken, []string{"a", "c", "full"}) || r.Limit().Bytes != 0 || len(r.Warnings()) != 1 {
		t.Errorf("%q, %+v, %q", taken, r.Limit(), r.Warnings())
	}
}
