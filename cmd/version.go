package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"podium/internal/carried"
)

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

func newVersion(s *streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of podium, and what it was built with",
		Long: `Version prints the release and the revision that podium was built from, the version of Go, the
system that it is made for, the drivers of machines, and whether it carries the programs that virtual
machines and the pages of a site need: make build puts them in, go build and go install do not.`,
		Example: "  podium version\n  podium version --json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			v := versionReply{Version(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, driverNames(), carried.Inside}
			if s.asJSON {
				return s.reply(v)
			}
			guests := "without"
			if v.Guests {
				guests = "with"
			}
			_, err := fmt.Fprintf(s.out, "podium %s, %s, %s, %s the programs for virtual machines\n", v.Version, v.Go, v.System, guests)
			return err
		},
	}
	return cmd
}
