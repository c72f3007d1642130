package publish

import (
	"encoding/binary"
	"math/bits"
)

// toolSet is a set of tools, a bit for each.
type toolSet []uint64

func newToolSet(tools int) toolSet { return make(toolSet, (tools+63)/64) }

func (t toolSet) add(tool int)      { t[tool/64] |= 1 << (tool % 64) }
func (t toolSet) has(tool int) bool { return t[tool/64]>>(tool%64)&1 == 1 }

// size counts the tools.
func (t toolSet) size() (n int) {
	for _, word := range t {
		n += bits.OnesCount64(word)
	}
	return n
}

// each calls do for the tools of the set, the first one first.
func (t toolSet) each(do func(tool int)) {
	for i, word := range t {
		for ; word != 0; word &= word - 1 {
			do(64*i + bits.TrailingZeros64(word))
		}
	}
}

// ends are the first and the last tool of a set that has any.
func (t toolSet) ends() (first, last int) {
	first = -1
	t.each(func(tool int) {
		if first < 0 {
			first = tool
		}
		last = tool
	})
	return first, last
}

// appendKey appends bytes that tell sets of the same tools apart.
func (t toolSet) appendKey(key []byte) []byte {
	for _, word := range t {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return key
}

// toolsOfKey is the set of a key.
func toolsOfKey(key string) toolSet {
	t := make(toolSet, len(key)/8)
	for i := range t {
		t[i] = binary.LittleEndian.Uint64([]byte(key[8*i : 8*i+8]))
	}
	return t
}
