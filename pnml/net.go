package pnml

import (
	"errors"
	"fmt"
	"slices"
)

// Net is a place/transition net in compact form: ids interned once, arcs as
// sorted arrays. Places and transitions are known by their index, 0 to n-1, in
// the order of the document. A Net is not changed once it is built, so it may
// be read from several goroutines.
type Net struct {
	ID          string   // id of the <net> element
	Name        string   // its name, may be empty
	Places      Names    // ids of the places
	Transitions Names    // ids of the transitions
	Initial     []uint64 // tokens of every place in the initial marking
	Pre         Arcs     // one row per transition: what it consumes
	Post        Arcs     // one row per transition: what it produces
	NUPN        *NUPN    // nested-unit section, nil when there is none
}

// Arcs is a sparse matrix with one row per transition, in compressed rows. The
// places of a row ascend and are distinct.
type Arcs struct {
	Start  []uint32 // len rows+1: row t is [Start[t], Start[t+1])
	Place  []uint32
	Weight Weights
}

// Len is the number of arcs.
func (a *Arcs) Len() int { return len(a.Place) }

// Row returns the places of transition t, ascending, and the weights of their
// arcs. The slices must not be changed.
func (a *Arcs) Row(t int) (places []uint32, weights Weights) {
	lo, hi := a.Start[t], a.Start[t+1]
	return a.Place[lo:hi], a.Weight.Slice(int(lo), int(hi))
}

// WeightAt is the weight of the k-th arc of the matrix.
func (a *Arcs) WeightAt(k uint32) uint64 { return a.Weight.At(int(k)) }

// NUPN is the nested-unit section of a net (the manual of caesar.bdd; tool
// "nupn", version 1.1). Safe is what the file claims: a claim, not a proof.
type NUPN struct {
	Units []Unit // in document order
	Root  int    // index of the root unit
	Safe  bool   // the claim of the attribute safe
}

// Unit is one unit: its own places and the units directly below it.
type Unit struct {
	ID       string
	Places   []uint32 // indexes of places
	Subunits []int    // indexes of units
}

// Builder makes a Net piece by piece. The zero value is ready for use. The
// first mistake is kept, and Build returns it.
type Builder struct {
	ID, Name  string
	nodes     *idSet
	initial   []uint64
	pre, post arcList
	err       error
}

// Place adds a place with its initial tokens and returns its index.
func (b *Builder) Place(id string, tokens uint64) int {
	i, fresh := b.node(placeNode, "place", id)
	if fresh {
		b.initial = append(b.initial, tokens)
	}
	return i
}

// Transition adds a transition and returns its index.
func (b *Builder) Transition(id string) int {
	i, _ := b.node(transitionNode, "transition", id)
	return i
}

func (b *Builder) node(kind nodeKind, word, id string) (index int, fresh bool) {
	if b.nodes == nil {
		b.nodes = newIDSet()
	}
	hash := b.nodes.hashString(id)
	if i, ok := b.nodes.find(kind, hash, id); ok {
		b.fail(fmt.Errorf("%s %q is declared twice", word, id))
		return i, false
	}
	if b.nodes.full(kind, len(id)) {
		b.fail(errors.New("the net has more nodes than fit into 32 bits"))
		return 0, false
	}
	return b.nodes.add(kind, hash, []byte(id)), true
}

// In adds an arc from place p to transition t. Weights of arcs between the
// same two nodes add up; weight 0 adds nothing.
func (b *Builder) In(p, t int, weight uint64) { b.arc(&b.pre, p, t, weight) }

// Out adds an arc from transition t to place p.
func (b *Builder) Out(t, p int, weight uint64) { b.arc(&b.post, p, t, weight) }

func (b *Builder) arc(list *arcList, p, t int, weight uint64) {
	switch {
	case b.nodes == nil || p < 0 || p >= b.nodes.blocks[placeNode].len() || t < 0 || t >= b.nodes.blocks[transitionNode].len():
		b.fail(fmt.Errorf("arc between unknown nodes %d and %d", p, t))
	case weight > 0:
		list.add(uint32(t), uint32(p), weight)
	}
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Build returns the net, or the first mistake that was made while building. The
// builder must not be used after it.
func (b *Builder) Build() (*Net, error) {
	if b.err != nil {
		return nil, b.err
	}
	if b.nodes == nil {
		b.nodes = newIDSet()
	}
	n := &Net{ID: b.ID, Name: b.Name, Places: Names{set: b.nodes, kind: placeNode}, Transitions: Names{set: b.nodes, kind: transitionNode}, Initial: slices.Clip(b.initial)}
	rows := n.Transitions.Len()
	heavy := false
	found := func(_, _ uint32, _ int, tooHeavy bool) { heavy = heavy || tooHeavy }
	n.Pre = b.pre.compress(rows, found)
	n.Post = b.post.compress(rows, found)
	if heavy {
		return nil, errors.New("the weight of an arc exceeds 2^64-1")
	}
	return n, nil
}

// WithoutIsolated returns the net without the places that no arc touches, marked or not, and
// without its nested units; the net itself when there is no such place.
func (n *Net) WithoutIsolated() *Net {
	touched := make([]bool, n.Places.Len())
	for _, arcs := range [2]*Arcs{&n.Pre, &n.Post} {
		for _, p := range arcs.Place {
			touched[p] = true
		}
	}
	kept := &keptNames{of: &n.Places}
	number := make([]uint32, len(touched))
	m := &Net{ID: n.ID, Name: n.Name, Transitions: n.Transitions}
	for p := range touched {
		if number[p] = uint32(len(kept.index)); touched[p] {
			kept.index = append(kept.index, uint32(p))
			m.Initial = append(m.Initial, n.Initial[p])
		}
	}
	if len(kept.index) == len(touched) {
		return n
	}
	renumbered := func(a Arcs) Arcs {
		a.Place = slices.Clone(a.Place)
		for k, p := range a.Place {
			a.Place[k] = number[p]
		}
		return a
	}
	m.Pre, m.Post, m.Places = renumbered(n.Pre), renumbered(n.Post), NamesFrom(kept)
	return m
}

// keptNames are some names of a set.
type keptNames struct {
	of    *Names
	index []uint32
}

func (k *keptNames) Len() int { return len(k.index) }

func (k *keptNames) AppendName(dst []byte, i int) []byte {
	return append(dst, k.of.At(int(k.index[i]))...)
}
