package explorer

import "context"

// bottoms calls visit with every strongly connected component that no edge
// leaves, all of whose markings are expanded, until visit gives false. Members
// are valid during the call. The algorithm is Tarjan's in the form of D. J.
// Pearce ("A space-efficient algorithm for finding strongly connected
// components", 2016). It gives errNoMemory or the error of the context.
func (s *Space) bottoms(ctx context.Context, visit func(members []uint32) bool) error {
	c := &components{s: s, rank: allocate[uint32](s.budget, int(s.store.n)), open: newStack(s.budget), frames: newStack(s.budget), next: 1, closed: s.store.n}
	defer c.close()
	if c.rank == nil {
		return errNoMemory
	}
	// Every marking is reachable from the first one.
	if !c.enter(0) {
		return errNoMemory
	}
	for steps := 0; len(c.path) > 0; steps++ {
		if steps%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if c.advance() {
			continue
		}
		if c.noMemory {
			return errNoMemory
		}
		if !c.leave(visit) {
			break
		}
	}
	if c.noMemory {
		return errNoMemory
	}
	return nil
}

// components is a depth-first search. The rank of a marking is 0 when it is not
// visited, its number in the search while its component is open, made smaller
// where an older one is reached; and afterwards the number of its component,
// counted down from the number of markings.
type components struct {
	s        *Space
	rank     []uint32
	open     *stack // visited markings of open components, without the roots on the path
	path     []frame
	frames   *stack // the successors that frames have not looked at
	next     uint32
	closed   uint32
	row      []uint32
	members  []uint32
	noMemory bool
}

type frame struct {
	marking uint32
	left    uint32 // successors on the stack of frames
	root    bool
}

func (c *components) close() {
	release(c.s.budget, c.rank)
	c.open.close()
	c.frames.close()
}

func (c *components) enter(i uint32) bool {
	c.rank[i] = c.next
	c.next++
	f := frame{marking: i, root: true}
	if i < c.s.expanded {
		c.row = c.s.edges.row(i, c.row)
		for _, j := range c.row {
			if !c.frames.push(j) {
				c.noMemory = true
				return false
			}
		}
		f.left = uint32(len(c.row))
	}
	c.path = append(c.path, f)
	return true
}

// advance looks at the next successor of the last marking of the path. It gives
// false when there is none, or no memory.
func (c *components) advance() bool {
	f := &c.path[len(c.path)-1]
	if f.left == 0 {
		return false
	}
	f.left--
	j := c.frames.pop()
	if c.rank[j] == 0 {
		return c.enter(j)
	}
	c.see(f, j)
	return true
}

func (c *components) see(f *frame, j uint32) {
	if c.rank[j] < c.rank[f.marking] {
		c.rank[f.marking] = c.rank[j]
		f.root = false
	}
}

// leave ends the last marking of the path. It gives false when visit has seen
// enough or memory is short.
func (c *components) leave(visit func([]uint32) bool) bool {
	f := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	more := true
	if !f.root {
		if !c.open.push(f.marking) {
			c.noMemory = true
			return false
		}
	} else {
		more = c.component(f.marking, visit)
	}
	if len(c.path) > 0 {
		c.see(&c.path[len(c.path)-1], f.marking)
	}
	return more
}

// component closes the component of a root.
func (c *components) component(root uint32, visit func([]uint32) bool) bool {
	c.members = append(c.members[:0], root)
	c.next--
	for c.open.n > 0 && c.rank[c.open.top()] >= c.rank[root] {
		c.members = append(c.members, c.open.pop())
		c.next--
	}
	for _, i := range c.members {
		c.rank[i] = c.closed
	}
	bottom := true
	for k := 0; bottom && k < len(c.members); k++ {
		bottom = c.inside(c.members[k])
	}
	c.closed--
	return !bottom || visit(c.members)
}

// inside tells whether marking i is expanded and all its successors are in the
// component that is being closed.
func (c *components) inside(i uint32) bool {
	if i >= c.s.expanded {
		return false
	}
	c.row = c.s.edges.row(i, c.row)
	for _, j := range c.row {
		if c.rank[j] != c.closed {
			return false
		}
	}
	return true
}
