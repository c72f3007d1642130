//go:build embed_guest

package image

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
)

// Embedded tells whether this podium carries the programs for guests.
const Embedded = true

// The programs are made by `make build` before podium itself.
//
//go:embed static/*.gz
var static embed.FS

// staticProgram unpacks one of our own programs.
func staticProgram(name string) ([]byte, error) {
	packed, err := static.ReadFile("static/" + name + ".gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
