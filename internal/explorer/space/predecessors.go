package space

import "podium/internal/explorer/memory"

// Reverse is the table of predecessors. Those of marking i are
// sources[starts[i]:starts[i+1]], ascending.
type Reverse struct {
	budget  *memory.Budget
	starts  []uint64
	sources []uint32
}

// Predecessors turns the edges round. The space must have been searched with
// Options.Edges. It returns nil when the budget does not hold the table; the caller
// closes it.
func (s *Space) Predecessors() *Reverse {
	c, b, r, n := s.Clock, s.budget, s.edges, s.store.n
	v := &Reverse{budget: b, starts: memory.Allocate[uint64](b, int(n)+2)}
	if v.starts == nil {
		return nil
	}
	if v.sources = memory.Allocate[uint32](b, int(max(1, r.edges))); v.sources == nil {
		v.Close()
		return nil
	}
	// starts[i+2] counts, then becomes a sum, so that starts[i+1] is the next
	// free place of i while the rows are filled, and its end afterwards.
	var buf []uint32
	for i := range r.n {
		buf = r.row(i, buf)
		c.Work(2 + len(buf))
		for _, t := range buf {
			v.starts[t+2]++
		}
	}
	for i := uint64(2); i < uint64(n)+2; i++ {
		v.starts[i] += v.starts[i-1]
	}
	for i := range r.n {
		buf = r.row(i, buf)
		c.Work(2 + len(buf))
		for _, t := range buf {
			v.sources[v.starts[t+1]] = i
			v.starts[t+1]++
		}
	}
	return v
}

// Close gives the memory back.
func (v *Reverse) Close() {
	memory.Release(v.budget, v.starts)
	memory.Release(v.budget, v.sources)
	v.starts, v.sources = nil, nil
}

// Of lists the predecessors of marking i, ascending.
func (v *Reverse) Of(i uint32) []uint32 { return v.sources[v.starts[i]:v.starts[i+1]] }
