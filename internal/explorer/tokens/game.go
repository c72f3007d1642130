package tokens

import (
	"cmp"
	"slices"

	"podium/internal/clock"
	"podium/pnml"
	"podium/pnml/unfold"
)

// Game is the token game: a marking with what it enables, kept up to date by each firing. It
// counts no more than [MaxTokens] tokens in a place.
type Game struct {
	Clock *clock.Clock
	View  unfold.View
	Net   *pnml.Net // of the view

	Effects        [][]Change // by transition: places that a firing changes, ascending
	Makers, Takers [][]uint32 // by place: transitions that leave more, or less, on it
	Users          [][]uint32 // by place: transitions that need tokens of it
	Needs          [][]uint64 // by place: how many each of them needs

	At      []uint64
	Enabled []uint32 // transitions, in any order
	Lacks   []int32  // by transition: places that hold too little
	spot    []int32  // by transition: where it stands in Enabled, -1 outside
}

// Change is what a firing adds to a place, or a weight of a sum.
type Change struct {
	Place uint32
	By    int64
}

// MaxTokens bounds the tokens in a place.
const MaxTokens = 1 << 40

// NewGame returns a game without a marking; false where the initial one has too many tokens.
func NewGame(c *clock.Clock, view unfold.View) (*Game, bool) {
	net := view.Net
	if slices.ContainsFunc(net.Initial, func(n uint64) bool { return n >= MaxTokens }) {
		return nil, false
	}
	places, transitions := net.Places.Len(), net.Transitions.Len()
	g := &Game{Clock: c, View: view, Net: net, Effects: make([][]Change, transitions), Makers: make([][]uint32, places), Takers: make([][]uint32, places),
		Users: make([][]uint32, places), Needs: make([][]uint64, places), At: make([]uint64, places), Lacks: make([]int32, transitions), spot: make([]int32, transitions)}
	for t := range uint32(transitions) {
		c.Work(32)
		for e := range Effects(net, int(t)) {
			c.Work(16)
			if e.Pre > 0 {
				g.Users[e.Place] = append(g.Users[e.Place], t)
				g.Needs[e.Place] = append(g.Needs[e.Place], e.Pre)
			}
			switch {
			case e.Post > e.Pre:
				g.Makers[e.Place] = append(g.Makers[e.Place], t)
				g.Effects[t] = append(g.Effects[t], Change{e.Place, int64(min(e.Post-e.Pre, MaxTokens))})
			case e.Post < e.Pre:
				g.Takers[e.Place] = append(g.Takers[e.Place], t)
				g.Effects[t] = append(g.Effects[t], Change{e.Place, -int64(min(e.Pre-e.Post, MaxTokens))})
			}
		}
	}
	return g, true
}

// Begin goes to the initial marking.
func (g *Game) Begin() {
	copy(g.At, g.Net.Initial)
	g.Enabled = g.Enabled[:0]
	clear(g.Lacks)
	for p, list := range g.Users {
		g.Clock.Work(8 + len(list))
		for k, t := range list {
			if g.At[p] < g.Needs[p][k] {
				g.Lacks[t]++
			}
		}
	}
	for t, n := range g.Lacks {
		if g.spot[t] = -1; n == 0 {
			g.enable(uint32(t))
		}
	}
}

// Set goes from a marking to another one.
func (g *Game) Set(m []uint64) {
	g.Clock.Work(len(m))
	for p, n := range m {
		if before := g.At[p]; n != before {
			g.At[p] = n
			g.changed(uint32(p), before, n)
		}
	}
}

// Fireable reports whether a transition is enabled.
func (g *Game) Fireable(t uint32) bool { return g.spot[t] >= 0 }

// Fire fires an enabled transition, and reports whether the numbers of tokens stay small.
func (g *Game) Fire(t uint32) bool { return g.move(t, 1) }

// Unfire takes a firing back.
func (g *Game) Unfire(t uint32) { g.move(t, -1) }

func (g *Game) move(t uint32, sign int64) bool {
	small := true
	for _, x := range g.Effects[t] {
		before := g.At[x.Place]
		after := before + uint64(sign*x.By)
		g.At[x.Place] = after
		small = small && after < MaxTokens
		g.changed(x.Place, before, after)
	}
	return small
}

// Shift fires an enabled transition or, with -1, takes its firing back, for a short while: what
// is enabled stays that of the marking before. It reports whether the numbers of tokens are small.
func (g *Game) Shift(t uint32, sign int64) bool {
	small := true
	for _, x := range g.Effects[t] {
		g.At[x.Place] += uint64(sign * x.By)
		small = small && g.At[x.Place] < MaxTokens
	}
	return small
}

// changed brings up to date what a place enables.
func (g *Game) changed(place uint32, before, after uint64) {
	users, needs := g.Users[place], g.Needs[place]
	g.Clock.Work(4 + len(users))
	for k, t := range users {
		switch n := needs[k]; {
		case before < n && after >= n:
			if g.Lacks[t]--; g.Lacks[t] == 0 {
				g.enable(t)
			}
		case before >= n && after < n:
			if g.Lacks[t]++; g.Lacks[t] == 1 {
				g.disable(t)
			}
		}
	}
}

func (g *Game) enable(t uint32) {
	g.spot[t] = int32(len(g.Enabled))
	g.Enabled = append(g.Enabled, t)
}

func (g *Game) disable(t uint32) {
	i, last := g.spot[t], g.Enabled[len(g.Enabled)-1]
	g.Enabled[i], g.spot[last] = last, i
	g.Enabled, g.spot[t] = g.Enabled[:len(g.Enabled)-1], -1
}

// By returns what a firing of a transition adds to a place.
func (g *Game) By(t, place uint32) int64 {
	k, changes := slices.BinarySearchFunc(g.Effects[t], place, func(x Change, place uint32) int { return cmp.Compare(x.Place, place) })
	if !changes {
		return 0
	}
	return g.Effects[t][k].By
}

// Missing is how many tokens a transition lacks.
func (g *Game) Missing(t uint32) (n int64) {
	places, weights := g.Net.Pre.Row(int(t))
	g.Clock.Work(2 * len(places))
	for k, p := range places {
		if w := weights.At(k); g.At[p] < w {
			n += int64(min(w, MaxTokens) - g.At[p])
		}
	}
	return n
}
