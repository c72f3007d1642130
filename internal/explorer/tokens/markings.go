package tokens

import "encoding/binary"

// Markings numbers markings, from 0. The zero value has none.
type Markings struct {
	Bytes int // that they take, about
	index map[string]int32
	list  []string // pairs of a place, less the one before it, and its tokens
	key   []byte
}

// Len is the number of markings.
func (k *Markings) Len() int { return len(k.list) }

// Add returns the number of a marking, and reports whether it is new.
func (k *Markings) Add(m []uint64) (number int32, fresh bool) {
	k.key = k.key[:0]
	last := 0
	for p, n := range m {
		if n > 0 {
			k.key = binary.AppendUvarint(binary.AppendUvarint(k.key, uint64(p-last)), n)
			last = p
		}
	}
	if i, met := k.index[string(k.key)]; met {
		return i, false
	}
	if k.index == nil {
		k.index = map[string]int32{}
	}
	number = int32(len(k.list))
	text := string(k.key)
	k.index[text] = number
	k.list = append(k.list, text)
	k.Bytes += len(text) + 96
	return number, true
}

// Get writes a marking to m.
func (k *Markings) Get(number int32, m []uint64) {
	clear(m)
	p := 0
	for rest := []byte(k.list[number]); len(rest) > 0; {
		step, i := binary.Uvarint(rest)
		n, j := binary.Uvarint(rest[i:])
		p += int(step)
		m[p] = n
		rest = rest[i+j:]
	}
}
