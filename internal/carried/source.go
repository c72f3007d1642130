//go:build !embed_guest

package carried

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"podium/internal/programs"
)

// Inside tells whether this podium carries its programs.
const Inside = false

// sources say what each program is built from, and for which system if not for
// this one. They are linked without cgo.
var sources = map[Name]struct {
	pkg string
	env []string
}{
	Agent:  {"podium/vm/guest/agent", nil},
	Podium: {"podium/cmd/podium", nil},
	Pages:  {"podium/internal/wasm", []string{"GOOS=js", "GOARCH=wasm"}},
}

// built keeps what was built by this process.
var built = struct {
	sync.Mutex
	packed map[Name][]byte
}{packed: map[Name][]byte{}}

// packed builds one of our own programs: a podium that was built without the
// tag embed_guest, as by go test and go run, finds them in its source only.
func packed(name Name) ([]byte, error) {
	if b, err := pages.ReadFile("static/" + string(name) + ".gz"); err == nil {
		return b, nil
	}
	built.Lock()
	defer built.Unlock()
	if b, ok := built.packed[name]; ok {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "podium-build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "program")
	cmd := programs.Command(context.Background(), "go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, sources[name].pkg)
	cmd.Env = append(append(goEnvironment(), "CGO_ENABLED=0"), sources[name].env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		if errors.Is(err, exec.ErrNotFound) || bytes.Contains(out, []byte("is not in std")) {
			return nil, errors.New("it can be built now only in a directory with the source of podium, by Go")
		}
		return nil, fmt.Errorf("it cannot be built now: %w: %s", err, bytes.TrimSpace(out))
	}
	b, err := pack(file)
	if err == nil {
		built.packed[name] = b
	}
	return b, err
}

// goEnvironment has the settings of Go, and where it keeps what it has built.
func goEnvironment() []string { return programs.Environment("GO*", "XDG_*") }

func pack(file string) ([]byte, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Glue returns the script of Go that starts the program of the pages, as gzip packs
// it. Where podium does not carry it, it is read from where Go is installed.
func Glue() ([]byte, error) {
	if b, err := pages.ReadFile("static/wasm_exec.js.gz"); err == nil {
		return b, nil
	}
	cmd := programs.Command(context.Background(), "go", "env", "GOROOT")
	cmd.Env = goEnvironment()
	root, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	return pack(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}
