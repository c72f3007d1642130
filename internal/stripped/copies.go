package stripped

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"podium/examinations"
	"podium/internal/modelfiles"
	"podium/models"
)

// twin is a stripped copy of an instance.
type twin struct {
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

// copies writes n stripped copies of each instance into a directory, unless they are
// there; the maps back are made anew from the seed. The key is the name of the copy,
// which tells nothing.
func copies(instances []models.Instance, dir string, n int, seed uint64) (map[string]*twin, error) {
	all := map[string]*twin{}
	for _, i := range instances {
		for k := range n {
			secret := fmt.Sprintf("%d copy %d", seed, k)
			sum := sha256.Sum256([]byte(i.ID.String() + "\x00" + secret))
			id := models.ID{Family: fmt.Sprintf("%s%x", models.StrippedPrefix, sum[:6]), Kind: i.ID.Kind, Param: "none"}
			path := filepath.Join(dir, id.String())
			if err := os.RemoveAll(path); err != nil {
				return nil, err
			}
			back, err := models.Strip(i, dir, models.StripOptions{ID: id, Seed: secret, Formulas: func(r *models.Renaming) (map[string]func(io.Writer) error, error) {
				return modelfiles.Stripped(i, r)
			}})
			if err != nil {
				return nil, err
			}
			all[id.String()] = &twin{i.ID.String(), path, back}
		}
	}
	return all, nil
}
