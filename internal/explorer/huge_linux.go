package explorer

import "syscall"

// hugePage is the size of a huge page in bytes. In a large table slots are met in
// no order, and every small page needs an entry among the few addresses kept.
const hugePage = 1 << 21

// adviseHuge asks for huge pages, in vain where the system grants none.
func adviseHuge(pages []byte) {
	if len(pages) >= 2*hugePage {
		_ = syscall.Madvise(pages, syscall.MADV_HUGEPAGE)
	}
}
