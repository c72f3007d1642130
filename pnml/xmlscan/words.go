package xmlscan

import (
	"encoding/binary"
	"math/bits"
)

// Loops of the scanner that look at eight bytes of the window at once: behind
// its end there is room for a word, and the 0 there stops each of them. A byte
// of the masks below has its highest bit set where something was found; only the
// first of these is certain, since a difference borrows from the bytes above.

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// zeros marks the bytes that are 0.
func zeros(x uint64) uint64 { return (x - lows) &^ x }

// spaceEnd returns the offset of the first byte at or after i that is no white
// space. Of the characters up to the blank the window holds only white space.
func spaceEnd(buf []byte, i int) int {
	for {
		x := binary.LittleEndian.Uint64(buf[i:])
		if stop := (x&^highs + (0x7F-' ')*lows | x | zeros(x)) & highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		i += 8
	}
}

// ValueEnd returns the offset of the first byte at or after i that ends a plain
// value in double quotes, or makes it another one: ", &, < and white space other
// than blanks. It is for the window that [Scanner.Ahead] gives.
func ValueEnd(buf []byte, i int) int {
	for {
		x := binary.LittleEndian.Uint64(buf[i:])
		if stop := (zeros(x^'"'*lows) | zeros(x^'&'*lows) | zeros(x^'<'*lows) | (x-' '*lows)&^x) & highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		i += 8
	}
}

// textEnd returns the offset of the first byte at or after i that ends a run of
// plain character data: <, & and ].
func textEnd(buf []byte, i int) int {
	for {
		x := binary.LittleEndian.Uint64(buf[i:])
		if stop := (zeros(x) | zeros(x^'&'*lows) | zeros(x^'<'*lows) | zeros(x^']'*lows)) & highs; stop != 0 {
			return i + bits.TrailingZeros64(stop)/8
		}
		i += 8
	}
}
