package memory

// A set of numbers is a table of bits: number i is bit i%64 of word i/64.

// Has reports whether i is in the set.
func Has(set []uint64, i uint32) bool { return set[i/64]>>(i%64)&1 != 0 }

// Put puts i into the set.
func Put(set []uint64, i uint32) { set[i/64] |= 1 << (i % 64) }

// Drop takes i out of the set.
func Drop(set []uint64, i uint32) { set[i/64] &^= 1 << (i % 64) }
