package explorer

import "unsafe"

// budget counts the bytes of the large tables against a limit. The tables live
// outside of the garbage-collected heap where the system allows it, so that a
// table is gone when it is released, and what is counted is what is used.
type budget struct {
	limit, used, peak int64
	pages             map[*byte]int // tables with pages of their own, and their sizes
}

func (b *budget) take(size int64) {
	b.used += size
	b.peak = max(b.peak, b.used)
}

// cell is what tables are made of.
type cell interface {
	uint8 | uint16 | uint32 | uint64
}

// mapped is the size in bytes from which a table gets pages of its own.
const mapped = 1 << 16

// allocate gives a table of n zeroes, or nil when the budget does not hold it.
// n is at least 1.
func allocate[T cell](b *budget, n int) []T {
	var zero T
	size := int64(n) * int64(unsafe.Sizeof(zero))
	if size > b.limit-b.used {
		return nil
	}
	if size < mapped {
		b.take(size)
		return make([]T, n)
	}
	pages := mapPages(int(size))
	if pages == nil {
		return nil
	}
	b.take(size)
	if b.pages == nil {
		b.pages = map[*byte]int{}
	}
	b.pages[unsafe.SliceData(pages)] = int(size)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(pages))), n)
}

// release gives a table of allocate back; it must not be used afterwards.
func release[T cell](b *budget, table []T) {
	if len(table) == 0 {
		return
	}
	size := len(table) * int(unsafe.Sizeof(table[0]))
	b.used -= int64(size)
	if size >= mapped {
		pages := (*byte)(unsafe.Pointer(unsafe.SliceData(table)))
		delete(b.pages, pages)
		unmapPages(unsafe.Slice(pages, size))
	}
}

// close gives back what is left, as where work was left in the middle. No table
// must be used afterwards.
func (b *budget) close() {
	for pages, size := range b.pages {
		b.used -= int64(size)
		unmapPages(unsafe.Slice(pages, size))
	}
	b.pages = nil
}
