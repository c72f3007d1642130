package enumeration

import "podium/examinations/formula"

// initially reports whether a CTL formula holds in the initial marking.
func (g *Graph) initially(f formula.Formula) (bool, error) {
	set, err := g.Sat(f)
	if err != nil {
		return false, err
	}
	return set[0], nil
}

// Sat returns the markings where a CTL formula holds.
func (g *Graph) Sat(f formula.Formula) ([]bool, error) {
	g.clock.Work(len(g.markings))
	switch f := f.(type) {
	case *formula.ExistsPath:
		return g.onPaths(f.F, false)
	case *formula.AllPaths:
		return g.onPaths(f.F, true)
	case *formula.Not:
		return not(g.Sat(f.F))
	case *formula.And:
		return g.join(f.Fs, true)
	case *formula.Or:
		return g.join(f.Fs, false)
	case *formula.Deadlock:
		return g.dead(), nil
	case *formula.Constant:
		return g.all(f.Value), nil
	case *formula.Fireable:
		return g.fireable(f)
	case *formula.LessEqual:
		return g.lessEqual(f)
	}
	return nil, errKind
}

func (g *Graph) all(value bool) []bool {
	out := make([]bool, len(g.markings))
	for i := range out {
		out[i] = value
	}
	return out
}

func not(set []bool, err error) ([]bool, error) {
	for i := range set {
		set[i] = !set[i]
	}
	return set, err
}

// join is the conjunction of formulas, or their disjunction.
func (g *Graph) join(list []formula.Formula, every bool) ([]bool, error) {
	out := g.all(every)
	for _, f := range list {
		set, err := g.Sat(f)
		if err != nil {
			return nil, err
		}
		for i := range out {
			if every {
				out[i] = out[i] && set[i]
			} else {
				out[i] = out[i] || set[i]
			}
		}
	}
	return out, nil
}

// onPaths is a temporal operator on all paths, or on some. A dead marking ends a path.
func (g *Graph) onPaths(op formula.Formula, all bool) ([]bool, error) {
	switch op := op.(type) {
	case *formula.Next:
		set, err := g.Sat(op.F)
		if err != nil {
			return nil, err
		}
		return g.step(set, all), nil
	case *formula.Finally:
		set, err := g.Sat(op.F)
		if err != nil {
			return nil, err
		}
		return g.until(g.all(true), set, all), nil
	case *formula.Globally: // A G f is not E F not f, E G f is not A F not f
		set, err := not(g.Sat(op.F))
		if err != nil {
			return nil, err
		}
		return not(g.until(g.all(true), set, !all), nil)
	case *formula.Until:
		before, err := g.Sat(op.Before)
		if err != nil {
			return nil, err
		}
		reach, err := g.Sat(op.Reach)
		if err != nil {
			return nil, err
		}
		return g.until(before, reach, all), nil
	}
	return nil, errKind
}

// step returns the markings all of whose successors, or one of them, are in a set.
func (g *Graph) step(set []bool, all bool) []bool {
	out := g.all(all)
	g.clock.Work(len(g.next))
	for i := range out {
		for _, j := range g.after(int32(i)) {
			if set[j] != all {
				out[i] = !all
			}
		}
	}
	return out
}

// until returns the least set that holds reach, and those of before that have a successor
// in it, or with all at least one successor and every one in it.
func (g *Graph) until(before, reach []bool, all bool) []bool {
	g.clock.Work(len(g.next) + len(g.markings))
	out := make([]bool, len(g.markings))
	missing := make([]int, len(g.markings)) // successors that have to join first
	var fresh []int32
	for i := range out {
		missing[i] = 1
		if all {
			missing[i] = len(g.after(int32(i)))
		}
		if reach[i] {
			out[i] = true
			fresh = append(fresh, int32(i))
		}
	}
	for len(fresh) > 0 {
		j := fresh[len(fresh)-1]
		fresh = fresh[:len(fresh)-1]
		for _, i := range g.toward(j) {
			if missing[i]--; missing[i] <= 0 && before[i] && !out[i] {
				out[i] = true
				fresh = append(fresh, i)
			}
		}
	}
	return out
}

// fireable returns the markings where one of some transitions is enabled.
func (g *Graph) fireable(f *formula.Fireable) ([]bool, error) {
	list, err := g.view.TransitionsOf(f.Transitions)
	if err != nil {
		return nil, err
	}
	out := make([]bool, len(g.markings))
	g.each(8*len(list), func(i int, m []uint64) {
		for _, t := range list {
			out[i] = out[i] || Enabled(g.net, int(t), m)
		}
	})
	return out, nil
}

// lessEqual returns the markings where a comparison holds: its right side is not below its
// left side.
func (g *Graph) lessEqual(f *formula.LessEqual) ([]bool, error) {
	left, right, err := f.Sides(g.view.PlacesOf)
	out := make([]bool, len(g.markings))
	g.each(1+len(left.Places)+len(right.Places), func(i int, m []uint64) { out[i] = !right.In(m).Less(left.In(m)) })
	return out, err
}
