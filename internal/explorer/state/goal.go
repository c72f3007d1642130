package state

import (
	"errors"
	"maps"
	"slices"

	"podium/examinations/formula"
	"podium/internal/explorer/tokens"
)

// maxWeights bounds the weights of a sum, all together, so that its value fits 64 bits.
const maxWeights = 1 << 22

// Goal returns the goal of a formula or, with not, of its negation, in a game on the net that places
// and transitions are those of.
func (l *Lookup) Goal(g *tokens.Game, f formula.Formula, not bool) (*tokens.Goal, error) {
	x, err := l.Formula(f)
	if err != nil {
		return nil, errors.Join(tokens.ErrGoal, err)
	}
	return goal(g, x, not)
}

func goal(g *tokens.Game, f Formula, not bool) (*tokens.Goal, error) {
	kind := func(plain, negated tokens.Kind) tokens.Kind {
		if not {
			return negated
		}
		return plain
	}
	switch f := f.(type) {
	case Not:
		return goal(g, f.F, !not)
	case And:
		return goals(g, kind(tokens.All, tokens.One), f, not)
	case Or:
		return goals(g, kind(tokens.One, tokens.All), f, not)
	case Fireable:
		return &tokens.Goal{Kind: kind(tokens.Some, tokens.None), Transitions: f}, nil
	case Dead:
		return &tokens.Goal{Kind: kind(tokens.None, tokens.Some), Transitions: g.All()}, nil
	case *AtMost:
		g.Clock.Work(16 * (len(f.Left.Places) + len(f.Right.Places)))
		return f.goal(not)
	}
	if f == Formula(Truth(!not)) {
		return &tokens.Goal{Kind: tokens.All}, nil
	}
	return &tokens.Goal{Kind: tokens.One}, nil
}

func goals(g *tokens.Game, kind tokens.Kind, list []Formula, not bool) (*tokens.Goal, error) {
	x := &tokens.Goal{Kind: kind}
	for _, f := range list {
		part, err := goal(g, f, not)
		if err != nil {
			return nil, err
		}
		x.Parts = append(x.Parts, part)
	}
	return x, nil
}

// goal is left - right <= 0, or with not right - left + 1 <= 0.
func (f *AtMost) goal(not bool) (*tokens.Goal, error) {
	x, less, more := &tokens.Goal{Kind: tokens.AtMost}, &f.Left, &f.Right
	if not {
		x.Constant, less, more = 1, more, less
	}
	weights := map[uint32]int64{}
	for sign, side := range map[int64]*Sum{1: less, -1: more} {
		if side.Constant.Hi > 0 || side.Constant.Lo > tokens.MaxTokens {
			return nil, tokens.ErrGoal
		}
		x.Constant += sign * int64(side.Constant.Lo)
		for _, p := range side.Places {
			weights[p] += sign
		}
	}
	total := int64(0)
	for _, p := range slices.Sorted(maps.Keys(weights)) {
		by := weights[p]
		if total += max(by, -by); total > maxWeights {
			return nil, tokens.ErrGoal
		}
		if by != 0 {
			x.Sum = append(x.Sum, tokens.Change{Place: p, By: by})
		}
	}
	return x, nil
}
