// Package carried holds the programs that podium carries inside of itself: the
// agent of guests, podium without libvirt for guests, and the program that
// makes the pages of a site compute. `make build` puts all of them in, and
// `make contest` the last one. A podium that lacks one builds it from its source
// when it needs it.
package carried

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Name names a carried program.
type Name string

// The carried programs.
const (
	Agent  Name = "agent"       // the first process of a guest
	Podium Name = "podium"      // podium without cgo: it needs no file of any base
	Pages  Name = "podium.wasm" // WebAssembly that the pages of a site run
)

// Program returns a carried program.
func Program(name Name) ([]byte, error) {
	packed, err := Packed(name)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Packed returns a carried program as gzip packs it.
func Packed(name Name) ([]byte, error) {
	b, err := packed(name)
	if err != nil {
		return nil, fmt.Errorf("this podium was built without the program %s: %w; build podium by `make build`", name, err)
	}
	return b, nil
}
