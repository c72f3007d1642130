//go:build embed_pages && !embed_guest

package carried

import "embed"

// Computes tells whether this podium carries the program of the pages.
const Computes = true

// The program of the pages is made by `make contest` before podium itself.
//
//go:embed static/podium.wasm.gz static/wasm_exec.js.gz
var pages embed.FS
