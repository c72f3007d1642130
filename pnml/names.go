package pnml

// Names is an ordered set of ids: index to id and id to index.
type Names struct {
	ids   []string
	index map[string]int
}

// Len is the number of ids.
func (n *Names) Len() int { return len(n.ids) }

// At gives the id at an index.
func (n *Names) At(i int) string { return n.ids[i] }

// Find gives the index of an id.
func (n *Names) Find(id string) (int, bool) {
	i, ok := n.index[id]
	return i, ok
}

type namesBuilder struct {
	ids   []string
	index map[string]int
}

func (b *namesBuilder) len() int { return len(b.ids) }

// add gives the index of id and whether it is new.
func (b *namesBuilder) add(id string) (int, bool) {
	if i, ok := b.index[id]; ok {
		return i, false
	}
	if b.index == nil {
		b.index = map[string]int{}
	}
	b.index[id] = len(b.ids)
	b.ids = append(b.ids, id)
	return len(b.ids) - 1, true
}

func (b *namesBuilder) names() Names { return Names{b.ids, b.index} }
