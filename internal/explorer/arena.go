package explorer

// arena gives room that stays where it is until the arena is reset, which keeps
// the memory.
type arena[T any] struct {
	blocks   [][]T
	at, used int // the block in use, and how much of it is taken
}

// arenaBlock is the least length of a block.
const arenaBlock = 1 << 11

// room gives n elements to be written. They are given again unless they are taken.
func (a *arena[T]) room(n int) []T {
	for ; a.at < len(a.blocks); a.at, a.used = a.at+1, 0 {
		if b := a.blocks[a.at]; a.used+n <= len(b) {
			return b[a.used : a.used+n : a.used+n]
		}
	}
	b := make([]T, max(n, arenaBlock))
	a.blocks = append(a.blocks, b)
	return b[:n:n]
}

// take takes the first n elements of the room given last.
func (a *arena[T]) take(n int) { a.used += n }

func (a *arena[T]) reset() { a.at, a.used = 0, 0 }
