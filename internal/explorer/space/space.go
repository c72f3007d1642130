package space

import (
	"context"
	"time"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Options bound a search and say what it keeps. The zero value searches on one
// core within 1 GiB.
type Options struct {
	// Memory is the number of bytes for the tables of the search and of the
	// evaluation after it; 0 means DefaultMemory. What the Go runtime and the net
	// need comes on top.
	Memory int64
	// Edges keeps the successors of every marking.
	Edges bool
	// Time ends the search as Interrupted; 0 means no such limit.
	Time time.Duration
	// MaxStates ends the search with TooManyStates; 0 means no such limit.
	MaxStates uint64
	// Cores is how many to search on; 0 means 1. It changes no result.
	Cores int
	Tuning
}

// Tuning says when a search changes the way it works, in markings. No result depends
// on it; tests make it small. 0 means what has been found best.
type Tuning struct {
	LearnAfter  uint32 // markings that are expanded before firings are left out
	LeastWindow uint32 // markings that are worth the work of several cores
}

// DefaultMemory is the limit of a search that is given none, in bytes.
const DefaultMemory = 1 << 30

// Stop says why a search ended.
type Stop uint8

// The reasons. Only Complete says that all reachable markings are known.
const (
	Complete      Stop = iota // every reachable marking is expanded
	Enough                    // everything asked for was decided
	Unbounded                 // a covering was found and nothing else was asked
	OutOfMemory               // Options.Memory
	TooManyStates             // Options.MaxStates, or 2^32-2 markings
	TooManyTokens             // a place would hold more than 2^64-1 tokens
	Interrupted               // the context ended
)

// String gives the reason in words.
func (s Stop) String() string {
	return [...]string{"complete", "everything asked for is decided", "unbounded", "out of memory", "too many states", "too many tokens", "interrupted"}[s]
}

// Space is what a search found: reachable markings, numbered from 0, the initial one,
// in the order in which they were found. Its tables are outside of the heap until it
// is closed.
type Space struct {
	packed.View
	net      *pnml.Net
	store    *store
	parents  *parents
	edges    *rows // nil when they are not kept
	budget   *memory.Budget
	stop     Stop
	expanded uint32 // the markings below have all their successors known
	lost     bool   // the markings did not survive a lack of memory
	fired    []bool // per action
	firings  uint64
	most     uint64
	sum      tokens.Total
	covering *Covering
}

// Explore enumerates the reachable markings, breadth first. Limits and an ended
// context are no errors: the space says how far the search came. The caller
// closes it.
func Explore(ctx context.Context, net *pnml.Net, opt Options) *Space {
	s := NewSearch(nil, net, opt)
	s.EndUnbounded = true
	ended := clock.Until(ctx, func(c *clock.Clock) error {
		s.Clock = c
		s.Run(ctx)
		return nil
	})
	s.Clock = nil // what is asked of the space later is not limited
	if ended != nil {
		s.stop = Interrupted
	}
	return s.Space
}

// Close gives the memory back.
func (s *Space) Close() {
	if s.store != nil {
		s.store.close()
	}
	s.parents.close()
	if s.edges != nil {
		s.edges.close()
	}
	s.budget.Close()
}

// Stop tells why the search ended.
func (s *Space) Stop() Stop { return s.stop }

// Complete tells whether all reachable markings are known.
func (s *Space) Complete() bool { return s.stop == Complete }

// States is the number of reachable markings found.
func (s *Space) States() uint64 {
	if s.lost || s.store == nil {
		return 0
	}
	return uint64(s.store.n)
}

// Edges is the number of firings found: one per expanded marking and enabled
// transition.
func (s *Space) Edges() uint64 { return s.firings }

// MaxInPlace is the largest number of tokens in one place of the expanded markings.
func (s *Space) MaxInPlace() uint64 { return s.most }

// MaxPerMarking is the largest number of tokens in an expanded marking, in decimal
// digits.
func (s *Space) MaxPerMarking() string { return s.sum.String() }

// Unbounded is the proof that the net is unbounded, nil when none was found.
func (s *Space) Unbounded() *Covering { return s.covering }

// marking writes the tokens of every place in marking i into m, which is made
// when it is too short, and gives it.
func (s *Space) marking(i uint32, m []uint64) []uint64 {
	if n := s.Layout.Places(); cap(m) < n {
		m = make([]uint64, n)
	} else {
		m = m[:n]
	}
	s.Layout.Unpack(s.store.at(i), m)
	return m
}

// At is marking i, packed. It stays valid until the space is closed.
func (s *Space) At(i uint32) []uint64 { return s.store.at(i) }

// Expanded is the number of markings whose successors are all known; they are the
// first ones.
func (s *Space) Expanded() uint32 { return s.expanded }

// Lost tells that memory ran out while the markings got a wider layout: they are gone,
// and only figures can be asked for.
func (s *Space) Lost() bool { return s.lost }

// Budget is the memory of the space, also for tables of those who evaluate it.
func (s *Space) Budget() *memory.Budget { return s.budget }

// Successors lists the distinct successors of expanded marking i, ascending, in buf,
// which may be nil. The space must have been searched with Options.Edges.
func (s *Space) Successors(i uint32, buf []uint32) []uint32 { return s.edges.row(i, buf) }

// Degree is the number of distinct successors of expanded marking i. The space
// must have been searched with Options.Edges.
func (s *Space) Degree(i uint32) uint64 { return s.edges.degree(i) }

// Net is the net that was searched.
func (s *Space) Net() *pnml.Net { return s.net }
