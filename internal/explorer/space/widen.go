package space

import (
	"podium/internal/explorer/packed"
	"podium/internal/explorer/tokens"
)

// widen makes room for what the transition does in marking i, and lays all
// markings out again. It returns false when the search ends.
func (s *Search) widen(i uint32, transition uint32) bool {
	next := s.marking(i, nil)
	if !tokens.Fire(s.net, int(transition), next) {
		return s.end(TooManyTokens)
	}
	if s.growing {
		below := make([]uint64, len(next))
		from, found, _ := s.coveredBy(i, nil, func(_, packed []uint64) bool {
			s.Layout.Unpack(packed, below)
			return tokens.StrictlyCovers(next, below)
		})
		if found && !s.cover(append(s.RunTo(i), transition), len(s.RunTo(from))) {
			return false
		}
	}
	return s.relay(s.Layout.Widen(s.net, next))
}

// relay lays all markings out again, chunk by chunk.
func (s *Search) relay(l *packed.Layout) bool {
	old, from := s.store, s.Layout
	if !old.roomFor(l.Words) {
		return s.end(OutOfMemory)
	}
	old.closeTable()
	s.lay(l)
	s.store = newStore(s.budget, l.Words, s.maxStates)
	ok := s.store != nil
	s.lost = true // until all are moved
	plain, packed := make([]uint64, l.Places()), make([]uint64, l.Words)
	for i := uint32(0); i < old.n && ok; i++ {
		s.Clock.Work(2 * len(plain))
		from.Unpack(old.at(i), plain)
		l.Pack(plain, packed)
		_, _, ok = s.store.insert(packed, s.store.keys.Hash(packed))
		old.doneBefore(i + 1)
	}
	old.close()
	if s.lost = !ok; s.lost {
		return s.end(OutOfMemory)
	}
	return true
}
