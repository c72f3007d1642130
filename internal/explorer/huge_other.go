//go:build !linux

package explorer

func adviseHuge([]byte) {}
