// Package packed writes markings into few 64-bit words, and fires transitions on
// them there.
//
// A [Layout] gives every place that changes a field of bits. A field that becomes
// too narrow is never overrun: a wider layout is made, and the markings are packed
// again. A [Program] is the net compiled against a layout: which bits of which words
// a transition tests and changes. Its transitions are called actions, and are
// numbered so that those that watch the same place follow each other. [Successors]
// is what firing gives, with a hash of each marking that costs little more than the
// firing itself.
package packed
