// Package arch holds tests of the whole tree and no other code: which room may
// import which, which types public rooms show, and whether the files, tests and
// exported names that the documents mention exist.
package arch
