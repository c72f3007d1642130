package models

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/internal/realdata"
)

// files writes an instance directory.
func filesOf(t testing.TB, dir string, content map[string]string) string {
	t.Helper()
	for name, text := range content {
		put(t, filepath.Join(dir, name), []byte(text))
	}
	return dir
}

// asDirectory writes the entries of a test archive as a directory.
func asDirectory(t testing.TB, parent string, entries []entry) string {
	t.Helper()
	for _, e := range entries {
		if e.flag == 0 {
			put(t, filepath.Join(parent, e.name), []byte(e.content))
		}
	}
	return filepath.Join(parent, strings.Split(entries[0].name, "/")[0])
}

func ids(c *Collection) []string {
	var out []string
	for _, i := range c.Instances {
		out = append(out, i.ID.String())
	}
	return out
}

// TestOpen takes directories, archives and collections of both, sorts them,
// and reads class (E-4.4) and facts.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "Toy-PT-2.tgz"), tgz(t, plain("Toy-PT-2", entry{name: "Toy-PT-2/NewModel", content: "\n"}, entry{name: "Toy-PT-2/._model.pnml", content: "x"}, entry{name: "__MACOSX/Toy-PT-2/._x", content: "x"})...))
	put(t, filepath.Join(dir, "S_Toy-PT-1.tar.gz"), tgz(t, plain("S_Toy-PT-1")...))
	asDirectory(t, dir, plain("Alpha-PT-01", entry{name: "Alpha-PT-01/large_marking", content: "\n"}, entry{name: "Alpha-PT-01/unfinite", content: "\n"}, entry{name: "Alpha-PT-01/.hidden", content: "x"}))
	filesOf(t, filepath.Join(dir, "Zeta-COL-x-y"), map[string]string{"model.pnml": "<pnml/>", "iscolored": "TRUE\n", "equiv_pt": "maybe\n"})
	put(t, filepath.Join(dir, "README.md"), []byte("not an instance, and not meant to be one"))
	c, err := Open(dir, filepath.Join(dir, "Toy-PT-2.tgz"))
	if err != nil || len(c.Findings) != 0 {
		t.Fatal(err, c.Findings)
	}
	if got := fmt.Sprint(ids(c)); got != "[Alpha-PT-01 S_Toy-PT-1 Toy-PT-2 Zeta-COL-x-y]" {
		t.Errorf("instances %s", got)
	}
	want := []struct {
		class Class
		facts Facts
		files int
	}{
		{Known, Facts{Colored: No, Twin: Yes, Param: "01", LargeMarking: true, Unfinite: true}, 6},
		{Stripped, Facts{Colored: No, Twin: Yes, Param: "1"}, 4},
		{Surprise, Facts{Colored: No, Twin: Yes, Param: "2", New: true}, 5},
		{Known, Facts{Colored: Yes, Twin: Garbled}, 3},
	}
	for k, i := range c.Instances {
		if i.Class != want[k].class || i.Facts != want[k].facts || len(i.Files) != want[k].files {
			t.Errorf("%s: %v %+v %v, want %+v", i.ID, i.Class, i.Facts, i.Files, want[k])
		}
	}
	if _, ok := c.Find(ID{"Toy", PT, "2"}); !ok {
		t.Error("Toy-PT-2 is not found")
	}
	if _, ok := c.Find(ID{"Toy", COL, "2"}); ok {
		t.Error("Toy-COL-2 is found")
	}
}

// TestOpenKeepsTheOthers reports every broken thing and keeps the rest.
func TestOpenKeepsTheOthers(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "Good-PT-1.tgz"), tgz(t, plain("Good-PT-1")...))
	put(t, filepath.Join(dir, "NoKind.tgz"), tgz(t, plain("NoKind")...))
	put(t, filepath.Join(dir, "Cut-PT-1.tgz"), tgz(t, plain("Cut-PT-1")...)[:100])
	put(t, filepath.Join(dir, "Zipped-PT-1.zip"), []byte("PK"))
	filesOf(t, filepath.Join(dir, "NoNet-PT-1"), map[string]string{"iscolored": "FALSE\n"})
	linked := filesOf(t, filepath.Join(dir, "Linked-PT-1"), map[string]string{"model.pnml": "<pnml/>"})
	if err := os.Symlink("/etc/hostname", filepath.Join(linked, "instance")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "Lost-PT-1.tgz")); err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"a\nb", `a\b`, "\xff"} { // as no archive can hold them
		filesOf(t, filepath.Join(dir, fmt.Sprintf("Named-PT-%d", k)), map[string]string{"model.pnml": "<pnml/>", name: ""})
	}
	first := asDirectory(t, filepath.Join(dir, "a"), plain("Twice-PT-1"))
	second := asDirectory(t, filepath.Join(dir, "b"), plain("Twice-PT-1", entry{name: "Twice-PT-1/more"}))
	if err := os.MkdirAll(filepath.Join(dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir, first, second, filepath.Join(dir, "missing"), filepath.Join(dir, "empty"), filepath.Join(dir, "Zipped-PT-1.zip"))
	if err == nil {
		t.Fatal("no error")
	}
	if got := fmt.Sprint(ids(c)); got != "[Good-PT-1 Twice-PT-1]" {
		t.Errorf("instances %s", got)
	}
	var got []string
	for _, f := range c.Findings {
		name, _ := filepath.Rel(dir, f.File)
		got = append(got, name+" "+f.Code)
		if f.Hint == "" {
			t.Errorf("no next step: %v", f)
		}
	}
	want := []string{
		"Cut-PT-1.tgz models-archive-truncated", "Linked-PT-1 models-not-regular", "Lost-PT-1.tgz models-unreadable", "Named-PT-0 models-file-name", "Named-PT-1 models-file-name", "Named-PT-2 models-file-name", "NoKind.tgz models-name",
		"NoNet-PT-1 models-no-net", "Zipped-PT-1.zip models-no-instance", "Zipped-PT-1.zip models-no-instance",
		"a models-name", "b models-name", "b/Twice-PT-1 models-duplicate", "empty models-name", "empty models-no-instance", "missing models-unreadable",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("findings\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestOneOfEach: an archive and the directory of it are one instance.
func TestOneOfEach(t *testing.T) {
	dir := t.TempDir()
	path := asDirectory(t, dir, plain("Toy-PT-1"))
	put(t, filepath.Join(dir, "Toy-PT-1.tgz"), tgz(t, plain("Toy-PT-1")...))
	c, err := Open(dir)
	if err != nil || len(c.Instances) != 1 || c.Instances[0].Path != path {
		t.Errorf("%v %+v", err, c.Instances)
	}
}

// TestDirectory unpacks an archive once, also when several ask at the same
// time, repairs what was lost, and makes a new directory for a new content.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	path := put(t, filepath.Join(dir, "Toy-PT-1.tgz"), tgz(t, plain("Toy-PT-1", entry{name: "Toy-PT-1/sub/x", content: "no part"})...))
	cache := filepath.Join(dir, "cache")
	open := func() Instance {
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return c.Instances[0]
	}
	var wg sync.WaitGroup
	got := make([]string, 8)
	for k := range got {
		i := open()
		wg.Go(func() {
			var err error
			if got[k], err = i.Directory(cache); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(slices.Compact(slices.Clone(got))) != 1 || filepath.Base(got[0]) != "Toy-PT-1" {
		t.Fatalf("directories %v", got)
	}
	if names := listing(t, cache); len(names) != 4 {
		t.Errorf("files %v", names)
	}
	before, err := os.Stat(got[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open().Directory(cache); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(got[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("unpacked twice (%v)", err)
	}
	put(t, filepath.Join(got[0], "model.pnml"), nil) // as after a power cut
	if again, err := open().Directory(cache); err != nil || again != got[0] {
		t.Errorf("%s %v", again, err)
	}
	if text, err := os.ReadFile(filepath.Join(got[0], "model.pnml")); err != nil || string(text) != "<pnml/>\n" {
		t.Errorf("%q %v", text, err)
	}
	put(t, path, tgz(t, plain("Toy-PT-1", entry{name: "Toy-PT-1/new"})...))
	if other, err := open().Directory(cache); err != nil || other == got[0] {
		t.Errorf("%s %v", other, err)
	}
}

// TestDigest: names and contents count, order and form of storage do not.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	digest := func(path string) string {
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := c.Instances[0].Digest()
		if err != nil || len(d) != 64 {
			t.Fatalf("%q %v", d, err)
		}
		return d
	}
	entries := plain("Toy-PT-1")
	turned := slices.Clone(entries)
	slices.Reverse(turned)
	a := digest(put(t, filepath.Join(dir, "a", "Toy-PT-1.tgz"), tgz(t, entries...)))
	for name, path := range map[string]string{
		"other order": put(t, filepath.Join(dir, "b", "Toy-PT-1.tgz"), tgz(t, turned...)),
		"directory":   asDirectory(t, filepath.Join(dir, "c"), entries),
		"hidden file": put(t, filepath.Join(dir, "d", "Toy-PT-1.tgz"), tgz(t, append(entries, entry{name: "Toy-PT-1/._x"})...)),
	} {
		if b := digest(path); b != a {
			t.Errorf("%s: %s, not %s", name, b, a)
		}
	}
	for name, more := range map[string]entry{"more": {name: "Toy-PT-1/more"}, "other": {name: "Toy-PT-1/more", content: "x"}} {
		if b := digest(put(t, filepath.Join(dir, name, "Toy-PT-1.tgz"), tgz(t, append(entries, more)...))); b == a {
			t.Errorf("%s has the same digest", name)
		}
	}
}

// TestReadFile reads single files from both forms, within a limit.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{asDirectory(t, dir, plain("Toy-PT-1")), put(t, filepath.Join(dir, "x", "Toy-PT-1.tgz"), tgz(t, plain("Toy-PT-1")...))} {
		c, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		i := c.Instances[0]
		if text, err := i.ReadFile("iscolored", 6); err != nil || string(text) != "FALSE\n" {
			t.Errorf("%s: %q %v", path, text, err)
		}
		if _, err := i.ReadFile("iscolored", 5); err == nil {
			t.Errorf("%s: the limit is not kept", path)
		}
		if _, err := i.ReadFile("absent", 5); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", path, err)
		}
		seen := map[string]string{}
		err = i.Each(func(name string, r io.Reader) error {
			text, err := io.ReadAll(r)
			seen[name] = string(text)
			return err
		})
		if err != nil || len(seen) != 4 || seen["equiv_col"] != "TRUE\n" {
			t.Errorf("%s: %v %v", path, seen, err)
		}
		stop := fmt.Errorf("the content ends: %w", io.ErrUnexpectedEOF) // not the archive
		if err := i.Each(func(string, io.Reader) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("%s: %v", path, err)
		}
		if i.Bytes() != 8+6+2+5 {
			t.Errorf("%s: %d bytes", path, i.Bytes())
		}
	}
}

// TestIndex reads again only what changed, and survives a broken index.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	in, where := filepath.Join(dir, "in"), filepath.Join(dir, "index")
	for k := range 3 {
		id := fmt.Sprintf("Toy-PT-%d", k)
		put(t, filepath.Join(in, id+".tgz"), tgz(t, plain(id)...))
	}
	o := Opener{Index: where}
	open := func() []Instance {
		t.Helper()
		c, err := o.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		return c.Instances
	}
	same := func(a, b []Instance) bool {
		return slices.EqualFunc(a, b, func(x, y Instance) bool {
			d, _ := x.Digest()
			e, _ := y.Digest()
			return x.ID == y.ID && x.Class == y.Class && x.Facts == y.Facts && slices.Equal(x.Files, y.Files) && d == e
		})
	}
	first := open()
	before, err := os.Stat(where)
	if err != nil {
		t.Fatal(err)
	}
	// Same size and time, other content: the index is believed.
	path := filepath.Join(in, "Toy-PT-1.tgz")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, make([]byte, info.Size()), 0o644), os.Chtimes(path, time.Now(), info.ModTime())); err != nil {
		t.Fatal(err)
	}
	if !same(first, open()) {
		t.Error("the index was not used")
	}
	if after, err := os.Stat(where); err != nil || !os.SameFile(before, after) {
		t.Errorf("the index was written again (%v)", err)
	}
	// Another time: the archive is read, and found broken.
	if err := os.Chtimes(path, time.Now(), info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if c, err := o.Open(in); err == nil || len(c.Instances) != 2 {
		t.Errorf("%d instances, %v", len(c.Instances), err)
	}
	put(t, path, content)
	put(t, where, []byte(`{"format": "something else"}`))
	c, err := o.Open(in)
	if err != nil || !same(first, c.Instances) || len(c.Findings) != 1 || c.Findings[0].Code != "models-index" {
		t.Errorf("%v %v", err, c.Findings)
	}
	if c, err = o.Open(in); err != nil || len(c.Findings) != 0 || !same(first, c.Instances) {
		t.Errorf("%v %v", err, c.Findings)
	}
}

// fakeNet writes a fixed text.
type fakeNet string

func (n fakeNet) Write(w io.Writer) error {
	_, err := io.WriteString(w, string(n))
	return err
}

type failingNet struct{}

func (failingNet) Write(w io.Writer) error { return errors.New("no space left on device") }

// TestWriteInstance: what is written is what Open reads, whole or not at all.
func TestWriteInstance(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	id := ID{"Toy", COL, "03"}
	o := WriteOptions{Twin: true, New: true, LargeMarking: true, Files: map[string]func(io.Writer) error{"UpperBounds.xml": fakeNet("<property-set/>").Write}}
	if err := WriteInstance(dir, id, failingNet{}, o); err == nil || len(listing(t, filepath.Dir(dir))) != 0 {
		t.Fatalf("%v %v", err, listing(t, filepath.Dir(dir)))
	}
	if err := WriteInstance(dir, id, fakeNet("<pnml/>"), o); err != nil {
		t.Fatal(err)
	}
	c, err := Open(dir)
	if err != nil || len(c.Instances) != 1 {
		t.Fatal(err)
	}
	i := c.Instances[0]
	if want := (Facts{Colored: Yes, Twin: Yes, Param: "03", New: true, LargeMarking: true}); i.ID != id || i.Class != Surprise || i.Facts != want || !i.Has("UpperBounds.xml") {
		t.Errorf("%+v", i)
	}
	if err := WriteInstance(dir, id, fakeNet("<pnml/>"), o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	if err := WriteInstance(dir, id, fakeNet("<pnml></pnml>"), WriteOptions{Replace: true}); err != nil {
		t.Fatal(err)
	}
	if c, err = Open(dir); err != nil || c.Instances[0].Has("UpperBounds.xml") || c.Instances[0].Class != Known {
		t.Errorf("%v %+v", err, c.Instances)
	}
	for _, bad := range []string{"../x", "model.pnml", ".hidden", "a/b", ""} {
		if err := WriteInstance(dir, ID{"Toy", PT, "9"}, fakeNet("<pnml/>"), WriteOptions{Files: map[string]func(io.Writer) error{bad: text("")}}); err == nil {
			t.Errorf("a file %q is written", bad)
		}
	}
	if names := listing(t, dir); len(names) != 4 {
		t.Errorf("files %v", names)
	}
}

// realInstances opens the real instances.
func realInstances(t testing.TB) *Collection {
	t.Helper()
	dir := filepath.Join(realdata.Dir(t), "instances")
	archives, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no instances in %s: %v", dir, err)
	}
	c, err := Open(dir)
	if err != nil || len(c.Findings) > 0 || len(c.Instances) != len(archives) {
		t.Fatalf("%d instances of %d: %v", len(c.Instances), len(archives), c.Findings)
	}
	return c
}

// TestRealCollection opens the real instances, where they are.
func TestRealCollection(t *testing.T) {
	c := realInstances(t)
	for _, i := range c.Instances {
		if i.Facts.Param != i.ID.Param || (i.Facts.Colored == Yes) != (i.ID.Kind == COL) || i.Facts.Twin == Unsaid || (i.Class == Surprise) != (i.ID.Family == "Champagne") {
			t.Errorf("%s: %v %+v", i.ID, i.Class, i.Facts)
		}
	}
}

// BenchmarkOpen opens 2,000 archives, without and with an index.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	in := filepath.Join(dir, "in")
	formulas := strings.Repeat("<place>somewhere</place><transition>somehow</transition>\n", 2000)
	for k := range 2000 {
		id := fmt.Sprintf("Toy-PT-%04d", k)
		put(b, filepath.Join(in, id+".tgz"), tgz(b, plain(id, entry{name: id + "/CTLCardinality.xml", content: formulas}, entry{name: id + "/CTLFireability.xml", content: formulas})...))
	}
	open := func(b *testing.B, o Opener) {
		c, err := o.Open(in)
		if err != nil || len(c.Instances) != 2000 {
			b.Fatal(err)
		}
		var bytes int64
		for _, i := range c.Instances {
			bytes += i.Bytes()
		}
		b.SetBytes(bytes)
	}
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			open(b, Opener{})
		}
	})
	b.Run("indexed", func(b *testing.B) {
		o := Opener{Index: filepath.Join(dir, "index")}
		open(b, o)
		for b.Loop() {
			open(b, o)
		}
	})
}

// TestMissing: an instance that is named without its directory is found one level below, even
// where it is misspelt.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/Desk-PT-12", "b/Desk-PT-13", "b/Lamp-PT-2"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if name == "b/Lamp-PT-2" {
			continue // no instance
		}
		if err := os.WriteFile(filepath.Join(dir, name, ModelFile), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"Desk-PT-13": "b/Desk-PT-13", "desk-PT-13": "b/Desk-PT-13", "Desk-PT-1": "a/Desk-PT-12", "Lamp-PT-2": "", "other": ""} {
		_, err := os.Stat(filepath.Join(dir, name))
		hint := missing(filepath.Join(dir, name), err)
		if near := "the nearest is " + filepath.Join(dir, want); want != "" && hint != near || want == "" && !strings.HasPrefix(hint, "name an instance") {
			t.Errorf("%s: %q, want %q", name, hint, want)
		}
	}
}
