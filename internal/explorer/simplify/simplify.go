package simplify

import "podium/examinations/formula"

// CTL returns a formula that is as true as f in every reachable marking. always tells
// whether a formula of one marking holds in all reachable markings (true) or in none
// (false), where that is known.
func CTL(f formula.Formula, always func(f formula.Formula) (value, known bool)) formula.Formula {
	return simplifier{always}.ctl(f)
}

type simplifier struct {
	always func(f formula.Formula) (value, known bool)
}

func (s simplifier) ctl(f formula.Formula) formula.Formula {
	if formula.IsState(f) {
		return s.state(f)
	}
	switch f := f.(type) {
	case *formula.Not:
		return Not(s.ctl(f.F))
	case *formula.And:
		return s.join(f.Fs, true)
	case *formula.Or:
		return s.join(f.Fs, false)
	case *formula.ExistsPath:
		switch path := f.F.(type) {
		case *formula.Next:
			return s.again(someNext(s.ctl(path.F)))
		case *formula.Finally:
			return someMeet(s.ctl(path.F))
		case *formula.Globally:
			return someStay(s.ctl(path.F))
		case *formula.Until:
			return until(s.ctl(path.Before), s.ctl(path.Reach), false)
		}
	case *formula.AllPaths:
		switch path := f.F.(type) {
		case *formula.Next:
			return s.again(allNext(s.ctl(path.F)))
		case *formula.Finally:
			return allMeet(s.ctl(path.F))
		case *formula.Globally:
			return allStay(s.ctl(path.F))
		case *formula.Until:
			return until(s.ctl(path.Before), s.ctl(path.Reach), true)
		}
	}
	return f
}

// again looks at a formula of one marking that a law has made.
func (s simplifier) again(f formula.Formula) formula.Formula {
	if formula.IsState(f) {
		return s.state(f)
	}
	return f
}

// join simplifies a conjunction or a disjunction: its formulas of one marking together.
func (s simplifier) join(fs []formula.Formula, conjunction bool) formula.Formula {
	list := make([]formula.Formula, len(fs))
	for i, f := range fs {
		list[i] = s.ctl(f)
	}
	var all []formula.Formula
	for _, f := range list {
		all = append(all, operands(f, conjunction)...)
	}
	markings, rest := apart(all, formula.IsState)
	if len(markings) > 0 {
		rest = append([]formula.Formula{s.again(join(markings, conjunction))}, rest...)
	}
	return join(rest, conjunction)
}

// state simplifies a formula of one marking.
func (s simplifier) state(f formula.Formula) formula.Formula {
	if value, known := s.always(f); known {
		return constant(value)
	}
	switch f := f.(type) {
	case *formula.Constant:
		return constant(f.Value)
	case *formula.Not:
		return Not(s.state(f.F))
	case *formula.And:
		return and(s.states(f.Fs))
	case *formula.Or:
		return or(s.states(f.Fs))
	}
	return f
}

func (s simplifier) states(fs []formula.Formula) []formula.Formula {
	list := make([]formula.Formula, len(fs))
	for i, f := range fs {
		list[i] = s.state(f)
	}
	return list
}

// Marking is what is known of the initial marking.
type Marking struct {
	// Holds reports whether a formula of one marking holds in it, where that is known.
	Holds func(f formula.Formula) (value, known bool)
	// Reaches reports whether a marking with a formula of one marking is reached from it; false
	// says nothing.
	Reaches func(f formula.Formula) bool
}

// Initially returns a formula that is as true as f in the initial marking. f is as CTL gives
// it.
func (m Marking) Initially(f formula.Formula) formula.Formula {
	if value, known := m.value(f); known {
		return constant(value)
	}
	switch f := f.(type) {
	case *formula.Not:
		return Not(m.Initially(f.F))
	case *formula.And:
		return and(m.each(f.Fs))
	case *formula.Or:
		return or(m.each(f.Fs))
	}
	return f
}

func (m Marking) each(fs []formula.Formula) []formula.Formula {
	list := make([]formula.Formula, len(fs))
	for i, f := range fs {
		list[i] = m.Initially(f)
	}
	return list
}

// value returns the value of a formula in the initial marking, where it is known.
func (m Marking) value(f formula.Formula) (value, known bool) {
	if formula.IsState(f) {
		return m.Holds(f)
	}
	decided := func(f formula.Formula, value bool) bool {
		got, known := m.value(f)
		return known && got == value
	}
	var path formula.Formula
	switch f := f.(type) {
	case *formula.Not:
		value, known = m.value(f.F)
		return !value, known
	case *formula.And:
		return m.joined(f.Fs, true)
	case *formula.Or:
		return m.joined(f.Fs, false)
	case *formula.ExistsPath:
		path = f.F
	case *formula.AllPaths:
		path = f.F
	}
	switch path := path.(type) {
	case *formula.Finally:
		return true, decided(path.F, true) || reachable(f) && formula.IsState(path.F) && m.Reaches(path.F)
	case *formula.Globally:
		return false, decided(path.F, false) || invariant(f) && formula.IsState(path.F) && m.Reaches(Not(path.F))
	case *formula.Until:
		if decided(path.Reach, true) {
			return true, true
		}
		return false, decided(path.Before, false) && decided(path.Reach, false)
	}
	return false, false
}

// joined returns the value of a conjunction or a disjunction.
func (m Marking) joined(fs []formula.Formula, conjunction bool) (value, known bool) {
	known = true
	for _, f := range fs {
		switch got, is := m.value(f); {
		case is && got != conjunction:
			return got, true
		case !is:
			known = false
		}
	}
	return conjunction, known
}
