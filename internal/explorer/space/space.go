package space

import (
	"podium/internal/explorer/memory"
	"podium/internal/explorer/packed"
	"podium/pnml"
)

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
	sum      pnml.Total
	covering *Covering
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

// Complete reports whether all reachable markings are known.
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
// when it is too short, and returns it.
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

// Lost reports whether memory ran out while the markings got a wider layout: they are gone,
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
