// Package models knows the nets of a contest: how an instance is named, to
// which class it belongs (E-4.4), where it lies on disk, and how the built-in
// parametric families are made.
//
// A model, or family, is a parametrised net; an instance is one net of it, for
// one value of the parameter, either as P/T net (PT) or as symmetric net (COL).
package models
