package models

import (
	"encoding/json"
	"fmt"
	"io"
)

// renamingFormat begins every file that holds a renaming.
const renamingFormat = "podium-renaming/1"

// Renaming maps the ids of an instance to those of its stripped copy, and back.
// It is secret: the organisers keep it apart from the stripped instance, to
// answer questions about it after the contest.
type Renaming struct {
	Original string // name of the instance
	Stripped string // its name now
	Seed     string

	fresh    map[string]string // new id of each old one: places, transitions, declarations
	old      map[string]string
	formulas map[string]string // old id of each formula by its new one
}

// New returns the new id of a place, transition or other node, and false when the
// old id is unknown.
func (r *Renaming) New(id string) (string, bool) {
	s, ok := r.fresh[id]
	return s, ok
}

// Old returns the old id of a new one, the inverse of New.
func (r *Renaming) Old(id string) (string, bool) {
	s, ok := r.old[id]
	return s, ok
}

// AddFormula notes the new id of a formula.
func (r *Renaming) AddFormula(old, fresh string) { r.formulas[fresh] = old }

// OldFormula returns the old id of a formula, and false when the new id is
// unknown.
func (r *Renaming) OldFormula(fresh string) (string, bool) {
	s, ok := r.formulas[fresh]
	return s, ok
}

func (r *Renaming) add(old, fresh string) {
	r.fresh[old], r.old[fresh] = fresh, old
}

func newRenaming() *Renaming {
	return &Renaming{fresh: map[string]string{}, old: map[string]string{}, formulas: map[string]string{}}
}

// renamingFile is a Renaming as it is written; the ids sort by the old one.
type renamingFile struct {
	Format   string            `json:"format"`
	Original string            `json:"original"`
	Stripped string            `json:"stripped"`
	Seed     string            `json:"seed"`
	IDs      map[string]string `json:"ids"`                // old to new
	Formulas map[string]string `json:"formulas,omitempty"` // new to old
}

// Write writes the renaming as JSON; equal renamings give equal bytes.
func (r *Renaming) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(renamingFile{renamingFormat, r.Original, r.Stripped, r.Seed, r.fresh, r.formulas})
}

// ReadRenaming reads what [Renaming.Write] writes.
func ReadRenaming(from io.Reader) (*Renaming, error) {
	var f renamingFile
	d := json.NewDecoder(from)
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("no renaming: %w", err)
	}
	if f.Format != renamingFormat {
		return nil, fmt.Errorf("no renaming: its format is %q, not %q", f.Format, renamingFormat)
	}
	r := newRenaming()
	r.Original, r.Stripped, r.Seed = f.Original, f.Stripped, f.Seed
	for old, fresh := range f.IDs {
		if other, ok := r.old[fresh]; ok {
			return nil, fmt.Errorf("no renaming: %q is the new id of both %q and %q", fresh, other, old)
		}
		r.add(old, fresh)
	}
	for fresh, old := range f.Formulas {
		r.AddFormula(old, fresh)
	}
	return r, nil
}
