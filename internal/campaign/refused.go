package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"podium/internal/files"
	"podium/pnml/diagnostic"
)

// RefusedDir is where a merge sets aside what it does not take over from a copy. No
// other command reads it.
const RefusedDir = "refused"

// setAside copies files of a copy that are refused, by their names below it, into a
// directory of the campaign, with the reasons: whole or not at all, and once, however often they
// come. It adds to the reasons where they are.
func (c *Campaign) setAside(from string, names []string, why diagnostic.List) (diagnostic.List, error) {
	above := filepath.Join(c.Dir, RefusedDir)
	if err := os.MkdirAll(above, 0o755); err != nil {
		return why, err
	}
	scratch, err := files.NewScratch(above, "merge")
	if err != nil {
		return why, err
	}
	defer scratch.Close()
	temp := scratch.Path("refused")
	sum, copied := sha256.New(), 0
	for _, name := range names {
		f, err := files.Open(from, name)
		var unfit diagnostic.List
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &unfit) {
			continue // there is nothing to keep
		} else if err != nil {
			return why, err
		}
		io.WriteString(sum, name+"\n")
		to := filepath.Join(temp, name)
		if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
			err = files.Replace(to, func(to io.Writer) error {
				_, err := io.Copy(io.MultiWriter(to, sum), f)
				return err
			})
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return why, err
		}
		copied++
	}
	if copied == 0 {
		return why, nil
	}
	dir := filepath.Join(above, hex.EncodeToString(sum.Sum(nil)[:6]))
	for i := range why {
		why[i].Hint = "nothing of it counts, and it is set aside in " + dir + "; " + why[i].Hint
	}
	if _, err := os.Lstat(dir); err == nil {
		return why, nil // it came before
	}
	if err := files.Replace(filepath.Join(temp, "reasons.txt"), files.Bytes([]byte(why.Error()+"\n"))); err != nil {
		return why, err
	}
	return why, os.Rename(temp, dir)
}
