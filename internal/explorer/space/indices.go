package space

// assign returns the new markings of a window their indexes. It returns false when
// the search ends.
func (s *Search) assign(w *window) bool {
	w.yield()
	known := s.store.n
	// Who looks at the search finds everything in its place.
	careful := s.Observer != nil || s.edges != nil || s.OnPause != nil && uint64(s.nextPause) <= uint64(known)+uint64(w.news())
	for k, c := range w.own() {
		s.sumUp(c)
		w.numbered, c.base = k+1, s.store.n
		if !s.assignChunk(w, c, careful) || !s.learn() {
			return false
		}
		if s.expanded%chunkMarkings == 0 {
			if s.growing && s.store.n > known {
				w.putNewest()
			}
			if !s.checkGrowth() || !s.checkPause() {
				return false
			}
		}
	}
	return true
}

// assignChunk numbers one by one where every marking has to be in its place at
// once, and where memory is to be allocated.
func (s *Search) assignChunk(w *window, c *chunk, careful bool) bool {
	if !careful && uint32(len(c.fresh)+len(c.ends)) < s.spare() {
		s.parents.add(c.births)
		s.store.n += c.news
		s.expanded += uint32(len(c.ends))
		if s.learning() {
			for _, f := range c.fresh {
				if f.slot != nowhere {
					s.sleep.count(f.label)
				}
			}
		}
		if s.sleep != nil {
			s.sleep.expanded(s.expanded)
		}
		return true
	}
	events := c.events
	for k := range c.ends {
		for ; len(events) > 0 && events[0].marking == c.first+uint32(k); events = events[1:] {
			if s.happens(events[0]) {
				return s.end(Enough)
			}
		}
		if !s.admit(w, c, k) {
			return false
		}
		s.expanded++
		if s.sleep != nil {
			s.sleep.expanded(s.expanded)
		}
	}
	return true
}

// spare is how many markings can be expanded or numbered without any allocation.
func (s *Search) spare() uint32 {
	n := uint32(min(uint64(s.store.spare()), s.parents.spare()))
	if s.sleep != nil {
		n = min(n, s.sleep.spare(s.store.n))
	}
	return n
}

// admit numbers the new ones among the successors of the k-th marking of a chunk,
// which is the next one. It returns false when the search ends.
func (s *Search) admit(w *window, c *chunk, k int) bool {
	from, end, known := uint32(0), c.ends[k], s.store.n
	if k > 0 {
		from = c.ends[k-1]
	}
	for n := c.freshFrom(from); n < len(c.fresh) && c.fresh[n].at < end; n++ {
		f := c.fresh[n]
		if f.slot == nowhere {
			continue
		}
		s.Clock.Work(s.Layout.Words)
		if !s.store.admit() {
			return s.full()
		}
		j, m := s.store.n-1, c.keep(n, s.Layout.Words)
		copy(s.store.at(j), m)
		if !s.parents.child() || s.sleep != nil && !s.sleep.note(j, f.label) {
			return s.end(OutOfMemory)
		}
		if s.Observer != nil && s.Observer.Found(j, m) {
			return s.end(Enough)
		}
	}
	if !s.parents.done() || s.edges != nil && !s.edges.add(s.resolve(w, c, from, end, known)) {
		return s.end(OutOfMemory)
	}
	return true
}

// resolve returns the indexes of the successors from to end of a chunk, of which the
// new ones have indexes from known on.
func (s *Search) resolve(w *window, c *chunk, from, end, known uint32) []uint32 {
	s.targets = s.targets[:0]
	for at := from; at < end; at++ {
		for c.found[at] >= w.tickets {
			d, k := w.holder(c.found[at])
			if f := d.fresh[k]; d != c || f.at != at {
				c.found[at] = d.found[f.at]
				continue
			}
			c.found[at] = known
			known++
		}
		s.targets = append(s.targets, c.found[at])
	}
	return s.targets
}
