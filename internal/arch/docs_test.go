package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The names that a text of the project may use.
var (
	testWord  = regexp.MustCompile(`\b(?:Test|Fuzz|Benchmark)[A-Z]\w*`)
	fileWord  = regexp.MustCompile(`\b[\w/-]+\.(?:go|txtar)\b`)
	localPath = regexp.MustCompile("`((?:cmd|models|pnml|examinations|confidence|scoring|edition|vm|internal|docs|\\.ci)/[a-z0-9_./-]+)`")
	goName    = regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*(?:\\.\\w+)?)`")
	docLink   = regexp.MustCompile(`\]\(([\w./-]+)\)`)
)

// TestDocsNameWhatIsThere holds README, CONTRIBUTING, CHANGELOG and docs to the
// tree: files, directories, tests and exported names that they name exist.
func TestDocsNameWhatIsThere(t *testing.T) {
	house := survey(t, "../..")
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatal("no docs", err)
	}
	lab, err := filepath.Glob("../../docs/lab/*.md")
	if err != nil || len(lab) == 0 {
		t.Fatal("no docs/lab", err)
	}
	for _, doc := range append(append(docs, lab...), "../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md") {
		text, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel("../..", doc)
		for i, line := range strings.Split(string(text), "\n") {
			for _, missing := range house.missing(filepath.ToSlash(name), line) {
				t.Errorf("%s:%d: there is no %s", name, i+1, missing)
			}
		}
	}
}

func TestMissingNamesAreFound(t *testing.T) {
	house := &house{
		paths: map[string]bool{"vm": true, "vm/vm.go": true, "docs/a.md": true},
		bases: map[string]bool{"vm.go": true},
		names: map[string]bool{"TestX": true, "vm.Job": true, "vm.Job.Env": true},
	}
	for line, want := range map[string][]string{
		"`vm/vm.go`, vm.go and `vm/` have TestX, `vm.Job` and `vm.Job.Env`: [a](a.md)": nil,
		"`vm/run.go`":        {"vm/run.go"},
		"see run.go":         {"run.go"},
		"TestY":              {"TestY"},
		"`vm.Run`":           {"vm.Run"},
		"[b](b.md)":          {"docs/b.md"},
		"`internal/rooms`":   {"internal/rooms"},
		"https://a.b/run.go": nil,
	} {
		if got := house.missing("docs/a.md", line); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// house is what a text can name.
type house struct {
	paths map[string]bool // files and directories, from the root
	bases map[string]bool // names of files without their directory
	names map[string]bool // tests; exported names as room.Name and room.Type.Member
}

// missing lists what a line of a document names and the tree does not have.
func (h *house) missing(doc, line string) []string {
	found := map[string]bool{}
	line = regexp.MustCompile(`https?://\S+`).ReplaceAllString(line, "")
	for _, word := range testWord.FindAllString(line, -1) {
		found[word] = !h.names[word]
	}
	for _, word := range fileWord.FindAllString(line, -1) {
		found[word] = !h.paths[word] && (strings.Contains(word, "/") || !h.bases[word])
	}
	for _, m := range localPath.FindAllStringSubmatch(line, -1) {
		p := path.Clean(m[1])
		found[p] = !h.paths[p] && !h.bases[p]
	}
	for _, m := range goName.FindAllStringSubmatch(line, -1) {
		found[m[1]+"."+m[2]] = !h.names[m[1]+"."+m[2]]
	}
	for _, m := range docLink.FindAllStringSubmatch(line, -1) {
		p := path.Join(path.Dir(doc), m[1])
		found[p] = !h.paths[p]
	}
	maps.DeleteFunc(found, func(_ string, missing bool) bool { return !missing })
	return slices.Sorted(maps.Keys(found))
}

// survey reads the tree of the module.
func survey(t *testing.T, root string) *house {
	t.Helper()
	h := &house{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(root, file)
		if d.IsDir() && slices.Contains([]string{".git", "out", "bin"}, name) {
			return filepath.SkipDir
		}
		h.paths[filepath.ToSlash(name)] = true
		if d.IsDir() {
			return nil
		}
		h.bases[d.Name()] = true
		if !strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err == nil {
			h.declare(parsed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// declare notes the tests and the exported names of a file.
func (h *house) declare(file *ast.File) {
	room := file.Name.Name + "."
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			h.names[d.Name.Name] = h.names[d.Name.Name] || testWord.MatchString(d.Name.Name)
			h.names[room+receiver(d)+d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				h.declareSpec(room, spec)
			}
		}
	}
}

func (h *house) declareSpec(room string, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			h.names[room+n.Name] = true
		}
	case *ast.TypeSpec:
		h.names[room+s.Name.Name] = true
		if fields, ok := s.Type.(*ast.StructType); ok {
			for _, f := range fields.Fields.List {
				for _, n := range f.Names {
					h.names[room+s.Name.Name+"."+n.Name] = true
				}
			}
		}
	}
}

// receiver is the type of a method and a dot, empty for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "."
	}
	return ""
}
