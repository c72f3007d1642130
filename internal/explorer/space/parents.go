package space

import (
	"math/bits"

	"podium/internal/explorer/memory"
)

// parents is the search tree. Markings are discovered in the order in which
// their parents are expanded, so the tree is a row of bits: for every expanded
// marking a 0 for each marking first found from it, then a 1. That is two bits
// per marking.
type parents struct {
	budget *memory.Budget
	blocks [][]uint64 // of parentWords words
	zeros  []uint32   // zeros before every group of groupBits bits
	n      uint64     // bits
	zero   uint32     // zeros so far
}

const (
	parentWords = 1 << 12
	groupBits   = 512
)

func (p *parents) close() {
	for _, b := range p.blocks {
		memory.Release(p.budget, b)
	}
	p.blocks = nil
}

// child notes one more new marking below the marking that is being expanded.
func (p *parents) child() bool {
	p.zero++
	return p.bit(0)
}

// done notes that the marking is expanded.
func (p *parents) done() bool { return p.bit(1) }

// add notes expanded markings with a number of new ones below each, for all of
// which there is room.
func (p *parents) add(births []uint16) {
	end, zero := p.n, p.zero
	for _, n := range births {
		for g := (end + groupBits - 1) / groupBits; g*groupBits <= end+uint64(n); g++ {
			p.zeros = append(p.zeros, zero+uint32(g*groupBits-end))
		}
		end += uint64(n)
		zero += uint32(n)
		p.blocks[end/(64*parentWords)][end/64%parentWords] |= 1 << (end % 64)
		end++
	}
	p.n, p.zero = end, zero
}

// spare is the number of bits that can be noted without an allocation.
func (p *parents) spare() uint64 { return uint64(len(p.blocks))*64*parentWords - p.n }

func (p *parents) bit(b uint64) bool {
	if p.n%groupBits == 0 {
		if p.n%(64*parentWords) == 0 {
			block := memory.Allocate[uint64](p.budget, parentWords)
			if block == nil {
				return false
			}
			p.blocks = append(p.blocks, block)
		}
		before := p.zero
		if b == 0 {
			before--
		}
		p.zeros = append(p.zeros, before)
	}
	p.blocks[p.n/(64*parentWords)][p.n/64%parentWords] |= b << (p.n % 64)
	p.n++
	return true
}

// of returns the parent of marking i, which is not 0.
func (p *parents) of(i uint32) uint32 {
	// The (i-1)-th zero, from 0, is in the last group with at most i-1 zeros
	// before it.
	lo, hi := 0, len(p.zeros)
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; p.zeros[mid] <= i-1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	rest := i - 1 - p.zeros[lo]
	for at := uint64(lo) * groupBits; ; at += 64 {
		word := ^p.blocks[at/(64*parentWords)][at/64%parentWords]
		if k := uint32(bits.OnesCount64(word)); k <= rest {
			rest -= k
			continue
		}
		for ; rest > 0; rest-- {
			word &= word - 1
		}
		return uint32(at + uint64(bits.TrailingZeros64(word)) - uint64(i-1))
	}
}
