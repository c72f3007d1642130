package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"
	"syscall"

	"podium/examinations"
	"podium/examinations/verdict"
	"podium/internal/files"
	"podium/internal/yaml"
	"podium/pnml/diagnostic"
	"podium/vm"
)

// ManifestFile is the name of the manifest inside a tool directory.
const ManifestFile = "tool.yaml"

// headFile is the program that a tool is started with, where the manifest names no other.
const headFile = "BenchKit_head.sh"

// Format is the value of the format key of a manifest.
const Format = "podium-tool/1"

// Manifest is the content of tool.yaml. Unknown keys are errors.
type Manifest struct {
	Format  string `yaml:"format"`
	Name    string `yaml:"name"`
	Title   string `yaml:"title"`            // one line for the pages
	Version string `yaml:"version"`          // the tool's own
	Family  string `yaml:"family"`           // variants of one family share a place on the podium (E-4.5); default: the name
	Kind    string `yaml:"kind"`             // sequential (E-5.2, default) or concurrent (E-5.3)
	Head    string `yaml:"head"`             // program that is started, default BenchKit_head.sh
	Image   string `yaml:"image"`            // file of `podium image build` in the tool directory that holds the tool; default: the directory is the tool
	System  string `yaml:"system,omitempty"` // file of `podium image build --oci` in the tool directory with the file system that runs see; the directory is the tool
	// Writable are directories of the tool that its programs may write to, empty in each run.
	Writable []string `yaml:"writable,omitempty"`
	// OutOfCompetition asks for no place: the tool is run and scored, and stands on no
	// podium, such as a reference tool of the organisers.
	OutOfCompetition bool `yaml:"out_of_competition,omitempty"`

	// Examinations and Nets (PT, COL) are what the tool takes part in (T-4); empty: all.
	// It is not run on anything else.
	Examinations []string `yaml:"examinations,omitempty"`
	Nets         []string `yaml:"nets,omitempty"`

	Techniques []string `yaml:"techniques,omitempty"` // that its answers name

	// How the tool is run on tasks of SV-COMP, see [Manifest.Words]; a tool without a
	// command is one for nets.
	Command    string            `yaml:"command,omitempty"`     // a program and its arguments, with placeholders
	Options    []string          `yaml:"options,omitempty"`     // what {options} stands for
	ToolInfo   string            `yaml:"toolinfo,omitempty"`    // module of BenchExec that knows the tool; default: the name
	Answers    verdict.Rules     `yaml:"answers,omitempty"`     // how its verdicts are read; default: [verdict.Standard]
	Properties []string          `yaml:"properties,omitempty"`  // that the tool takes part in; empty: all
	DataModels map[string]string `yaml:"data_models,omitempty"` // what {data_model} stands for, by ILP32 and LP64
	OptOut     []string          `yaml:"opt_out,omitempty"`     // categories and properties in which the tool is run and shows no results
	// Validates are the witnesses that a validator takes: by violation and correctness the
	// properties, none for all. Other tools have none.
	Validates map[string][]string `yaml:"validates,omitempty"`
	Witness   string              `yaml:"witness,omitempty"` // name of the file of {witness}, default witness.graphml

	Authors string `yaml:"authors"`
	Home    string `yaml:"home"` // web address, for the pages
	Licence string `yaml:"licence,omitempty"`
	Archive string `yaml:"archive,omitempty"` // where others get this version: a DOI or an address
	// Consent: the organisers may run the tool, keep it in the contest's archive, and
	// publish what it answers. Qualification asks for it (T-7).
	Consent bool `yaml:"consent,omitempty"`
}

// Tool is a tool directory with its manifest.
type Tool struct {
	Manifest
	Dir string
}

// Place returns the Image and the Tool of a machine's specification: the image in the
// tool's directory that holds the tool, or the directory and the image with the file
// system that it sees, if there is one.
func Place(dir, image, system string) (vmImage, vmTool string) {
	switch {
	case image != "":
		return filepath.Join(dir, image), ""
	case system != "":
		return filepath.Join(dir, system), dir
	}
	return "", dir
}

// Concurrent reports whether the tool uses several cores (E-5.3).
func (t Tool) Concurrent() bool { return t.Kind == "concurrent" }

// ModuleName is the name of a tool as BenchExec has it: that of a Python module.
func ModuleName(name string) string {
	return strings.NewReplacer("-", "_", "+", "_", ".", "_").Replace(strings.ToLower(name))
}

// HasModule reports whether a module of BenchExec, with or without its package, is the one
// that knows the tool.
func (m Manifest) HasModule(module string) bool {
	last := func(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }
	own := m.Name
	if m.ToolInfo != "" {
		own = last(m.ToolInfo)
	}
	return ModuleName(last(module)) == ModuleName(own)
}

var toolName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$`)

// Open reads the manifest of a tool directory and checks that the head can be
// started. Errors are diagnostics with file:line:col, of paths as they are given.
func Open(given string) (Tool, error) {
	dir, err := filepath.Abs(given)
	if err != nil {
		return Tool{}, err
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real // else reading the manifest says what is wrong
	}
	t, err := open(dir)
	if found := (diagnostic.List)(nil); errors.As(err, &found) {
		for i := range found {
			found[i].File = strings.Replace(found[i].File, dir, given, 1)
			found[i].Message = strings.Replace(found[i].Message, dir, given, 1)
		}
	}
	return t, err
}

// open opens a directory by its full path.
func open(dir string) (Tool, error) {
	file := filepath.Join(dir, ManifestFile)
	text, err := files.Read(dir, ManifestFile, yaml.MaxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Tool{}, diagnostic.List{{File: file, Code: "tool-manifest-missing", Message: "the directory holds no tool manifest",
			Hint: "`podium tool init DIR` writes one"}}
	} else if err != nil {
		return Tool{}, err
	}
	m, err := parseManifest(file, text)
	if err != nil {
		return Tool{}, err
	}
	for _, name := range []string{m.Image, m.System} {
		if name == "" {
			continue
		}
		image, err := openFile(dir, name)
		if errors.Is(err, fs.ErrNotExist) {
			return Tool{}, diagnostic.List{{File: file, Line: lineOf(text, "image", "system"), Code: "tool-image-missing", Message: fmt.Sprintf("the tool's image %s does not exist in %s", name, dir),
				Hint: "`podium image build` and `podium image import` make it"}}
		} else if err != nil {
			return Tool{}, err
		}
		image.Close()
	}
	if m.Image != "" {
		return Tool{m, dir}, nil
	}
	for _, name := range m.Writable {
		if err := vm.CheckWritable(dir, name); err != nil {
			return Tool{}, diagnostic.List{{File: file, Line: lineOf(text, "writable"), Code: "tool-writable", Message: "writable: " + err.Error(),
				Hint: "name a directory of the tool that is there (mkdir) and holds nothing"}}
		}
	}
	if m.Command != "" {
		if err := checkCommandProgram(dir, m, text); err != nil {
			return Tool{}, err
		}
		if m.Head == "" {
			return Tool{m, dir}, nil
		}
	}
	return Tool{m, dir}, checkProgram(dir, m.Head, diagnostic.Diagnostic{File: file, Line: lineOf(text, "head"), Code: "tool-head-missing", Message: fmt.Sprintf("the tool's program %s does not exist in %s", m.Head, dir),
		Hint: "put it there, or name another with the key head"})
}

// lineOf is the line of the manifest that has one of the keys, 0 when none has.
func lineOf(text []byte, keys ...string) int {
	for i, line := range bytes.Split(text, []byte("\n")) {
		key, _, _ := strings.Cut(string(line), ":")
		if slices.Contains(keys, key) {
			return i + 1
		}
	}
	return 0
}

func parseManifest(file string, text []byte) (Manifest, error) {
	var m Manifest
	if err := yaml.Decode(text, &m); err != nil {
		return m, manifestFindings(file, err)
	}
	var found diagnostic.List
	refuse := func(code, key, message, hint string) {
		found.Add(diagnostic.Diagnostic{File: file, Line: max(1, lineOf(text, key)), Col: 1, Code: code, Message: message, Hint: hint})
	}
	if m.Format != Format {
		refuse("tool-format", "format", fmt.Sprintf("format is %q", m.Format), "write format: "+Format)
	}
	if m.Family != "" && !toolName.MatchString(m.Family) {
		refuse("tool-family", "family", fmt.Sprintf("family is %q", m.Family), "use a name as of a tool: 1 to 64 letters, digits, '.', '_', '+' and '-'")
	}
	if !toolName.MatchString(m.Name) {
		refuse("tool-name", "name", fmt.Sprintf("name is %q", m.Name), "use 1 to 64 letters, digits, '.', '_', '+' and '-', beginning with a letter or digit")
	}
	if m.Kind == "" {
		m.Kind = "sequential"
	}
	if m.Kind != "sequential" && m.Kind != "concurrent" {
		refuse("tool-kind", "kind", fmt.Sprintf("kind is %q", m.Kind), "write sequential (1 core) or concurrent (4 cores)")
	}
	for _, name := range m.Examinations {
		if _, err := examinations.ParseID(name); err != nil {
			refuse("tool-examination", "examinations", err.Error(), "leave the key out when the tool takes part in all")
		}
	}
	for _, net := range m.Nets {
		if net != "PT" && net != "COL" {
			refuse("tool-nets", "nets", fmt.Sprintf("there are no nets of the kind %q", net), "write PT, COL or both")
		}
	}
	if m.Family == "" {
		m.Family = m.Name
	}
	if m.Head == "" && m.Command == "" {
		m.Head = headFile
	}
	for _, key := range []struct{ name, file string }{{"image", m.Image}, {"system", m.System}} {
		if key.file != "" && !filepath.IsLocal(key.file) {
			refuse("tool-image", key.name, fmt.Sprintf("%s is %q", key.name, key.file), "name a file inside the tool directory, so that the tool's digest is that of its image, too")
		}
	}
	if len(m.Writable) > vm.MaxWritable {
		refuse("tool-writable", "writable", fmt.Sprintf("there are %d writable directories", len(m.Writable)), fmt.Sprintf("name at most %d", vm.MaxWritable))
	}
	if m.Image != "" && m.System != "" {
		refuse("tool-system", "system", "there are an image and a system", "name an image that holds the tool, or as system one with the file system that the tool in this directory sees")
	}
	found = append(found, checkCommand(file, text, &m)...)
	if m.Head != "" && !filepath.IsLocal(m.Head) {
		refuse("tool-head", "head", fmt.Sprintf("head is %q", m.Head), "name a file inside the tool directory")
	}
	found.Sort()
	return m, found.Err()
}

// manifestFindings says what is wrong with a manifest that is no YAML, or has keys or
// values that no manifest has, with what to write.
func manifestFindings(file string, err error) diagnostic.List {
	if errors.Is(err, io.EOF) {
		return diagnostic.List{{File: file, Code: "tool-manifest", Message: "the manifest is empty", Hint: "`podium tool init DIR` writes one"}}
	}
	list := yaml.Findings(file, err, "tool-manifest", "")
	for i := range list {
		d := &list[i]
		switch name, unknown := strings.CutPrefix(d.Message, "unknown field "); {
		case unknown:
			d.Message += diagnostic.Instead(strings.Trim(name, `"`), manifestKeys())
		case strings.HasSuffix(d.Message, "into bool"):
			d.Message, d.Hint = "this is neither true nor false", "write true or false, without quotes"
		case strings.HasSuffix(d.Message, "into []string"):
			d.Hint = "write a list in brackets: [A, B]"
		case strings.Contains(d.Message, "character that cannot start any token"):
			d.Hint = "write a text that begins with @, ` or % in quotes"
		}
	}
	return list
}

// manifestKeys are the keys that a manifest may have.
func manifestKeys() (keys []string) {
	t := reflect.TypeFor[Manifest]()
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		keys = append(keys, key)
	}
	return keys
}

// OpenAll opens every tool directory among the paths: a path is a tool
// directory itself or a directory that holds some. Names must be distinct.
func OpenAll(paths ...string) ([]Tool, error) {
	var found diagnostic.List
	byName := map[string]Tool{}
	for _, path := range paths {
		dirs, err := Dirs(path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			t, err := Open(dir)
			var list diagnostic.List
			switch {
			case errors.As(err, &list):
				found = append(found, list...)
				continue
			case err != nil:
				return nil, err
			}
			if other, twice := byName[t.Name]; twice && other.Dir != t.Dir {
				found.Add(diagnostic.Diagnostic{File: filepath.Join(t.Dir, ManifestFile), Code: "tool-name-twice",
					Message: fmt.Sprintf("the name %s is taken by %s", t.Name, other.Dir), Hint: "give each tool or variant a name of its own"})
				continue
			}
			byName[t.Name] = t
		}
	}
	if err := found.Err(); err != nil {
		found.Sort()
		return nil, found
	}
	list := make([]Tool, 0, len(byName))
	for _, t := range byName {
		list = append(list, t)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

// Dirs returns the tool directories of a path: itself, or those in it.
func Dirs(path string) ([]string, error) {
	for _, mark := range []string{ManifestFile, headFile} {
		if _, err := os.Lstat(filepath.Join(path, mark)); err == nil { // also a link, which is refused later
			return []string{path}, nil
		}
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return nil, diagnostic.List{{File: path, Code: "tool-file", Message: "this is a file, and a tool is a directory", Hint: "name its directory, " + filepath.Dir(path)}}
		}
		hint := "name the directory of a tool or of several, or a built-in tool" + diagnostic.Instead(path, AllNames())
		_, builtIn := diagnostic.Nearest(path, slices.Values(AllNames()))
		if near, ok := diagnostic.NearestPath(path); ok && !builtIn {
			hint = "the nearest is " + near
		}
		if one, more, list := strings.Cut(path, ","); list {
			hint = fmt.Sprintf("give each tool a flag of its own: --tools %s --tools %s", one, strings.ReplaceAll(more, ",", " --tools "))
		}
		return nil, diagnostic.List{{File: path, Code: "tool-missing", Message: "there is no such directory, and no built-in tool of this name", Hint: hint}}
	} else if err != nil {
		return nil, err
	}
	var dirs []string
	for _, e := range entries {
		if dir := filepath.Join(path, e.Name()); isDir(dir) {
			dirs = append(dirs, dir)
		}
	}
	if isInstance(path) {
		return nil, diagnostic.List{{File: path, Code: "tool-manifest-missing", Message: "this is an instance of a model, and no tool",
			Hint: "the tool stands first: `podium try TOOL INSTANCE`"}}
	}
	if len(dirs) == 0 {
		return nil, diagnostic.List{{File: path, Code: "tool-manifest-missing", Message: "there is no tool here",
			Hint: "`podium tool init DIR` writes a tool directory to begin with"}}
	}
	return dirs, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
