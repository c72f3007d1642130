//go:build linux

package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tarOf makes an archive; a header with the name of a file has it as content.
func tarOf(t testing.TB, headers ...tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(h.Name))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			if _, err := io.WriteString(w, h.Name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveEntries(t *testing.T) {
	reg := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o4755} }
	for _, c := range []struct {
		name    string
		headers []tar.Header
		want    string
		err     string
	}{
		{"order and parents", []tar.Header{reg("./b/c"), reg("a"), {Typeflag: tar.TypeDir, Name: "b/", Mode: 0o700}}, "a b/ b/c", ""},
		{"absolute names", []tar.Header{reg("/usr/bin/x")}, "usr/ usr/bin/ usr/bin/x", ""},
		{"links", []tar.Header{reg("bin/x"), {Typeflag: tar.TypeLink, Name: "bin/y", Linkname: "bin/x"}, {Typeflag: tar.TypeSymlink, Name: "sh", Linkname: "/bin/x"}},
			"bin/ bin/x bin/y=bin/x sh", ""},
		{"devices", []tar.Header{{Typeflag: tar.TypeChar, Name: "dev/null"}, {Typeflag: tar.TypeFifo, Name: "f"}, reg("x")}, "x", ""},
		{"twice", []tar.Header{reg("x"), {Typeflag: tar.TypeSymlink, Name: "x", Linkname: "y"}}, "x", ""},
		{"outside", []tar.Header{reg("a/../../x")}, "", "outside"},
		{"link to nothing", []tar.Header{{Typeflag: tar.TypeLink, Name: "y", Linkname: "x"}}, "", "not in the archive"},
		{"below a file", []tar.Header{reg("x"), reg("x/y")}, "", "no directory"},
	} {
		list, err := archiveEntries(bytes.NewReader(tarOf(t, c.headers...)), 7)
		var got []string
		for _, e := range list {
			s := e.name
			if e.mode.IsDir() {
				s += "/"
			} else if e.open != nil {
				f, err := e.open()
				if err != nil {
					t.Fatal(err)
				}
				if content, err := io.ReadAll(f); err != nil {
					t.Error(err)
				} else if name := strings.TrimPrefix(strings.TrimPrefix(string(content), "./"), "/"); name != e.name {
					s += "=" + name
				}
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func FuzzArchiveEntries(f *testing.F) {
	f.Add(tarOf(f, tar.Header{Typeflag: tar.TypeReg, Name: "a/b"}, tar.Header{Typeflag: tar.TypeLink, Name: "c", Linkname: "a/b"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := archiveEntries(bytes.NewReader(b), 0)
		for _, e := range list {
			if err == nil && (!filepath.IsLocal(e.name) || e.open != nil && e.size > int64(len(b))) {
				// A size beyond the archive is found when it is read.
				if filepath.IsLocal(e.name) && copyEntry(io.Discard, e) != nil {
					continue
				}
				t.Errorf("%+v", e)
			}
		}
	})
}

// leaving is a reader that is gone after the first empty block.
type leaving struct{ gone bool }

func (l *leaving) Write(b []byte) (int, error) {
	if l.gone {
		return 0, syscall.EPIPE
	}
	const block = 512
	l.gone = len(b) >= block && len(bytes.Trim(b[len(b)-block:], "\x00")) == 0
	return len(b), nil
}

// TestArchiveEnd: who reads an archive may be gone after the first of the blocks at
// its end, wherever buffers end.
func TestArchiveEnd(t *testing.T) {
	for files := range 70 {
		var list []entry
		for i := range files {
			content := strings.Repeat("x", 1024)
			list = append(list, entry{name: strconv.Itoa(i), size: 1024, open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(content)), nil
			}})
		}
		if err := writeTar(new(leaving), list); err != nil {
			t.Errorf("%d files: %v", files, err)
		}
	}
}

// TestImage makes images of a tool as a directory and as an archive.
func TestImage(t *testing.T) {
	needSquash(t)
	if _, err := exec.LookPath("busybox"); err != nil {
		t.Skipf("SKIPPED, no image is made: apt-get install %s", BusyboxPackage)
	}
	store, dir := openStore(t), t.TempDir()
	tool := filepath.Join(dir, "tool")
	writeTree(t, tool, map[string]string{"BenchKit_head.sh": "#!/bin/sh\n", "bin/x": "x"})
	if err := os.Chmod(tool, 0o755); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	if err := errors.Join(w.AddFS(os.DirFS(tool)), w.Close(), z.Close(), os.WriteFile(tool+".tgz", packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	first, err := Build{Tool: tool, Base: "busybox", Out: filepath.Join(dir, "1.img")}.Image(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("made in %v", time.Since(began))
	second, err := Build{Tool: tool + ".tgz", Base: "busybox", Out: filepath.Join(dir, "2.img")}.Image(t.Context())
	if err != nil || second != first {
		t.Errorf("a directory gives %s, its archive %s, %v", first, second, err)
	}
	if l := list(t, filepath.Join(dir, "1.img")); !strings.Contains(l, "squashfs-root/home/mcc/BenchKit/bin/x") || !strings.Contains(l, "squashfs-root/bin/sh -> /bin/busybox") {
		t.Error(l)
	}
	for head, missing := range map[string]bool{"#!/bin/bash\n": true, "#! /usr/bin/env sh\n": false, "echo\n": false} {
		writeTree(t, tool, map[string]string{"BenchKit_head.sh": head})
		var said []string
		out := filepath.Join(dir, "4.img")
		_, err := Build{Tool: tool, Base: "busybox", Out: out, Say: func(s string) { said = append(said, s) }}.Image(t.Context())
		if err := errors.Join(err, os.Remove(out)); err != nil || (len(said) == 1 && strings.HasPrefix(said[0], "BenchKit_head.sh is run by /bin/bash, which the image does not have")) != missing {
			t.Errorf("%q: %q, %v", head, said, err)
		}
	}
	if _, err := (Build{Tool: tool, Base: "none", Out: filepath.Join(dir, "2.img")}).Image(t.Context()); !errors.Is(err, os.ErrExist) {
		t.Errorf("a file was overwritten: %v", err)
	}
	if _, err := (Build{Base: "none", Out: filepath.Join(dir, "3.img")}).Image(t.Context()); err == nil || !strings.Contains(err.Error(), "BenchKit") {
		t.Errorf("without a tool: %v", err)
	}
	if l := list(t, filepath.Join(dir, "1.img")); strings.Count(l, "/boot/podium/") != 1 {
		t.Errorf("the image holds more of what is booted than its manifest: %s", l)
	}
	if own, err := store.System(t.Context(), filepath.Join(dir, "1.img")); err != nil || own != nil {
		t.Errorf("the image boots %+v, %v", own, err)
	}
	if _, err := store.System(t.Context(), tool+".tgz"); err == nil || !strings.Contains(err.Error(), "no image") {
		t.Errorf("an archive is an image: %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 4 {
		t.Errorf("%v, %v", entries, err)
	}
}
