package planning

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"podium/internal/campaign"
	"podium/internal/judged"
)

// ofPlanning are the names that a planning which was killed may have left in a directory, and
// what each ext4 file system has in its root.
var ofPlanning = []string{"lost+found", "inputs", "claims", "journal", "packs", judged.EditionFile}

// CheckPlace refuses a directory for a new campaign that holds other files, or lies inside of
// a campaign.
func CheckPlace(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil || campaign.Is(full) {
		return err
	}
	for above := filepath.Dir(full); ; above = filepath.Dir(above) {
		if campaign.Is(above) {
			return &OptionError{fmt.Errorf("%s is inside of the campaign %s: name a directory outside of it", dir, above)}
		}
		if above == filepath.Dir(above) {
			break
		}
	}
	entries, err := os.ReadDir(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && !slices.Contains(ofPlanning, name) {
			return &OptionError{fmt.Errorf("%s holds other files (%s): name a new directory, or an empty one", dir, name)}
		}
	}
	return nil
}
