package together

import (
	"encoding/binary"
	"math/bits"
)

// Set is a set of tools, a bit for each.
type Set []uint64

// NewSet is an empty set of so many tools at most.
func NewSet(tools int) Set { return make(Set, (tools+63)/64) }

// Add puts a tool into the set.
func (t Set) Add(tool int) { t[tool/64] |= 1 << (tool % 64) }

// Size counts the tools.
func (t Set) Size() (n int) {
	for _, word := range t {
		n += bits.OnesCount64(word)
	}
	return n
}

// Each calls do for the tools of the set, the first one first.
func (t Set) Each(do func(tool int)) {
	for i, word := range t {
		for ; word != 0; word &= word - 1 {
			do(64*i + bits.TrailingZeros64(word))
		}
	}
}

// appendKey appends bytes that tell sets of the same tools apart.
func (t Set) appendKey(key []byte) []byte {
	for _, word := range t {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	return key
}

// setOfKey is the set of a key.
func setOfKey(key string) Set {
	t := make(Set, len(key)/8)
	for i := range t {
		t[i] = binary.LittleEndian.Uint64([]byte(key[8*i : 8*i+8]))
	}
	return t
}
