package tokens

import (
	"slices"

	"podium/internal/clock"
	"podium/pnml"
)

// Game is the token game: a marking with what it enables, kept up to date by each firing. It
// counts no more than [MaxTokens] tokens in a place.
type Game struct {
	Clock *clock.Clock
	Net   *pnml.Net

	Effects        [][]Change // by transition: what a firing takes from places, then what it adds to others
	Makers, Takers [][]uint32 // by place: transitions that leave more, or less, on it
	Users          [][]Need   // by place: transitions that need tokens of it

	At      []uint64
	Hash    [2]uint64 // of the marking: 128 bits that are hardly ever those of another one
	Enabled []uint32  // transitions, in any order
	Lacks   []int32   // by transition: places that hold too little
	spot    []int32   // by transition: where it stands in Enabled, -1 outside
	other   []Change  // of Set
}

// Need says how many tokens a transition needs.
type Need struct {
	Transition uint32
	Tokens     uint64
}

// Change is what a firing adds to a place, or a weight of a sum.
type Change struct {
	Place uint32
	By    int64
}

// MaxTokens bounds the tokens in a place.
const MaxTokens = 1 << 40

// NewGame returns a game without a marking; false where the initial one has too many tokens.
func NewGame(c *clock.Clock, net *pnml.Net) (*Game, bool) {
	if slices.ContainsFunc(net.Initial, func(n uint64) bool { return n >= MaxTokens }) {
		return nil, false
	}
	places, transitions := net.Places.Len(), net.Transitions.Len()
	g := &Game{Clock: c, Net: net, Effects: make([][]Change, transitions), Makers: make([][]uint32, places), Takers: make([][]uint32, places),
		Users: make([][]Need, places), At: make([]uint64, places), Lacks: make([]int32, transitions), spot: make([]int32, transitions)}
	var takes, adds []Change
	for t := range uint32(transitions) {
		c.Work(32)
		takes, adds = takes[:0], adds[:0]
		for e := range Effects(net, int(t)) {
			c.Work(16)
			if e.Pre > 0 {
				g.Users[e.Place] = append(g.Users[e.Place], Need{t, e.Pre})
			}
			switch {
			case e.Post > e.Pre:
				g.Makers[e.Place] = append(g.Makers[e.Place], t)
				adds = append(adds, Change{e.Place, int64(min(e.Post-e.Pre, MaxTokens))})
			case e.Post < e.Pre:
				g.Takers[e.Place] = append(g.Takers[e.Place], t)
				takes = append(takes, Change{e.Place, -int64(min(e.Pre-e.Post, MaxTokens))})
			}
		}
		g.Effects[t] = slices.Concat(takes, adds)
	}
	return g, true
}

// Begin goes to the initial marking.
func (g *Game) Begin() {
	copy(g.At, g.Net.Initial)
	g.Enabled, g.Hash = g.Enabled[:0], [2]uint64{}
	clear(g.Lacks)
	for p, list := range g.Users {
		g.Clock.Work(8 + len(list))
		for _, u := range list {
			if g.At[p] < u.Tokens {
				g.Lacks[u.Transition]++
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
	g.other = g.other[:0]
	for p, n := range m {
		if n != g.At[p] {
			g.other = append(g.other, Change{uint32(p), int64(n - g.At[p])})
		}
	}
	g.change(g.other, 1)
}

// All lists the transitions.
func (g *Game) All() []uint32 {
	list := make([]uint32, len(g.Effects))
	for t := range list {
		list[t] = uint32(t)
	}
	return list
}

// Fireable reports whether a transition is enabled.
func (g *Game) Fireable(t uint32) bool { return g.spot[t] >= 0 }

// Fire fires an enabled transition, and reports whether the numbers of tokens stay small.
func (g *Game) Fire(t uint32) bool { return g.change(g.Effects[t], 1) }

// Unfire takes a firing back.
func (g *Game) Unfire(t uint32) { g.change(g.Effects[t], -1) }

// change makes some changes or, with -1, takes them back.
func (g *Game) change(list []Change, sign int64) bool {
	small := true
	for _, x := range list {
		before := g.At[x.Place]
		after := before + uint64(sign*x.By)
		small = small && after < MaxTokens
		g.Hash[0] += spread(x.Place, after, 1) - spread(x.Place, before, 1)
		g.Hash[1] += spread(x.Place, after, 2) - spread(x.Place, before, 2)
		g.At[x.Place] = after
		g.Clock.Work(4 + len(g.Users[x.Place]))
		for _, u := range g.Users[x.Place] {
			switch {
			case before < u.Tokens && after >= u.Tokens:
				if g.Lacks[u.Transition]--; g.Lacks[u.Transition] == 0 {
					g.enable(u.Transition)
				}
			case before >= u.Tokens && after < u.Tokens:
				if g.Lacks[u.Transition]++; g.Lacks[u.Transition] == 1 {
					g.disable(u.Transition)
				}
			}
		}
	}
	return small
}

// spread is a number that looks drawn at random, for tokens in a place.
func spread(place uint32, tokens, salt uint64) uint64 {
	h := (uint64(place)<<2 + salt) * 0x9e3779b97f4a7c15
	h = (h ^ h>>31 ^ tokens) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29) * 0x94d049bb133111eb
	return h ^ h>>32
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

func (g *Game) enable(t uint32) {
	g.spot[t] = int32(len(g.Enabled))
	g.Enabled = append(g.Enabled, t)
}

func (g *Game) disable(t uint32) {
	i, last := g.spot[t], g.Enabled[len(g.Enabled)-1]
	g.Enabled[i], g.spot[last] = last, i
	g.Enabled, g.spot[t] = g.Enabled[:len(g.Enabled)-1], -1
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
