package stripped

import (
	crand "crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"podium/examinations"
	"podium/internal/files"
	"podium/internal/modelfiles"
	"podium/models"
	"podium/pnml/diagnostic"
)

// twin is a copy of an instance.
type twin struct {
	kind     Kind
	original string
	path     string
	back     *models.Renaming
}

// old is the item of the original that an item of the copy stands for.
func (t *twin) old(exam examinations.ID, item string) string {
	if exam.HasFormulas() {
		if old, ok := t.back.OldFormula(item); ok {
			return old
		}
	}
	return item
}

// sealed returns the secret of a directory, under which names, ids and orders are drawn.
// Without it nobody can tell of which instance a copy is; a tool that came with a table
// of copies would otherwise pass. It is drawn once, so that work goes on where it ended.
func sealed(dir string) (string, error) {
	path := filepath.Join(dir, "sealed")
	secret, err := files.ReadNamed(path, 1<<10)
	if !errors.Is(err, fs.ErrNotExist) {
		return string(secret), err
	}
	fresh := crand.Text()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return fresh, files.Replace(path, files.Bytes([]byte(fresh)))
}

// copies writes n copies of each kind of each instance into a directory. The maps back
// are made again from the secret. The key is the name of the copy, which tells nothing.
// An instance of which no copy can be made is left out, with the reason.
func copies(instances []models.Instance, dir string, n int, secret string) (kept []models.Instance, all map[string]*twin, out []LeftOut, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return nil, nil, nil, err
	}
	all = map[string]*twin{}
	for _, i := range instances {
		of, err := copiesOf(i, dir, n, secret)
		if found, ok := errors.AsType[diagnostic.List](err); ok {
			out = append(out, LeftOut{i.ID.String(), found[0].Error()})
			continue
		} else if err != nil {
			return nil, nil, nil, err
		}
		kept = append(kept, i)
		for _, t := range of {
			all[t.back.Stripped] = t
		}
	}
	return kept, all, out, nil
}

// copiesOf writes the copies of one instance.
func copiesOf(i models.Instance, dir string, n int, secret string) (list []*twin, err error) {
	for _, kind := range kinds {
		for k := range n {
			seed := fmt.Sprintf("%s %s %d", secret, kind, k)
			sum := sha256.Sum256([]byte(i.ID.String() + "\x00" + seed))
			id := models.ID{Family: fmt.Sprintf("%s%x", models.StrippedPrefix, sum[:6]), Kind: i.ID.Kind, Param: "none"}
			back, err := models.Strip(i, dir, models.StripOptions{ID: id, Seed: seed, KeepOrder: kind == Renamed, Formulas: func(r *models.Renaming) (map[string]func(io.Writer) error, error) {
				return modelfiles.Stripped(i, r)
			}})
			if err != nil {
				return nil, err
			}
			list = append(list, &twin{kind, i.ID.String(), filepath.Join(dir, id.String()), back})
		}
	}
	return list, nil
}
