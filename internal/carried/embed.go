//go:build embed_guest

package carried

import "embed"

// Inside tells whether this podium carries its programs, and Computes whether it carries
// that of the pages.
const (
	Inside   = true
	Computes = true
)

// The programs are made by `make build` before podium itself.
//
//go:embed static/*.gz
var static embed.FS

func packed(name Name) ([]byte, error) { return static.ReadFile("static/" + string(name) + ".gz") }

// Glue returns the script of Go that starts the program of the pages, as gzip packs
// it.
func Glue() ([]byte, error) { return packed("wasm_exec.js") }
