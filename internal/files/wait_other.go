//go:build !unix

package files

// noWait is nothing here: these systems have no named pipes among their files.
const noWait = 0
