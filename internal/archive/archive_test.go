package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files into a new directory: names that end with a slash are
// directories, contents that begin with "->" links, those with "x" programs.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		switch target, link := strings.CutPrefix(text, "->"); {
		case err != nil:
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		case link:
			err = os.Symlink(target, path)
		case strings.HasPrefix(text, "x"):
			err = os.WriteFile(path, []byte(text), 0o755)
		default:
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sample is a tree with a thing of each kind.
func sample(t testing.TB) string {
	return tree(t, map[string]string{
		"campaign.json": `{"name": "x"}`, "journal/a.jsonl": strings.Repeat("a line of a journal\n", 400), "journal/b.jsonl": "b\n",
		"inputs/1/tool/run": "x #!/bin/sh\n", "inputs/1/tool/again": "x #!/bin/sh\n", "inputs/1/tool/head": "->run", "inputs/1/tool/bin/": "", "inputs/1/tool/up": "->bin",
		"inputs/" + strings.Repeat("long", 40) + "/" + strings.Repeat("name", 40): "n", "empty": "",
	})
}

// packed is the archive of a tree.
func packed(t testing.TB, dir string) []byte {
	t.Helper()
	list := &contents{links: map[string]string{}}
	err := list.add(dir, campaignDir, all)
	list.sort()
	f := facts{Format: Format, Campaign: "x", Date: "2026-01-02", Modes: list.modes(), Links: list.links, Empty: list.empty}
	text, jsonErr := asJSON(f)
	list.text(factsFile, text)
	list.sort()
	var out bytes.Buffer
	if err := errors.Join(err, jsonErr, list.digest(t.Context()), write(t.Context(), &out, list, f, list.sums())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// read unpacks an archive, and returns the findings as one text and where the files are.
func read(t testing.TB, archive []byte) (found, dir string) {
	t.Helper()
	path, into := filepath.Join(t.TempDir(), "a.tar.zst"), t.TempDir()
	if err := os.WriteFile(path, archive, 0o644); err != nil {
		t.Fatal(err)
	}
	u, list, err := unpack(context.Background(), path, into, 0)
	if err == nil && len(list) == 0 {
		_, list, err = u.link(into, path, inTool)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		return "", into
	}
	return strings.ReplaceAll(list.Error(), path+": ", ""), into
}

// inTool takes inputs/1/tool for the one tool of a campaign.
func inTool(name string) (of, refused string) {
	of = campaignDir + "/inputs/1/tool"
	if !strings.HasPrefix(name, of+"/") {
		return "", "it is a link, and only tools have links"
	}
	return of, ""
}

// listing says what is in a directory.
func listing(t testing.TB, dir string) []string {
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		target, _ := os.Readlink(path)
		text, _ := os.ReadFile(path)
		list = append(list, fmt.Sprintf("%s %s %q %x", name, info.Mode(), target, sha256.Sum256(text)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTreesComeBack: what goes into an archive comes out of it, with permissions,
// links and empty directories, and twice the same bytes are made.
func TestTreesComeBack(t *testing.T) {
	dir := sample(t)
	archive := packed(t, dir)
	if !bytes.Equal(archive, packed(t, dir)) {
		t.Error("two archives of one tree differ")
	}
	found, into := read(t, archive)
	if found != "" {
		t.Fatal(found)
	}
	want, got := listing(t, dir), listing(t, filepath.Join(into, campaignDir))
	if !slices.Equal(want[1:], got[1:]) {
		t.Errorf("in:\n%s\nout:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
	one, _ := os.Stat(filepath.Join(into, campaignDir, "inputs/1/tool/run"))
	two, _ := os.Stat(filepath.Join(into, campaignDir, "inputs/1/tool/again"))
	if !os.SameFile(one, two) {
		t.Error("equal files are stored twice")
	}
}

// TestFlippedBytesAreNamed flips each byte of an archive, one at a time. Each flip is
// found, and the finding names the file that the byte belongs to, or the next one
// where it hides where a file ends, or, where no file is touched, the end.
func TestFlippedBytesAreNamed(t *testing.T) {
	archive := packed(t, sample(t))
	frames := bytes.Split(archive, []byte{0x28, 0xB5, 0x2F, 0xFD})[1:]
	sums, _, _ := strings.Cut(string(mustRead(t, archive)), "\x00")
	names := []string{sumsFile}
	for line := range strings.Lines(sums) {
		names = append(names, strings.Fields(line)[1])
	}
	names = append(names, campaignDir+"/inputs/1/tool/bin/", campaignDir+"/inputs/1/tool/head", campaignDir+"/inputs/1/tool/up", "the end")
	if len(frames) != len(names) {
		t.Fatalf("%d frames hold %d files", len(frames), len(names))
	}
	at, exact := 0, 0
	for k, frame := range frames {
		for range len(frame) + 4 {
			flipped := bytes.Clone(archive)
			flipped[at] ^= 1 << (at % 8)
			found, _ := read(t, flipped)
			last := names[min(k+1, len(names)-1)]
			switch {
			case strings.HasPrefix(found, names[k]+":"):
				exact++
			case !strings.HasPrefix(found, last+":") && !strings.HasPrefix(found, "the end:"):
				t.Errorf("byte %d of %s: %q", at, names[k], found)
			}
			at++
		}
	}
	t.Logf("%d of %d flips name the very file", exact, len(archive))
	if exact < len(archive)*8/10 {
		t.Errorf("only %d of %d flips name the very file", exact, len(archive))
	}
}

// mustRead is SHA256SUMS of an archive.
func mustRead(t testing.TB, archive []byte) []byte {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, archive, 0o644); err != nil {
		t.Fatal(err)
	}
	u, found, err := unpack(context.Background(), path, t.TempDir(), 0)
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	return u.sums
}

// TestCutArchives: no beginning of an archive is taken for a whole one.
func TestCutArchives(t *testing.T) {
	archive := packed(t, sample(t))
	for n := 0; n < len(archive); n += 7 {
		if found, _ := read(t, archive[:n]); found == "" {
			t.Errorf("the first %d of %d bytes are taken for an archive", n, len(archive))
		}
	}
}

// hostile is an archive whose list, facts and entries are given.
func hostile(t testing.TB, f facts, files ...entry) []byte {
	t.Helper()
	f.Format, f.Date = Format, "2026-01-02"
	list := &contents{files: files}
	text, err := asJSON(f)
	list.text(factsFile, text)
	for i := range list.files {
		e := &list.files[i]
		e.mode, e.size = plainMode, int64(len(e.text))
	}
	list.sort()
	list.links, list.empty = f.Links, f.Empty
	var out bytes.Buffer
	if err := errors.Join(err, list.digest(t.Context()), write(t.Context(), &out, list, f, list.sums())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHostileArchives: no archive writes outside of its directory, or makes the
// program fail.
func TestHostileArchives(t *testing.T) {
	const in, tool = campaignDir + "/", campaignDir + "/inputs/1/tool/"
	file := func(name string) entry { return entry{path: name, text: []byte(name)} }
	links := func(pairs ...string) facts {
		f := facts{Links: map[string]string{}}
		for i := 0; i < len(pairs); i += 2 {
			f.Links[pairs[i]] = pairs[i+1]
		}
		return f
	}
	for _, c := range []struct {
		name, want string
		archive    []byte
	}{
		{"a file above", "cannot be the name of a file", hostile(t, facts{}, file("../evil"))},
		{"an absolute file", "cannot be the name of a file", hostile(t, facts{}, file("/tmp/evil"))},
		{"a backslash", "cannot be the name of a file", hostile(t, facts{}, file(`a\b`))},
		{"a long name", "cannot be the name of a file", hostile(t, facts{}, file(strings.Repeat("n", 300)))},
		{"a deep name", "cannot be the name of a file", hostile(t, facts{}, file(strings.Repeat("n/", 3000)+"n"))},
		{"one file twice", "wrong place, or twice", hostile(t, facts{}, file(in+"a"), file(in+"a"))},
		{"below a file", "stands below a file", hostile(t, facts{}, file(in+"a"), file(in+"a/b"))},
		{"a link out", "cannot be followed", hostile(t, links(tool+"a", "../../../../../etc"))},
		{"an absolute link", "cannot be followed", hostile(t, links(tool+"a", "/etc"))},
		{"links that lead out together", "cannot be followed", hostile(t, links(tool+"p/q/b", "../..", tool+"p/q/a", "b/../x"), file(tool+"x"))},
		{"a link in the place of a file", "in the place of a file", hostile(t, links(tool+"a", "b"), file(tool+"a"))},
		{"a link below a link", "stands below a file", hostile(t, links(tool+"a", "b", tool+"a/c", "d"), file(tool+"b"))},
		{"a link in the place of a directory", "a link and a directory", hostile(t, links(tool+"a", "b"), file(tool+"a/c"))},
		{"a link that is in no tool", "only tools have links", hostile(t, links(in+"journal", "b"), file(in+"b"))},
		{"a directory in the place of a file", "cannot be a directory", hostile(t, facts{Empty: []string{in + "a"}}, file(in+"a"))},
		{"a directory above", "cannot be a directory", hostile(t, facts{Empty: []string{"../a"}})},
		{"a directory twice", "cannot be a directory", hostile(t, facts{Empty: []string{in + "a", in + "a"}})},
		{"an empty directory that holds a file", "empty, and it is not", hostile(t, facts{Empty: []string{in + "a"}}, file(in+"a/b"))},
		{"permissions of nothing", "no file of the campaign", hostile(t, facts{Modes: map[string]string{in + "a": "755"}})},
		{"permissions that are none", "no permissions", hostile(t, facts{Modes: map[string]string{in + "a": "99"}}, file(in+"a"))},
		{"permissions of everybody", "no permissions", hostile(t, facts{Modes: map[string]string{in + "a": "4755"}}, file(in+"a"))},
		{"other permissions than it says", "permissions, an owner", hostile(t, facts{Modes: map[string]string{in + "a": "755"}}, file(in+"a"))},
		{"something left out that is nothing", "no part of a campaign", hostile(t, facts{LeftOut: []string{"journals\nsigned by x"}})},
		{"a file before archive.json", "it stands before archive.json", hostile(t, facts{}, file("a"))},
		{"names that differ in case alone", "not written as podium", recoded(t, `"campaign": ""`, `"Campaign": ""`)},
		{"a key twice", "not written as podium", recoded(t, `"campaign": ""`, `"campaign": "x", "campaign": ""`)},
		{"a key that is not known", "unknown field", recoded(t, `"campaign": ""`, `"campaign": "", "signed": "by x"`)},
		{"another format", "the format is", append([]byte{}, other(t)...)},
		{"no archive", "this is no archive", []byte("no")},
		{"something else", "damaged", bytes.Repeat([]byte("something else "), 100)},
	} {
		found, dir := read(t, c.archive)
		if !strings.Contains(found, c.want) {
			t.Errorf("%s: %q", c.name, found)
		}
		for _, line := range listing(t, dir) {
			if strings.Contains(line, "evil") {
				t.Errorf("%s: %s was written", c.name, line)
			}
		}
	}
}

// recoded is an archive whose archive.json has another text in the place of one.
func recoded(t testing.TB, old, changed string) []byte {
	t.Helper()
	f := facts{Format: Format, Date: "2026-01-02"}
	text, err := asJSON(f)
	list := &contents{}
	list.text(factsFile, bytes.Replace(text, []byte(old), []byte(changed), 1))
	var out bytes.Buffer
	if err := errors.Join(err, list.digest(t.Context()), write(t.Context(), &out, list, f, list.sums())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// other is an archive of a later version.
func other(t testing.TB) []byte {
	list := &contents{}
	list.text(factsFile, []byte(`{"format": "podium-archive/2"}`))
	var out bytes.Buffer
	if err := errors.Join(list.digest(t.Context()), write(t.Context(), &out, list, facts{Date: "2026-01-02"}, list.sums())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// FuzzUnpack: any bytes are unpacked or refused, and nothing is written outside.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(f, sample(f)))
	const tool = campaignDir + "/inputs/1/tool/"
	f.Add(hostile(f, facts{Links: map[string]string{tool + "a": "b", tool + "c": "d/../a"}}, entry{path: tool + "b", text: []byte("b")}))
	f.Add(other(f))
	f.Fuzz(func(t *testing.T, archive []byte) {
		above := t.TempDir()
		path, into := filepath.Join(above, "a"), filepath.Join(above, "into")
		if err := errors.Join(os.WriteFile(path, archive, 0o644), os.Mkdir(into, 0o755)); err != nil {
			t.Fatal(err)
		}
		u, found, err := unpack(context.Background(), path, into, 1<<24)
		if err == nil && len(found) == 0 {
			_, _, err = u.link(into, path, inTool)
		}
		if err != nil {
			t.Fatal(err)
		}
		if list, _ := os.ReadDir(above); len(list) != 2 {
			t.Fatalf("%v are beside the directory", list)
		}
	})
}

// TestSums: what is not a list of digests is refused with its line.
func TestSums(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	for text, want := range map[string]string{
		sum + " one blank\n": "line 1 is not", sum + "  a": "line 1 is not", "xy  a\n": "line 1 is not",
		sum + "  a\n" + sum + "  a\n": "line 2: a stands in the wrong place", sum + "  b\n" + sum + "  a\n": "line 2: a stands",
		sum + "  SHA256SUMS\n": "line 1: SHA256SUMS stands", sum + "  a/../b\n": "line 1: ",
	} {
		if _, err := parseSums(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if list, err := parseSums(sum + "  a\n" + sum + "  b c\n"); err != nil || len(list) != 2 || list[1].path != "b c" {
		t.Errorf("%v %v", list, err)
	}
}
