package symbolic

import (
	"fmt"

	"podium/examinations/formula"
	"podium/internal/tools/engine"
)

// holds tells whether a formula without free path operators, a CTL formula,
// holds in the initial marking. Every reachable marking can be reached from
// there, so EF and AG under boolean connectives only need no fixpoint.
func (s *space) holds(f formula.Formula) (bool, error) {
	switch f := f.(type) {
	case *formula.Not:
		b, err := s.holds(f.F)
		return !b, err
	case *formula.And:
		return s.holdAll(f.Fs, true)
	case *formula.Or:
		return s.holdAll(f.Fs, false)
	case *formula.ExistsPath:
		if g, ok := f.F.(*formula.Finally); ok {
			set, err := s.satisfying(g.F)
			return set != none, err
		}
	case *formula.AllPaths:
		if g, ok := f.F.(*formula.Globally); ok {
			set, err := s.satisfying(g.F)
			return set == s.states, err
		}
	}
	set, err := s.satisfying(f)
	return s.and(set, s.initial) != none, err
}

// holdAll tells whether all (or, with all false, any) of the formulas hold.
func (s *space) holdAll(fs []formula.Formula, all bool) (bool, error) {
	for _, f := range fs {
		if b, err := s.holds(f); err != nil || b != all {
			return b, err
		}
	}
	return all, nil
}

// satisfying is the set of reachable markings in which a CTL formula holds, on
// maximal paths: a path may end in a dead marking, and only there.
func (s *space) satisfying(f formula.Formula) (node, error) {
	switch f := f.(type) {
	case *formula.Constant:
		if f.Value {
			return s.states, nil
		}
		return none, nil
	case *formula.Deadlock:
		return s.deadMarkings(), nil
	case *formula.Fireable:
		return s.anyFireable(f.Transitions)
	case *formula.LessEqual:
		sum, err := engine.Compared(s.view, f)
		if err != nil {
			return none, err
		}
		set, err := s.atMostZero(sum)
		return s.and(set, s.states), err
	case *formula.Not:
		set, err := s.satisfying(f.F)
		return s.diff(s.states, set), err
	case *formula.And:
		set := s.states
		for _, g := range f.Fs {
			operand, err := s.satisfying(g)
			if err != nil {
				return none, err
			}
			set = s.and(set, operand)
		}
		return set, nil
	case *formula.Or:
		set := none
		for _, g := range f.Fs {
			operand, err := s.satisfying(g)
			if err != nil {
				return none, err
			}
			set = s.or(set, operand)
		}
		return set, nil
	case *formula.ExistsPath:
		return s.somePath(f.F)
	case *formula.AllPaths:
		return s.allPaths(f.F)
	}
	return none, fmt.Errorf("%T stands where no CTL formula has it", f)
}

func (s *space) anyFireable(ids []string) (node, error) {
	transitions, err := s.view.TransitionsOf(ids)
	set := none
	for _, t := range transitions {
		set = s.or(set, s.fireable(t))
	}
	return set, err
}

// somePath is the set of E path.
func (s *space) somePath(path formula.Formula) (node, error) {
	switch p := path.(type) {
	case *formula.Next:
		set, err := s.satisfying(p.F)
		return s.before.image(set, s.states), err
	case *formula.Finally:
		set, err := s.satisfying(p.F)
		return s.reaching(set, s.states), err
	case *formula.Globally:
		set, err := s.satisfying(p.F)
		return s.staying(set), err
	case *formula.Until:
		before, err := s.satisfying(p.Before)
		if err != nil {
			return none, err
		}
		reach, err := s.satisfying(p.Reach)
		return s.reaching(reach, s.or(before, reach)), err
	}
	return none, fmt.Errorf("operator E is followed by %T", path)
}

// allPaths is the set of A path, by the dual path formula.
func (s *space) allPaths(path formula.Formula) (node, error) {
	switch p := path.(type) {
	case *formula.Next: // no EX not f; true in a dead marking
		set, err := s.satisfying(p.F)
		return s.diff(s.states, s.before.image(s.diff(s.states, set), s.states)), err
	case *formula.Finally: // no EG not f
		set, err := s.satisfying(p.F)
		return s.diff(s.states, s.staying(s.diff(s.states, set))), err
	case *formula.Globally: // no EF not f
		set, err := s.satisfying(p.F)
		return s.diff(s.states, s.reaching(s.diff(s.states, set), s.states)), err
	case *formula.Until: // neither E (not g) U (not f and not g) nor EG not g
		before, err := s.satisfying(p.Before)
		if err != nil {
			return none, err
		}
		reach, err := s.satisfying(p.Reach)
		if err != nil {
			return none, err
		}
		without := s.diff(s.states, reach)
		failed := s.reaching(s.diff(without, before), without)
		return s.diff(s.states, s.or(failed, s.staying(without))), nil
	}
	return none, fmt.Errorf("operator A is followed by %T", path)
}

// reaching is the set of markings from which target is reached inside bound,
// which holds target.
func (s *space) reaching(target, bound node) node {
	return s.back.closure(target, bound)
}

// staying is the set EG set: the greatest part of it in which every marking is
// dead or has a successor in the part.
func (s *space) staying(set node) node {
	ends := s.and(set, s.deadMarkings())
	for current := set; ; {
		next := s.or(ends, s.before.image(current, current))
		if next == current {
			return current
		}
		current = next
	}
}
