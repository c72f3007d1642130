package pnml

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
)

// refinements bounds the rounds of StructureHash.
const refinements = 64

// StructureHash returns 32 hexadecimal digits that find duplicates among models.
// They do not depend on ids, names or the order of nodes: nets that differ only
// in these have equal hashes. Nets that differ in anything else have different
// hashes, except for regular nets that were constructed to have equal ones.
//
// Each node starts with a number made from its tokens. Round after round the
// number is mixed with the numbers and weights around the node (colour
// refinement after Weisfeiler and Leman). Each connected part gets a hash of
// all its nodes.
func (n *Net) StructureHash() string {
	places, transitions := make([]uint64, n.Places.Len()), make([]uint64, n.Transitions.Len())
	for p := range places {
		places[p] = mix(n.Initial[p], 1)
	}
	for t := range transitions {
		transitions[t] = 2
	}
	classes := 0
	for range refinements {
		n.refine(places, transitions)
		now := countClasses(places) + countClasses(transitions)
		if now == classes {
			break
		}
		classes = now
	}
	h := sha256.New()
	for _, part := range n.partNumbers(places, transitions) {
		h.Write(binary.LittleEndian.AppendUint64(nil, part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// partNumbers returns a number for each connected part of the net, made from the
// sorted numbers of its nodes, and sorts them.
func (n *Net) partNumbers(places, transitions []uint64) []uint64 {
	parts := newParts(len(places) + len(transitions))
	for t := range transitions {
		for _, a := range [2]*Arcs{&n.Pre, &n.Post} {
			row, _ := a.Row(t)
			for _, p := range row {
				parts.join(uint32(len(places)+t), p)
			}
		}
	}
	type node struct {
		part   uint32
		number uint64
	}
	nodes := make([]node, 0, len(parts))
	for i, x := range append(slices.Clone(places), transitions...) {
		nodes = append(nodes, node{parts.of(uint32(i)), x})
	}
	slices.SortFunc(nodes, func(x, y node) int { return cmp.Or(cmp.Compare(x.part, y.part), cmp.Compare(x.number, y.number)) })
	var numbers []uint64
	for i, x := range nodes {
		if i == 0 || x.part != nodes[i-1].part {
			numbers = append(numbers, 7)
		}
		last := &numbers[len(numbers)-1]
		*last = mix(*last, x.number)
	}
	slices.Sort(numbers)
	return numbers
}

// parts is a forest of nodes; the root of a tree stands for a connected part.
type parts []uint32

func newParts(n int) parts {
	p := make(parts, n)
	for i := range p {
		p[i] = uint32(i)
	}
	return p
}

func (p parts) of(x uint32) uint32 {
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

func (p parts) join(x, y uint32) { p[p.of(x)] = p.of(y) }

// refine gives every node a new number from those around it. Sums do not depend
// on order.
func (n *Net) refine(places, transitions []uint64) {
	around := make([]uint64, len(places))
	for t := range transitions {
		sum := uint64(0)
		for side, a := range [2]*Arcs{&n.Pre, &n.Post} {
			for k := a.Start[t]; k < a.Start[t+1]; k++ {
				p, w := a.Place[k], a.WeightAt(k)
				sum += mix(places[p], mix(w, uint64(3+side)))
				around[p] += mix(transitions[t], mix(w, uint64(5+side)))
			}
		}
		transitions[t] = mix(transitions[t], sum)
	}
	for p := range places {
		places[p] = mix(places[p], around[p])
	}
}

func countClasses(list []uint64) int {
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	return len(slices.Compact(sorted))
}

// mix scrambles two numbers into one.
func mix(x, y uint64) uint64 {
	h := x*0x9E3779B97F4A7C15 ^ y
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	h *= 0xC2B2AE3D27D4EB4F
	return h ^ h>>32
}
