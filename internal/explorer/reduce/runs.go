package reduce

import "math"

// runs is the arena of what transitions of the reduced net stand for: trees
// whose leaves are transitions of the original net. Sharing keeps them small,
// however long the runs are.
type runs struct{ nodes []runNode }

type runNode struct {
	kind   runKind
	a, b   uint32 // leaf: a is the transition; repeat: b times node a; else two nodes
	length uint64 // transitions fired, at most math.MaxUint64
}

type runKind uint8

const (
	leafRun   runKind = iota
	thenRun           // a, then b
	repeatRun         // a, b times
	twinRun           // a; b has the same effect, and fires whenever a does
)

// maxRun is the longest run that one firing may stand for. Rules that would
// exceed it are not applied.
const maxRun = 1 << 16

func (r *runs) add(n runNode) uint32 {
	r.nodes = append(r.nodes, n)
	return uint32(len(r.nodes) - 1)
}

func (r *runs) leaf(t int) uint32 { return r.add(runNode{leafRun, uint32(t), 0, 1}) }

func (r *runs) then(a, b uint32) uint32 {
	return r.add(runNode{thenRun, a, b, r.length(a) + r.length(b)})
}

func (r *runs) repeat(a uint32, times uint64) uint32 {
	if times == 1 {
		return a
	}
	return r.add(runNode{repeatRun, a, uint32(times), r.length(a) * times})
}

func (r *runs) twin(a, b uint32) uint32 { return r.add(runNode{twinRun, a, b, r.length(a)}) }

func (r *runs) length(n uint32) uint64 { return r.nodes[n].length }

// short reports whether a, then b as often as said, is not too long a run.
func (r *runs) short(a, b uint32, times uint64) bool {
	return times <= math.MaxUint16 && r.length(a)+r.length(b)*times <= maxRun
}

// expand appends the run of a node.
func (r *runs) expand(n uint32, out []uint32) []uint32 {
	switch node := &r.nodes[n]; node.kind {
	case leafRun:
		return append(out, node.a)
	case thenRun:
		return r.expand(node.b, r.expand(node.a, out))
	case repeatRun:
		from := len(out)
		out = r.expand(node.a, out)
		for part := out[from:len(out):len(out)]; node.b > 1 && len(out) < from+len(part)*int(node.b); {
			out = append(out, part...)
		}
		return out
	default:
		return r.expand(node.a, out)
	}
}

// leaves returns the transitions of the original net that a firing of the node
// stands for, and the twins of those, each once, in no order that matters.
func (r *runs) leaves(n uint32) (ts []uint32) {
	seen := map[uint32]bool{}
	for todo := []uint32{n}; len(todo) > 0; {
		n, todo = todo[len(todo)-1], todo[:len(todo)-1]
		node := &r.nodes[n]
		switch {
		case seen[n]:
			continue
		case node.kind == leafRun:
			ts = append(ts, node.a)
		case node.kind == repeatRun:
			todo = append(todo, node.a)
		default:
			todo = append(todo, node.b, node.a)
		}
		seen[n] = true
	}
	return ts
}
