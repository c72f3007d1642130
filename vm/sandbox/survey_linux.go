package sandbox

import (
	"os"
	"slices"
)

// SurveyControlGroups looks at the file tree of a host ("/" for this one) and
// tries to make groups.
func SurveyControlGroups(root string) Survey {
	hs, membership, err := mountedGroups(root)
	if err != nil {
		return Survey{Kind: "none", Missing: []string{"Control groups are unknown because " + err.Error() + "."}}
	}
	c, missing := chooseControllers(hs, membership, os.Getpid())
	s := Survey{Kind: kindOf(hs), Missing: missing}
	for _, one := range []struct {
		name string
		controller
	}{{"cpu", c.cpu}, {"memory", c.memory}, {"pids", c.processes}, {"cpuset", c.cores}} {
		if one.known() {
			s.Writable = append(s.Writable, one.name)
		}
	}
	return s
}

func kindOf(hs []mountedHierarchy) string {
	v2 := slices.ContainsFunc(hs, func(h mountedHierarchy) bool { return h.v2 })
	v1 := slices.ContainsFunc(hs, func(h mountedHierarchy) bool { return !h.v2 && len(h.options) > 0 })
	switch {
	case v1 && v2:
		return "hybrid"
	case v1:
		return "version 1"
	case v2:
		return "version 2"
	}
	return "none"
}
