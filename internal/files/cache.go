package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Cache is the directory of what podium keeps for later: in the user's directory for such files or,
// without one, among the temporary files.
func Cache() string {
	if dir, err := os.UserCacheDir(); err == nil {
		return filepath.Join(dir, "podium")
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("podium-%d", os.Getuid()))
}

// RemoveAll removes a file or a tree. Directories of the tree may be closed, even to their owner.
func RemoveAll(path string) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return errors.Join(removeAll(root, filepath.Base(path)), root.Close())
}
