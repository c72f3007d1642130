//go:build !unix

package explorer

func mapPages(size int) []byte { return make([]byte, size) }

func unmapPages([]byte) {}
