package models

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/pnml/diagnostic"
	"podium/pnml/xmlscan"
)

// A file of a net stands for an instance. What a directory has beside the net and no person
// writes is made up: iscolored, instance and equiv_col or equiv_pt.

// mostBegin is how much of a file is read to see what it is, in bytes.
const mostBegin = 64 << 10

// begin is [Begin] of a file.
func begin(path string) (root, netType string) {
	f, err := os.Open(path)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	return Begin(f)
}

// Begin returns the first element of a document and, of a net, the type; "" where there is none.
func Begin(r io.Reader) (root, netType string) {
	s := xmlscan.New(io.LimitReader(r, mostBegin), "")
	for event := s.Next(); event != xmlscan.EOF; event = s.Next() {
		if event != xmlscan.Start {
			continue
		}
		name := string(s.Name())
		if root == "" {
			root = name
		}
		if root != "pnml" || name == "net" {
			text, _ := s.Attr("type")
			return root, string(text)
		}
	}
	return root, ""
}

// isNet reports whether a regular file is one of a net: by its ending or by its first element.
func isNet(path string) bool {
	if filepath.Ext(path) == ".pnml" {
		return true
	}
	root, _ := begin(path)
	return root == "pnml"
}

// NetBeside returns the net to which the files of a directory belong: model.pnml, or the only
// file that ends in .pnml. It is "" where there is none, and where several are there.
func NetBeside(dir string) string {
	if model := filepath.Join(dir, ModelFile); isFile(model) {
		return model
	}
	nets, _ := filepath.Glob(filepath.Join(literally(dir), "*.pnml"))
	if len(nets) != 1 || !isFile(nets[0]) {
		return ""
	}
	return nets[0]
}

// literally writes the name of a directory as a pattern.
func literally(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// IDOfNet returns the name of the instance that a file of a net stands for: the name of the
// file, or of the directory of a model.pnml. Made reports whether this is the name of no instance
// and was made one: net-PT-none of net.pnml.
func IDOfNet(path string, coloured bool) (id ID, made bool) {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if filepath.Base(path) == ModelFile {
		if dir := directoryName(filepath.Dir(path)); strings.Trim(dir, "./") != "" {
			name = dir
		}
	}
	if id, err := ParseID(name); err == nil {
		return id, false
	}
	clean := strings.Map(func(r rune) rune {
		if !ofName(r) {
			return '_'
		}
		return r
	}, strings.TrimLeft(name, "-"))
	if clean == "" {
		clean = "net"
	}
	kind := PT
	if coloured {
		kind = COL
	}
	if id, err := ParseID(clean); err == nil {
		return id, true
	}
	id, _ = ParseID(clean + "-" + kind.String() + "-none") // which is a name now
	return id, true
}

// loadAlone makes an instance of a net and of the files of formulas beside it. Where other
// nets stand there, nobody knows to which of them formulas belong, and none are taken.
func (l *loading) loadAlone() bool {
	i := &l.instance
	info, err := os.Stat(i.Path)
	if err != nil {
		l.report(diagnostic.Error, "models-unreadable", cause(err), copyAgain)
		return false
	}
	_, netType := begin(i.Path)
	i.ID, i.Made = IDOfNet(i.Path, strings.HasSuffix(netType, "symmetricnet"))
	i.memory = map[string][]byte{
		ColoredFile:          []byte(word(i.ID.Kind == COL)),
		InstanceFile:         []byte(i.ID.Param + "\n"),
		EquivFile(i.ID.Kind): []byte(word(false)),
	}
	for name, content := range i.memory {
		i.Files = append(i.Files, File{name, int64(len(content))})
		i.Facts.note(i.ID.Kind, name, content)
	}
	i.Files = append(i.Files, File{ModelFile, info.Size()})
	if dir := filepath.Dir(i.Path); NetBeside(dir) == filepath.Clean(i.Path) {
		i.Files = append(i.Files, formulasIn(dir)...)
	}
	slices.SortFunc(i.Files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return true
}

// formulasIn lists the files of formulas of a directory.
func formulasIn(dir string) (list []File) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".xml" || foreign([]string{e.Name()}) {
			continue
		}
		if root, _ := begin(filepath.Join(dir, e.Name())); root == "property-set" {
			list = append(list, File{e.Name(), info.Size()})
		}
	}
	return list
}

// store writes the files of the instance into dir, which exists and is empty.
func (i Instance) store(dir string) error {
	return i.Each(func(name string, content io.Reader) error {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, content)
		return errors.Join(err, f.Close())
	})
}
