// Package naive is the yardstick of the explorer's tests: markings are enumerated and
// formulas evaluated in the plainest way, on nets and formulas drawn at random and on
// a few whose answers are known. Only tests use it.
package naive
