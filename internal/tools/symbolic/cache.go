package symbolic

// cache remembers results of diagram operations. It is direct-mapped: a new
// entry replaces an old one of the same place, which costs time and never a
// result. It grows with its use up to a limit.
type cache struct {
	table []cacheEntry
	mask  uint32
	fresh int // entries written since the table has this size
	limit int // largest number of entries
}

// cacheEntry holds one result; op 0 marks an empty entry.
type cacheEntry struct {
	op, a, b, c uint32
	res         node
}

const (
	smallestCache = 1 << 9
	largestCache  = 1 << 22 // 84 MB
)

func newCache(limit int) *cache {
	return &cache{table: make([]cacheEntry, smallestCache), mask: smallestCache - 1, limit: max(limit, smallestCache)}
}

func hash(op, a, b, c uint32) uint32 {
	h := (uint64(op)<<32 | uint64(a)) * 0x9e3779b97f4a7c15
	h ^= h >> 29
	h += uint64(b)<<32 | uint64(c)
	h *= 0xbf58476d1ce4e5b9
	return uint32(h >> 32)
}

func (c *cache) find(op, x, y, z uint32) (node, bool) {
	e := &c.table[hash(op, x, y, z)&c.mask]
	if e.op == op && e.a == x && e.b == y && e.c == z {
		return e.res, true
	}
	return 0, false
}

func (c *cache) put(op, x, y, z uint32, res node) node {
	if c.fresh++; c.fresh > len(c.table) && 2*len(c.table) <= c.limit {
		c.grow()
	}
	c.table[hash(op, x, y, z)&c.mask] = cacheEntry{op, x, y, z, res}
	return res
}

func (c *cache) grow() {
	old := c.table
	c.table = make([]cacheEntry, 2*len(old))
	c.mask = uint32(len(c.table) - 1)
	c.fresh = 0
	for _, e := range old {
		if e.op != 0 {
			c.table[hash(e.op, e.a, e.b, e.c)&c.mask] = e
		}
	}
}

func (c *cache) clear() {
	clear(c.table)
	c.fresh = 0
}
