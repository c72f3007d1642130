package replay

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"podium/internal/clock"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml"
)

// game is the token game in one marking.
type game struct {
	net    *Net
	clock  *clock.Clock
	tokens []uint64
	filled []bool // places that hold as many tokens as one likes, nil for none; their counts stand still
	hint   int    // a transition that was enabled not long ago
}

// full reports whether a place holds as many tokens as one likes.
func (g *game) full(p uint32) bool { return g.filled != nil && g.filled[p] }

// fill takes an inner cycle that began in marking before: the places that it adds
// to are filled.
func (g *game) fill(before []uint64) error {
	more := false
	for p, now := range g.tokens {
		switch {
		case g.full(uint32(p)) || now == before[p]:
		case now < before[p]:
			return fmt.Errorf("the cycle that ends here takes tokens away: place %s holds %d before and %d after it", excerpt(g.net.net.Places.At(p)), before[p], now)
		default:
			if g.filled == nil {
				g.filled = make([]bool, len(g.tokens))
			}
			g.filled[p], more = true, true
		}
	}
	if !more {
		return errors.New("the cycle that ends here adds no token")
	}
	return nil
}

// stepError says which step of which path cannot be fired, and why.
type stepError struct {
	run, step int // from 1
	line      int // 0 when it is not known
	why       string
}

func (e *stepError) Error() string {
	where := fmt.Sprintf("step %d", e.step)
	if e.run > 1 {
		where += fmt.Sprintf(" of run %d", e.run)
	}
	if e.line > 0 {
		where += fmt.Sprintf(" (line %d)", e.line)
	}
	return where + ": " + e.why
}

// fire fires a transition, or tells why it cannot be fired.
func (g *game) fire(t uint32) error {
	net := g.net.net
	places, weights := net.Pre.Row(int(t))
	g.clock.Work(4 + len(places))
	for k, p := range places {
		if need := weights.At(k); g.tokens[p] < need && !g.full(p) {
			return fmt.Errorf("transition %s is not enabled: place %s holds %d tokens and %d are needed",
				g.net.transition(t), excerpt(net.Places.At(int(p))), g.tokens[p], need)
		}
	}
	for k, p := range places {
		if !g.full(p) {
			g.tokens[p] -= weights.At(k)
		}
	}
	places, weights = net.Post.Row(int(t))
	g.clock.Work(len(places))
	for k, p := range places {
		if g.full(p) {
			continue
		}
		sum, carry := bits.Add64(g.tokens[p], weights.At(k), 0)
		if carry != 0 {
			return fmt.Errorf("transition %s puts more than 2^64-1 tokens into place %s, which this program cannot count", g.net.transition(t), excerpt(net.Places.At(int(p))))
		}
		g.tokens[p] = sum
	}
	return nil
}

func (g *game) enabled(t int) bool { return enumeration.Enabled(g.net.net, t, g.tokens) }

// dead reports whether no transition is enabled; else hint is one that is.
func (g *game) dead() bool {
	n := g.net.net.Transitions.Len()
	for k := range n {
		g.clock.Work(4)
		if t := (g.hint + k) % n; g.enabled(t) {
			g.hint = t
			return false
		}
	}
	return true
}

// transition names a transition as a fire line does, shortened.
func (n *Net) transition(t uint32) string { return excerpt(string(n.appendFiring(nil, t))) }

// judge looks at the paths of a witness while they are replayed.
type judge interface {
	begin(g *game)
	fired(g *game, t uint32)
	end(e *ended)
	shown() shown // what all paths show, when the last has ended
}

// ended is a path behind its last firing.
type ended struct {
	*game
	atCycle []uint64 // the marking before the cycle, nil without one
	firings int
	cycle   int // firings of the cycle
}

// loops reports whether the cycle leads back to the marking before it.
func (e *ended) loops() bool { return e.atCycle != nil && slices.Equal(e.atCycle, e.tokens) }

// covers reports whether the cycle takes no tokens away in sum and adds some.
func (e *ended) covers() bool {
	if e.atCycle == nil {
		return false
	}
	more := false
	for p, now := range e.tokens {
		if now < e.atCycle[p] {
			return false
		}
		more = more || now > e.atCycle[p]
	}
	return more
}

// play replays all paths.
func (n *Net) play(clock *clock.Clock, w *witness.Witness, j judge) error {
	g := &game{net: n, clock: clock, tokens: make([]uint64, len(n.net.Initial))}
	for i := range w.Paths {
		r := &w.Paths[i]
		if err := refuseInner(r, j); err != nil {
			return err
		}
		clock.Work(16 * (1 + len(g.tokens))) // what judges look at before a path and behind it
		copy(g.tokens, n.net.Initial)
		g.filled = nil
		j.begin(g)
		e := &ended{game: g, firings: len(r.Fire)}
		var before []uint64 // of the inner cycle under way
		inner := r.Inner
		for k, t := range r.Fire {
			if k == r.Cycle {
				e.atCycle, e.cycle = slices.Clone(g.tokens), len(r.Fire)-k
			}
			if len(inner) > 0 && k == inner[0].From {
				clock.Work(8 * len(g.tokens))
				before = slices.Clone(g.tokens)
			}
			if int(t) >= n.net.Transitions.Len() {
				return &stepError{i + 1, k + 1, r.LineOf(k), fmt.Sprintf("there is no transition number %d", t)}
			}
			if err := g.fire(t); err != nil {
				return &stepError{i + 1, k + 1, r.LineOf(k), err.Error()}
			}
			j.fired(g, t)
			if len(inner) > 0 && k == inner[0].To-1 {
				if err := g.fill(before); err != nil {
					return &stepError{i + 1, k + 1, r.LineOf(k), err.Error()}
				}
				inner = inner[1:]
			}
		}
		j.end(e)
	}
	return nil
}

// refuseInner refuses inner cycles where they show nothing.
func refuseInner(r *witness.Path, j judge) error {
	if _, ok := j.(*countJudge); !ok && len(r.Inner) > 0 {
		return errors.New("a run with inner cycles shows only what is unbounded")
	}
	return nil
}

// changes gives the places whose tokens a firing changes.
func changes(net *pnml.Net, t uint32, yield func(p uint32)) {
	pre, preWeights := net.Pre.Row(int(t))
	post, postWeights := net.Post.Row(int(t))
	for i, k := 0, 0; i < len(pre) || k < len(post); {
		switch {
		case k == len(post) || i < len(pre) && pre[i] < post[k]:
			yield(pre[i])
			i++
		case i == len(pre) || post[k] < pre[i]:
			yield(post[k])
			k++
		default:
			if preWeights.At(i) != postWeights.At(k) {
				yield(pre[i])
			}
			i, k = i+1, k+1
		}
	}
}
