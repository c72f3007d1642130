package pnml

import "slices"

// Weights is a list of weights, such as those of the arcs of a matrix. It takes
// no memory while all are 1, one byte each while all are below 256, and eight
// bytes each otherwise. In the zero value all weights are 1.
type Weights struct {
	n     int
	bytes []uint8  // nil unless all fit, and some are not 1
	words []uint64 // nil unless some do not fit into a byte
}

// NewWeights returns a list of n weights, all of them 1.
func NewWeights(n int) Weights { return Weights{n: n} }

// At returns the k-th weight, counted from 0.
func (w Weights) At(k int) uint64 {
	switch {
	case w.bytes != nil:
		return uint64(w.bytes[k])
	case w.words != nil:
		return w.words[k]
	}
	return 1
}

// Ones reports whether no weight was ever set to anything but 1.
func (w Weights) Ones() bool { return w.bytes == nil && w.words == nil }

// plain reports whether all weights are 1.
func (w Weights) plain() bool {
	for k := range w.n {
		if w.At(k) != 1 {
			return false
		}
	}
	return true
}

// Slice returns the weights with the indexes from to to-1. They share memory with
// the whole list.
func (w Weights) Slice(from, to int) Weights {
	part := Weights{n: to - from}
	if w.bytes != nil {
		part.bytes = w.bytes[from:to]
	}
	if w.words != nil {
		part.words = w.words[from:to]
	}
	return part
}

// Set changes the k-th weight.
func (w *Weights) Set(k int, weight uint64) {
	if weight != 1 || !w.Ones() {
		w.set(k, weight)
	}
}

func (w *Weights) set(k int, weight uint64) {
	if w.Ones() {
		w.bytes = slices.Repeat([]uint8{1}, w.n)
	}
	if w.words == nil && weight > 255 {
		w.words = make([]uint64, w.n)
		for i, b := range w.bytes {
			w.words[i] = uint64(b)
		}
		w.bytes = nil
	}
	if w.words != nil {
		w.words[k] = weight
	} else {
		w.bytes[k] = uint8(weight)
	}
}

// SetAll changes the weights from the k-th on.
func (w *Weights) SetAll(k int, weights []uint64) {
	for i, x := range weights {
		if w.bytes != nil && x < 256 {
			w.bytes[k+i] = uint8(x)
		} else {
			w.Set(k+i, x)
		}
	}
}

// Repeat sets the weights from the k-th on to those of another list, one copy
// after the other, so many times.
func (w *Weights) Repeat(k, times int, from Weights) {
	if times == 0 || from.n == 0 || from.Ones() && w.Ones() {
		return
	}
	w.Copy(k, from)
	for done, all := from.n, times*from.n; done < all; done *= 2 {
		w.Copy(k+done, w.Slice(k, k+min(done, all-done)))
	}
}

// Copy sets the weights from the k-th on to those of another list, which may
// share memory with this one.
func (w *Weights) Copy(k int, from Weights) {
	switch {
	case w.bytes != nil && from.bytes != nil:
		copy(w.bytes[k:], from.bytes)
	case w.words != nil && from.words != nil:
		copy(w.words[k:], from.words)
	default:
		for i := range from.n {
			w.Set(k+i, from.At(i))
		}
	}
}
