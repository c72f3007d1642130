package explorer

// number gives the new markings of a window their indexes. It gives false when
// the search ends.
func (s *search) number(w *window) bool {
	w.settleLate()
	// Who looks at the search finds everything in its place.
	careful := s.observer != nil || s.pause != nil && uint64(s.nextPause) <= uint64(w.known)+uint64(w.n)<<w.stride
	defer func() {
		for _, l := range w.late {
			if c := &w.chunks[l.chunk]; l.chunk < w.numbered {
				w.put(c, c.order[l.place], l.slot)
			}
		}
	}()
	for k := range w.n {
		c := &w.chunks[k]
		s.sumUp(c)
		w.ranks(k)
		w.numbered, c.base = k+1, s.store.n
		if !s.numberChunk(w, c, careful) || !s.learn() {
			return false
		}
		if s.expanded%chunkMarkings == 0 {
			if s.growing && s.store.n > w.known {
				w.putNewest()
			}
			if !s.checkGrowth() || !s.checkPause() {
				return false
			}
		}
	}
	return true
}

// numberChunk numbers one by one where every marking has to be in its place at
// once, and where memory is to be allocated; else marking by marking.
func (s *search) numberChunk(w *window, c *chunk, careful bool) bool {
	at, before, events := uint32(0), uint32(0), c.events
	spare := s.spare()
	if s.edges != nil {
		s.targets = extend(s.targets[:0], len(c.order))
		for k, at := range c.order {
			s.targets[at] = w.index(c.found[k])
		}
	}
	for k, count := range c.counts {
		for ; len(events) > 0 && events[0].marking == c.first+uint32(k); events = events[1:] {
			if s.happens(events[0]) {
				return s.end(Enough)
			}
		}
		from := at
		at += count
		rank := c.rank(at)
		if n := rank - before; !careful && n < spare {
			s.store.n += n
			s.parents.add(n)
			spare -= n + 1
		} else {
			if !s.admit(c, from, at) {
				return false
			}
			spare = s.spare()
		}
		before = rank
		if s.edges != nil && !s.edges.add(s.targets[from:at]) {
			return s.end(OutOfMemory)
		}
		s.expanded++
		if s.diamonds != nil {
			s.diamonds.expanded(s.expanded)
		}
	}
	return true
}

// spare is how many markings can be expanded or numbered without any allocation.
func (s *search) spare() uint32 {
	n := uint32(min(uint64(s.store.spare()), s.parents.spare()))
	if s.diamonds != nil {
		n = min(n, s.diamonds.spare(s.store.n))
	}
	return n
}

// admit numbers the new ones among the successors from to end of a chunk, those
// of the next marking. It gives false when the search ends.
func (s *search) admit(c *chunk, from, end uint32) bool {
	for k := from; k < end; k++ {
		if !c.fresh(k) {
			continue
		}
		if !s.store.admit() {
			return s.full()
		}
		j, m := s.store.n-1, c.successor(k, s.layout.words)
		copy(s.store.at(j), m)
		if !s.parents.child() || s.diamonds != nil && !s.diamonds.note(j, c.labels[k]) {
			return s.end(OutOfMemory)
		}
		if s.observer != nil && s.observer.fresh(j, m) {
			return s.end(Enough)
		}
	}
	return s.parents.done() || s.end(OutOfMemory)
}
