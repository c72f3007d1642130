package naive

import (
	"fmt"
	"strconv"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/pnml"
)

// Value is the value of an item of an examination; f is its formula, where it has one, but
// for LTL: see [Graph.OneToken].
func (g *Graph) Value(exam examinations.ID, item string, f formula.Formula) string {
	if bound, ok := f.(*formula.Bound); ok {
		return g.most(bound.Places).String()
	}
	if f != nil {
		return examinations.Truth(g.Sat(f)[0]).Text
	}
	switch item {
	case "STATES":
		return strconv.Itoa(len(g.Markings))
	case "TRANSITIONS":
		return strconv.FormatUint(g.Firings(), 10)
	case "MAX_TOKEN_IN_PLACE":
		most, _ := g.Tokens()
		return strconv.FormatUint(most, 10)
	case "MAX_TOKEN_PER_MARKING":
		var all []string
		for p := range g.net.Places.Len() {
			all = append(all, g.net.Places.At(p))
		}
		return g.most(all).String()
	}
	return examinations.Truth(g.Global(exam)).Text
}

// OneToken returns a net with one token whose graph is the same: a place for each marking. It
// translates formulas, so that what only takes small numbers can decide those about large
// ones.
func (g *Graph) OneToken() (net *pnml.Net, translate func(f formula.Formula) formula.Formula) {
	b := &pnml.Builder{ID: "one token"}
	places := make([]int, len(g.Markings))
	name := func(i int) string { return fmt.Sprintf("m%d", i) }
	for i := range places {
		places[i] = b.Place(name(i), uint64(len(places)-i)/uint64(len(places)))
	}
	for i, row := range g.Next {
		for k, e := range row {
			t := b.Transition(fmt.Sprintf("t%d_%d", i, k))
			b.In(places[i], t, 1)
			b.Out(t, places[e.To], 1)
		}
	}
	translate = func(f formula.Formula) formula.Formula {
		switch f := f.(type) {
		case *formula.Not:
			return &formula.Not{F: translate(f.F)}
		case *formula.And:
			return &formula.And{Fs: translated(f.Fs, translate)}
		case *formula.Or:
			return &formula.Or{Fs: translated(f.Fs, translate)}
		case *formula.AllPaths:
			return &formula.AllPaths{F: translate(f.F)}
		case *formula.ExistsPath:
			return &formula.ExistsPath{F: translate(f.F)}
		case *formula.Next:
			return &formula.Next{F: translate(f.F)}
		case *formula.Finally:
			return &formula.Finally{F: translate(f.F)}
		case *formula.Globally:
			return &formula.Globally{F: translate(f.F)}
		case *formula.Until:
			return &formula.Until{Before: translate(f.Before), Reach: translate(f.Reach)}
		}
		here := &formula.TokensCount{}
		for i := range g.Markings {
			if g.atom(f, i) {
				here.Places = append(here.Places, name(i))
			}
		}
		if here.Places == nil {
			return &formula.Constant{}
		}
		return &formula.LessEqual{Left: &formula.Number{N: 1}, Right: here}
	}
	return Build(b), translate
}

func translated(list []formula.Formula, translate func(formula.Formula) formula.Formula) (out []formula.Formula) {
	for _, f := range list {
		out = append(out, translate(f))
	}
	return out
}
