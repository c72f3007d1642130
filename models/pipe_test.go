//go:build unix

package models

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipes: a pipe with the name of an archive is refused; to read it would wait for ever.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Ring-PT-1.tgz")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "Ring-PT-1.tgz: is no regular file") {
		t.Error(err)
	}
}
