package image

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
	"podium/vm"
	"podium/vm/guest/image/oci"
)

// Names by which a layer removes what layers below it hold (OCI image-spec 1.1,
// layer.md, "Whiteouts").
const (
	whiteout       = ".wh."         // before the name of what is removed
	opaqueWhiteout = ".wh..wh..opq" // in a directory of which nothing below is seen
	auxiliary      = ".wh..wh."     // before names that AUFS kept for itself
)

// openContainer returns the files of a container image in an archive, packed or not, and
// the variables of its environment. The layers are unpacked into a temporary file.
func openContainer(name string) (s *source, environment []string, err error) {
	s = &source{}
	defer func() {
		if err != nil {
			err = errors.Join(invalid(name, err), s.close())
		}
	}()
	f, err := os.Open(name)
	if err != nil {
		return s, nil, err
	}
	defer f.Close()
	if err = s.makeTemporary(); err != nil {
		return s, nil, err
	}
	archive, err := plainArchive(f, s.temporary)
	if err != nil {
		return s, nil, err
	}
	image, err := oci.Read(archive, archive.Size())
	if err != nil {
		return s, nil, err
	}
	layers, err := unpackLayers(image, s.temporary)
	if err != nil {
		return s, nil, err
	}
	t := &tree{byName: map[string]entry{}}
	for i, layer := range layers {
		if err := t.lay(layer); err != nil {
			return s, nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
	}
	if s.entries, err = t.sorted(); err != nil {
		return s, nil, err
	}
	return s, image.Environment, checkEnvironment(image.Environment)
}

// invalid says what is wrong with an archive, unless a file of the host is.
func invalid(archive string, err error) error {
	var host *fs.PathError
	if errors.As(err, &host) {
		return err
	}
	return diagnostic.List{{File: archive, Code: "image-archive", Message: err.Error()}}
}

// plainArchive returns an archive as it is, or unpacked at the beginning of a temporary
// file.
func plainArchive(f, temporary *os.File) (*io.SectionReader, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, errors.New("the file is too short for an archive")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	from := f
	if packing(head) != "" {
		if err := unpackArchive(temporary, f, maxBytes); err != nil {
			return nil, err
		}
		from = temporary
	}
	info, err := from.Stat()
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(from, 0, info.Size()), nil
}

// unpackLayers appends all layers to a file, and gives each one's part of it.
func unpackLayers(image *oci.Image, to *os.File) (layers []*io.SectionReader, err error) {
	start, err := to.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	for i, layer := range image.Layers {
		begin, err := to.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		left := maxBytes - (begin - start)
		if err := layer.Copy(to, func(to io.Writer, from io.Reader) error { return unpackArchive(to, from, left) }); err != nil {
			return nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
		end, err := to.Seek(0, io.SeekCurrent)
		if err != nil {
			return nil, err
		}
		layers = append(layers, io.NewSectionReader(to, begin, end-begin))
	}
	return layers, nil
}

// lay puts a layer over what is there. A layer removes only what layers below it hold,
// wherever in the layer that stands; so it is read twice.
func (t *tree) lay(layer archiveReader) error {
	gone, opaque := map[string]bool{}, map[string]bool{}
	err := eachMember(layer, func(m member) error {
		dir, base := path.Split(m.name)
		if strings.Contains("/"+dir, "/"+auxiliary) {
			return nil
		}
		dir = t.resolve(dir)
		switch hidden, ok := strings.CutPrefix(base, whiteout); {
		case base == opaqueWhiteout:
			opaque[dir] = true
		case strings.HasPrefix(base, auxiliary):
		case ok && (hidden == "" || hidden == "." || hidden == ".."):
			return fmt.Errorf("%.200q removes nothing that has a name", m.Name)
		case ok:
			gone[path.Join(dir, hidden)] = true
		case m.Typeflag != tar.TypeDir:
			gone[path.Join(dir, base)] = true // a directory, with all that it holds
		}
		return nil
	})
	if err != nil {
		return err
	}
	if gone["."] {
		return errors.New("the root of the file system is no directory")
	}
	t.remove(gone, opaque)
	return eachMember(layer, t.put)
}

// put takes one member of a layer.
func (t *tree) put(m member) error {
	if strings.Contains("/"+m.name, "/"+whiteout) {
		return nil
	}
	dir, base := path.Split(m.name)
	e, ok, err := t.entry(m, path.Join(t.resolve(dir), base))
	if err != nil || !ok {
		return err
	}
	if len(e.name) > maxName {
		return fmt.Errorf("%.200q is too long with the links on its way", m.Name)
	}
	if m.Uid != 0 && e.mode&os.ModeSymlink == 0 {
		// There is no other user of the image in a machine, and nobody may write.
		e.mode |= e.mode & 0o500 >> 6
	}
	if t.byName[e.name] = e; len(t.byName) > maxEntries {
		return fmt.Errorf("the image holds more than %d files", maxEntries)
	}
	return nil
}

// remove takes away what is gone, and what lies below that or in a directory that is
// opaque.
func (t *tree) remove(gone, opaque map[string]bool) {
	if len(gone)+len(opaque) == 0 {
		return
	}
	for name := range t.byName {
		below := gone[name]
		for dir := path.Dir(name); !below; dir = path.Dir(dir) {
			below = gone[dir] || opaque[dir]
			if dir == "." {
				break
			}
		}
		if below && name != "." {
			delete(t.byName, name)
		}
	}
}

// maxFollowed bounds the symbolic links on the way to a file, as Linux does.
const maxFollowed = 40

// resolve returns a directory's name without symbolic links: those of the tree, from
// whose root none leads out. Layers of some builders say bin/x where bin is a link to
// usr/bin.
func (t *tree) resolve(dir string) string {
	done, rest := ".", dir
	for steps, followed := 0, 0; rest != "" && steps < maxName && len(done) <= maxName; steps++ {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		at := path.Join(done, part) // "" and "." stay here
		if part == ".." {
			at = path.Dir(done)
		}
		e, ok := t.byName[at]
		if !ok || e.mode&os.ModeSymlink == 0 || followed == maxFollowed || part == ".." {
			done = at
			continue
		}
		followed++
		if path.IsAbs(e.link) {
			done = "."
		}
		rest = e.link + "/" + rest
	}
	return done
}

// environmentEntry keeps the variables where machines look for them.
func environmentEntry(list []string) entry {
	var text []byte
	for _, one := range list {
		text = append(append(text, one...), 0)
	}
	return dataEntry(vm.EnvironmentFile, 0o644, text)
}

// notSeen are the places of a container image where people put programs, and that runs do
// not see.
var notSeen = []string{"/root/", "/home/", "/srv/"}

// fewFiles is how many files are usual there, such as those of a shell.
const fewFiles = 10

// unseen says what of an image runs will miss.
func unseen(entries []entry, environment []string) (remarks []string) {
	count := map[string]int{}
	for _, e := range entries {
		if e.open == nil || strings.HasPrefix(e.name, vm.ToolDir[1:]+"/") {
			continue
		}
		for _, place := range notSeen {
			if strings.HasPrefix("/"+e.name, place) {
				count[place]++
			}
		}
	}
	for _, place := range notSeen {
		if n := count[place]; n > fewFiles {
			remarks = append(remarks, fmt.Sprintf("runs do not see the %d files below %s: put what the tool needs below /opt or /usr/local", n, place))
		}
	}
	for _, one := range environment {
		name, value, _ := strings.Cut(one, "=")
		for part := range strings.SplitSeq(value, ":") {
			if part != vm.ToolDir && !strings.HasPrefix(part, vm.ToolDir+"/") && slices.ContainsFunc(notSeen, func(place string) bool { return strings.HasPrefix(part+"/", place) }) {
				remarks = append(remarks, fmt.Sprintf("%q names %q, which runs do not see", name, part))
			}
		}
	}
	return remarks
}

// checkEnvironment refuses variables that no process can have.
func checkEnvironment(list []string) error {
	size := 0
	for _, one := range list {
		name, _, ok := strings.Cut(one, "=")
		size += len(one) + 1
		switch {
		case !ok || name == "" || strings.Contains(one, "\x00"):
			return fmt.Errorf("%.200q in the image's configuration is no variable of the form NAME=value", one)
		case size > vm.MaxEnvironment:
			return fmt.Errorf("the variables of the image have more than %d bytes", vm.MaxEnvironment)
		}
	}
	return nil
}
