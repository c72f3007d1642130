package campaign

import (
	"os"
	"path/filepath"
	"slices"

	"podium/internal/files"
)

// Places are the directories of this host that no run may see, but for its own
// inputs: the campaign with its copies of tools and instances, and those of the plan.
func (c *Campaign) Places() []string { return append(c.Plan.Places(), c.Dir) }

// Places are the directories that no run of the plan may see, but for its own inputs: those of its
// tools and instances, what they were copied from, and the user's cache. They are in order and each
// there once.
func (p *Plan) Places() []string {
	dirs := append(slices.Concat(p.Origins, p.origins()), files.Cache())
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// manyInstances is the number of instances in a directory from which on that is
// named instead of each of them.
const manyInstances = 16

// origins are the directories of tools and instances that the plan names by absolute
// paths: before they are copied, and in campaigns made before there were copies.
// Of an archive it is the directory that it lies in.
func (p *Plan) origins() []string {
	var dirs []string
	for _, t := range p.Tools {
		dirs = append(dirs, t.Dir)
	}
	siblings := map[string]int{}
	for _, i := range p.Instances {
		siblings[filepath.Dir(i.Path)]++
	}
	for _, i := range p.Instances {
		if i.Origin != "" {
			dirs = append(dirs, i.Origin)
			continue
		}
		dir := filepath.Dir(i.Path)
		if st, err := os.Stat(i.Path); siblings[dir] < manyInstances && err == nil && st.IsDir() {
			dir = i.Path
		}
		dirs = append(dirs, dir)
	}
	dirs = slices.DeleteFunc(dirs, func(d string) bool { return !filepath.IsAbs(d) })
	slices.Sort(dirs)
	return slices.Compact(dirs)
}
