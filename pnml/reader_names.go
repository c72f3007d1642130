package pnml

// nodeNames finds names that two places, or two transitions, have in common. A
// name that is the id of its node takes one bit; of other names, mostly few, a
// hash is kept.
type nodeNames struct {
	own []uint64 // bit i: node i is named after its id
	odd otherIDs // hashes only
}

// take notes the name of node i and reports whether another node of the kind has
// it.
func (n *nodeNames) take(nodes *idSet, kind nodeKind, i int, name []byte) (taken bool) {
	for i/64 >= len(n.own) {
		n.own = append(n.own, 0)
	}
	if string(name) == nodes.blocks[kind].at(i) {
		n.own[i/64] |= 1 << (i % 64)
		return n.odd.used > 0 && n.odd.hasHash(nodes.hash(name))
	}
	hash := nodes.hash(name)
	if k, other, there := nodes.lookup(hash, name); there && k == kind && n.own[other/64]>>(other%64)&1 != 0 {
		return true
	}
	return !n.odd.claimHash(max(hash, 1))
}
