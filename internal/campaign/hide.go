package campaign

import (
	"os"
	"path/filepath"
	"slices"
)

// Places are the directories of this host that no run may see, but for its own
// inputs: the campaign, all tools and instances, and the user's cache. They are in
// order and each there once.
func (c *Campaign) Places() []string {
	dirs := []string{c.Dir}
	for _, t := range c.Plan.Tools {
		dirs = append(dirs, c.Path(t.Dir))
	}
	for _, i := range c.Plan.Instances {
		// An instance may be an archive, in a directory of archives.
		path := c.Path(i.Path)
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			path = filepath.Dir(path)
		}
		dirs = append(dirs, path)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(cache, "podium"))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
