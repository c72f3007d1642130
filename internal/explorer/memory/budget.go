package memory

import "unsafe"

// Budget counts the bytes of large tables against a limit. Where the system allows
// it, a table lives outside the garbage-collected heap: releasing it returns its
// memory at once, so the count is what is really in use. One goroutine at a time
// may use a budget.
type Budget struct {
	limit, used, peak int64
	pages             map[*byte]int // tables with pages of their own, and their sizes
}

// NewBudget returns a budget of limit bytes.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Limit is the size of the budget in bytes.
func (b *Budget) Limit() int64 { return b.limit }

// Used is how many bytes the tables have now.
func (b *Budget) Used() int64 { return b.used }

// Free is how many bytes are left.
func (b *Budget) Free() int64 { return b.limit - b.used }

// Peak is the largest value that Used has had.
func (b *Budget) Peak() int64 { return b.peak }

// Mapped is the number of tables outside the heap that are not released yet.
func (b *Budget) Mapped() int { return len(b.pages) }

func (b *Budget) take(size int64) {
	b.used += size
	b.peak = max(b.peak, b.used)
}

// Cell is the element of a table.
type Cell interface {
	uint8 | uint16 | uint32 | ~uint64
}

// mappedSize is the size in bytes from which a table gets pages of its own.
const mappedSize = 1 << 16

// Allocate returns a table of n zeroes, n at least 1. It returns nil when the
// budget, or the system, has no room for it.
func Allocate[T Cell](b *Budget, n int) []T {
	var zero T
	size := int64(n) * int64(unsafe.Sizeof(zero))
	if size > b.Free() {
		return nil
	}
	if size < mappedSize {
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

// Release frees a table of Allocate, which must not be used afterwards.
func Release[T Cell](b *Budget, table []T) {
	if len(table) == 0 {
		return
	}
	size := len(table) * int(unsafe.Sizeof(table[0]))
	b.used -= int64(size)
	if size >= mappedSize {
		pages := (*byte)(unsafe.Pointer(unsafe.SliceData(table)))
		delete(b.pages, pages)
		unmapPages(unsafe.Slice(pages, size))
	}
}

// Close releases every table outside the heap that is left, for instance after
// work that was interrupted. No table must be used afterwards.
func (b *Budget) Close() {
	for pages, size := range b.pages {
		b.used -= int64(size)
		unmapPages(unsafe.Slice(pages, size))
	}
	b.pages = nil
}
