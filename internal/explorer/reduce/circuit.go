package reduce

import "slices"

// freeCircuits makes one place of unobserved places between which a token can
// move freely: those that transitions with one arc in and one arc out, both of
// weight 1, connect strongly (Y. Thierry-Mieg, 2020, free SCC). All tokens are
// put into one of the places, from where they are moved when they are needed.
// What moved them now changes nothing.
func (w *work) freeCircuits() (done bool) {
	for _, circuit := range w.circuits() {
		if w.stop() {
			return done
		}
		if w.merge(circuit) {
			w.used[FreeCircuit]++
			done = true
		}
	}
	return done
}

// move returns where transition t moves a token freely.
func (w *work) move(t uint32) (from, to uint32, ok bool) {
	x := &w.transitions[t]
	if x.gone || len(x.pre) != 1 || len(x.post) != 1 || x.pre[0].weight != 1 || x.post[0].weight != 1 {
		return 0, 0, false
	}
	from, to = x.pre[0].place, x.post[0].place
	return from, to, from != to && !w.places[from].observed && !w.places[to].observed
}

// circuits returns the strongly connected components of the moves that have two
// places at least (R. Tarjan, 1972), each ascending.
func (w *work) circuits() (all [][]uint32) {
	n := len(w.places)
	index, low, next := make([]int, n), make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	count := 0
	var stack, path []uint32
	for root := range uint32(n) {
		if w.places[root].gone || w.places[root].observed || index[root] > 0 {
			continue
		}
		for path = append(path, root); len(path) > 0; {
			p := path[len(path)-1]
			if index[p] == 0 {
				count++
				index[p], low[p], onStack[p] = count, count, true
				stack = append(stack, p)
			}
			deeper := false
			for ts := w.consumers(p); next[p] < len(ts) && !deeper; next[p]++ {
				from, to, ok := w.move(ts[next[p]])
				switch {
				case !ok || from != p:
				case index[to] == 0:
					path, deeper = append(path, to), true
				case onStack[to]:
					low[p] = min(low[p], index[to])
				}
			}
			if deeper {
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				above := path[len(path)-1]
				low[above] = min(low[above], low[p])
			}
			if low[p] != index[p] {
				continue
			}
			at := slices.Index(stack, p)
			circuit := slices.Clone(stack[at:])
			stack = stack[:at]
			for _, q := range circuit {
				onStack[q] = false
			}
			if len(circuit) > 1 {
				slices.Sort(circuit)
				all = append(all, circuit)
			}
		}
	}
	return all
}

// merge puts all tokens of a circuit into its first place.
func (w *work) merge(circuit []uint32) bool {
	first := circuit[0]
	in := make(map[uint32]bool, len(circuit))
	for _, p := range circuit {
		in[p] = true
	}
	there, back := w.routes(first, in, false), w.routes(first, in, true)
	var touched []uint32
	var prefix []uint32
	tokens := uint64(0)
	for _, p := range circuit {
		touched = append(append(touched, w.consumers(p)...), w.producers(p)...)
		n := w.places[p].initial
		if tokens += n; tokens < n {
			return false
		}
		if p != first && n > 0 {
			if !w.runs.short(back[p], back[p], n) {
				return false
			}
			prefix = append(prefix, w.runs.repeat(back[p], n))
		}
	}
	slices.Sort(touched)
	touched = slices.Compact(touched)
	var made []transition
	for _, t := range touched {
		if from, to, ok := w.move(t); ok && in[from] && in[to] {
			continue
		}
		x, ok := w.merged(t, first, in, there, back)
		if !ok {
			return false
		}
		made = append(made, x)
	}
	if w.keep == Deadlocks {
		// A token that can move keeps the net alive.
		other := circuit[1]
		made = append(made, transition{pre: []arc{{first, 1}}, post: []arc{{first, 1}}, run: w.runs.then(there[other], back[other])})
	}
	for _, t := range touched {
		w.dropTransition(t)
	}
	for _, p := range circuit[1:] {
		w.dropPlace(p)
	}
	w.places[first].initial = tokens
	w.prefix = append(w.prefix, prefix...)
	for _, t := range made {
		w.add(t)
	}
	return true
}

// routes returns runs that move a token from the first place of a circuit to each
// other one, or back, the shortest ones.
func (w *work) routes(first uint32, in map[uint32]bool, back bool) map[uint32]uint32 {
	routes := map[uint32]uint32{}
	for todo := []uint32{first}; len(todo) > 0; todo = todo[1:] {
		p := todo[0]
		ts := w.consumers(p)
		if back {
			ts = w.producers(p)
		}
		for _, t := range ts {
			from, to, ok := w.move(t)
			q, route := to, w.transitions[t].run
			if back {
				q = from
			}
			if !ok || !in[q] || q == first {
				continue
			}
			if _, known := routes[q]; known {
				continue
			}
			switch {
			case p == first:
			case back:
				route = w.runs.then(route, routes[p])
			default:
				route = w.runs.then(routes[p], route)
			}
			routes[q] = route
			todo = append(todo, q)
		}
	}
	return routes
}

// merged returns a transition with its arcs to the circuit put to the first place.
func (w *work) merged(t, first uint32, in map[uint32]bool, there, back map[uint32]uint32) (transition, bool) {
	x := w.transitions[t]
	var ok bool
	gather := func(arcs []arc, each func(a arc) bool) []arc {
		var rest []arc
		at := []arc{{first, 0}}
		for _, a := range arcs {
			if !in[a.place] {
				rest = append(rest, a)
				continue
			}
			if at, ok = sum(at, []arc{{first, a.weight}}, 1); !ok || a.place != first && !each(a) {
				ok = false
				return nil
			}
		}
		if at[0].weight == 0 {
			return rest
		}
		rest, ok = sum(rest, at, 1)
		return rest
	}
	ok = true
	pre := gather(x.pre, func(a arc) bool {
		if !w.runs.short(x.run, there[a.place], a.weight) {
			return false
		}
		x.run = w.runs.then(w.runs.repeat(there[a.place], a.weight), x.run)
		return true
	})
	if !ok {
		return transition{}, false
	}
	post := gather(x.post, func(a arc) bool {
		if !w.runs.short(x.run, back[a.place], a.weight) {
			return false
		}
		x.run = w.runs.then(x.run, w.runs.repeat(back[a.place], a.weight))
		return true
	})
	return transition{pre: pre, post: post, run: x.run}, ok
}
