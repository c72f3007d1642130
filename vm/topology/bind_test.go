package topology

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// some is a computer at random.
func some(rng *rand.Rand) *tree {
	packages := 1 + rng.IntN(2)
	var nodes []memory
	for range []int{0, packages, 2 * packages}[rng.IntN(3)] {
		nodes = append(nodes, memory{[]int64{0, 4, 8, 8}[rng.IntN(4)], "10 20 20 20"})
	}
	t := regular(packages, 2*(1+rng.IntN(4)), 1+rng.IntN(2), 1+rng.IntN(5), nodes...)
	for i := range t.cpus {
		if rng.IntN(6) == 0 && len(t.off) < len(t.cpus)-1 {
			t.off = append(t.off, i)
		}
	}
	return t
}

// place asks for runs of so many cores until one has to wait.
func place(p *Pool, cores int, memory int64) (list []Binding) {
	for p.Refuses(cores, memory) == "" {
		at, ok := p.Bind(cores, memory)
		if !ok {
			return list
		}
		list = append(list, at)
	}
	return list
}

// part is the node of a package that a core lies in.
func part(c Core) int { return 1000*c.Package + c.Node }

// shared counts, for each thing that a run has, the other runs that it shares the thing with:
// cores, caches of each level, and how many nodes and packages runs have beyond the first.
func shared(m *Machine, runs [][]int) (cores, nodes int, caches map[int]int) {
	excess := func(key func(thread int) int) (n int) {
		on := map[int]map[int]bool{}
		for run, threads := range runs {
			for _, t := range threads {
				if on[key(t)] == nil {
					on[key(t)] = map[int]bool{}
				}
				on[key(t)][run] = true
			}
		}
		for _, set := range on {
			n += len(set) - 1
		}
		return n
	}
	core := func(t int) int {
		return slices.IndexFunc(m.Cores, func(c Core) bool { return slices.Contains(c.Threads, t) })
	}
	caches = map[int]int{}
	for _, level := range m.levels() {
		caches[level] = excess(func(t int) int {
			at := slices.IndexFunc(m.Caches, func(c Cache) bool { return c.Level == level && slices.Contains(c.Threads, t) })
			if at < 0 {
				return -1 - t
			}
			return at
		})
	}
	for _, threads := range runs {
		set := map[int]bool{}
		for _, t := range threads {
			set[part(m.Cores[core(t)])] = true
		}
		nodes += len(set) - 1
	}
	return excess(core), nodes, caches
}

// notAsGood says in what runs share more than the same number of runs that get the first threads
// that are free. Cores are worth more than nodes, and nodes more than caches.
func notAsGood(m *Machine, w Wish, threads []int, runs [][]int) string {
	var byNumber [][]int
	for range runs {
		if len(threads) < w.Run {
			return "there are more runs than by number"
		}
		byNumber, threads = append(byNumber, threads[:w.Run]), threads[w.Run:]
	}
	cores, nodes, caches := shared(m, runs)
	cores2, nodes2, caches2 := shared(m, byNumber)
	for _, c := range m.Cores {
		if !w.Threads && slices.ContainsFunc(byNumber, func(run []int) bool { return len(without(run, c.Threads)) < w.Run-1 }) {
			cores2++ // a run has the core twice
		}
	}
	far := slices.ContainsFunc(m.Nodes, func(n Node) bool { return n.Bytes == 0 }) // they are left to the last runs
	switch {
	case cores != cores2:
		return map[bool]string{true: fmt.Sprintf("%d shared cores, and %d by number: %v", cores, cores2, byNumber)}[cores > cores2]
	case nodes != nodes2:
		return map[bool]string{true: fmt.Sprintf("%d more nodes than runs, and %d by number: %v", nodes, nodes2, byNumber)}[nodes > nodes2]
	}
	for level := range caches {
		if caches[level] > caches2[level] && !far {
			return fmt.Sprintf("%d shared caches of level %d, and %d by number: %v", caches[level], level, caches2[level], byNumber)
		}
	}
	return ""
}

// TestMixedRuns: runs of all sizes begin and end at random. None has a thread of another, none lies
// on two nodes where one suffices, and all nodes have their memory again at the end.
func TestMixedRuns(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		m := read(t, some(rng))
		p := m.Pool(Wish{Run: 4, Threads: rng.IntN(4) == 0}, nil)
		free := maps.Clone(p.free)
		var runs []Binding
		for range 100 {
			if len(runs) > 0 && rng.IntN(2) == 0 {
				i := rng.IntN(len(runs))
				p.Give(runs[i])
				runs = slices.Delete(runs, i, i+1)
				continue
			}
			cores, memory := 1+rng.IntN(5), int64(rng.IntN(3))<<30
			if p.Refuses(cores, memory) != "" {
				continue
			}
			at, ok := p.Bind(cores, memory)
			if !ok {
				continue
			}
			for _, other := range runs {
				if len(without(at.Cores, other.Cores)) != cores {
					t.Fatalf("seed %d: %v beside %v", seed, at, other)
				}
			}
			for _, region := range p.regions(cores, memory) {
				in := p.own(func(u *unit) bool { return slices.Contains(at.Cores, u.cpu) })
				if ok = len(without(in, region)) == 0; ok {
					break
				}
			}
			if !ok {
				t.Fatalf("seed %d: %v is in no region of %v", seed, at, p.regions(cores, memory))
			}
			runs = append(runs, at)
		}
		for _, at := range runs {
			p.Give(at)
		}
		if !maps.Equal(free, p.free) {
			t.Fatalf("seed %d: %v bytes are free, not %v", seed, p.free, free)
		}
	}
}

// TestPlacementProperties: no thread is in two runs, and no core without --share-threads; no run
// lies on two nodes where one suffices; the same input gives the same place; and nothing is
// worse than placement by number, as it was before.
func TestPlacementProperties(t *testing.T) {
	seeds := uint64(500)
	if os.Getenv("PODIUM_SOAK") != "" {
		seeds = 50000
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 1))
		of := some(rng)
		m := read(t, of)
		w := Wish{Cores: rng.IntN(3) * rng.IntN(8), Run: 1 + rng.IntN(5), Threads: rng.IntN(3) == 0}
		if rng.IntN(2) == 0 {
			w.Memory = 1 << 30 << rng.IntN(4)
		}
		p := m.Pool(w, nil)
		all := p.own(nil)
		runs := place(p, w.Run, w.Memory)
		fail := func(format string, args ...any) {
			t.Fatalf("seed %d, %+v: %s\n%v", seed, w, fmt.Sprintf(format, args...), runs)
		}
		var bound [][]int
		used := map[int]int{}
		for i, run := range runs {
			if len(run.Cores) != w.Run {
				fail("run %d has %d cores", i, len(run.Cores))
			}
			bound = append(bound, run.Cores)
			for _, th := range run.Cores {
				if used[th]++; used[th] > 1 {
					fail("thread %d is in two runs", th)
				}
			}
		}
		cores, nodes, _ := shared(m, bound)
		if cores > 0 && !w.Threads {
			fail("%d cores are in two runs", cores)
		}
		// One node suffices where it has the cores, and its nearest memory has the bytes.
		suffices := func(node int) bool {
			n := 0
			for _, i := range all {
				if part(*p.units[i].core) == node {
					n++
				}
			}
			return n >= w.Run && (p.free == nil || w.Memory == 0 || m.Nodes[m.home(node%1000)].Free >= w.Memory)
		}
		if nodes > 0 && slices.ContainsFunc(m.Cores, func(c Core) bool { return suffices(part(c)) }) {
			fail("runs lie on %d more nodes than they have to", nodes)
		}
		again := read(t, of).Pool(w, nil)
		if same := place(again, w.Run, w.Memory); !slices.EqualFunc(runs, same, func(a, b Binding) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
			fail("the next time it is %v", same)
		}
		if w.Memory == 0 { // placement by number knows nothing of memory
			if worse := notAsGood(m, w, without(span(0, len(of.cpus)), of.off), bound); worse != "" {
				fail("%s", worse)
			}
		}
		for i := range runs {
			p.Give(runs[i])
		}
		if later := place(p, w.Run, w.Memory); len(later) != len(runs) {
			fail("%d runs fit when all have ended", len(later))
		}
	}
}
