package referee

import (
	"context"
	"strconv"
	"sync"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/clock"
	"podium/internal/explorer/directed"
	"podium/internal/explorer/simplify"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/internal/witness/certificate"
	"podium/internal/witness/replay"
	"podium/pnml/unfold"
)

// mostEdges bounds the diagrams of proofs: their edges, and those of all proofs of a file, where
// each formula of CTL and LTL has a diagram of its own.
const (
	mostEdges     = 1 << 19
	mostEdgesFile = 1 << 21
)

// byDiagram looks for proofs whose set of markings is the reachable ones, as a decision diagram.
type byDiagram struct {
	*hearing
	exam   examinations.ID
	replay *replay.Net
}

// showDrawn leaves proofs by decision diagrams for values that nothing shows yet.
func (h *hearing) showDrawn(ctx context.Context, p *oracle.Proof) {
	x := byDiagram{h, p.Exam, replay.NewNet(h.net.View)}
	var rest []*oracle.ProvedValue
	for i := range p.Values {
		if v := &p.Values[i]; v.Shown() == oracle.NotShown && x.mayShow(claimOf(p.Exam, v)) {
			rest = append(rest, v)
		}
	}
	if len(rest) == 0 {
		return
	}
	if h.draw(ctx); h.drawing.space == nil {
		return
	}
	set := h.drawnSet(ctx)
	if set == nil {
		return
	}
	edges := 0
	for _, list := range set.Nodes {
		edges += len(list)
	}
	var shared *witness.Witness // of all values that need no other trees
	left := mostEdgesFile
	share(ctx, rest, func(part context.Context, v *oracle.ProvedValue) {
		w := x.show(part, claimOf(p.Exam, v))
		if w == nil {
			return
		}
		w.Instance, w.Exam = p.Instance, p.Exam
		alone := w.Proof.Trees[0].Head.Kind != witness.Bad
		if left < edges && (alone || shared == nil) || x.replay.Check(ctx, w, lookup(h.given))[0].State != witness.Confirmed {
			return
		}
		if alone || shared == nil {
			left -= edges
			h.net.witnesses = append(h.net.witnesses, w)
		}
		switch {
		case !alone && shared == nil:
			shared = w
		case !alone:
			shared.Claims, shared.Paths = append(shared.Claims, w.Claims...), append(shared.Paths, w.Paths...)
		}
		v.By, v.Markings, v.After = oracle.ByProof, 0, h.passed()
	})
}

func claimOf(exam examinations.ID, v *oracle.ProvedValue) witness.Claim {
	return witness.Claim{Item: v.Item, Value: examinations.Value{Kind: exam.Kind(), Text: v.Text}}
}

// mayShow reports whether such a proof may show a claim.
func (x byDiagram) mayShow(claim witness.Claim) bool {
	switch x.exam {
	case examinations.QuasiLiveness:
		return claim.Value == examinations.False
	case examinations.StableMarking:
		return claim.Value == examinations.True
	case examinations.Liveness, examinations.CTLCardinality, examinations.CTLFireability, examinations.LTLCardinality, examinations.LTLFireability:
		return true
	}
	_, _, err := x.replay.Bad(x.exam, claim, lookup(x.given))
	return err == nil
}

// show looks for the trees of a proof of a claim, and for runs beside it; nil where it finds none.
func (x byDiagram) show(ctx context.Context, claim witness.Claim) *witness.Witness {
	w := &witness.Witness{Claims: []witness.Claim{claim}}
	f, _ := lookup(x.given)(claim.Item)
	_, _, err := x.replay.Bad(x.exam, claim, lookup(x.given))
	var heads []witness.Head
	switch {
	case err == nil:
		heads = append(heads, witness.Head{})
		if claim.Value.Kind == examinations.Nat && claim.Value.Text != "0" {
			run := x.most(ctx, claim, f)
			if run == nil {
				return nil
			}
			w.Paths = []witness.Path{*run}
		}
	case x.exam == examinations.Liveness && claim.Value == examinations.True:
		return x.live(ctx)
	case x.exam == examinations.QuasiLiveness || x.exam == examinations.Liveness:
		heads = x.first(ctx, witness.Dead, x.net.Transitions().Len(), func(t int) formula.Formula {
			return &formula.Fireable{Transitions: []string{x.net.Transitions().At(t)}}
		})
	case x.exam == examinations.StableMarking:
		heads = x.first(ctx, witness.Constant, x.net.Places().Len(), x.changed)
	case x.exam == examinations.CTLCardinality || x.exam == examinations.CTLFireability:
		return x.concluding(ctx, claim, f)
	default: // LTL
		var value formula.Formula
		value, heads = x.withoutRun(ctx, x.replay, f, func(f formula.Formula) bool { return x.never(ctx, f) })
		if c, ok := value.(*formula.Constant); !ok || examinations.Truth(c.Value) != claim.Value {
			return nil
		}
	}
	if len(heads) == 0 {
		return nil
	}
	w.Proof = &witness.Proof{}
	x.addTrees(w.Proof, heads)
	return w
}

// addTrees adds trees that the diagram closes at once.
func (x byDiagram) addTrees(p *witness.Proof, heads []witness.Head) {
	p.Diagrams = []*witness.Diagram{x.drawing.set}
	for _, head := range heads {
		p.Trees = append(p.Trees, witness.Tree{Head: head, Steps: []witness.Step{{Kind: witness.Outside}}})
	}
}

// concluding shows a formula of CTL by state formulas that are always true, or never, by ways
// back, and near some markings what is left then.
func (x byDiagram) concluding(ctx context.Context, claim witness.Claim, f formula.Formula) *witness.Witness {
	states := map[int]bool{}
	var heads []witness.Head
	for k, part := range formula.States(f) {
		head := witness.Head{Kind: witness.Never, Number: k}
		holds := x.replay.Initially(part)
		if holds {
			head.Kind, part = witness.Always, simplify.Not(part)
		}
		if x.never(ctx, part) {
			states[k], heads = holds, append(heads, head)
		}
	}
	var known certificate.Known
	var proof *witness.Proof
	half, cancel := clock.Part(ctx, 2)
	defer cancel()
	if clock.Until(half, func(c *clock.Clock) error {
		known, proof = x.net.forProofs(c).Ways(c, f, x.replay.In)
		return nil
	}) != nil {
		known, proof = certificate.Known{}, nil
	}
	if proof == nil && len(heads) == 0 {
		return nil
	}
	known.States = states
	w := x.nearby(ctx, x.exam, claim.Item, x.replay.Left(x.exam, claim.Item, known, lookup(x.given)))
	if w == nil || w.Claims[0] != claim {
		return nil
	}
	if w.Proof = proof; proof == nil {
		w.Proof = &witness.Proof{}
	}
	if len(heads) > 0 {
		x.addTrees(w.Proof, heads)
	}
	return w
}

// drawnSet returns the reachable markings, which are known, as proofs hold them, and has all
// searches for ways back use them; nil where they are too large for that.
func (h *hearing) drawnSet(ctx context.Context) *witness.Diagram {
	x := &h.drawing
	if x.set != nil {
		return x.set
	}
	var mutex sync.Mutex                          // a space has one user at a time
	clock.Until(ctx, func(c *clock.Clock) error { // its end says that there is none for now
		if x.set = x.space.Drawn(c, mostEdges); x.set == nil {
			return nil
		}
		h.net.forProofs(c).Use(&prover.Drawn{Set: x.set, Stray: func(c *clock.Clock, f formula.Formula, needs []map[uint32]uint64) ([]uint64, bool) {
			mutex.Lock()
			defer mutex.Unlock()
			return x.space.Stray(c, f, needs)
		}})
		return nil
	})
	return x.set
}

// never reports whether no reachable marking satisfies a formula of one marking.
func (x byDiagram) never(ctx context.Context, f formula.Formula) (no bool) {
	clock.Until(ctx, func(c *clock.Clock) error { // its end says that it is not known
		v, ok := x.drawing.space.Decide(c, examinations.ReachabilityCardinality, "", &formula.ExistsPath{F: &formula.Finally{F: f}})
		no = ok && v == examinations.False
		return nil
	})
	return no
}

// first returns the head about the first of some transitions or places of which a formula never holds.
func (x byDiagram) first(ctx context.Context, kind witness.HeadKind, n int, of func(i int) formula.Formula) []witness.Head {
	for i := range n {
		if x.never(ctx, of(i)) {
			return []witness.Head{{Kind: kind, At: uint32(i)}}
		}
	}
	return nil
}

// changed says that a place has another number of tokens than at first.
func (x byDiagram) changed(place int) formula.Formula {
	initial := &formula.Number{}
	for _, p := range x.net.PlaceGroups()[place] {
		initial.N += x.net.Net.Initial[p]
	}
	now := &formula.TokensCount{Places: []string{x.net.Places().At(place)}}
	return &formula.Not{F: &formula.And{Fs: []formula.Formula{&formula.LessEqual{Left: now, Right: initial}, &formula.LessEqual{Left: initial, Right: now}}}}
}

// most looks for a run to the largest number of tokens that a claim speaks of.
func (x byDiagram) most(ctx context.Context, claim witness.Claim, f formula.Formula) *witness.Path {
	n, err := strconv.ParseUint(claim.Value.Text, 10, 64)
	if err != nil {
		return nil
	}
	view := x.net.View
	atLeast := func(places []string) formula.Formula {
		return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: places}}
	}
	var goal formula.Formula
	if bound, ok := f.(*formula.Bound); ok {
		goal = atLeast(bound.Places)
	} else {
		view = unfold.Plain(x.net.Net)
		var all []string
		some := &formula.Or{}
		for p := range x.net.Net.Places.Len() {
			all = append(all, x.net.Net.Places.At(p))
			some.Fs = append(some.Fs, atLeast(all[p:]))
		}
		if goal = some; claim.Item == "MAX_TOKEN_PER_MARKING" {
			goal = atLeast(all)
		}
	}
	path := witness.Finite(nil)
	if replay.NewNet(view).Initially(goal) {
		return &path
	}
	found := false
	if clock.Until(ctx, func(c *clock.Clock) error {
		path.Fire, found = directed.Walk(c, view, goal, nil)
		return nil
	}) != nil || !found {
		return nil
	}
	return &path
}
