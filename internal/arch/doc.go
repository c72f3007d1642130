// Package arch holds no code, only the test of who may import whom.
package arch
