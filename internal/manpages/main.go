// Command manpages writes the man pages of podium and its commands, from their help,
// into the directory that it is given: `make man`.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra/doc"

	"podium/cmd"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "manpages: name the directory for the pages")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "manpages:", err)
		os.Exit(1)
	}
}

// write writes a page for each command. Pages have no date: the same podium gives the
// same pages.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root := cmd.Commands()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "podium " + cmd.Version(), Manual: "Podium", Date: &time.Time{}}
	return doc.GenManTree(root, header, dir)
}
