package memory

// Arena is scratch memory made of blocks. What is taken from it keeps its address
// until Reset, which makes all of it free again and keeps the blocks. The zero
// Arena is empty and ready to use.
type Arena[T any] struct {
	blocks   [][]T
	at, used int // the block in use, and how many of its elements are taken
}

// arenaBlock is the smallest length of a block, in elements.
const arenaBlock = 1 << 11

// Reserve returns n elements to write to. The next call returns the same elements
// unless Take has taken them.
func (a *Arena[T]) Reserve(n int) []T {
	for ; a.at < len(a.blocks); a.at, a.used = a.at+1, 0 {
		if b := a.blocks[a.at]; a.used+n <= len(b) {
			return b[a.used : a.used+n : a.used+n]
		}
	}
	b := make([]T, max(n, arenaBlock))
	a.blocks = append(a.blocks, b)
	return b[:n:n]
}

// Take takes the first n elements of the last Reserve.
func (a *Arena[T]) Take(n int) { a.used += n }

// Reset makes all elements free.
func (a *Arena[T]) Reset() { a.at, a.used = 0, 0 }
