// Package modelfiles makes the files of instances: complete instances of built-in
// families with formulas drawn under a seed ([Write]), the formula files that an
// instance lacks ([Complete]), P/T twins of coloured instances ([Unfold]), and the
// formula files of a stripped instance ([Stripped]).
package modelfiles
