package task

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/files"
)

// Layout says where the files of a task stand in a directory of their own. Paths are
// relative to it, with slashes.
type Layout struct {
	Inputs       []string
	PropertyFile string
	files        []placed
}

// placed is a file or a directory and its place.
type placed struct{ from, to string }

// Limits of the files of one task.
const (
	maxTaskFiles = 1 << 16
	maxTaskBytes = 4 << 30
)

// Layout places the files of a task: inputs and required files as they stand to each other,
// and the property file above them. The task definition is left out, since it has the
// expected verdict.
func (t *Task) Layout() (Layout, error) {
	l := Layout{}
	all := slices.Concat(t.Inputs, t.Required)
	paths := make([]string, len(all))
	for i, p := range all {
		full, err := filepath.Abs(p)
		if err != nil {
			return l, err
		}
		paths[i] = full
	}
	root := commonDirectory(paths)
	for i, p := range paths {
		to, err := filepath.Rel(root, p)
		if err != nil {
			return l, err
		}
		to = filepath.ToSlash(to)
		if i < len(t.Inputs) {
			l.Inputs = append(l.Inputs, to)
		}
		l.files = append(l.files, placed{p, to})
	}
	if l.PropertyFile = t.Property + ".prp"; t.PropertyFile != "" {
		l.PropertyFile = filepath.Base(t.PropertyFile)
	}
	for slices.ContainsFunc(l.files, func(f placed) bool { return f.to == l.PropertyFile || strings.HasPrefix(f.to, l.PropertyFile+"/") }) {
		l.PropertyFile = "property-" + l.PropertyFile
	}
	return l, nil
}

// commonDirectory is the deepest directory that holds all files.
func commonDirectory(paths []string) string {
	root := filepath.Dir(paths[0])
	for _, p := range paths[1:] {
		for !inside(root, p) {
			root = filepath.Dir(root)
		}
	}
	return root
}

func inside(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel) && rel != "."
}

// Stage copies the files of a task into a directory, which is made. Where the task has
// no property file, as before 2013, one is written.
func (t *Task) Stage(dir string) (Layout, error) {
	l, err := t.Layout()
	if err != nil {
		return l, err
	}
	s := stager{}
	for _, f := range l.files {
		if err := s.copy(f.from, filepath.Join(dir, filepath.FromSlash(f.to))); err != nil {
			return l, err
		}
	}
	property := filepath.Join(dir, l.PropertyFile)
	if t.PropertyFile != "" {
		return l, s.copy(t.PropertyFile, property)
	}
	return l, os.WriteFile(property, []byte(t.propertyText()), 0o644)
}

// Copy copies the files of a staged task to a directory, which is made.
func Copy(from, to string) error {
	return (&stager{}).copy(from, to)
}

type stager struct {
	files int
	bytes int64
}

// copy copies a file, or a directory with all that it holds.
func (s *stager) copy(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		// A link stands for what it leads to, beside its directory at most: other files of this
		// computer are nothing that a task may have.
		within, name := filepath.Split(path)
		if e.Type()&fs.ModeSymlink != 0 {
			within = filepath.Dir(filepath.Clean(within))
			if name, err = filepath.Rel(within, path); err == nil {
				name, err = files.Resolve(within, name)
			}
			if err != nil {
				return err
			}
		}
		info, err := os.Stat(filepath.Join(within, name))
		switch {
		case err != nil:
			return err
		case info.IsDir() && !e.IsDir():
			return fmt.Errorf("%s is a link to a directory: name the directory itself", path)
		case info.IsDir():
			return os.MkdirAll(target, 0o755)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is neither a file nor a directory", path)
		}
		if s.files, s.bytes = s.files+1, s.bytes+info.Size(); s.files > maxTaskFiles || s.bytes > maxTaskBytes {
			return fmt.Errorf("%s: a task has %d files and %d GiB at most", path, maxTaskFiles, maxTaskBytes>>30)
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return copyFile(within, name, target)
	})
}

func copyFile(dir, name, to string) error {
	in, err := files.Open(dir, name)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil // an input that is also required
	} else if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// propertyText is the property file of a program that has none: what the rules of its
// time asked by the name of the property.
func (t *Task) propertyText() string {
	var b strings.Builder
	for _, part := range t.Parts {
		for _, f := range formulas {
			if f.name == part {
				formula := strings.NewReplacer("<function>", "__VERIFIER_error", "<label>", "ERROR").Replace(f.text)
				fmt.Fprintf(&b, "CHECK( init(main()), LTL(%s) )\n", formula)
			}
		}
	}
	return b.String()
}

// Digest is the SHA-256, in hexadecimal, over the sorted names and contents of the files
// of a staged task.
func Digest(dir string) (string, error) {
	all := sha256.New()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !e.Type().IsRegular() {
			return fmt.Errorf("%s is no regular file", path)
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f, err := files.Open(dir, rel)
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(all, "%q %x\n", filepath.ToSlash(rel), one.Sum(nil))
		return nil
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// DataModel is what the options of the task say of the sizes of C's types: ILP32 or LP64;
// ILP32 where they say nothing, as for most of the tasks before there were options.
func (t *Task) DataModel() string {
	if options, ok := t.Options.(map[string]any); ok {
		if model, ok := options["data_model"].(string); ok && model != "" {
			return model
		}
	}
	return "ILP32"
}

// Expected is the expected verdict as tools write theirs: TRUE, FALSE or FALSE(part);
// empty where there is none.
func (t *Task) Expected() string {
	switch {
	case t.Verdict == True:
		return "TRUE"
	case t.Verdict == False && t.Subproperty != "":
		return "FALSE(" + t.Subproperty + ")"
	case t.Verdict == False:
		return "FALSE"
	}
	return ""
}
