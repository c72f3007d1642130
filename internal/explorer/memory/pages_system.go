//go:build unix && !race

package memory

import "syscall"

// mapPages gets size zeroed bytes from the system. It returns nil when there are none.
func mapPages(size int) []byte {
	pages, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil
	}
	adviseHuge(pages)
	return pages
}

func unmapPages(pages []byte) {
	if err := syscall.Munmap(pages); err != nil {
		panic("memory: pages released that were not mapped: " + err.Error())
	}
}
