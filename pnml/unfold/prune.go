package unfold

// prune keeps the least part of the net that holds the marked places, the
// transitions all of whose input places it holds, and their output places.
func (b *builder) prune() {
	places, transitions := b.base[len(b.base)-1], len(b.bindings)
	b.reached = make([]uint64, (places+63)/64)
	fires := b.fixPoint(int(places), transitions)
	kept := 0
	for _, f := range fires {
		if f {
			kept++
		}
	}
	if kept < transitions {
		b.keep(fires)
	}
}

// fixPoint marks the places that are reached and tells which transitions fire.
// Every arc is looked at once: a transition counts the input places it lacks.
func (b *builder) fixPoint(places, transitions int) []bool {
	first := make([]uint32, places+1)
	for _, p := range b.pre.place {
		first[p]++
	}
	sum := uint32(0)
	for p, n := range first {
		first[p] = sum
		sum += n
	}
	readers := make([]uint32, len(b.pre.place))
	lacks := make([]uint32, transitions)
	for t := range transitions {
		row := b.pre.row(t)
		lacks[t] = uint32(len(row))
		for _, p := range row {
			readers[first[p]] = uint32(t)
			first[p]++
		}
	}
	copy(first[1:], first[:places])
	first[0] = 0

	fires := make([]bool, transitions)
	var queue []uint32
	reach := func(p uint32) {
		if b.reached[p/64]>>(p%64)&1 == 0 {
			b.reached[p/64] |= 1 << (p % 64)
			queue = append(queue, p)
		}
	}
	fire := func(t uint32) {
		fires[t] = true
		for _, p := range b.post.row(int(t)) {
			reach(p)
		}
	}
	for p, list := range b.marked {
		for _, e := range list {
			reach(uint32(b.base[p] + e.colour))
		}
	}
	for t := range transitions {
		if lacks[t] == 0 {
			fire(uint32(t))
		}
	}
	for len(queue) > 0 {
		p := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, t := range readers[first[p]:first[p+1]] {
			if lacks[t]--; lacks[t] == 0 {
				fire(t)
			}
		}
	}
	return fires
}

// keep removes the transitions that never fire.
func (b *builder) keep(fires []bool) {
	out := 0
	starts := make([]uint32, 0, len(b.starts))
	next := 0
	for t, f := range fires {
		for next < len(b.starts) && int(b.starts[next]) == t {
			starts = append(starts, uint32(out))
			next++
		}
		if f {
			b.bindings[out] = b.bindings[t]
			out++
		}
	}
	for len(starts) < len(b.starts) {
		starts = append(starts, uint32(out))
	}
	b.starts, b.bindings = starts, b.bindings[:out]
	b.pre.keep(fires)
	b.post.keep(fires)
}

func (r *rows) keep(fires []bool) {
	out, at := 0, uint32(0)
	for t, f := range fires {
		lo, hi := r.start[t], r.start[t+1]
		if !f {
			continue
		}
		copy(r.place[at:], r.place[lo:hi])
		if r.weight != nil {
			copy(r.weight[at:], r.weight[lo:hi])
		}
		r.start[out] = at
		at += hi - lo
		out++
	}
	r.start[out] = at
	r.start, r.place = r.start[:out+1], r.place[:at]
	if r.weight != nil {
		r.weight = r.weight[:at]
	}
}
