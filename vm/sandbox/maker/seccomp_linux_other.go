//go:build linux && !amd64

package maker

// sysSeccomp is the number of all processors that have the kernel's newer numbers, as
// arm64 has.
const sysSeccomp = 277
