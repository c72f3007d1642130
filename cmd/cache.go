package cmd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"podium/internal/files"
	"podium/internal/wording"
)

func newCache(s *streams) *cobra.Command {
	var empty bool
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Say what podium keeps for later on this computer, or remove it",
		Long: `Cache lists what podium keeps in $XDG_CACHE_HOME/podium (without it $HOME/.cache/podium): images
and kernels of virtual machines, instances out of archives, earlier runs of podium try. All of it is
made again when it is needed. --empty removes it; do so while nothing runs.`,
		Example: "  podium cache\n  podium cache --empty",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			dir := files.Cache()
			entries, err := os.ReadDir(dir)
			if err != nil && !os.IsNotExist(err) {
				return err
			}
			all, table := int64(0), wording.Table(s.out)
			for _, e := range entries {
				path := filepath.Join(dir, e.Name())
				size := kept(path)
				all += size
				fmt.Fprintf(table, "%s\t%s\n", e.Name(), inMegabytes(size))
				if empty {
					if err := files.RemoveAll(path); err != nil {
						return err
					}
				}
			}
			if err := table.Flush(); err != nil {
				return err
			}
			did := "in"
			if empty {
				did = "removed from"
			}
			fmt.Fprintf(s.err, "%s %s %s\n", inMegabytes(all), did, dir)
			return nil
		},
	}
	cmd.Flags().BoolVar(&empty, "empty", false, "remove all of it")
	return cmd
}

// kept is how many bytes are in a file, or in the files of a directory; what goes away meanwhile is none.
func kept(path string) (bytes int64) {
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

func inMegabytes(bytes int64) string { return fmt.Sprintf("%.1f MB", float64(bytes)/1e6) }
