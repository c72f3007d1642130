// Package models is about the nets of a contest: how an instance is named,
// which class it has (E-4.4), where it lies on disk, and how the built-in
// parametric families are made.
//
// A model, or family, is a parametrised net. An instance is one net of it, for
// one value of the parameter, either as P/T net (PT) or as symmetric net (COL).
// A collection is a set of instances, each a directory or an archive that holds
// one. Archives come from outside and are never trusted: nothing in one decides
// where a file is written, how much is written, or what kind of file it is.
//
// The files beside the net (markers and files of one word) are the [Facts] of
// an instance: claims of the person who made it. [Check] compares them with
// each other and with the net. Nothing that decides points relies on them.
package models
