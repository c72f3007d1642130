package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestPublicRoomsNameNoInternalType: what another module cannot import is not
// part of what it is given. It looks at every exported function, variable,
// field and method of every room that is not internal.
func TestPublicRoomsNameNoInternalType(t *testing.T) {
	exports := exportData(t)
	load := importerOf(exports)
	rooms := 0
	for path := range exports {
		if !strings.HasPrefix(path, module) || isInternal(path) || strings.HasPrefix(path, module+"cmd") {
			continue
		}
		room, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		rooms++
		for _, name := range named(room, func(path string) bool { return strings.HasPrefix(path, module) && isInternal(path) }) {
			t.Error(name)
		}
	}
	if rooms < 15 {
		t.Errorf("only %d public rooms were seen", rooms)
	}
}

// TestNamedFindsTypes: the search looks where types may stand.
func TestNamedFindsTypes(t *testing.T) {
	room, err := importerOf(exportData(t)).Import("io/fs")
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(named(room, func(path string) bool { return path == "time" }), "\n")
	if !strings.Contains(found, "io/fs.FileInfo.ModTime names time.Time") {
		t.Errorf("the method of an interface is not seen: %s", found)
	}
}

// importerOf reads the types of packages from their files of compiled types.
func importerOf(exports map[string]string) types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
}

func isInternal(path string) bool { return strings.Contains("/"+path+"/", "/internal/") }

// exportData returns the file of compiled types of each package that the module
// needs, by import path.
func exportData(t *testing.T) map[string]string {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Export", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	files := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, Export string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
	}
}

// search looks for types of foreign packages in what a room exports.
type search struct {
	foreign func(path string) bool
	found   []string
}

// named lists the exported names of a room that mention a type of a foreign
// package.
func named(room *types.Package, foreign func(path string) bool) []string {
	s := &search{foreign: foreign}
	for _, name := range room.Scope().Names() {
		object := room.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		where := room.Path() + "." + name
		s.look(where, object.Type())
		if t, ok := object.Type().(*types.Named); ok {
			s.look(where, t.Underlying())
			for i := range t.NumMethods() {
				if m := t.Method(i); m.Exported() {
					s.look(where+"."+m.Name(), m.Type())
				}
			}
		}
	}
	return s.found
}

func (s *search) look(where string, t types.Type) {
	switch t := t.(type) {
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil && s.foreign(p.Path()) {
			s.found = append(s.found, where+" names "+p.Path()+"."+t.Obj().Name())
		}
		for i := range t.TypeArgs().Len() {
			s.look(where, t.TypeArgs().At(i))
		}
	case *types.Alias:
		s.look(where, types.Unalias(t))
	case *types.Map:
		s.look(where, t.Key())
		s.look(where, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		s.look(where, t.Elem())
	case *types.Signature:
		s.look(where, t.Params())
		s.look(where, t.Results())
	case *types.Tuple:
		for i := range t.Len() {
			s.look(where, t.At(i).Type())
		}
	default:
		s.members(where, t)
	}
}

// members looks at the exported fields of a struct and methods of an interface.
func (s *search) members(where string, t types.Type) {
	switch t := t.(type) {
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Exported() {
				s.look(where+"."+f.Name(), f.Type())
			}
		}
	case *types.Interface:
		for i := range t.NumMethods() {
			if m := t.Method(i); m.Exported() {
				s.look(where+"."+m.Name(), m.Type())
			}
		}
	}
}
