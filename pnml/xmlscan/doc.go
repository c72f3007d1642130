// Package xmlscan reads XML documents as streams of events: the files of the contest,
// nets in PNML and formula files. It knows neither of the two formats.
//
// A [Scanner] keeps a window of the document in memory and gives what it finds there
// without allocating. For readers of large files there are two ways past the events:
// [Scanner.Ahead] shows the window, so that a reader can take a start tag whole that it
// knows byte by byte, and [Rests] remember how elements went on, so that the next one
// that goes on alike is passed over.
package xmlscan
