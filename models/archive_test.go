package models

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is one entry of a test archive.
type entry struct {
	name    string
	content string
	flag    byte // 0 for a file
	link    string
}

func tgz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.flag, Linkname: e.link, Size: int64(len(e.content)), Mode: 0o644}
		if e.flag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// plain are the entries of a sound archive of the instance.
func plain(id string, more ...entry) []entry {
	return append([]entry{
		{name: id + "/", flag: tar.TypeDir},
		{name: id + "/model.pnml", content: "<pnml/>\n"},
		{name: id + "/iscolored", content: "FALSE\n"},
		{name: id + "/instance", content: id[strings.LastIndex(id, "-")+1:] + "\n"},
		{name: id + "/equiv_col", content: "TRUE\n"},
	}, more...)
}

func put(t testing.TB, path string, content []byte) string {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644)); err != nil {
		t.Fatal(err)
	}
	return path
}

// small are limits that a test reaches.
var small = Limits{Entries: 20, FileBytes: 8000, TotalBytes: 40_000, Ratio: 20, RatioFrom: 20_000}

// TestHostileArchives: each is refused with the code that says why, and nothing
// is written outside the cache.
func TestHostileArchives(t *testing.T) {
	const id = "Toy-PT-1"
	sound := tgz(t, plain(id)...)
	noise := make([]byte, 1500)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	many := plain(id)
	for len(many) < 30 {
		many = append(many, entry{name: id + "/" + strings.Repeat("x", len(many))})
	}
	for name, c := range map[string]struct {
		content []byte
		code    string
		text    string
	}{
		"path escape":             {tgz(t, plain(id, entry{name: id + "/../../evil"})...), "models-archive-path", `"Toy-PT-1/../../evil" leads outside`},
		"absolute name":           {tgz(t, plain(id, entry{name: "/etc/evil"})...), "models-archive-path", "absolute"},
		"backslash":               {tgz(t, plain(id, entry{name: id + `/..\evil`})...), "models-archive-path", "portable"},
		"control character":       {tgz(t, plain(id, entry{name: id + "/a\nb"})...), "models-archive-path", "portable"},
		"symbolic link":           {tgz(t, plain(id, entry{name: id + "/x", flag: tar.TypeSymlink, link: "/etc/passwd"})...), "models-archive-kind", "symbolic link"},
		"link as directory":       {tgz(t, entry{name: id, flag: tar.TypeSymlink, link: "/tmp"}, entry{name: id + "/model.pnml"}), "models-archive-kind", "symbolic link"},
		"hard link":               {tgz(t, plain(id, entry{name: id + "/x", flag: tar.TypeLink, link: "/etc/passwd"})...), "models-archive-kind", "hard link"},
		"device":                  {tgz(t, plain(id, entry{name: id + "/x", flag: tar.TypeChar})...), "models-archive-kind", "device"},
		"named pipe":              {tgz(t, plain(id, entry{name: id + "/x", flag: tar.TypeFifo})...), "models-archive-kind", "named pipe"},
		"two directories":         {tgz(t, plain(id, entry{name: "Other-PT-1/model.pnml"})...), "models-archive-layout", `outside the directory "Toy-PT-1"`},
		"no directory":            {tgz(t, entry{name: "model.pnml", content: "<pnml/>"}), "models-archive-layout", "outside a directory"},
		"file twice":              {tgz(t, plain(id, entry{name: id + "/./model.pnml"})...), "models-archive-twice", "occurs twice"},
		"other name":              {tgz(t, plain("Other-PT-1")...), "models-archive-name", "Other-PT-1"},
		"no net":                  {tgz(t, entry{name: id + "/iscolored", content: "FALSE\n"}), "models-no-net", "model.pnml"},
		"empty":                   {tgz(t), "models-archive-empty", "no directory"},
		"no gzip":                 {[]byte("PK\x03\x04 something else"), "models-archive-format", "gzip"},
		"nothing":                 {nil, "models-archive-format", "gzip"},
		"truncated":               {sound[:len(sound)-20], "models-archive-truncated", "truncated"},
		"truncated early":         {tgz(t, plain(id, entry{name: id + "/noise", content: string(noise)})...)[:700], "models-archive-truncated", "noise"},
		"wrong checksum":          {append(append([]byte{}, sound[:len(sound)-8]...), 1, 2, 3, 4, 5, 6, 7, 8), "models-archive-format", "damaged"},
		"big file":                {tgz(t, plain(id, entry{name: id + "/big", content: strings.Repeat("x", 8001)})...), "models-archive-size", "8001 bytes"},
		"bomb":                    {tgz(t, plain(id, entry{name: id + "/a", content: strings.Repeat("x", 7900)}, entry{name: id + "/b", content: strings.Repeat("x", 7900)}, entry{name: id + "/c", content: strings.Repeat("x", 7900)})...), "models-archive-size", "granted"},
		"bomb in what is no part": {tgz(t, plain(id, entry{name: "__MACOSX/a", content: strings.Repeat("x", 30_000)})...), "models-archive-size", "granted"},
		"too many entries":        {tgz(t, many...), "models-archive-entries", "one too many"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := put(t, filepath.Join(dir, "in", id+".tgz"), c.content)
			got, err := Opener{Limits: small}.Open(path)
			if err == nil || len(got.Instances) != 0 || len(got.Findings) != 1 {
				t.Fatalf("got %v and %d instances", err, len(got.Instances))
			}
			f := got.Findings[0]
			if f.Code != c.code || !strings.Contains(f.Message, c.text) || f.File != path {
				t.Errorf("got %v", f)
			}
			// An archive that turns bad after it was opened is refused as well.
			i := Instance{ID: ID{"Toy", PT, "1"}, Path: path, Archive: true, limits: small, digest: &digest{}}
			if dir, err := i.Directory(filepath.Join(dir, "cache")); err == nil && c.code[:10] == "models-arc" && c.code != "models-archive-name" {
				t.Errorf("unpacked to %s", dir)
			}
			if files := listing(t, dir); len(files) > 1 && c.code != "models-archive-name" && c.code != "models-no-net" {
				t.Errorf("files were left: %v", files)
			}
		})
	}
}

// listing returns the files below dir.
func listing(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBudget: small archives get a fixed grant, larger ones one by their size.
func TestBudget(t *testing.T) {
	l := Limits{TotalBytes: 1000, Ratio: 10, RatioFrom: 50}
	for packed, want := range map[int64]int64{0: 50, 4: 50, 6: 60, 99: 990, 100: 1000, 1 << 62: 1000} {
		if got := l.budget(packed); got != want {
			t.Errorf("budget(%d) = %d, want %d", packed, got, want)
		}
	}
}

// FuzzArchive: whatever the bytes, the answer is a collection or a finding, no
// file is written outside the cache, and what is unpacked has the digest of the
// archive.
func FuzzArchive(f *testing.F) {
	f.Add(tgz(f, plain("Toy-PT-1")...), true)
	f.Add(tgz(f, plain("Toy-PT-1", entry{name: "Toy-PT-1/../evil", content: "x"})...), true)
	f.Add([]byte(strings.Repeat("\x00", 1024)), false)
	for _, more := range []entry{{name: "Toy-PT-1/._x"}, {name: "Toy-PT-1/l", flag: tar.TypeSymlink, link: "/"}, {name: "Toy-PT-1/" + strings.Repeat("long", 40)}} {
		unzip, err := gzip.NewReader(bytes.NewReader(tgz(f, plain("Toy-PT-1", more)...)))
		if err != nil {
			f.Fatal(err)
		}
		content, err := io.ReadAll(unzip)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content, false)
	}
	f.Fuzz(func(t *testing.T, content []byte, zipped bool) {
		if !zipped {
			var b bytes.Buffer
			zip := gzip.NewWriter(&b)
			_, err := zip.Write(content)
			if err := errors.Join(err, zip.Close()); err != nil {
				t.Fatal(err)
			}
			content = b.Bytes()
		}
		limits := Limits{Entries: 100, FileBytes: 1 << 20, TotalBytes: 1 << 21}
		var total int64
		top, err := walkTar(bytes.NewReader(content), int64(len(content)), limits.withDefaults(), func(name string, size int64, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			if total += n; n != size && err == nil || total > limits.TotalBytes || strings.ContainsAny(name, "/\x00") || strings.HasPrefix(name, ".") {
				t.Errorf("file %q of %d bytes, %d so far, read %d (%v)", name, size, total, n, err)
			}
			return err
		})
		if err != nil || top != "Toy-PT-1" {
			return
		}
		dir := t.TempDir()
		path := put(t, filepath.Join(dir, "in", "Toy-PT-1.tgz"), content)
		c, err := Opener{Limits: limits}.Open(path)
		if (err == nil) != (len(c.Instances) == 1) {
			t.Fatalf("%d instances and %v", len(c.Instances), err)
		}
		if err != nil {
			return
		}
		i := c.Instances[0]
		unpacked, err := i.Directory(filepath.Join(dir, "cache"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := Open(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := i.Digest()
		b, errB := again.Instances[0].Digest()
		if a != b || errA != nil || errB != nil {
			t.Fatalf("digest %s (%v) of the archive, %s (%v) of the directory", a, errA, b, errB)
		}
		for _, file := range listing(t, dir) {
			if file != path && filepath.Dir(file) != unpacked {
				t.Fatalf("file %s", file)
			}
		}
	})
}
