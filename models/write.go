package models

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"podium/internal/files"
)

// Model is a net that can write itself as PNML, such as *pnml.Net.
type Model interface {
	Write(w io.Writer) error
}

// WriteOptions say what [WriteInstance] writes besides the net.
type WriteOptions struct {
	Twin         bool // the same net of the other kind exists: equiv_col or equiv_pt says TRUE
	New          bool // marker of surprise models
	LargeMarking bool
	Unfinite     bool // marker of infinite state spaces
	Replace      bool // an instance that is already there gives way
	// Files are further files, the formula files say, by name.
	Files map[string]func(w io.Writer) error
}

// WriteInstance makes the instance directory dir/<id>, whole or not at all:
// model.pnml, iscolored, instance, equiv_col or equiv_pt, and the markers and
// further files that o names. The same net and options give the same bytes.
func WriteInstance(dir string, id ID, net Model, o WriteOptions) error {
	target := filepath.Join(dir, id.String())
	texts, err := o.files(id, net)
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	return files.Into(dir, o.Replace, func(dir string) error {
		fresh := filepath.Join(dir, id.String())
		if err := os.Mkdir(fresh, 0o755); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if err := create(filepath.Join(fresh, name), texts[name]); err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(target, name), err)
			}
		}
		return nil
	})
}

// files returns the writer of every file of the instance.
func (o WriteOptions) files(id ID, net Model) (map[string]func(io.Writer) error, error) {
	files := map[string]func(io.Writer) error{
		ModelFile:          net.Write,
		ColoredFile:        text(word(id.Kind == COL)),
		InstanceFile:       text(id.Param + "\n"),
		EquivFile(id.Kind): text(word(o.Twin)),
	}
	for name, wanted := range map[string]bool{NewModelFile: o.New, LargeMarkingFile: o.LargeMarking, UnfiniteFile: o.Unfinite} {
		if wanted {
			files[name] = text("\n")
		}
	}
	for name, write := range o.Files {
		if _, taken := files[name]; taken || filepath.Base(name) != name || foreign([]string{name}) {
			return nil, fmt.Errorf("%q is no name for a further file of an instance", name)
		}
		files[name] = write
	}
	return files, nil
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func create(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Sync(), f.Close())
}
