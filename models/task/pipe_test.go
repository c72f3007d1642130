//go:build unix

package task

import (
	"strings"
	"syscall"
	"testing"
)

// TestPipes: a pipe under the name of a task, or as a directory, stops nobody.
func TestPipes(t *testing.T) {
	write(t, map[string]string{"a.yml": "format_version: '2.0'\ninput_files: 'pipe.yml/*'\n"})
	if err := syscall.Mkfifo("pipe.yml", 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Open(".")
	if err != nil || !strings.Contains(c.Found.Error(), "pipe.yml: the file cannot be read: this is a pipe, and no regular file") ||
		!strings.Contains(c.Found.Error(), `a.yml:2:14: "pipe.yml/*" matches no file`) {
		t.Errorf("%v, %v", c.Found, err)
	}
}
