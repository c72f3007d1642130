//go:build !embed_guest

package image

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// Embedded tells whether this podium carries the programs for guests.
const Embedded = false

// staticProgram builds one of our own programs without cgo: a podium that was
// built without the tag embed_guest, as by go test and go run, finds them in
// its source only.
func staticProgram(name string) ([]byte, error) {
	built.Lock()
	defer built.Unlock()
	if b, ok := built.programs[name]; ok {
		return b, nil
	}
	dir, err := os.MkdirTemp("", "podium-build-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", file, staticPackages[name])
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("this podium was built without the program %s for guests, and it cannot be built now: %w: %s",
			name, errors.Join(err, errMake), out)
	}
	b, err := os.ReadFile(file)
	if err == nil {
		built.programs[name] = b
	}
	return b, err
}

var errMake = errors.New("build podium by `make build`")

// built keeps what was built by this process.
var built = struct {
	sync.Mutex
	programs map[string][]byte
}{programs: map[string][]byte{}}
