package pnml

import (
	"cmp"
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
	Weight []uint64 // nil when every weight is 1
}

// Len is the number of arcs.
func (a *Arcs) Len() int { return len(a.Place) }

// Row gives the places of transition t and their weights; weights is nil when
// every weight of the matrix is 1.
func (a *Arcs) Row(t int) (places []uint32, weights []uint64) {
	lo, hi := a.Start[t], a.Start[t+1]
	if a.Weight != nil {
		weights = a.Weight[lo:hi]
	}
	return a.Place[lo:hi], weights
}

// WeightAt is the weight of the k-th arc of the matrix.
func (a *Arcs) WeightAt(k uint32) uint64 {
	if a.Weight == nil {
		return 1
	}
	return a.Weight[k]
}

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

// Builder makes a Net piece by piece. The zero value is ready for use; the
// first mistake is kept and given by Build.
type Builder struct {
	ID, Name  string
	places    namesBuilder
	trans     namesBuilder
	initial   []uint64
	pre, post []arc
	err       error
}

type arc struct {
	row, place uint32
	weight     uint64
}

// Place adds a place with its initial tokens and gives its index.
func (b *Builder) Place(id string, tokens uint64) int {
	i, fresh := b.places.add(id)
	if !fresh {
		b.fail(fmt.Errorf("place %q is declared twice", id))
		return i
	}
	b.initial = append(b.initial, tokens)
	return i
}

// Transition adds a transition and gives its index.
func (b *Builder) Transition(id string) int {
	i, fresh := b.trans.add(id)
	if !fresh {
		b.fail(fmt.Errorf("transition %q is declared twice", id))
	}
	return i
}

// In adds an arc from place p to transition t. Weights of arcs between the
// same two nodes add up; weight 0 adds nothing.
func (b *Builder) In(p, t int, weight uint64) { b.arc(&b.pre, p, t, weight) }

// Out adds an arc from transition t to place p.
func (b *Builder) Out(t, p int, weight uint64) { b.arc(&b.post, p, t, weight) }

func (b *Builder) arc(list *[]arc, p, t int, weight uint64) {
	switch {
	case p < 0 || p >= b.places.len() || t < 0 || t >= b.trans.len():
		b.fail(fmt.Errorf("arc between unknown nodes %d and %d", p, t))
	case weight > 0:
		*list = append(*list, arc{uint32(t), uint32(p), weight})
	}
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Build gives the net, or the first mistake made while building.
func (b *Builder) Build() (*Net, error) {
	if b.err != nil {
		return nil, b.err
	}
	n := &Net{ID: b.ID, Name: b.Name, Places: b.places.names(), Transitions: b.trans.names(), Initial: slices.Clone(b.initial)}
	var err error
	if n.Pre, err = compress(b.pre, b.trans.len()); err != nil {
		return nil, err
	}
	if n.Post, err = compress(b.post, b.trans.len()); err != nil {
		return nil, err
	}
	return n, nil
}

// compress sorts the arcs into rows and adds up repeated ones.
func compress(arcs []arc, rows int) (Arcs, error) {
	slices.SortFunc(arcs, func(x, y arc) int { return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.place, y.place)) })
	a := Arcs{Start: make([]uint32, rows+1)}
	ones := true
	for i, x := range arcs {
		if n := len(a.Place); i > 0 && arcs[i-1].row == x.row && a.Place[n-1] == x.place {
			if a.Weight[n-1]+x.weight < x.weight {
				return Arcs{}, fmt.Errorf("the weight of an arc exceeds 2^64-1")
			}
			a.Weight[n-1] += x.weight
			ones = false
			continue
		}
		a.Place = append(a.Place, x.place)
		a.Weight = append(a.Weight, x.weight)
		ones = ones && x.weight == 1
		a.Start[x.row+1]++
	}
	for t := range rows {
		a.Start[t+1] += a.Start[t]
	}
	if ones {
		a.Weight = nil
	}
	return a, nil
}
