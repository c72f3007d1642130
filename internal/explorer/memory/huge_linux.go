package memory

import "syscall"

// hugePage is the size of a huge page in bytes. A large table is read at random
// places. With small pages almost every read misses the processor's cache of page
// addresses (the TLB).
const hugePage = 1 << 21

// adviseHuge asks the system for huge pages. It may ignore that.
func adviseHuge(pages []byte) {
	if len(pages) >= 2*hugePage {
		_ = syscall.Madvise(pages, syscall.MADV_HUGEPAGE)
	}
}
