// Package models knows the nets of a contest: how an instance is named, to
// which class it belongs (E-4.4), where it lies on disk, and how the built-in
// parametric families are made.
//
// A model, or family, is a parametrised net; an instance is one net of it, for
// one value of the parameter, either as P/T net (PT) or as symmetric net (COL).
// A collection is a set of instances, each a directory or an archive that holds
// one. Archives come from outside and are never trusted: nothing in one decides
// where a file is written, how much is written, or what kind of file it is.
//
// What an instance says of itself beside its net (markers and one-word files)
// are its [Facts]: claims of whoever made it, compared with each other and with
// the net by [Check], never believed by what counts points.
package models
