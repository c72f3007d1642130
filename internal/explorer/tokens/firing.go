package tokens

import "podium/pnml"

// Effect is what one firing does to one place: it takes Pre tokens from it and
// puts Post tokens into it.
type Effect struct {
	Place     uint32
	Pre, Post uint64
}

// Effects returns what a firing of transition t does to each place on its arcs,
// places ascending.
func Effects(net *pnml.Net, t int) func(yield func(Effect) bool) {
	return func(yield func(Effect) bool) {
		i, iEnd := net.Pre.Start[t], net.Pre.Start[t+1]
		j, jEnd := net.Post.Start[t], net.Post.Start[t+1]
		for i < iEnd || j < jEnd {
			e := Effect{Place: ^uint32(0)}
			if i < iEnd {
				e.Place = net.Pre.Place[i]
			}
			if j < jEnd {
				e.Place = min(e.Place, net.Post.Place[j])
			}
			if i < iEnd && net.Pre.Place[i] == e.Place {
				e.Pre = net.Pre.WeightAt(i)
				i++
			}
			if j < jEnd && net.Post.Place[j] == e.Place {
				e.Post = net.Post.WeightAt(j)
				j++
			}
			if !yield(e) {
				return
			}
		}
	}
}

// StrictlyCovers reports whether above holds at least as much as below in every
// place and more in one.
func StrictlyCovers(above, below []uint64) bool {
	more := false
	for p, n := range above {
		if n < below[p] {
			return false
		}
		more = more || n > below[p]
	}
	return more
}

// Enabled reports whether transition t may fire in a marking, which holds the
// number of tokens of every place.
func Enabled(net *pnml.Net, t int, marking []uint64) bool {
	for k := net.Pre.Start[t]; k < net.Pre.Start[t+1]; k++ {
		if marking[net.Pre.Place[k]] < net.Pre.WeightAt(k) {
			return false
		}
	}
	return true
}

// Fire fires an enabled transition. It reports whether the marking after it has
// no count beyond 2^64-1; when it has, the marking is left as it was.
func Fire(net *pnml.Net, t int, marking []uint64) bool {
	for e := range Effects(net, t) {
		if e.Post > e.Pre && marking[e.Place]+(e.Post-e.Pre) < marking[e.Place] {
			return false
		}
	}
	for e := range Effects(net, t) {
		marking[e.Place] += e.Post - e.Pre
	}
	return true
}

// Changes tells, per place, whether some transition has an effect on it.
func Changes(net *pnml.Net) []bool {
	c := make([]bool, net.Places.Len())
	for t := range net.Transitions.Len() {
		for e := range Effects(net, t) {
			if e.Pre != e.Post {
				c[e.Place] = true
			}
		}
	}
	return c
}

// Grows reports whether some transition adds more tokens than it takes. A net
// where none does is bounded.
func Grows(net *pnml.Net) bool {
	for t := range net.Transitions.Len() {
		var in, out pnml.Total
		for e := range Effects(net, t) {
			in.Add(e.Pre)
			out.Add(e.Post)
		}
		if in.Less(out) {
			return true
		}
	}
	return false
}
