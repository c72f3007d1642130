package cmd

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"podium/internal/edition"
)

// defaultEdition judges when nothing else is said.
const defaultEdition = "mcc2016-13"

// editionFile is the edition of a campaign, as it was when it was planned.
const editionFile = "edition.yaml"

// loadEdition gives an edition of the program by its id, or a person's own by
// its path, and its text.
func loadEdition(name string) (*edition.Edition, []byte, error) {
	if slices.Contains(edition.Names(), name) {
		text, err := edition.Source(name)
		if err != nil {
			return nil, nil, err
		}
		e, err := edition.Named(name)
		return e, text, err
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = edition.Source(name) // says which there are
		return nil, nil, usageError{err}
	} else if err != nil {
		return nil, nil, err
	}
	e, found := edition.Load(name, text)
	return e, text, found.Err()
}
