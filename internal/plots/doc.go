// Package plots draws the plots of a contest. A [Chart] says what is seen: axes, lines, marks.
// It is drawn as SVG, by the same code for the pages of a site and in the browser, where a
// plot follows a question; room publish draws it for paper.
//
// Points carry numbers of runs, so that a plot can say which run a point is. Logarithmic axes
// are linear axes over powers of ten: points are given as logarithms.
package plots
