package check

import (
	"podium/internal/explorer/memory"
	"podium/internal/explorer/space"
)

// Bottoms calls visit with every strongly connected component that no edge
// leaves, all of whose markings are expanded, until visit gives false. Members
// are valid during the call. The algorithm is Tarjan's in the form of D. J.
// Pearce ("A space-efficient algorithm for finding strongly connected
// components", 2016). Its error says that memory is short.
func Bottoms(s *space.Space, visit func(members []uint32) bool) error {
	c := &components{s: s, rank: memory.Allocate[uint32](s.Budget(), int(s.States())), open: memory.NewStack[uint32](s.Budget()), path: memory.NewStack[uint32](s.Budget()), todo: memory.NewStack[uint32](s.Budget()), next: 1, closed: uint32(s.States())}
	defer c.close()
	if c.rank == nil {
		return errNoMemory
	}
	// Every marking is reachable from the first one.
	if !c.enter(0) {
		return errNoMemory
	}
	for c.path.Len() > 0 {
		s.Clock.Work(2)
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
	s        *space.Space
	rank     []uint32
	open     *memory.Stack[uint32] // visited markings of open components, without those on the path
	path     *memory.Stack[uint32] // per marking of the path: itself, then left<<1 | root
	todo     *memory.Stack[uint32] // successors that the path has not looked at, left per marking
	next     uint32
	closed   uint32
	row      []uint32
	members  []uint32
	noMemory bool
}

func (c *components) close() {
	memory.Release(c.s.Budget(), c.rank)
	c.open.Close()
	c.path.Close()
	c.todo.Close()
}

// enter visits marking i. It returns false when there is no memory.
func (c *components) enter(i uint32) bool {
	c.rank[i] = c.next
	c.next++
	left := uint32(0)
	if i < c.s.Expanded() {
		c.row = c.s.Successors(i, c.row)
		c.s.Clock.Work(len(c.row))
		left = uint32(len(c.row))
		for _, j := range c.row {
			if !c.todo.Push(j) {
				c.noMemory = true
				return false
			}
		}
	}
	if !c.path.Push(i) || !c.path.Push(left<<1|1) {
		c.noMemory = true
		return false
	}
	return true
}

// advance looks at the next successor of the last marking of the path. It returns
// false when there is none, or no memory.
func (c *components) advance() bool {
	left := c.path.At(c.path.Len() - 1)
	if *left < 2 {
		return false
	}
	*left -= 2
	j := c.todo.Pop()
	if c.rank[j] == 0 {
		return c.enter(j)
	}
	c.see(j)
	return true
}

// see lets the last marking of the path know a visited successor: when that one
// is older, the marking is not the root of its component.
func (c *components) see(j uint32) {
	if i := *c.path.At(c.path.Len() - 2); c.rank[j] < c.rank[i] {
		c.rank[i] = c.rank[j]
		*c.path.At(c.path.Len() - 1) &^= 1
	}
}

// leave ends the last marking of the path. It returns false when visit has seen
// enough or memory is short.
func (c *components) leave(visit func([]uint32) bool) bool {
	root := c.path.Pop()&1 != 0
	i := c.path.Pop()
	more := true
	if root {
		more = c.component(i, visit)
	} else if !c.open.Push(i) {
		c.noMemory = true
		return false
	}
	if c.path.Len() > 0 {
		c.see(i)
	}
	return more
}

// component closes the component of a root.
func (c *components) component(root uint32, visit func([]uint32) bool) bool {
	c.members = append(c.members[:0], root)
	c.next--
	for c.open.Len() > 0 && c.rank[*c.open.At(c.open.Len() - 1)] >= c.rank[root] {
		c.members = append(c.members, c.open.Pop())
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

// inside reports whether marking i is expanded and all its successors are in the
// component that is being closed.
func (c *components) inside(i uint32) bool {
	if i >= c.s.Expanded() {
		return false
	}
	c.row = c.s.Successors(i, c.row)
	c.s.Clock.Work(1 + len(c.row))
	for _, j := range c.row {
		if c.rank[j] != c.closed {
			return false
		}
	}
	return true
}
