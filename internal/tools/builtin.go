package tools

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"podium/internal/yaml"
)

// BuiltIn lists the built-in tools by name. They work by three different
// methods.
var BuiltIn = []Manifest{
	{Name: "explicit", Title: "enumerates the reachable markings, packed to bits"},
	{Name: "symbolic", Title: "computes with sets of markings, as decision diagrams"},
	{Name: "walk", Title: "walks through the net at random and answers only what a walk proves"},
}

// Named are built-in tools that take part only where they are named: demonstrations, and
// one that answers little beyond small nets.
var Named = []Manifest{
	{Name: "liar", Title: "a demonstration: answers as explicit does, and lies in one value of eight"},
	{Name: "parrot", Title: "a demonstration: answers only where it knows the name of the instance"},
	{Name: "proof", Title: "answers only what it leaves evidence for: proofs by the state equation and traps, and small nets by enumeration"},
	{Name: "reader", Title: "a demonstration: answers only what GenericPropertiesVerdict.xml beside the net states"},
}

// FindBuiltIn returns a built-in tool by name, those of Named included. The name
// COPY=NAME gives the tool NAME under the name COPY, as a variant of NAME.
func FindBuiltIn(name string) (Manifest, bool) {
	copied, of, isCopy := strings.Cut(name, "=")
	if !isCopy {
		of = name
	}
	for _, m := range slices.Concat(BuiltIn, Named) {
		if m.Name == of && toolName.MatchString(copied) {
			m.Format, m.Kind, m.Name, m.Family, m.Head = Format, "sequential", copied, m.Name, headFile
			return m, true
		}
	}
	return Manifest{}, false
}

// WriteBuiltIn makes the directory of a built-in tool, or of a copy of one, below
// dir: manifest, head and, as bin/podium, a copy of the program. The version is
// that of podium. The arguments follow `podium tool run NAME`.
func WriteBuiltIn(dir, name, version, program string, args ...string) (Tool, error) {
	m, ok := FindBuiltIn(name)
	if !ok {
		return Tool{}, fmt.Errorf("%q is no built-in tool", name)
	}
	m.Version, m.Authors, m.Licence, m.Consent = version, "the authors of Podium", "Apache-2.0", true
	home := filepath.Join(dir, m.Name)
	if err := os.MkdirAll(filepath.Join(home, "bin"), 0o755); err != nil {
		return Tool{}, err
	}
	manifest, err := yaml.Encode(m)
	if err != nil {
		return Tool{}, err
	}
	head := "#!/bin/sh\n# " + m.Title + "\nexec \"${BK_BIN_PATH:-$(dirname \"$0\")/bin/}podium\" tool run " + strings.Join(append([]string{m.Family}, args...), " ") + "\n"
	if err := os.WriteFile(filepath.Join(home, ManifestFile), manifest, 0o644); err != nil {
		return Tool{}, err
	}
	if err := os.WriteFile(filepath.Join(home, m.Head), []byte(head), 0o755); err != nil {
		return Tool{}, err
	}
	if err := copyProgram(program, filepath.Join(home, "bin", "podium")); err != nil {
		return Tool{}, err
	}
	return Open(home)
}

// copyProgram copies rather than links: a tool must not change when podium is
// built again. The copy is as old as the program, so that all tools have the same.
func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, time.Time{}, info.ModTime())
}

// BuiltInNames are the names of the built-in contestants.
func BuiltInNames() []string { return namesOf(BuiltIn) }

// AllNames are those of all built-in tools, also of those that take part only when they are
// named.
func AllNames() []string { return namesOf(slices.Concat(BuiltIn, Named)) }

func namesOf(list []Manifest) []string {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.Name
	}
	return names
}
