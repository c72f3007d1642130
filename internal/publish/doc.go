// Package publish writes a scored contest for people: CSV files, one static
// site, plots, a provenance file and a summary for the terminal.
//
// The input is a [Contest]: a judged contest (package judged) with what pages say of its inputs,
// machines and rules. Pages know runs, values and tools by their numbers ([run], [ref],
// [standing]) and ask the judged contest for the rest. Nothing here decides a value, a score or a
// rank; it only shows each of them with its rule and with the bytes of the log that it came from.
// Floating point is used to draw and to round for display, never to compare. The output is a pure
// function of the input: everything is sorted and no clock is read, so the same contest gives the
// same bytes, and the published directory may be deleted and made again.
//
// The site is read from files, without a network. Every page is complete
// without JavaScript, which only adds sorting and filtering. Pages are written
// one by one, so that a contest of hundreds of thousands of runs needs little
// more memory than its view.
package publish
