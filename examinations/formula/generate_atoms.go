package formula

import (
	"math"
	"slices"
	"strings"
)

// draws is how often a fresh atom is looked for before the net is taken to have
// none left.
const draws = 12

// literal makes an atom over nodes that the layer does not use yet, or its
// negation; nil when none is found.
func (g *generator) literal(l *layer) Formula {
	for range draws {
		var f Formula
		key := ""
		if g.fireability {
			f, key = g.fireable()
		} else {
			f, key = g.comparison()
		}
		if !l.take(key) {
			continue
		}
		if g.chance(4) {
			return &Not{f}
		}
		return f
	}
	return nil
}

// fireable asks for one transition, sometimes for one of several. Transitions
// without input places are always enabled and are asked for only when there are
// no others.
func (g *generator) fireable() (Formula, string) {
	n := 1
	if g.chance(5) {
		n += 1 + g.below(3)
	}
	ids := g.distinct(n, len(g.triggers), func(i int) string { return g.net.Transitions.At(int(g.triggers[i])) })
	return &Fireable{ids}, strings.Join(ids, "\x00")
}

// comparison compares the tokens of places with a constant, or with those of
// other places. The key is that of the places alone: x <= 3 and 1 <= x together
// hold always.
func (g *generator) comparison() (Formula, string) {
	n := 1
	if g.chance(5) {
		n += 1 + g.below(2)
	}
	left := &TokensCount{g.places(n)}
	key := strings.Join(left.Places, "\x00")
	if other := g.places(1); g.chance(2) && !slices.Contains(left.Places, other[0]) {
		keys := []string{key, other[0]}
		slices.Sort(keys)
		return &LessEqual{left, &TokensCount{other}}, strings.Join(keys, "\x00<\x00")
	}
	most := g.most * uint64(len(left.Places))
	constant := uint64(g.below(int(most)))
	if g.chance(2) {
		return &LessEqual{left, &Number{constant}}, key
	}
	return &LessEqual{&Number{constant + 1}, left}, key
}

func (g *generator) places(n int) []string {
	return g.distinct(n, g.net.Places.Len(), g.net.Places.At)
}

// distinct draws up to n different ids, sorted.
func (g *generator) distinct(n, from int, at func(int) string) []string {
	var ids []string
	for range draws {
		if id := at(g.below(from)); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		if len(ids) == n {
			break
		}
	}
	slices.Sort(ids)
	return ids
}

// initially evaluates a generated formula about one marking in the initial one.
func (g *generator) initially(f Formula) bool {
	switch f := f.(type) {
	case *Not:
		return !g.initially(f.F)
	case *And:
		return !slices.ContainsFunc(f.Fs, func(h Formula) bool { return !g.initially(h) })
	case *Or:
		return slices.ContainsFunc(f.Fs, g.initially)
	case *Fireable:
		return slices.ContainsFunc(f.Transitions, g.enabled)
	case *LessEqual:
		return g.tokens(f.Left) <= g.tokens(f.Right)
	}
	return false
}

func (g *generator) enabled(transition string) bool {
	t, ok := g.net.Transitions.Find(transition)
	return ok && g.net.Enabled(t)
}

// tokens is the initial value of a generated integer expression, at most 2^64-1.
func (g *generator) tokens(i Integer) uint64 {
	switch i := i.(type) {
	case *Number:
		return i.N
	case *TokensCount:
		sum := uint64(0)
		for _, id := range i.Places {
			p, _ := g.net.Places.Find(id)
			n := g.net.Tokens(p)
			if sum > math.MaxUint64-n {
				return math.MaxUint64
			}
			sum += n
		}
		return sum
	}
	return 0
}
