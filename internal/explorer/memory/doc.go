// Package memory gives the explorer its large tables. A [Budget] counts their
// bytes against a limit; a [Stack] is a stack of numbers that counts in a budget;
// an [Arena] is scratch memory of one worker that is used again and again.
package memory
