package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"podium/cmd"
)

// TestPages: each command has a page with its flags, and writing them again gives the same.
func TestPages(t *testing.T) {
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "new", "man1")
	for _, dir := range []string{first, second} {
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
	}
	pages := 0
	var each func(c *cobra.Command, name string)
	each = func(c *cobra.Command, name string) {
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				each(below, name+"-"+below.Name())
			}
		}
		page, err := os.ReadFile(filepath.Join(first, name+".1"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := os.ReadFile(filepath.Join(second, name+".1"))
		if err != nil || !bytes.Equal(page, again) {
			t.Errorf("%s differs when it is written again: %v", name, err)
		}
		if !bytes.Contains(page, []byte(".SH SYNOPSIS")) || !bytes.Contains(page, []byte(".SH OPTIONS")) {
			t.Errorf("%s has no synopsis or no options", name)
		}
		pages++
	}
	each(cmd.Commands(), "podium")
	if pages < 40 {
		t.Errorf("only %d pages", pages)
	}
}
