package reduce

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"podium/internal/nettest"
	"podium/pnml"
)

// graph is the reachability graph, made in the plainest way.
type graph struct {
	net      *pnml.Net
	markings [][]uint64
	next     [][]edge
	whole    bool // all markings are there
}

type edge struct{ by, to int }

// explore stops when there are more than limit markings.
func explore(net *pnml.Net, limit int) *graph {
	g := &graph{net: net, markings: [][]uint64{slices.Clone(net.Initial)}}
	index := map[string]int{fmt.Sprint(net.Initial): 0}
	for i := 0; i < len(g.markings); i++ {
		var row []edge
		for t := range net.Transitions.Len() {
			m := slices.Clone(g.markings[i])
			if !fire(net, uint32(t), m) {
				continue
			}
			key := fmt.Sprint(m)
			j, ok := index[key]
			if !ok {
				if j = len(g.markings); j == limit {
					return g
				}
				index[key] = j
				g.markings = append(g.markings, m)
			}
			row = append(row, edge{t, j})
		}
		g.next = append(g.next, row)
	}
	g.whole = true
	return g
}

func (g *graph) dead(i int) bool { return len(g.next[i]) == 0 }

// firedFrom returns the transitions that fire somewhere after marking i, as
// transitions of the original net.
func (g *graph) firedFrom(i int, contained func(t int) []uint32) map[uint32]bool {
	fired, seen := map[uint32]bool{}, map[int]bool{i: true}
	for todo := []int{i}; len(todo) > 0; {
		i, todo = todo[len(todo)-1], todo[:len(todo)-1]
		for _, e := range g.next[i] {
			for _, t := range contained(e.by) {
				fired[t] = true
			}
			if !seen[e.to] {
				seen[e.to] = true
				todo = append(todo, e.to)
			}
		}
	}
	return fired
}

// live returns the transitions that can always fire again.
func (g *graph) live(contained func(t int) []uint32) map[uint32]bool {
	live := g.firedFrom(0, contained)
	for i := range g.markings {
		fired := g.firedFrom(i, contained)
		for t := range live {
			if !fired[t] {
				delete(live, t)
			}
		}
	}
	return live
}

// bisimilar decides whether the initial markings of two graphs have the same
// future as far as labels tell, by refining partitions (S. Blom, S. Orzan,
// 2003): step by step, or up to stuttering, in which case it may matter whether
// stuttering can go on for ever, as it does in a dead marking.
func bisimilar(a, b *graph, label func(g *graph, i int) string, stuttering, divergence bool) bool {
	type node struct {
		g *graph
		i int
	}
	var nodes []node
	for _, g := range []*graph{a, b} {
		for i := range g.markings {
			nodes = append(nodes, node{g, i})
		}
	}
	block := make([]int, len(nodes))
	next := func(n int) (out []int) {
		base := 0
		if nodes[n].g == b {
			base = len(a.markings)
		}
		for _, e := range nodes[n].g.next[nodes[n].i] {
			out = append(out, base+e.to)
		}
		return out
	}
	signature := func(n int) string {
		var parts []string
		inside := []int{n} // reachable without leaving the block
		if !stuttering {
			for _, m := range next(n) {
				parts = append(parts, fmt.Sprint(block[m]))
			}
			if len(parts) == 0 {
				parts = []string{"dead"}
			}
		} else {
			for k := 0; k < len(inside); k++ {
				for _, m := range next(inside[k]) {
					if block[m] != block[n] {
						parts = append(parts, fmt.Sprint(block[m]))
					} else if !slices.Contains(inside, m) {
						inside = append(inside, m)
					}
				}
			}
			if divergence && diverges(inside, next) {
				parts = append(parts, "for ever")
			}
		}
		sort.Strings(parts)
		return fmt.Sprint(block[n], slices.Compact(parts))
	}
	blocks := 0
	for first := true; ; first = false {
		index, now := map[string]int{}, make([]int, len(nodes))
		for n := range nodes {
			key := ""
			if first {
				key = label(nodes[n].g, nodes[n].i)
			} else {
				key = signature(n)
			}
			if _, ok := index[key]; !ok {
				index[key] = len(index)
			}
			now[n] = index[key]
		}
		block = now
		if len(index) == blocks {
			return block[0] == block[len(a.markings)]
		}
		blocks = len(index)
	}
}

// diverges reports whether a run can stay inside for ever, or ends there.
func diverges(inside []int, next func(int) []int) bool {
	left := slices.Clone(inside)
	for {
		// A node without successor inside cannot stay, unless it is dead.
		stay := slices.DeleteFunc(slices.Clone(left), func(n int) bool {
			return len(next(n)) > 0 && !slices.ContainsFunc(next(n), func(m int) bool { return slices.Contains(left, m) })
		})
		if len(stay) == len(left) {
			return len(left) > 0
		}
		left = stay
	}
}

// draft is a net under construction: arcs by transition, then by place.
type draft struct {
	initial   []uint64
	pre, post []map[int]uint64
}

func (d *draft) place(tokens int) int {
	d.initial = append(d.initial, uint64(max(tokens, 0)))
	return len(d.initial) - 1
}

func (d *draft) transition() int {
	d.pre, d.post = append(d.pre, map[int]uint64{}), append(d.post, map[int]uint64{})
	return len(d.pre) - 1
}

// randomNet makes a few places and transitions that mostly keep the number of
// tokens, and then complicates them in ways that rules undo.
func randomNet(rng *rand.Rand) *pnml.Net {
	d := &draft{}
	for range 2 + rng.IntN(3) {
		d.place(rng.IntN(5) - 1)
	}
	weight := func() uint64 { return uint64(1 + rng.IntN(9)/8) }
	for range 1 + rng.IntN(4) {
		t, ends := d.transition(), 1+rng.IntN(7)/5
		for range ends {
			d.pre[t][rng.IntN(len(d.initial))] = weight()
			d.post[t][rng.IntN(len(d.initial))] = weight()
		}
		if rng.IntN(12) == 0 {
			clear(d.post[t])
		}
	}
	for range rng.IntN(8) {
		d.complicate(rng)
	}
	b := &pnml.Builder{}
	for p, tokens := range d.initial {
		b.Place(fmt.Sprint("p", p), tokens)
	}
	for t := range d.pre {
		b.Transition(fmt.Sprint("t", t))
		for p, w := range d.pre[t] {
			b.In(p, t, w)
		}
		for p, w := range d.post[t] {
			b.Out(t, p, w)
		}
	}
	net, err := b.Build()
	if err != nil {
		panic(err)
	}
	return net
}

// complicate changes the net in a way that some rule may undo, or not quite.
func (d *draft) complicate(rng *rand.Rand) {
	p, t := rng.IntN(len(d.initial)), rng.IntN(len(d.pre))
	switch rng.IntN(9) {
	case 0: // t in two steps, or more
		q := d.place(rng.IntN(12) - 9)
		for range 1 + rng.IntN(2) {
			u := d.transition()
			d.pre[u][q], d.post[u] = 1, maps.Clone(d.post[t])
			if rng.IntN(3) == 0 {
				d.pre[u][p] = 1
			}
		}
		d.post[t] = map[int]uint64{q: uint64(1 + rng.IntN(6)/5)}
		if rng.IntN(4) == 0 {
			d.post[t][p] = 1
		}
	case 1: // p twice
		q := d.place(int(d.initial[p]) + rng.IntN(3) - 1)
		for t := range d.pre {
			if w := d.pre[t][p]; w > 0 {
				d.pre[t][q] = w
			}
			if w := d.post[t][p]; w > 0 {
				d.post[t][q] = w
			}
		}
	case 2: // t twice, perhaps dearer
		u := d.transition()
		d.pre[u], d.post[u] = maps.Clone(d.pre[t]), maps.Clone(d.post[t])
		if rng.IntN(2) == 0 {
			d.pre[u][p]++
			d.post[u][p]++
		}
	case 3: // a loop
		d.pre[t][p]++
		d.post[t][p]++
	case 4: // something that changes nothing
		u := d.transition()
		d.pre[u][p], d.post[u][p] = 1, 1
	case 5: // a place that counts
		d.post[t][d.place(0)] = 1
	case 6: // a source
		q, u := d.place(0), d.transition()
		d.post[u][q], d.pre[t][q] = 1, uint64(1+rng.IntN(2))
		if rng.IntN(3) > 0 { // bounded by what takes from it again
			d.pre[u][d.place(2)] = 1
		}
	case 7: // p with a second room
		q, go_, back := d.place(rng.IntN(3)-1), d.transition(), d.transition()
		d.pre[go_][p], d.post[go_][q], d.pre[back][q], d.post[back][p] = 1, 1, 1, 1
		if w := d.pre[t][p]; w > 0 {
			delete(d.pre[t], p)
			d.pre[t][q] = w
		}
	case 8: // a constant place
		q := d.place(rng.IntN(3))
		d.pre[t][q], d.post[t][q] = 1, 1
	}
}

func randomQuestion(rng *rand.Rand, net *pnml.Net, keep Keep) Question {
	q := Question{Keep: keep, Up: make([]bool, net.Places.Len()), Down: make([]bool, net.Places.Len())}
	if keep == Deadlocks || keep == Firings {
		return q
	}
	for range 1 + rng.IntN(2) {
		q.Up[rng.IntN(len(q.Up))] = true
	}
	for range rng.IntN(3) {
		q.Down[rng.IntN(len(q.Up))] = true
	}
	return q
}

// compare checks what a reduction must keep by the graphs of both nets.
func compare(a, b *graph, q Question, r *Reduction) error {
	label := func(g *graph, i int) string {
		var counts []string
		for p := range q.Up {
			if !q.Up[p] && !q.Down[p] {
				continue
			}
			at := uint32(p)
			if g == b {
				at, _ = r.Place(at)
			}
			counts = append(counts, fmt.Sprint(g.markings[i][at]))
		}
		return strings.Join(counts, " ")
	}
	self := func(t int) []uint32 { return []uint32{uint32(t)} }
	ok := true
	switch q.Keep {
	case Graph:
		edges := func(g *graph) (n int) {
			for _, row := range g.next {
				n += len(row)
			}
			return n
		}
		ok = len(a.markings) == len(b.markings) && edges(a) == edges(b) && len(a.net.Initial) == len(b.net.Initial) && bisimilar(a, b, label, false, false)
	case Steps:
		ok = bisimilar(a, b, label, false, false)
	case Branching, Linear:
		// Rules that only keep linear time are compared with LTL formulas
		// elsewhere.
		if ok = bisimilar(a, b, label, true, true); q.Keep == Linear && r.Used(PostChoice) > 0 {
			ok = true
		}
	case Futures:
		ok = bisimilar(a, b, label, true, false)
	case Firings:
		ok = fmt.Sprint(a.firedFrom(0, self)) == fmt.Sprint(b.firedFrom(0, r.Contained)) && fmt.Sprint(a.live(self)) == fmt.Sprint(b.live(r.Contained))
	case Deadlocks:
		someDead := func(g *graph) bool {
			return slices.ContainsFunc(g.next, func(row []edge) bool { return len(row) == 0 })
		}
		ok = someDead(a) == someDead(b)
	case Reachable:
		return compareReachable(a, b, q, r)
	}
	if !ok {
		return fmt.Errorf("%v is not kept", q.Keep)
	}
	return nil
}

// compareReachable: every marking of the reduced net is one of the original on
// the observed places, and every marking of the original one has one of the
// reduced net that is at least as good. Of an unbounded net, only some are
// looked at.
func compareReachable(a, b *graph, q Question, r *Reduction) error {
	for _, m := range b.markings {
		if a.whole && !slices.ContainsFunc(a.markings, func(n []uint64) bool { return atLeast(q, r, n, m, true) }) {
			return fmt.Errorf("marking %v of the reduced net is not reachable", m)
		}
	}
	for _, n := range a.markings {
		if !slices.ContainsFunc(b.markings, func(m []uint64) bool { return atLeast(q, r, n, m, false) }) {
			return fmt.Errorf("marking %v is lost", n)
		}
	}
	return nil
}

func atLeast(q Question, r *Reduction, n, m []uint64, exactly bool) bool {
	for p := range n {
		if !q.Up[p] && !q.Down[p] {
			continue
		}
		at, _ := r.Place(uint32(p))
		is, was := m[at], n[p]
		if is != was && (exactly || q.Up[p] && is < was || q.Down[p] && is > was) {
			return false
		}
	}
	return true
}

// compareRuns lifts runs to every marking of the reduced net.
func compareRuns(net *pnml.Net, b *graph, q Question, r *Reduction) error {
	if q.Keep == Futures {
		return nil // no single run proves anything
	}
	runs := make([][]uint32, len(b.markings))
	for i, row := range b.next {
		for _, e := range row {
			if e.to > 0 && runs[e.to] == nil {
				runs[e.to] = append(slices.Clone(runs[i]), uint32(e.by))
			}
		}
	}
	for i, run := range runs {
		dead := b.dead(i) && (q.Keep == Deadlocks || q.Keep == Linear || q.Keep == Branching || q.Keep == Steps)
		stem, _, err := r.Lift(run, nil, dead)
		if err != nil {
			return err
		}
		m := slices.Clone(net.Initial)
		for k, t := range stem {
			if !fire(net, t, m) {
				return fmt.Errorf("step %d of the run %v, lifted from %v, cannot be fired", k, stem, run)
			}
		}
		if !atLeast(q, r, m, b.markings[i], true) {
			return fmt.Errorf("the lifted run %v ends in %v instead of %v", stem, m, b.markings[i])
		}
		for t := range net.Transitions.Len() {
			if dead && fire(net, uint32(t), slices.Clone(m)) {
				return fmt.Errorf("transition %d is enabled after the lifted run %v", t, stem)
			}
		}
	}
	return nil
}

func agree(t *testing.T, rng *rand.Rand, used *[rules][keeps]int) {
	t.Helper()
	net := randomNet(rng)
	a := explore(net, 150)
	for keep := range keeps {
		q := randomQuestion(rng, net, keep)
		r := Net(t.Context(), nil, net, q)
		for rule := range rules {
			if r.Used(rule) > 0 {
				if used[rule][keep]++; !rule.Allowed(keep) {
					t.Fatalf("%v was used for %v", rule, keep)
				}
			}
		}
		b := explore(r.Net, 150)
		if !a.whole && (keep != Reachable || !b.whole) {
			continue
		}
		if !b.whole {
			t.Fatalf("%v: the reduced net has more markings\n%s%v\n%s", keep, describe(net), r, describe(r.Net))
		}
		err := compare(a, b, q, r)
		if err == nil {
			err = compareRuns(net, b, q, r)
		}
		if err != nil {
			t.Fatalf("%v: %v\nup %v, down %v\n%s%v\n%s", keep, err, q.Up, q.Down, describe(net), r, describe(r.Net))
		}
	}
}

func describe(net *pnml.Net) string {
	var b strings.Builder
	fmt.Fprintln(&b, "initial", net.Initial)
	for x := range net.Transitions.Len() {
		pre, v := net.Pre.Row(x)
		post, w := net.Post.Row(x)
		fmt.Fprintln(&b, x, pre, v, "->", post, w)
	}
	return b.String()
}

// TestAgreement compares random nets with what the reductions make of them, for
// all that is to be kept, and sees every rule used wherever it is allowed.
func TestAgreement(t *testing.T) {
	nets := nettest.Cases(2500)
	if testing.Short() {
		nets = 600
	}
	var used [rules][keeps]int
	for seed := range uint64(nets) {
		agree(t, rand.New(rand.NewPCG(41, seed)), &used)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for rule := range rules {
		t.Logf("%-30v %v", rule, used[rule])
		for keep := range keeps {
			if rule.Allowed(keep) && used[rule][keep] == 0 {
				t.Errorf("%v was never used for %v", rule, keep)
			}
		}
	}
}

// FuzzReduce lets the fuzzer choose the net.
func FuzzReduce(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(binary.LittleEndian.AppendUint64(nil, seed*0x9e3779b97f4a7c15))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		var used [rules][keeps]int
		agree(t, rand.New(&bytesSource{choices, rand.NewPCG(43, uint64(len(choices)))}), &used)
	})
}

// bytesSource gives the fuzzer's bytes as random numbers, then those of a
// generator.
type bytesSource struct {
	bytes []byte
	rest  rand.Source
}

func (s *bytesSource) Uint64() uint64 {
	if len(s.bytes) == 0 {
		return s.rest.Uint64()
	}
	n := uint64(s.bytes[0])<<56 | uint64(s.bytes[0]) // the generators look at the highest bits
	s.bytes = s.bytes[1:]
	return n
}
