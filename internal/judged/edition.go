package judged

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"podium/edition"
	"podium/internal/ask"
	"podium/internal/campaign"
	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// EditionFile is the file in a campaign with the edition it was planned with.
const EditionFile = "edition.yaml"

// LoadEdition returns an edition and its text: one of the program by its id, or a
// user's own by its path.
func LoadEdition(name string) (*edition.Edition, []byte, error) {
	if slices.Contains(edition.Names(), name) {
		text, err := edition.Source(name)
		if err != nil {
			return nil, nil, err
		}
		e, err := edition.Named(name)
		return e, text, err
	}
	text, err := files.ReadNamed(name, maxEdition)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = edition.Source(name) // says which there are
		return nil, nil, &NameError{Err: err}
	} else if err != nil {
		return nil, nil, err
	}
	e, found := edition.Load(name, text)
	return e, text, found.Err()
}

// maxEdition bounds the file of an edition, in bytes.
const maxEdition = 1 << 20

// EditionOf returns the edition that judges a campaign: the named one or, when
// named is empty, the campaign's own, which must be as it was when the campaign
// was planned.
func EditionOf(c *campaign.Campaign, named string) (*edition.Edition, error) {
	if named != "" {
		ed, _, err := LoadEdition(named)
		if err == nil {
			err = checkKind(ed, c.Plan.OfNets(), c.Plan.OfTasks())
		}
		return ed, err
	}
	return ownEdition(c, "name another edition on purpose with --edition")
}

// checkKind refuses rules for tasks alone on nets, and rules for nets on tasks.
func checkKind(ed *edition.Edition, nets, tasks bool) error {
	switch {
	case nets && !ed.ForNets():
		return &NameError{Err: fmt.Errorf("the edition %s is one for tasks, and these results are of nets; `podium edition list` lists the others", ed.ID)}
	case tasks && !ed.ForTasks():
		return &NameError{Err: fmt.Errorf("the edition %s is one for nets, and these results are of tasks; `podium edition list` lists the others", ed.ID)}
	}
	return nil
}

// CheckEdition returns an error unless the campaign's own edition is there and
// as it was when the campaign was planned. It is for commands that cannot take
// another edition.
func CheckEdition(c *campaign.Campaign) error {
	_, err := ownEdition(c, "plan a new campaign")
	return err
}

// ownEdition reads the edition of a campaign. An error says how to restore it, and
// what else can be done.
func ownEdition(c *campaign.Campaign, otherwise string) (*edition.Edition, error) {
	path := filepath.Join(c.Dir, EditionFile)
	text, err := files.Read(c.Dir, EditionFile, maxEdition)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, diagnostic.List{{File: path, Code: "edition-missing", Message: "the campaign has lost its edition",
			Hint: "restore it (" + restoring(c, path) + "), or " + otherwise}}
	} else if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != c.Plan.EditionDigest {
		return nil, &campaign.ChangedError{What: path, How: restoring(c, path), Else: otherwise}
	}
	ed, found := edition.Load(path, text)
	return ed, found.Err()
}

// restoring says where the edition of a campaign can be had again: from the program,
// or from whoever has the file.
func restoring(c *campaign.Campaign, path string) string {
	text, err := edition.Source(c.Plan.Edition)
	if sum := sha256.Sum256(text); err == nil && hex.EncodeToString(sum[:]) == c.Plan.EditionDigest {
		return "`podium edition show " + c.Plan.Edition + " > " + path + "`"
	}
	return "with the file it was planned with, of sha256 " + c.Plan.EditionDigest
}

// OtherEdition says that the campaign was judged by an edition other than its
// own; it is empty when it was judged by its own.
func (j *Campaign) OtherEdition() string {
	p := &j.Campaign.Plan
	if j.Edition.Digest == p.EditionDigest {
		return ""
	}
	return fmt.Sprintf("These results are judged by the edition %s (sha256 %.16s), not by the one that the campaign was planned with: %s (sha256 %.16s).",
		j.Edition.ID, j.Edition.Digest, p.Edition, p.EditionDigest)
}

// NameError says that the user gave a name that does not exist.
type NameError = ask.NameError
