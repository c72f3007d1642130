package cmd

import "runtime/debug"

// version is the release; the build adds what the version control knows.
const version = "0.1.0"

// Version is the release and, where the build knows it, the revision.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = "+" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ".dirty"
		}
	}
	return version + revision + dirty
}
