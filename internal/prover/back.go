package prover

import (
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/explorer/tokens"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
)

// Limits of a search for a way back.
const (
	mostMoves   = 1 << 12
	mostEscapes = 1 << 8  // markings that are looked at for a move
	mostSamples = 32      // markings of walks
	longestWalk = 1 << 12 // firings
	mostEffort  = 1 << 18 // of walks that head for the goal
	mostRanks   = 6
	fewCubes    = 1 << 6 // for a case
)

// Goal is what there may always be a way back to.
type Goal struct {
	Bad     certificate.Bad             // the other markings
	Reached func(marking []uint64) bool // tells whether a marking is none of these
	Formula formula.Formula             // of the goal, for walks that head for it and for diagrams; nil: no less than the initial marking in any place
}

// back looks for a rank and moves that show that there always is a way back.
//
// The rank is a potential: no firing makes it smaller by more than one, and markings that walks
// meet are as far above the goal as that allows: by duality, as far as the state equation needs
// firings for the way. Moves are the firings that make it smaller; where none is enabled, a few
// firings together.
//
// Note: several ranks, of which the first that changes becomes smaller, show no more than one
// does: where moves can have no single rank, they can add up to a change that takes no token
// away, and no first rank would make any of them smaller.
type back struct {
	*Prover
	goal   Goal
	target []uint64
	rng    *rand.Rand
	weigh  []weighed // markings that the rank is made for
	most   float64   // what the rank may give a place, 0: as much as it can
	rank   []int64   // by place
	moves  [][]uint32
	needs  [][]tokens.Effect // of moves: Pre tokens of places
}

// weighed is a marking that the rank is made for. Those that the state equation does not exclude
// may have fractions of tokens.
type weighed struct {
	tokens []float64
	weight float64
}

// Return looks for a tree with a head that shows that there is a way to the goal from every
// reachable marking, and reports whether the proof has it then.
func (p *Prover) Return(head witness.Head, goal Goal) (bool, error) {
	b := &back{Prover: p, goal: goal, rng: rand.New(rand.NewPCG(3, 21))}
	plain := p.plain || p.frames == nil // no clauses are looked for, but on the way
	defer func() { p.plain = plain }()
	if p.frames == nil {
		p.frames = newFrames(p)
		p.frames.most = fewCubes
	}
	if !b.wander() || b.target == nil && !b.meet() {
		return false, nil
	}
	if !b.potential() { // from a marking that a walk met there is no way back
		return false, nil
	}
	b.most = 4 * float64(1+slices.Max(append(b.rank, 0)))
	for range mostRanks {
		if !b.potential() {
			return false, nil
		}
		shown, stuck, err := b.cover(head)
		if shown || err != nil || stuck == nil {
			return shown, err
		}
		b.see(stuck) // the next rank has room for a way from there
	}
	return false, nil
}

// Home looks for a proof that there is a way from every reachable marking to one that holds no
// less than the initial one in any place; nil when none is found.
func (n *Net) Home(clock *clock.Clock) *witness.Proof {
	p, initial := n.Begin(clock), n.net.Initial
	bad := certificate.Below(initial)
	shown, err := p.Return(witness.Head{Kind: witness.Home}, Goal{Bad: bad, Reached: func(m []uint64) bool {
		for place, least := range initial {
			if m[place] < least {
				return false
			}
		}
		return true
	}})
	if err != nil || !shown {
		return nil
	}
	return p.Proof(func(witness.Head) (certificate.Bad, error) { return bad, nil })
}

// Ways looks for proofs that there always is a way to markings that show the parts E F f, or
// refute the parts A G f, inside of a formula of CTL, and returns what is known of these parts
// then; the proof is nil where there is none. in reports whether a state formula holds in a marking.
func (n *Net) Ways(clock *clock.Clock, f formula.Formula, in func(f formula.Formula) func(marking []uint64) bool) (certificate.Known, *witness.Proof) {
	p := n.Begin(clock)
	known := certificate.Known{Parts: map[int]bool{}}
	parts := certificate.Returns(f)
	markings := func(head witness.Head) (certificate.Bad, error) {
		return certificate.Satisfying(parts[head.Number].To, true), nil
	}
	for _, number := range slices.Sorted(maps.Keys(parts)) {
		part, head := parts[number], witness.Head{Kind: witness.Return, Number: number}
		if part.Part == f {
			continue // of the whole formula, a run is the better witness
		}
		bad, _ := markings(head) // it has no error
		if shown, err := p.Return(head, Goal{Bad: bad, Reached: in(part.To), Formula: part.To}); err == nil && shown {
			known.Parts[number] = part.Value
		}
	}
	if len(known.Parts) == 0 {
		return known, nil
	}
	return known, p.Proof(markings)
}

// see adds a marking that the rank is to be made for, with as much weight as all others.
func (b *back) see(m []float64) {
	w := weighed{m, 1}
	for _, other := range b.weigh {
		w.weight += other.weight
	}
	b.weigh = append(b.weigh, w)
}

// wander collects markings from which there has to be a way back, and a first one that needs
// none, on walks that fire what has fired least. It reports whether none of them is dead.
func (b *back) wander() bool {
	n := b.net.Transitions.Len()
	fired := make([]int, n)
	for walk := range 4 {
		m := slices.Clone(b.net.Initial)
		last := min(longestWalk, 8*n) >> walk
		for k := range last + 1 {
			t := b.rarest(m, fired)
			met := b.goal.Reached(m)
			switch {
			case !met && t < 0:
				return false
			case met && b.target == nil:
				b.target = slices.Clone(m)
			case !met && (last-k)%max(1, last/(mostSamples>>(1+walk))) == 0:
				b.weigh = append(b.weigh, weighed{float(m), 1})
			}
			if t < 0 || !tokens.Fire(b.net, t, m) {
				break
			}
			fired[t]++
		}
	}
	return true
}

// meet looks for a marking that needs no way by walks that head for one, and reports whether it
// found one. The markings on the way count as met, too.
func (b *back) meet() bool {
	if b.goal.Formula == nil {
		return false
	}
	var run []uint32
	found := false
	if !b.clock.Share(4, func(c *clock.Clock) { // the other parts of a formula need time, too
		run, found = directed.WalkFor(c, b.view, b.goal.Formula, mostEffort)
	}) || !found {
		return false
	}
	m := slices.Clone(b.net.Initial)
	for k, t := range run {
		if k%(1+len(run)/mostSamples) == 0 {
			b.weigh = append(b.weigh, weighed{float(m), 1})
		}
		if !tokens.Fire(b.net, int(t), m) {
			return false
		}
	}
	b.target = m
	return b.goal.Reached(m)
}

// rarest returns an enabled transition that has fired least, -1 when none is enabled.
func (b *back) rarest(m []uint64, fired []int) int {
	least, n := -1, len(fired)
	if n == 0 {
		return -1
	}
	from := b.rng.IntN(n)
	for k := range n {
		b.clock.Work(16)
		if t := (from + k) % n; (least < 0 || fired[t] < fired[least]) && tokens.Enabled(b.net, t, m) {
			least = t
		}
	}
	return least
}

func float(m []uint64) []float64 {
	list := make([]float64, len(m))
	for p, n := range m {
		list[p] = float64(n)
	}
	return list
}

// whole returns a marking in whole numbers, nil where it has none, or there is no marking.
func whole(m []float64) []uint64 {
	if m == nil {
		return nil
	}
	list := make([]uint64, len(m))
	for p, n := range m {
		if r := math.Round(n); r < 0 || r > maxNumber || math.Abs(n-r) > 1e-3 {
			return nil
		}
		list[p] = uint64(math.Round(n))
	}
	return list
}

// potential makes a rank, and moves of one firing each. It reports whether there is a rank.
func (b *back) potential() bool {
	places, transitions := b.net.Places.Len(), len(b.distinct)
	if places*(transitions+places+1) > maxCells {
		return false
	}
	rows, bounds, cost := make([][]float64, transitions), make([]float64, transitions), make([]float64, places)
	if b.most > 0 {
		rows, bounds = make([][]float64, transitions+places), make([]float64, transitions+places)
		sum := 0.0
		for _, n := range b.target {
			sum += float64(n)
		}
		for p, n := range b.target { // places that are met nowhere lie as far above the goal as they can
			b.clock.Work(places)
			rows[transitions+p], bounds[transitions+p] = make([]float64, places), b.most
			rows[transitions+p][p] = 1
			cost[p] = 1e-3 * (float64(n)*float64(places)/max(1, sum) - 1)
		}
	}
	for k, t := range b.distinct {
		rows[k], bounds[k] = make([]float64, places), 1
		b.clock.Work(places)
		b.effect(t, func(place uint32, by float64) { rows[k][place] -= by })
	}
	total := 0.0
	for _, w := range b.weigh {
		total += w.weight
	}
	for _, w := range b.weigh {
		for p, n := range w.tokens {
			cost[p] += (float64(b.target[p]) - n) * w.weight / total
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
	for t := range uint32(b.net.Transitions.Len()) {
		b.add([]uint32{t})
	}
	return true
}

// add adds a move if it makes the rank smaller, and reports whether it does.
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

// canMove reports whether a move is enabled.
func (b *back) canMove(m []uint64) bool {
	return slices.ContainsFunc(b.needs, func(list []tokens.Effect) bool {
		b.clock.Work(16 * (1 + len(list)))
		return !slices.ContainsFunc(list, func(e tokens.Effect) bool { return m[e.Place] < e.Pre })
	})
}

// cover adds moves until every marking that may be reached has one or is the goal. stuck is a
// marking for which no move was found with this rank.
func (b *back) cover(head witness.Head) (shown bool, stuck []float64, err error) {
	for _, w := range b.weigh {
		if m := whole(w.tokens); m != nil && !b.canMove(m) {
			b.escape(m)
		}
	}
	for b.plain = true; ; {
		tree := &witness.Tree{Head: head, Rank: b.terms(), Moves: slices.Clone(b.moves)}
		if err := b.walk.Show(b.goal.Bad); err != nil {
			return false, nil, err
		}
		if err := b.walk.Moves(tree.Rank, tree.Moves); err != nil {
			return false, nil, err
		}
		b.tree, b.firings, b.run, b.found = tree, nil, nil, false
		m, none := b.stray()
		switch {
		case m != nil && b.escape(m):
			continue
		case m != nil:
			return false, float(m), nil
		case none && b.walk.Step(outside) == nil:
			tree.Steps = append(tree.Steps, outside)
			b.proof.Trees = append(b.proof.Trees, *tree)
			return true, nil, nil
		case b.search(nil):
			b.proof.Trees = append(b.proof.Trees, *b.tree)
			return true, nil, nil
		}
		left := b.open()
		exact := whole(left)
		switch {
		case exact != nil && !b.canMove(exact) && !b.goal.Reached(exact) && b.escape(exact):
		case left != nil && (len(b.weigh) == 0 || !slices.Equal(left, b.weigh[len(b.weigh)-1].tokens)):
			return false, left, nil
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

// open returns the marking of the case that was not closed: one that is reachable, or that the
// state equation does not exclude.
func (b *back) open() []float64 {
	if b.found {
		if m, err := tokens.Replay(b.net, b.run); err == nil {
			return float(m)
		}
	}
	if b.firings == nil {
		return nil
	}
	m := b.reached(b.firings)
	for p, n := range b.net.Initial {
		m[p] += float64(n)
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
	list := []node{{m: from, before: -1}}
	var met tokens.Markings
	high := b.height(from)
	for at := 0; at < len(list); at++ {
		for t := range b.net.Transitions.Len() {
			b.clock.Work(16)
			if !tokens.Enabled(b.net, t, list[at].m) {
				continue
			}
			m := slices.Clone(list[at].m)
			b.clock.Work(32 * len(m))
			if !tokens.Fire(b.net, t, m) {
				continue
			}
			if _, fresh := met.Add(m); !fresh {
				continue
			}
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
