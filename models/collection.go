package models

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"podium/internal/files"
	"podium/internal/parallel"
	"podium/pnml/diagnostic"
)

// Collection is all instances that Open found under some paths.
type Collection struct {
	Instances []Instance      // sorted by ID, without repetition
	Findings  diagnostic.List // what could not be taken, and what is odd; sorted
}

// Find returns the instance of an ID, and false when there is none.
func (c *Collection) Find(id ID) (Instance, bool) {
	at, ok := slices.BinarySearchFunc(c.Instances, id, func(i Instance, id ID) int { return i.ID.Compare(id) })
	if !ok {
		return Instance{}, false
	}
	return c.Instances[at], true
}

// Opener opens collections. The zero value is ready for use.
type Opener struct {
	Limits  Limits // what an archive may hold
	Index   string // file that remembers the archives between calls; empty for none
	Workers int    // how many archives are read at a time; 0 for one per processor

	// Hear receives what opening warns of and, of each instance whose net is read, what
	// that warns of, before its reader goes on; nil drops it. Calls come from several
	// goroutines, and again where a net is read again.
	Hear func(diagnostic.List)
}

// Open opens a collection with default options, see [Opener.Open].
func Open(paths ...string) (*Collection, error) { return Opener{}.Open(paths...) }

// Open reads paths, each an instance directory, an instance archive (.tgz,
// .tar.gz), a net (.pnml) or a directory that holds many directories or archives. Archives are read once
// from end to end, several at a time, but nothing is unpacked. The collection
// is never nil: it holds what could be taken. The error is the list of findings
// when one of them is an error.
func (o Opener) Open(paths ...string) (*Collection, error) {
	c := &Collection{}
	candidates := c.expand(paths)
	index := loadIndex(o.Index, &c.Findings)
	loaded := make([]loading, len(candidates))
	parallel.Indices(cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0)), len(candidates), func(k int) { loaded[k] = o.load(candidates[k], index) })
	for _, l := range loaded {
		c.Findings = append(c.Findings, l.findings...)
		if l.ok {
			c.Instances = append(c.Instances, l.instance)
		}
	}
	c.unite()
	if o.Index != "" {
		if err := index.save(o.Index, loaded); err != nil {
			c.report(diagnostic.Warning, o.Index, "models-index", "the index was not written: "+err.Error(), "archives are read again the next time; name a directory that you may write to")
		}
	}
	c.Findings.Sort()
	if o.Hear != nil && c.Findings.Err() == nil {
		o.Hear(c.Findings)
	}
	return c, c.Findings.Err()
}

func (c *Collection) report(s diagnostic.Severity, file, code, message, hint string) {
	c.Findings.Add(finding(s, file, code, message, hint))
}

func finding(s diagnostic.Severity, file, code, message, hint string) diagnostic.Diagnostic {
	return diagnostic.Diagnostic{File: file, Severity: s, Code: code, Message: message, Hint: hint}
}

// candidate is something that may be an instance.
type candidate struct {
	path           string
	archive, alone bool
}

// expand lists the candidates under the paths.
func (c *Collection) expand(paths []string) []candidate {
	var out []candidate
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			c.report(diagnostic.Error, path, "models-unreadable", cause(err), missing(path, err))
		case !info.IsDir() && archiveName(path) != "":
			out = append(out, candidate{path: path, archive: true})
		case ofInstance(path):
			out = append(out, candidate{path: filepath.Dir(path)})
		case info.Mode().IsRegular() && isNet(path):
			out = append(out, candidate{path: path, alone: true})
		case !info.IsDir():
			c.report(diagnostic.Error, path, "models-no-instance", "is neither a net (.pnml) nor a directory nor an archive (.tgz, .tar.gz)", cmp.Or(repack(path), ofFormulas(path), "name an instance directory, an archive of one, or a net"))
		case isFile(filepath.Join(path, ModelFile)):
			out = append(out, candidate{path: path})
		default:
			out = append(out, c.expandDirectory(path)...)
		}
	}
	return out
}

func (c *Collection) expandDirectory(dir string) []candidate {
	entries, err := os.ReadDir(dir)
	if err != nil {
		c.report(diagnostic.Error, dir, "models-unreadable", cause(err), copyAgain)
		return nil
	}
	var out []candidate
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if foreign([]string{e.Name()}) {
			continue
		}
		// Stat, since a collection may be made of symbolic links.
		info, err := os.Stat(path)
		switch {
		case err != nil:
			c.report(diagnostic.Error, path, "models-unreadable", cause(err), copyAgain)
		case info.IsDir() && e.Name() == ModelFile:
			c.report(diagnostic.Error, path, "models-no-net", "is a directory, and no net", "write the net into a file of this name")
		case info.IsDir():
			out = append(out, candidate{path: path})
		case archiveName(path) != "":
			out = append(out, candidate{path: path, archive: true})
		case repack(path) != "":
			c.report(diagnostic.Error, path, "models-no-instance", "is an archive of a form that is not read", repack(path))
		}
	}
	if len(out) == 0 {
		hint := "give a directory with " + ModelFile + ", or one with such directories or their .tgz archives"
		if net := NetBeside(dir); net != "" {
			hint = "name the net itself, " + net + ", or call it " + ModelFile
		}
		c.report(diagnostic.Error, dir, "models-no-instance", "holds no instance", hint)
	}
	return out
}

// ofInstance reports whether a file is the net of a directory with the name of an instance.
func ofInstance(path string) bool {
	_, err := ParseID(directoryName(filepath.Dir(path)))
	return err == nil && filepath.Base(path) == ModelFile && isFile(path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// archiveName is the file name without .tgz or .tar.gz, or "" for other files.
func archiveName(path string) string {
	base := filepath.Base(path)
	for _, suffix := range []string{".tgz", ".tar.gz"} {
		if name, ok := strings.CutSuffix(base, suffix); ok {
			return name
		}
	}
	return ""
}

// copyAgain is the next step where the system does not let a file be read.
const copyAgain = "check that you may read it, or copy it again"

// missing returns the next step where there is no such file.
func missing(path string, err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		if near, ok := diagnostic.NearestPath(path); ok {
			return "the nearest is " + near
		}
		if near, ok := below(path); ok {
			return "the nearest is " + near
		}
		return "name an instance or a directory of some; `podium model generate` writes built-in ones"
	}
	return copyAgain
}

// below returns the instance whose name is nearest to that of a path that does not exist. It
// looks into the directories beside that path: names are often given without their directory.
func below(path string) (string, bool) {
	const most = 10_000 // entries that are looked at
	looked := 0
	parent := filepath.Dir(path)
	beside, err := os.ReadDir(parent)
	if err != nil {
		return "", false
	}
	var names []string
	at := map[string]string{}
	for _, e := range beside {
		dir := filepath.Join(parent, e.Name())
		inside, err := os.ReadDir(dir)
		if err != nil {
			continue // a file, or one that may not be read
		}
		if looked += len(inside); looked > most {
			break
		}
		for _, e := range inside {
			instance := filepath.Join(dir, e.Name())
			name := cmp.Or(archiveName(instance), e.Name())
			if at[name] == "" && (name != e.Name() || isFile(filepath.Join(instance, ModelFile))) {
				names, at[name] = append(names, name), instance
			}
		}
	}
	near, ok := diagnostic.Nearest(filepath.Base(path), slices.Values(names))
	return at[near], ok
}

// repack is the advice for archives that are not read.
func repack(path string) string {
	for _, suffix := range []string{".zip", ".tar", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".tar.zst", ".7z"} {
		if strings.HasSuffix(path, suffix) {
			return "repack it as .tgz"
		}
	}
	return ""
}

// ofFormulas is the advice for files of formulas, which are no instance.
func ofFormulas(path string) string {
	if root, _ := begin(path); root == "property-set" {
		return "it holds formulas: name the net or its directory; `podium check formulas` checks formulas"
	}
	if text, ok := strings.CutSuffix(path, ".txt"); ok && isFile(text+".xml") {
		return "formulas are read from " + text + ".xml"
	}
	return ""
}

// cause drops the operation and path of a file error: the finding names them.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// loading is one candidate after it was read.
type loading struct {
	instance Instance
	ok       bool
	stamp    stamp // of an archive
	findings diagnostic.List
}

func (l *loading) report(s diagnostic.Severity, code, message, hint string) {
	l.findings.Add(finding(s, l.instance.Path, code, message, hint))
}

func (o Opener) load(c candidate, index *index) loading {
	l := loading{instance: Instance{Path: c.path, Archive: c.archive, Alone: c.alone, limits: o.Limits, digest: &digest{}, hear: o.Hear}}
	if c.alone {
		l.ok = l.loadAlone()
		l.instance.Class = classOf(l.instance.ID, l.instance.Facts)
		return l
	}
	name := archiveName(c.path)
	if !c.archive {
		name = directoryName(c.path)
	}
	id, err := ParseID(name)
	if err != nil {
		hint := "rename the directory, or give the paths of the instances alone"
		if isFile(filepath.Join(c.path, ModelFile)) {
			hint = "rename the directory, or name the net in it, " + filepath.Join(c.path, ModelFile)
		}
		if c.archive {
			hint = "an archive is named as the instance in it"
		}
		l.report(diagnostic.Error, "models-name", err.Error(), hint)
		return l
	}
	l.instance.ID = id
	if c.archive {
		l.ok = l.loadArchive(index)
	} else {
		l.ok = l.loadDirectory()
	}
	if l.ok && !l.instance.Has(ModelFile) {
		l.report(diagnostic.Error, "models-no-net", "holds no "+ModelFile, "give the file of the net this name")
		l.ok = false
	}
	l.instance.Class = classOf(id, l.instance.Facts)
	return l
}

// directoryName is the last part of the path, also for "." and "..".
func directoryName(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return filepath.Base(path)
}

// maxWord bounds the files of one word; instance names are far shorter.
const maxWord = 512

// note takes what a file tells to the facts.
func (f *Facts) note(k Kind, name string, content []byte) {
	switch name {
	case NewModelFile:
		f.New = true
	case LargeMarkingFile:
		f.LargeMarking = true
	case UnfiniteFile:
		f.Unfinite = true
	case ColoredFile:
		f.Colored = parseClaim(string(content))
	case EquivFile(k):
		f.Twin = parseClaim(string(content))
	case InstanceFile:
		f.Param = strings.TrimSpace(string(content))
	}
}

// oneWord tells the files whose content is a fact.
func oneWord(k Kind, name string) bool {
	return name == ColoredFile || name == InstanceFile || name == EquivFile(k)
}

func (l *loading) loadDirectory() bool {
	i := &l.instance
	entries, err := os.ReadDir(i.Path)
	if err != nil {
		l.report(diagnostic.Error, "models-unreadable", cause(err), copyAgain)
		return false
	}
	ok := true
	for _, e := range entries {
		if foreign([]string{e.Name()}) || e.IsDir() {
			continue
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			l.report(diagnostic.Error, "models-not-regular", fmt.Sprintf("holds %q, which is no regular file", e.Name()), "replace links by copies")
			ok = false
			continue
		}
		if !portable(e.Name()) {
			l.report(diagnostic.Error, "models-file-name", fmt.Sprintf("holds %q, which is no portable file name", e.Name()), "rename the file")
			ok = false
			continue
		}
		i.Files = append(i.Files, File{e.Name(), info.Size()}) // ReadDir sorts
		var content []byte
		if oneWord(i.ID.Kind, e.Name()) {
			if content, err = readWord(i.File(e.Name())); err != nil {
				l.report(diagnostic.Error, "models-unreadable", e.Name()+": "+cause(err), copyAgain)
				ok = false
			}
		}
		i.Facts.note(i.ID.Kind, e.Name(), content)
	}
	return ok
}

func readWord(path string) ([]byte, error) {
	f, err := files.OpenNamed(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxWord))
}

func (l *loading) loadArchive(index *index) bool {
	i := &l.instance
	var err error
	if l.stamp, err = stampOf(i.Path); err != nil {
		l.report(diagnostic.Error, "models-unreadable", cause(err), copyAgain)
		return false
	}
	if index.recall(l.stamp, i) {
		return true
	}
	sums := map[string][]byte{}
	top, err := walkArchive(i.Path, i.limits, func(name string, size int64, content io.Reader) error {
		return l.takeFile(name, size, content, sums)
	})
	if err != nil {
		code, hint := "models-unreadable", copyAgain
		if known := (*archiveError)(nil); errors.As(err, &known) {
			code, hint = known.Code, fmt.Sprintf("pack the directory again: `tar czf %[1]s.tgz %[1]s`", i.ID)
		}
		l.report(diagnostic.Error, code, cause(err), hint)
		return false
	}
	if top != i.ID.String() {
		l.report(diagnostic.Error, "models-archive-name", fmt.Sprintf("holds the directory %q: the archive of an instance has its name", shorten(top)), "rename the archive or repack it")
		return false
	}
	slices.SortFunc(i.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	i.digest.text = combine(sums)
	return true
}

func (l *loading) takeFile(name string, size int64, content io.Reader, sums map[string][]byte) error {
	var first []byte
	var err error
	if oneWord(l.instance.ID.Kind, name) {
		if first, err = io.ReadAll(io.LimitReader(content, maxWord)); err != nil {
			return err
		}
	}
	sums[name], err = sum(io.MultiReader(strings.NewReader(string(first)), content))
	l.instance.Files = append(l.instance.Files, File{name, size})
	l.instance.Facts.note(l.instance.ID.Kind, name, first)
	return err
}

// unite sorts the instances and keeps one of each ID: of equal ones the
// directory, of different ones the first, which is an error.
func (c *Collection) unite() {
	slices.SortStableFunc(c.Instances, func(a, b Instance) int { return a.ID.Compare(b.ID) })
	kept := c.Instances[:0]
	for _, i := range c.Instances {
		n := len(kept)
		if n == 0 || kept[n-1].ID != i.ID {
			kept = append(kept, i)
			continue
		}
		if !sameContent(kept[n-1], i) {
			c.report(diagnostic.Error, i.Path, "models-duplicate", fmt.Sprintf("is a second %s, different from %s", i.ID, kept[n-1].Path), "remove one of them")
			continue
		}
		if kept[n-1].Archive && !i.Archive {
			kept[n-1] = i
		}
	}
	c.Instances = kept
}

func sameContent(a, b Instance) bool {
	if filepath.Clean(a.Path) == filepath.Clean(b.Path) {
		return true
	}
	x, errA := a.Digest()
	y, errB := b.Digest()
	return errA == nil && errB == nil && x == y
}
