package prover

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"podium/internal/explorer/tokens"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
)

// Limits of a search for a way back.
const (
	mostMoves   = 1 << 12
	mostEscapes = 1 << 12 // markings that are looked at for a move
	mostSamples = 64
	longestWalk = 1 << 12
	mostRanks   = 4
)

// Goal is what there may always be a way back to.
type Goal struct {
	Bad     certificate.Bad             // the other markings
	Reached func(marking []uint64) bool // tells whether a marking is none of these
	Run     []uint32                    // leads to such a marking
}

// back looks for a rank and moves that show that there always is a way back.
//
// The rank is a potential: no firing makes it smaller by more than one, and markings that walks
// meet are as far above the goal as that allows. By duality this is the least number of
// firings that the state equation needs for the way. Moves are the firings that make it smaller;
// where none is enabled, a few firings together.
//
// Note: several ranks, of which the first that changes becomes smaller, show no more than one
// does: where moves can have no single rank, they can add up to a change that takes no token
// away, and no first rank would make any of them smaller.
type back struct {
	*Prover
	goal   Goal
	target []uint64
	rng    *rand.Rand
	weigh  [][]uint64 // markings that the rank is made for
	rank   []int64    // by place
	moves  [][]uint32
	needs  [][]tokens.Effect // of moves: Pre tokens of places
}

// Return looks for a tree with a head that shows that there is a way to the goal from every
// reachable marking, and tells whether the proof has it then.
func (p *Prover) Return(head witness.Head, goal Goal) (bool, error) {
	target, err := tokens.Replay(p.net, goal.Run)
	if err != nil {
		return false, err
	}
	b := &back{Prover: p, goal: goal, target: target, rng: rand.New(rand.NewPCG(3, 21))}
	defer func(clauses bool) { p.plain = !clauses }(p.frames != nil && !p.plain)
	if p.frames == nil {
		p.frames = newFrames(p)
	}
	if !b.wander() {
		return false, nil
	}
	for range mostRanks {
		if !b.potential() {
			return false, nil
		}
		shown, stuck, err := b.cover(head)
		if shown || err != nil || stuck == nil {
			return shown, err
		}
		for range 1 + len(b.weigh) { // the next rank has room for a way from there
			b.weigh = append(b.weigh, stuck)
		}
	}
	return false, nil
}

// wander collects markings from which there has to be a way back. It tells whether none of them
// is dead.
func (b *back) wander() bool {
	n := b.net.Transitions.Len()
	for walk := range mostSamples {
		m := slices.Clone(b.net.Initial)
		for range b.rng.IntN(2 + min(longestWalk, n*(1+walk/8))) {
			b.clock.Work(64)
			if !b.fire(m) {
				break
			}
		}
		if b.goal.Reached(m) {
			continue
		}
		if b.next(m) < 0 {
			return false
		}
		b.weigh = append(b.weigh, m)
	}
	return true
}

// fire fires any enabled transition, and tells whether there was one.
func (b *back) fire(m []uint64) bool {
	t := b.next(m)
	return t >= 0 && tokens.Fire(b.net, t, m)
}

// next gives any enabled transition, -1 when there is none.
func (b *back) next(m []uint64) int {
	n := b.net.Transitions.Len()
	if n == 0 {
		return -1
	}
	from := b.rng.IntN(n)
	for k := range n {
		b.clock.Work(16)
		if t := (from + k) % n; tokens.Enabled(b.net, t, m) {
			return t
		}
	}
	return -1
}

// potential makes a rank, and moves of one firing each. It tells whether there is a rank.
func (b *back) potential() bool {
	places, transitions := b.net.Places.Len(), b.net.Transitions.Len()
	if places*(transitions+1) > maxCells {
		return false
	}
	rows, bounds, cost := make([][]float64, transitions), make([]float64, transitions), make([]float64, places)
	for t := range rows {
		rows[t], bounds[t] = make([]float64, places), 1
		b.clock.Work(places)
		b.effect(uint32(t), func(place uint32, by float64) { rows[t][place] -= by })
	}
	for _, m := range b.weigh {
		for p, n := range m {
			cost[p] += (float64(b.target[p]) - float64(n)) / float64(len(b.weigh))
		}
	}
	table := newTableau(rows, bounds, cost)
	if !table.least(b.clock) {
		return false
	}
	b.rank, b.moves, b.needs = make([]int64, places), nil, nil
	scale := big.NewInt(1)
	weights := make([]*big.Rat, places)
	for p, x := range table.solution() {
		weights[p] = near(x)
		d := weights[p].Denom()
		if scale.Mul(scale, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, scale, d))); !scale.IsInt64() || scale.Int64() > maxFactor {
			return false
		}
	}
	for p, w := range weights {
		n, ok := number(w.Mul(w, new(big.Rat).SetInt(scale)))
		if !ok || n < 0 || n > maxNumber {
			return false
		}
		b.rank[p] = n
	}
	for t := range uint32(transitions) {
		b.add([]uint32{t})
	}
	return true
}

// add adds a move if it makes the rank smaller, and tells whether it does.
func (b *back) add(move []uint32) bool {
	by, needs := 0.0, map[uint32]int64{}
	change := map[uint32]int64{}
	for _, t := range move {
		for e := range tokens.Effects(b.net, int(t)) {
			if e.Pre >= maxNumber || e.Post >= maxNumber {
				return false
			}
			needs[e.Place] = max(needs[e.Place], int64(e.Pre)-change[e.Place])
			change[e.Place] += int64(e.Post) - int64(e.Pre)
			by += float64(b.rank[e.Place]) * (float64(e.Post) - float64(e.Pre))
		}
	}
	if by > -0.5 || len(b.moves) == mostMoves {
		return false
	}
	var list []tokens.Effect
	for place, n := range needs {
		if n > 0 {
			list = append(list, tokens.Effect{Place: place, Pre: uint64(n)})
		}
	}
	b.moves, b.needs = append(b.moves, move), append(b.needs, list)
	return true
}

// canMove tells whether a move is enabled.
func (b *back) canMove(m []uint64) bool {
	return slices.ContainsFunc(b.needs, func(list []tokens.Effect) bool {
		b.clock.Work(16 * (1 + len(list)))
		return !slices.ContainsFunc(list, func(e tokens.Effect) bool { return m[e.Place] < e.Pre })
	})
}

// cover adds moves until every marking that may be reached has one or is the goal. stuck is a
// marking for which no move was found with this rank.
func (b *back) cover(head witness.Head) (shown bool, stuck []uint64, err error) {
	for _, m := range b.weigh {
		if !b.canMove(m) && !b.escape(m) {
			return false, m, nil
		}
	}
	for b.plain = true; ; {
		tree := &witness.Tree{Head: head, Rank: b.terms(), Moves: slices.Clone(b.moves)}
		if err := b.Prover.walk.Show(b.goal.Bad); err != nil {
			return false, nil, err
		}
		if err := b.Prover.walk.Moves(tree.Rank, tree.Moves); err != nil {
			return false, nil, err
		}
		b.tree, b.firings, b.run, b.found = tree, nil, nil, false
		if b.search(nil) {
			b.proof.Trees = append(b.proof.Trees, *b.tree)
			return true, nil, nil
		}
		m := b.open()
		switch {
		case m != nil && b.escape(m):
		case b.found || m != nil && len(b.weigh) == 0: // it is reachable, or the first one at all
			return false, m, nil
		case b.plain: // clauses may exclude it, or a marking is found that is reachable
			b.plain = false
		default:
			return false, nil, nil
		}
	}
}

// terms are those of the rank.
func (b *back) terms() (list []witness.Term) {
	for p, n := range b.rank {
		if n > 0 {
			list = append(list, witness.Term{Factor: big.NewRat(n, 1), Place: uint32(p)})
		}
	}
	return list
}

// open gives the marking of the case that was not closed: one that is reachable, or that the
// state equation does not exclude; nil when it gives no whole one without a move.
func (b *back) open() []uint64 {
	if b.found {
		m, err := tokens.Replay(b.net, b.run)
		if err != nil {
			return nil
		}
		return m
	}
	if b.firings == nil {
		return nil
	}
	m := make([]uint64, len(b.net.Initial))
	for p, by := range b.reached(b.firings) {
		n := math.Round(float64(b.net.Initial[p]) + by)
		if n < 0 || n > maxNumber || math.Abs(n-float64(b.net.Initial[p])-by) > 1e-3 {
			return nil
		}
		m[p] = uint64(n)
	}
	if b.goal.Reached(m) || b.canMove(m) {
		return nil
	}
	return m
}

// escape looks for a move that a marking enables, of as few firings as it can, and adds it.
func (b *back) escape(from []uint64) bool {
	type node struct {
		m      []uint64
		before int
		t      uint32
	}
	list, met := []node{{m: from, before: -1}}, map[string]bool{}
	var key []byte
	high := b.height(from)
	for at := 0; at < len(list); at++ {
		for t := range b.net.Transitions.Len() {
			b.clock.Work(16)
			if !tokens.Enabled(b.net, t, list[at].m) {
				continue
			}
			m := slices.Clone(list[at].m)
			b.clock.Work(32 * len(m))
			key = key[:0]
			if tokens.Fire(b.net, t, m) {
				for _, n := range m {
					key = binary.AppendUvarint(key, n)
				}
			}
			if len(key) == 0 || met[string(key)] {
				continue
			}
			met[string(key)] = true
			if b.height(m) < high-0.5 {
				move := []uint32{uint32(t)}
				for k := at; k > 0; k = list[k].before {
					move = append(move, list[k].t)
				}
				slices.Reverse(move)
				return b.add(move)
			}
			if list = append(list, node{m, at, uint32(t)}); len(list) > mostEscapes {
				return false
			}
		}
	}
	return false
}

// height is the rank of a marking.
func (b *back) height(m []uint64) float64 {
	sum := 0.0
	for p, n := range m {
		sum += float64(b.rank[p]) * float64(n)
	}
	return sum
}
