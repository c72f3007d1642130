package files

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ways are all ways to write, by the word in the name of what they leave when they are
// killed. Each calls half when a part is written.
var ways = map[string]func(dir string, half func()) error{
	"write": func(dir string, half func()) error {
		return Write(filepath.Join(dir, "file"), func(w io.Writer) error {
			_, err := io.WriteString(w, "half")
			half()
			return err
		})
	},
	"make": func(dir string, half func()) error {
		return Make(filepath.Join(dir, "made"), false, func(file string) error {
			err := os.WriteFile(file, []byte("half"), 0o644)
			half()
			return err
		})
	},
	"into": func(dir string, half func()) error {
		return Into(dir, false, func(dir string) error {
			err := errors.Join(os.MkdirAll(filepath.Join(dir, "deep", "closed"), 0o755), os.WriteFile(filepath.Join(dir, "deep", "closed", "x"), nil, 0o400), os.Chmod(filepath.Join(dir, "deep", "closed"), 0o555))
			half()
			return err
		})
	},
	"other": func(dir string, half func()) error {
		s, err := NewScratch(dir, "other")
		if err == nil {
			half()
			err = s.Close()
		}
		return err
	},
	"new": func(dir string, half func()) error {
		s, err := StageFile(filepath.Join(dir, "once"), func(*os.File) error { half(); return nil })
		if err == nil {
			err = s.CommitNew()
		}
		return err
	},
}

// TestMain writes in one of the ways when it is started as a process to be killed.
func TestMain(m *testing.M) {
	if way := os.Getenv("FILES_TEST_WAY"); way != "" {
		err := ways[way](os.Getenv("FILES_TEST_DIR"), func() {
			os.Stdout.WriteString("half\n")
			io.Copy(io.Discard, os.Stdin) // until the test says that it may end
		})
		if err != nil {
			os.Stdout.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// half starts a process that writes, and returns when it has written a part.
func half(t *testing.T, way, dir string) (p *exec.Cmd, end func() error) {
	t.Helper()
	p = exec.Command(os.Args[0])
	p.Env = append(os.Environ(), "FILES_TEST_WAY="+way, "FILES_TEST_DIR="+dir)
	in, inErr := p.StdinPipe()
	out, outErr := p.StdoutPipe()
	if err := errors.Join(inErr, outErr, p.Start()); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "half\n" {
		t.Fatalf("%s: %q, %v", way, line, err)
	}
	return p, func() error { return errors.Join(in.Close(), p.Wait()) }
}

// TestSweep kills processes in each way to write. What they leave goes with the next look,
// and nothing that a living process holds.
func TestSweep(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("files are locked on Linux only, and what is not locked is not swept")
	}
	for way := range ways {
		dir := t.TempDir()
		litter := func() int {
			list, err := filepath.Glob(filepath.Join(dir, scratchPrefix+"*"))
			if err != nil {
				t.Fatal(err)
			}
			return len(list)
		}
		killed, _ := half(t, way, dir)
		_ = killed.Process.Kill()
		_ = killed.Wait()
		if litter() != 1 {
			t.Errorf("%s: %d directories are left of a killed process, not 1", way, litter())
		}
		_, end := half(t, way, dir) // sweeps
		if litter() != 1 {
			t.Errorf("%s: %d directories beside a living process, not 1", way, litter())
		}
		Sweep(dir)
		if s, err := NewScratch(dir, "beside"); err != nil || litter() != 2 {
			t.Errorf("%s: what a living process holds is gone: %v", way, err)
		} else if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := end(); err != nil || litter() != 0 {
			t.Errorf("%s: %v, %d directories are left", way, err, litter())
		}
	}
}

// TestSweepLeavesOthers: what only looks like ours stays, and nothing outside is touched.
func TestSweepLeavesOthers(t *testing.T) {
	above := t.TempDir()
	dir, outside := filepath.Join(above, "dir"), filepath.Join(above, "outside")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, scratchPrefix+"x-1"), 0o755), // no lock, and empty
		os.MkdirAll(filepath.Join(dir, scratchPrefix+"x-2"), 0o755),
		os.WriteFile(filepath.Join(dir, scratchPrefix+"x-2", "file"), nil, 0o644), // no lock
		os.WriteFile(filepath.Join(dir, scratchPrefix+"x-3"), nil, 0o644),
		os.MkdirAll(outside, 0o755),
		os.WriteFile(filepath.Join(outside, scratchLock), nil, 0o644),
		os.Symlink(outside, filepath.Join(dir, scratchPrefix+"x-4")),
		os.MkdirAll(filepath.Join(dir, scratchPrefix+"x-5"), 0o755),
		os.Symlink(filepath.Join(outside, scratchLock), filepath.Join(dir, scratchPrefix+"x-5", scratchLock)),
		os.MkdirAll(filepath.Join(dir, "mine"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	Sweep(dir, filepath.Join(dir, "none"), filepath.Join(dir, scratchPrefix+"x-3"))
	entries, err := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimPrefix(e.Name(), scratchPrefix))
	}
	if got, want := strings.Join(names, " "), "x-2 x-3 x-4 x-5 mine"; err != nil || got != want {
		t.Errorf("%q, not %q, %v", got, want, err)
	}
	if _, err := os.Stat(filepath.Join(outside, scratchLock)); err != nil {
		t.Error(err)
	}
}

// TestScratchRaces makes and sweeps at the same time: nobody loses what it holds.
func TestScratchRaces(t *testing.T) {
	dir, done := t.TempDir(), make(chan error)
	go func() {
		for range 300 {
			Sweep(dir)
		}
		close(done)
	}()
	for sweeping := true; sweeping; {
		select {
		case <-done:
			sweeping = false
		default:
		}
		s, err := NewScratch(dir, "race")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path("file"), nil, 0o644); err != nil {
			t.Fatal("it was swept while it was held: ", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}
