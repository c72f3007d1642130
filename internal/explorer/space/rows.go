package space

import (
	"encoding/binary"
	"slices"

	"podium/internal/explorer/memory"
)

// rows lists the successors of every expanded marking in compressed form: how
// many distinct ones there are, the first relative to the row's own number, and
// the differences between neighbours, each in as many bytes as it needs.
type rows struct {
	budget *memory.Budget
	blocks [][]uint8  // a row longer than a block owns several numbers in a row
	free   []uint8    // what is left of the last block
	next   uint64     // address of free: block<<rowBlockBits | offset
	bases  []uint64   // address of every rowGroup-th row
	starts [][]uint32 // per row: address minus that of its group
	n      uint32     // rows
	edges  uint64     // successors in all rows
}

const (
	rowBlockBits = 18
	rowBlock     = 1 << rowBlockBits
	rowGroup     = 64
	rowTable     = 1 << 14
)

func (r *rows) close() {
	for _, b := range r.blocks {
		memory.Release(r.budget, b)
	}
	for _, s := range r.starts {
		memory.Release(r.budget, s)
	}
	r.blocks, r.starts = nil, nil
}

// add appends the row of the next marking; targets is sorted in place and may
// hold repetitions. It reports whether there was room.
func (r *rows) add(targets []uint32) bool {
	slices.Sort(targets)
	targets = slices.Compact(targets)
	if !r.reserve(binary.MaxVarintLen32 * (len(targets) + 2)) {
		return false
	}
	if r.n%rowGroup == 0 {
		r.bases = append(r.bases, r.next)
	}
	r.starts[r.n/rowTable][r.n%rowTable] = uint32(r.next - r.bases[r.n/rowGroup])
	k := binary.PutUvarint(r.free, uint64(len(targets)))
	last := r.n
	for i, t := range targets {
		if i == 0 {
			k += binary.PutVarint(r.free[k:], int64(t)-int64(last))
		} else {
			k += binary.PutUvarint(r.free[k:], uint64(t-last))
		}
		last = t
	}
	r.free = r.free[k:]
	r.next += uint64(k)
	r.n++
	r.edges += uint64(len(targets))
	return true
}

// reserve sees to it that the next row, of at most size bytes, has room.
func (r *rows) reserve(size int) bool {
	if size > len(r.free) {
		numbers := (size + rowBlock - 1) / rowBlock
		block := memory.Allocate[uint8](r.budget, numbers*rowBlock)
		if block == nil {
			return false
		}
		r.next = uint64(len(r.blocks)) << rowBlockBits
		r.blocks = append(r.blocks, block)
		for range numbers - 1 {
			r.blocks = append(r.blocks, nil)
		}
		r.free = block
	}
	if int(r.n/rowTable) == len(r.starts) {
		table := memory.Allocate[uint32](r.budget, rowTable)
		if table == nil {
			return false
		}
		r.starts = append(r.starts, table)
	}
	return true
}

// row returns the distinct successors of marking i, ascending, in buf.
func (r *rows) row(i uint32, buf []uint32) []uint32 {
	at := r.bases[i/rowGroup] + uint64(r.starts[i/rowTable][i%rowTable])
	block := r.blocks[at>>rowBlockBits]
	k := int(at & (rowBlock - 1))
	count, size := binary.Uvarint(block[k:])
	k += size
	buf = buf[:0]
	last := i
	for j := range count {
		if j == 0 {
			d, size := binary.Varint(block[k:])
			k += size
			last = uint32(int64(last) + d)
		} else {
			d, size := binary.Uvarint(block[k:])
			k += size
			last += uint32(d)
		}
		buf = append(buf, last)
	}
	return buf
}

// degree is the number of distinct successors of marking i.
func (r *rows) degree(i uint32) uint64 {
	at := r.bases[i/rowGroup] + uint64(r.starts[i/rowTable][i%rowTable])
	count, _ := binary.Uvarint(r.blocks[at>>rowBlockBits][at&(rowBlock-1):])
	return count
}
