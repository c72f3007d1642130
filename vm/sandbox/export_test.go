//go:build linux

package sandbox

// GroupParents are the directories below which control groups can be made.
func GroupParents() []string {
	c, _ := findControllers()
	var dirs []string
	for _, d := range c.parents() {
		dirs = append(dirs, string(d))
	}
	return dirs
}
