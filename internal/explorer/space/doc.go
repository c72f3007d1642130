// Package space enumerates the reachable markings of a P/T net, breadth first, and
// keeps them.
//
// # Words
//
// The search keeps each marking once, packed (see package packed), in a table that
// finds it by its hash. A marking gets an index, from 0 for the initial one, in the
// order in which the markings are found. The search takes them in the same order, so
// the table is also the queue. A marking is expanded once all its successors are
// known; those that are not expanded yet are the frontier. A space is complete when
// the frontier is empty.
//
// # How a search works
//
//   - A random walk (walk.go) shows first how many bits each place may need, and which
//     places are rarely marked. When a place needs more bits later, all markings are
//     packed again (widen.go).
//   - Chunks of the queue (chunk.go) are expanded one after the other, or on several
//     cores, a window of the queue at a time (parallel.go, window.go, workers.go). The
//     indexes are given in the order of the queue (indices.go), so they are the same on
//     any number of cores.
//   - The store (store.go) holds the markings and the table of hashes; parents.go the
//     tree of the search, two bits per marking; rows.go the edges, where they are
//     asked for.
//   - Where the edges are not asked for, most firings that lead to a marking found
//     otherwise are counted but not followed (sleep.go).
//   - An [Observer] sees each new marking, each deadlock and the first firing of each
//     transition, and may end the search. [Search.OnPause] evaluates what there is from
//     time to time.
//
// A search that meets a limit says so ([Stop]). A net is called unbounded only with a
// [Covering], which is replayed (covering.go, growth.go).
package space
