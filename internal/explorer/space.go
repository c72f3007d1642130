package explorer

import (
	"context"
	"time"

	"podium/internal/clock"
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
	"podium/pnml"
)

// Options bound a search and say what it keeps.
type Options struct {
	// Memory is the number of bytes for the tables of the search and of the
	// evaluation after it; 0 means 1 GiB. What the Go runtime and the net need
	// comes on top.
	Memory int64
	// Edges keeps the successors of every marking.
	Edges bool
	// Witnesses asks [Decide] for runs that prove its answers.
	Witnesses bool
	// SearchTime ends the search as Interrupted; what is evaluated after it may
	// take longer. 0 means no such limit.
	SearchTime time.Duration
	// Unreduced makes [Decide] search the net as it is, without structural
	// reductions.
	Unreduced bool
	// MaxStates ends the search with TooManyStates; 0 means no such limit.
	MaxStates uint64
	// Cores is how many to explore on; 0 means 1. It changes no result.
	Cores int

	learnAfter, leastWindow uint32 // 0 means the constants of these names
}

const defaultMemory = 1 << 30

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

// Space is what a search found: reachable markings by index, marking 0 being
// the initial one. It holds memory outside of the heap until it is closed.
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
	s := newSearch(nil, net, opt)
	s.endUnbounded = true
	ended := clock.Until(ctx, func(c *clock.Clock) error {
		s.Clock = c
		s.run(ctx)
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

// MaxInPlace is the largest count of one place among the expanded markings.
func (s *Space) MaxInPlace() uint64 { return s.most }

// MaxPerMarking is the largest token sum of an expanded marking, in decimal
// digits.
func (s *Space) MaxPerMarking() string { return s.sum.String() }

// Unbounded gives the proof that the net is unbounded, nil when none was found.
func (s *Space) Unbounded() *Covering { return s.covering }

// Bytes is the size of all tables of the space.
func (s *Space) Bytes() int64 { return s.budget.Used() }

// Marking writes the tokens of every place in marking i into m, which is made
// when it is too short, and gives it.
func (s *Space) Marking(i uint32, m []uint64) []uint64 {
	if n := s.Layout.Places(); cap(m) < n {
		m = make([]uint64, n)
	} else {
		m = m[:n]
	}
	s.Layout.Unpack(s.store.at(i), m)
	return m
}
