//go:build unix

package files

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"podium/pnml/diagnostic"
)

// handedIn is a directory as somebody may fill it, beside a file that is not theirs.
func handedIn(t *testing.T) (above, dir string) {
	above = t.TempDir()
	dir = filepath.Join(above, "team")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "sub", "deep"), 0o755),
		os.WriteFile(filepath.Join(above, "secret"), []byte("secret"), 0o644),
		os.WriteFile(filepath.Join(dir, "file"), []byte("theirs"), 0o644),
		os.WriteFile(filepath.Join(dir, "sub", "deep", "file"), []byte("theirs"), 0o644),
		os.Symlink("file", filepath.Join(dir, "inner")),
		os.Symlink("../secret", filepath.Join(dir, "out")),
		os.Symlink(filepath.Join(above, "secret"), filepath.Join(dir, "absolute")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Symlink("sub", filepath.Join(dir, "through")),
		os.Symlink("..", filepath.Join(dir, "sub", "up")),
		os.Symlink(os.DevNull, filepath.Join(dir, "null")),
		os.Symlink(dir, filepath.Join(above, "link")),
		syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Skip(err) // the directory for temporary files has too long a name
	}
	t.Cleanup(func() { socket.Close() })
	return above, dir
}

// TestOpen: what others handed in is opened only where it is a file of theirs, and nothing
// waits: a pipe without a writer would hold the test for ever.
func TestOpen(t *testing.T) {
	above, dir := handedIn(t)
	link, pipe := filepath.Join(above, "link"), filepath.Join(dir, "pipe")
	for _, c := range []struct {
		dir, name string
		want      string // a part of the error; none where the file opens
		is        error
	}{
		{dir, "file", "", nil},
		{dir, "./sub/deep/file", "", nil},
		{link, "file", "", nil},
		{dir, "inner", "inner: this is a symbolic link", nil},
		{dir, "out", "a symbolic link", nil},
		{dir, "absolute", "a symbolic link", nil},
		{dir, "loop", "a symbolic link", nil},
		{dir, "null", "a symbolic link", nil},
		{dir, "through/deep/file", "through: this is a symbolic link", nil},
		{dir, "sub/up/file", "sub/up: this is a symbolic link", nil},
		{dir, "pipe", "pipe: this is a pipe, and no regular file", nil},
		{dir, "socket", "a socket", nil},
		{dir, "sub", "a directory", nil},
		{dir, "../secret", "does not lie in the directory", nil},
		{dir, filepath.Join(above, "secret"), "does not lie in the directory", nil},
		{dir, "", "does not lie in the directory", nil},
		{dir, "none", filepath.Join(dir, "none"), fs.ErrNotExist},
		{filepath.Join(dir, "none"), "file", "none", fs.ErrNotExist},
		{dir, "file/below", "below", syscall.ENOTDIR},
		{dir, "pipe/below", "below", syscall.ENOTDIR},
		{filepath.Join(dir, "file"), "below", "file", syscall.ENOTDIR},
		{pipe, "below", "pipe", syscall.ENOTDIR},
		{filepath.Join(dir, "socket"), "below", "socket", syscall.ENOTDIR},
	} {
		f, err := Open(c.dir, c.name)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			text, err := io.ReadAll(f)
			if f.Close(); err != nil || string(text) != "theirs" {
				t.Errorf("%s: %q, %v", c.name, text, err)
			}
			continue
		}
		var told diagnostic.List
		if err == nil || !strings.Contains(err.Error(), c.want) || c.is != nil && !errors.Is(err, c.is) || c.is == nil && (!errors.As(err, &told) || told[0].Hint == "") {
			t.Errorf("%s: %v, not %q", c.name, err, c.want)
		}
	}
}

// TestResolve: links between the files of a directory are followed, and none that leads out.
func TestResolve(t *testing.T) {
	above, dir := handedIn(t)
	for name, want := range map[string]string{"file": "file", "inner": "file", "through/deep/file": "sub/deep/file", "sub/up/file": "file", "pipe": "pipe",
		"out": "", "absolute": "", "null": "", "loop": "", "none": "", "../secret": "", filepath.Join(above, "secret"): ""} {
		for _, dir := range []string{dir, filepath.Join(above, "link")} {
			if got, err := Resolve(dir, name); got != want || (err == nil) != (want != "") {
				t.Errorf("%s: %q, %v, not %q", name, got, err, want)
			} else if err != nil && strings.Contains(name, "secret") != strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: what stands outside was looked at: %v", name, err)
			}
		}
	}
}

// TestOpenNamed: what the user names may be a link, and is no pipe.
func TestOpenNamed(t *testing.T) {
	_, dir := handedIn(t)
	for name, want := range map[string]string{"file": "", "inner": "", "out": "", "pipe": "a pipe", "socket": "a socket", "sub": "a directory", "null": "a device", "none": "no such file", "loop": "too many"} {
		f, err := OpenNamed(filepath.Join(dir, name))
		if err == nil {
			f.Close()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRead: a file of more bytes than are taken is refused.
func TestRead(t *testing.T) {
	_, dir := handedIn(t)
	for limit, fits := range map[int64]bool{0: false, 5: false, 6: true, 7: true} {
		if text, err := Read(dir, "file", limit); (err == nil) != fits || fits && string(text) != "theirs" {
			t.Errorf("limit %d: %q, %v", limit, text, err)
		}
		if text, err := ReadNamed(filepath.Join(dir, "inner"), limit); (err == nil) != fits || fits && string(text) != "theirs" {
			t.Errorf("limit %d: %q, %v", limit, text, err)
		}
	}
}

// TestOpenExchanged: somebody exchanges the file while it is opened. What is read is
// theirs or nothing.
func TestOpenExchanged(t *testing.T) {
	above, dir := handedIn(t)
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := filepath.Join(dir, "next")
			switch i % 3 {
			case 0:
				os.WriteFile(name, []byte("theirs"), 0o644)
			case 1:
				os.Symlink(filepath.Join(above, "secret"), name)
			default:
				syscall.Mkfifo(name, 0o644)
			}
			os.Rename(name, filepath.Join(dir, "file"))
		}
	}()
	for range 5000 {
		f, err := Open(dir, "file")
		if err != nil {
			continue
		}
		text, err := io.ReadAll(f)
		if f.Close(); err != nil || strings.Contains(string(text), "secret") {
			t.Fatalf("%q, %v", text, err)
		}
	}
	close(stop)
	<-done
}
