package placement

// Span is when a unit or a host begins and ends, microseconds after the start.
type Span struct{ Begin, End int64 }

// Played is what became of a placement on the simulated clock.
type Played struct {
	Units []Span // of each unit: from the start of its first run to the end of its last
	Hosts []Span // of each host: from 0 to the end of its last run
	End   int64  // when everything is done
	Last  int    // the unit that ends last, -1 where there is none
}

// Play lets all runs take place. The times of the runs are those expected, or, where
// times is not nil, times(unit) gives those of a unit, in the order of its runs; what
// it returns is not kept.
func (p *Placement) Play(times func(unit int) []int64) *Played {
	if times == nil {
		times = func(unit int) []int64 { return p.Units[unit].Runs }
	}
	out := &Played{Units: make([]Span, len(p.Units)), Hosts: make([]Span, len(p.Hosts)), Last: -1}
	for h, queue := range p.Queue {
		slots := make(clock, p.Hosts[h].Slots)
		for _, u := range queue {
			span, ended := p.ended[u]
			if !ended {
				span = slots.unit(p.from[u], times(u))
			}
			out.Units[u] = span
			out.Hosts[h].End = max(out.Hosts[h].End, span.End)
			if out.Last < 0 || span.End > out.End {
				out.Last, out.End = u, span.End
			}
		}
	}
	return out
}

// clock is a heap of the times at which the slots of a host are free.
type clock []int64

// unit runs the runs of a unit, not before a time.
func (c clock) unit(from int64, times []int64) Span {
	s := Span{max(from, c[0]), max(from, c[0])}
	for _, t := range times {
		s.End = max(s.End, c.run(from, t))
	}
	return s
}

// run begins a run in the slot that is free first, not before a time, and returns its
// end.
func (c clock) run(from, time int64) int64 {
	end := max(from, c[0]) + time
	i := 0
	for {
		child := 2*i + 1
		if child >= len(c) {
			break
		}
		if child+1 < len(c) && c[child+1] < c[child] {
			child++
		}
		if c[child] >= end {
			break
		}
		c[i], i = c[child], child
	}
	c[i] = end
	return end
}
