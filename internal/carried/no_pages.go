//go:build !embed_pages && !embed_guest

package carried

import "embed"

// Computes tells whether this podium carries the program of the pages.
const Computes = false

var pages embed.FS // nothing is embedded
