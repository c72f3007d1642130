package space

// checkGrowth looks now and then whether the newest marking covers one of its
// ancestors; how often depends on how long that takes. It returns false when the
// search ends.
func (s *Search) checkGrowth() bool {
	if !s.growing || s.store.n < 2 || s.store.n < s.nextCheck {
		return true
	}
	newest := s.store.n - 1
	from, found, looked := s.coveredBy(s.parents.of(newest), s.store.at(newest), s.Layout.Covers)
	s.nextCheck = s.store.n + 256 + 32*uint32(looked)
	if !found {
		return true
	}
	return s.cover(s.RunTo(newest), len(s.RunTo(from)))
}

// cover takes a covering. It returns false when that ends the search.
func (s *Search) cover(run []uint32, from int) bool {
	c := &Covering{Run: run, From: from}
	if err := c.check(s.net); err != nil {
		panic("space: a covering does not replay: " + err.Error())
	}
	s.covering = c
	return s.afterCovering()
}

// afterCovering returns false when the covering ends the search.
func (s *Search) afterCovering() bool {
	s.growing = false
	if s.EndUnbounded {
		return s.end(Unbounded)
	}
	return s.OnCovering == nil || !s.OnCovering() || s.end(Enough)
}

// coveredBy looks for an ancestor of marking i, or i itself, that marking above
// strictly covers, and tells how many it looked at. Whether i itself may be the
// one is the caller's choice: above may be a successor that is not stored.
func (s *Space) coveredBy(i uint32, above []uint64, covers func(above, below []uint64) bool) (ancestor uint32, found bool, looked int) {
	for {
		looked++
		s.Clock.Work(s.Layout.Words)
		if covers(above, s.store.at(i)) {
			return i, true, looked
		}
		if i == 0 {
			return 0, false, looked
		}
		i = s.parents.of(i)
	}
}
