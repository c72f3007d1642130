package unfold

import (
	"context"
	"errors"
	"slices"

	"podium/pnml"
)

// classes are the first colours that those of a component are merged with, nil when all differ.
type classes []uint32

// split splits classes by a key, and reports whether that made more of them.
func (c *classes) split(key func(value uint32) uint32) bool {
	keys := make([]uint32, len(*c))
	changed := false
	for v, first := range *c {
		keys[v] = key(uint32(v))
		changed = changed || keys[v] != keys[first]
	}
	if !changed {
		return false
	}
	firsts := map[[2]uint32]uint32{}
	for v, old := range *c {
		k := [2]uint32{old, keys[v]}
		if _, ok := firsts[k]; !ok {
			firsts[k] = uint32(v)
		}
		(*c)[v] = firsts[k]
	}
	if len(firsts) == len(*c) {
		*c = nil
	}
	return true
}

// Limits of the search for a merging: the colours looked at, and the tokens of an inscription
// that are looked at one by one.
const (
	mostColours = 1 << 22
	mostTokens  = 64
)

// merger finds or makes merged colours.
type merger struct {
	*builder
	pnml.Merging
	places  [][]component // as Merging has them
	colours int           // looked at
}

func newMerger(b *builder, m pnml.Merging) *merger {
	x := &merger{builder: b, Merging: m}
	for p, sort := range b.net.PlaceSort {
		stride := b.net.Sorts[sort].Size
		var list []component
		for _, f := range b.net.Components(p) {
			stride /= b.net.Sorts[f].Size
			list = append(list, component{stride, b.net.Sorts[f].Size})
		}
		x.places = append(x.places, list)
	}
	return x
}

// Mergeable looks for colours that need not be told apart, from all merged on: a fix point.
// Where one token that a binding takes is replaced by another with merged colours, another
// binding of the transition takes that one, and puts as many tokens of merged colours. So
// markings with the same numbers of tokens of merged colours have the same future, and
// formulas do not tell them apart. It is nil where all colours differ, or that takes too
// long. As TAPAAL quotients colours (Bilgram, Jensen, Pedersen, Srba and Taankvist, Unfolding of
// Coloured Petri Nets by Color Quotienting and Approximation, 2021). The errors are those of Unfold.
func Mergeable(ctx context.Context, s *pnml.Symmetric, limits Limits) (m pnml.Merging, err error) {
	err = compiled(ctx, s, limits, func(b *builder) error {
		m = newMerger(b, make(pnml.Merging, len(s.PlaceSort))).find()
		return nil
	})
	return m, err
}

func (x *merger) find() pnml.Merging {
	for p := range x.Merging {
		for _, sort := range x.net.Components(p) {
			x.Merging[p] = append(x.Merging[p], x.alone(sort))
		}
	}
	for _, p := range x.plans {
		for _, a := range slices.Concat(p.pre, p.post) {
			if len(a.bag.minus) > 0 {
				clear(x.Merging[a.place])
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, p := range x.plans {
			before := x.colours
			changed = x.refine(p) || changed
			if x.clock.Work(x.colours - before); x.colours > mostColours {
				return nil
			}
		}
	}
	some := func(components [][]uint32) bool {
		return slices.ContainsFunc(components, func(c []uint32) bool { return c != nil })
	}
	if !slices.ContainsFunc(x.Merging, some) {
		return nil
	}
	return x.Merging
}

// alone merges all colours of a sort, as far as they may be merged.
func (x *merger) alone(sort int) classes {
	if !x.net.CanMerge(sort) {
		return nil
	}
	return make(classes, x.net.Sorts[sort].Size)
}

// refine splits what a transition tells apart of its input places, and reports whether that was
// anything.
func (x *merger) refine(p *plan) (changed bool) {
	uses := make([]int, len(p.variables)) // by inputs
	for _, a := range p.pre {
		a.bag.walk(func(y *pattern) {
			for _, z := range y.parts {
				uses[z.slot]++
			}
		})
	}
	for _, a := range p.pre {
		for i, c := range x.places[a.place] {
			own := (*classes)(&x.Merging[a.place][i])
			for k := 0; k < len(a.bag.flat) && *own != nil; k++ {
				y, constant, whole := a.bag.flat[k].part(c)
				if !whole || len(a.bag.flat) > mostTokens {
					*own, changed = nil, true
					continue
				}
				x.colours += len(*own)
				if y == nil {
					changed = own.split(func(v uint32) uint32 { return one(uint64(v) == constant) }) || changed
					continue
				}
				var alike classes // values of the variable
				if uses[y.slot] == 1 && a.bag.flat[k].count == 1 {
					alike = x.told(p, p.post, y.slot)
				}
				changed = own.split(func(v uint32) uint32 {
					value := (v + y.mod - y.add) % y.mod
					switch {
					case !p.inDomain[y.slot].has(uint64(value)):
						return 0
					case alike == nil:
						return 1 + value
					}
					return 1 + alike[value]
				}) || changed
			}
		}
	}
	return changed
}

func one(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// told returns which values of a variable a transition does not tell apart, by what its guard
// says and by what it moves of merged colours along some arcs.
func (x *merger) told(p *plan, arcs []arcPlan, slot int) classes {
	alike := x.alone(x.net.Variables[p.variables[slot]].Sort)
	if alike == nil || slices.ContainsFunc(p.tests, func(t *test) bool { return slices.Contains(t.slots, slot) }) {
		return nil
	}
	alike.split(func(v uint32) uint32 { return one(p.inDomain[slot].has(uint64(v))) })
	for _, a := range arcs {
		a.bag.walk(func(y *pattern) {
			for _, z := range y.parts {
				if z.slot != slot || alike == nil {
					continue
				}
				i := slices.Index(x.places[a.place], component{z.stride, uint64(z.mod)})
				if i < 0 || z.table != nil || x.Merging[a.place][i] == nil {
					alike = nil
					continue
				}
				x.colours += len(alike)
				alike.split(func(v uint32) uint32 { return x.Merging[a.place][i][(v+z.add)%z.mod] })
			}
		})
	}
	return alike
}

// walk calls do with all patterns of a bag, also those that are taken away.
func (b *bag) walk(do func(x *pattern)) {
	for i := range b.flat {
		do(&b.flat[i].pattern)
	}
	for i := range b.minus {
		b.minus[i].from.walk(do)
		for _, less := range b.minus[i].less {
			less.walk(do)
		}
	}
}

// Merged returns the view of a coloured net with merged colours: a place has the tokens of
// colours that are merged at the first of them, and bindings that move the same are left out.
// The errors are those of Unfold, or say that colours cannot be merged.
func Merged(ctx context.Context, s *pnml.Symmetric, m pnml.Merging, limits Limits) (view View, err error) {
	err = compiled(ctx, s, limits, func(b *builder) error {
		if err := newMerger(b, m).merge(); err != nil {
			return err
		}
		u, err := b.rest()
		if err == nil {
			view = View{Net: u.Net, Unfolding: u, Merging: m}
		}
		return err
	})
	return view, err
}

func (x *merger) merge() error {
	for p, list := range x.marked {
		for k, e := range list {
			y := pattern{base: e.colour}
			x.first(p, &y)
			list[k].colour = y.base
		}
		x.marked[p] = merged(x.clock, list)
	}
	for _, p := range x.plans {
		allowed := p.start()
		for slot := range p.variables {
			alike := x.told(p, slices.Concat(p.pre, p.post), slot)
			for v, first := range alike {
				allowed[slot][v] = allowed[slot][v] && int(first) == v
			}
		}
		p.setDomains(allowed)
	}
	for _, p := range x.plans {
		for _, a := range slices.Concat(p.pre, p.post) {
			for k := range a.bag.flat {
				if !x.first(a.place, &a.bag.flat[k].pattern) {
					return errors.New("an inscription is too odd for merged colours")
				}
			}
			if len(a.bag.minus) > 0 && slices.ContainsFunc(x.Merging[a.place], func(c []uint32) bool { return c != nil }) {
				return errors.New("a difference of multisets is too odd for merged colours")
			}
		}
	}
	return nil
}

// first makes a pattern one of first colours. It reports false where it cannot.
func (x *merger) first(place int, p *pattern) bool {
	for i, c := range x.places[place] {
		merged := x.Merging[place][i]
		if merged == nil {
			continue
		}
		own, constant, whole := p.part(c)
		switch {
		case !whole:
			return false
		case own == nil:
			p.base += uint64(merged[constant])*c.stride - constant*c.stride
		case slices.Max(merged) == 0:
			p.parts = slices.DeleteFunc(slices.Clone(p.parts), func(y part) bool { return y.stride == own.stride })
		default:
			p.parts = slices.Clone(p.parts)
			k := slices.IndexFunc(p.parts, func(y part) bool { return y.stride == own.stride })
			p.parts[k].table, p.parts[k].size = merged, c.size
		}
	}
	return true
}
