package pnml

import (
	"maps"
	"runtime"
	"slices"

	"podium/pnml/diagnostic"
)

// arc reads on behind the start tag of an arc, given its attributes, nil when
// they are missing. The usual arc has both ends among the nodes read so far and
// is looked up before the scanner moves on.
func (r *reader) arc(id, source, target []byte) {
	id, source, target = trimmed(id), trimmed(source), trimmed(target)
	r.fresh("arc", id)
	if source == nil || target == nil { // the grammar says so
		r.skip()
		return
	}
	from, fromIndex, fromKnown := r.nodes.lookup(r.nodes.hash(source), source)
	to, toIndex, toKnown := r.nodes.lookup(r.nodes.hash(target), target)
	known := fromKnown && toKnown
	var late pendingArc
	var pos Position // of the rare arcs only: it costs a look at the lines before
	if !known || from == to || r.symmetric != nil {
		pos = r.pos()
	} else if r.mayRepeat(from, fromIndex, toIndex) {
		r.sieve.keep(from, fromIndex, toIndex, r.pos())
	}
	if !known {
		late = newPendingArc(id, source, target, pos)
	} else if from == to {
		late = newPendingArc(id, source, target, pos)
		r.sameKind(from, &late)
	}
	weight, inscription := r.arcLabels()
	if len(r.claims) > 0 {
		r.judgeClaims(weight)
	}
	switch {
	case !known:
		late.weight, late.inscription = weight, inscription
		r.pending = append(r.pending, late)
	case from != to:
		r.connect(from, fromIndex, toIndex, weight, inscription, pos)
	}
}

// connect adds an arc between two nodes of different kinds.
func (r *reader) connect(from nodeKind, source, target uint32, weight uint64, inscription int32, pos Position) {
	if r.symmetric != nil {
		r.symmetric.connect(from, source, target, inscription, pos)
		return
	}
	switch {
	case weight == 0:
	case from == placeNode:
		r.pre.add(target, source, weight)
	default:
		r.post.add(source, target, weight)
	}
}

// arcLabels reads the inside of an arc: its weight in a P/T net (0 when it is
// wrong), or the index of its inscription in a symmetric net.
func (r *reader) arcLabels() (weight uint64, inscription int32) {
	weight, inscription = 1, noInscription
	if r.s.LeaveEmpty() {
		r.close()
		return weight, inscription
	}
	if weight, _, ok := r.s.PassRest(&r.arcRests); ok {
		r.close()
		return weight, noInscription
	}
	mark := r.markRest()
	var plain Position
	for r.next() {
		switch name := r.s.Name(); {
		case string(name) == "inscription" && r.symmetric != nil:
			plain = r.pos()
			r.skip()
		case string(name) == "inscription":
			weight = r.number("inscription", "pnml-inscription", 1)
			if weight == 0 {
				r.add(r.pinned(), diagnostic.Error, "pnml-inscription", "remove the arc or give it a weight", "the weight of an arc is 0")
			}
		case r.symmetric != nil && r.symmetric.arcLabel(&inscription):
		default:
			r.nodeChild("arc")
		}
	}
	if plain.Line > 0 {
		seen := inscription != noInscription
		r.plainLabel(plain, "inscription", seen)
		if !seen {
			inscription = wrongInscription
		}
	}
	r.keepRest(&r.arcRests, &mark, weight)
	return weight, inscription
}

// resolve returns the node that an id stands for, through reference nodes. Those on
// the way lead straight to the end afterwards (R. E. Tarjan, 1975, path
// compression), so that chains take no more steps than there are nodes in them.
func (r *reader) resolve(id string) (kind nodeKind, index uint32, ok bool) {
	first := id
	for passed := 0; ; passed++ {
		if kind, index, ok = r.nodes.lookup(r.nodes.hashString(id), []byte(id)); ok {
			break
		}
		ref, found := r.refs[id]
		if !found {
			break
		}
		r.followed++
		if id = ref.to; passed == len(r.refs) { // round and round
			id = nowhere
			break
		}
	}
	r.shorten(first, id)
	return kind, index, ok
}

// nowhere is the id of no node: ids are not empty.
const nowhere = ""

// shorten lets the reference nodes from one on lead straight to the end of the
// chain.
func (r *reader) shorten(id, end string) {
	for id != end {
		ref, found := r.refs[id]
		if !found {
			return
		}
		next := ref.to
		ref.to = end
		r.refs[id] = ref
		id = next
	}
}

// finishArcs adds the arcs that waited for their ends.
func (r *reader) finishArcs() {
	for i := range r.pending {
		a := &r.pending[i]
		from, source, ok := r.arcEnd(a, "source", a.source)
		to, target, okTarget := r.arcEnd(a, "target", a.target)
		switch {
		case !ok || !okTarget:
		case from == to:
			r.sameKind(from, a)
		default:
			if r.symmetric == nil && r.mayRepeat(from, source, target) {
				r.sieve.keep(from, source, target, a.pos)
			}
			r.connect(from, source, target, a.weight, a.inscription, a.pos)
		}
	}
	r.pending = nil
}

func (r *reader) arcEnd(a *pendingArc, end, id string) (nodeKind, uint32, bool) {
	kind, index, ok := r.resolve(id)
	if _, isRef := r.refs[id]; !ok && !isRef {
		r.endNowhere(a, end, id)
	}
	return kind, index, ok
}

// finishReferences checks that every reference node leads to a node of its kind, and
// keeps which.
func (r *reader) finishReferences(doc *Document) {
	for _, id := range slices.Sorted(maps.Keys(r.refs)) {
		ref := r.refs[id]
		kind, _, ok := r.resolve(id)
		switch {
		case !ok:
			r.leadsNowhere(id, r.refs[id])
		case kind != ref.kind:
			r.add(ref.pos, diagnostic.Error, "pnml-reference", "a referencePlace leads to a place, a referenceTransition to a transition", "reference node %s leads to a node of the other kind", diagnostic.Excerpt(id))
		default:
			if doc.References == nil {
				doc.References = make(map[string]string, len(r.refs))
			}
			doc.References[id] = r.refs[id].to
		}
	}
}

// manyArcs is where what reading left behind as garbage is collected before the
// arcs are sorted, which would stand beside it: the peak is lower by a quarter.
const manyArcs = 1 << 20

// finish builds the net from what was read.
func (r *reader) finish(doc *Document) {
	if r.s.Failed() {
		// What is missing may stand in the part that could not be read.
		r.pending, r.nupn, r.refs = nil, nil, nil
	}
	r.finishReferences(doc)
	r.finishArcs()
	r.judgePriorities()
	if r.symmetric != nil {
		doc.Symmetric = r.symmetric.finish()
		return
	}
	net := &Net{ID: r.id, Name: r.name, Places: Names{set: r.nodes, kind: placeNode}, Transitions: Names{set: r.nodes, kind: transitionNode}, Initial: r.initial}
	r.initial, r.others = nil, otherIDs{}
	rows := net.Transitions.Len()
	second := r.sieve.positions()
	if r.pre.n+r.post.n > manyArcs {
		runtime.GC()
	}
	net.Pre = r.pre.compress(rows, func(t, p uint32, more int, tooHeavy bool) {
		r.parallel(second(placeNode, t, p, more), net.Places.At(int(p)), net.Transitions.At(int(t)), tooHeavy)
	})
	net.Post = r.post.compress(rows, func(t, p uint32, more int, tooHeavy bool) {
		r.parallel(second(transitionNode, t, p, more), net.Transitions.At(int(t)), net.Places.At(int(p)), tooHeavy)
	})
	if r.nupn != nil {
		net.NUPN = r.nupn.finish(net)
	}
	doc.Net = net
}
