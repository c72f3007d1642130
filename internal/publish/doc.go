// Package publish turns a scored contest into what people look at: CSV files,
// one static site, plots, a provenance file and a summary for the terminal.
//
// The input is a [Contest], a plain view of a scored campaign: nothing here
// decides a value, a score or a rank, it only shows what was decided, by which
// rule, and the bytes of the log it came from. Floating point is used to draw
// and to round for display, never to compare. The output is a pure function of
// the input: everything is sorted, nothing reads a clock, so the same contest
// gives the same bytes and the published directory may be deleted and rebuilt.
//
// The site is read offline from files. It asks nothing of a network, and every
// page is complete without JavaScript, which only adds sorting and filtering.
// Pages are streamed one by one, so that a contest of hundreds of thousands of
// runs needs little more memory than its view.
package publish
