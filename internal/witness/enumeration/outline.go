package enumeration

import (
	"podium/examinations/formula"
	"podium/internal/clock"
)

// outline is what is known of the markings on all paths of a net: of the first one all atoms,
// and of all markings some atoms that never hold together.
type outline struct {
	known    [2]literals // in the first marking, and in all others
	atoms    map[string]int
	numbers  []int // by atom, of the state formula in the formula, the first of equal ones; -1 of a constant
	next     int   // number of the next state formula
	first    func(f formula.Formula) bool
	apart    func(holds, fails []int) bool
	answered map[literals]bool
}

// Outline decides a formula of LTL, where that is possible, by what is known of all paths:
// initially reports whether a state formula holds in the first marking, and apart whether no
// reachable marking satisfies some state formulas and violates some others. These are named by
// their numbers, in the order in which they stand in the formula, from 0.
func Outline(c *clock.Clock, f formula.Formula, initially func(formula.Formula) bool, apart func(holds, fails []int) bool) (value, known bool) {
	next := 0
	t := Known(f, func(f formula.Formula) (Truth, bool) {
		from := next
		if formula.IsState(f) {
			next++
			return TruthOf(initially(f)), true
		}
		_, all := f.(*formula.AllPaths)
		if _, some := f.(*formula.ExistsPath); !all && !some {
			return Unknown, false
		}
		path := formula.Operands(f)[0]
		next += len(formula.States(path))
		o := &outline{atoms: map[string]int{}, next: from, first: initially, apart: apart, answered: map[literals]bool{}}
		p := &product{Graph: &Graph{clock: c}, outline: o, known: map[string]int{}, ways: map[choice][]way{}, index: map[node]int32{}}
		if found, err := p.accepts(path, all); err == nil && !found {
			return TruthOf(all), true
		}
		return Unknown, true
	})
	return t == Yes, t != Unknown
}

// atomOf returns the number of the atom of a state formula, which stands next in the formula,
// or of a constant that does not stand in it.
func (p *product) atomOf(f formula.Formula) (int, error) {
	o := p.outline
	constant, _ := f.(*formula.Constant)
	number := o.next
	if constant == nil || constant != everywhere && constant != nowhere {
		o.next++
	}
	key := formula.Print(f)
	if k, met := o.atoms[key]; met {
		return k, nil
	}
	k := len(o.numbers)
	if k == maxAtoms {
		return 0, errLarge
	}
	set := func(known *literals, value bool) {
		if value {
			known.holds |= 1 << k
		} else {
			known.fails |= 1 << k
		}
	}
	if constant != nil {
		set(&o.known[0], constant.Value)
		set(&o.known[1], constant.Value)
		number = -1
	} else {
		set(&o.known[0], o.first(f))
	}
	o.atoms[key], o.numbers = k, append(o.numbers, number)
	return k, nil
}

// impossible reports whether no reachable marking has all of some literals.
func (o *outline) impossible(now literals) bool {
	if now == o.known[0] {
		return false // the first marking has them
	}
	answer, asked := o.answered[now]
	if !asked {
		var holds, fails []int
		for k, number := range o.numbers {
			switch {
			case number < 0:
			case now.holds>>k&1 == 1:
				holds = append(holds, number)
			case now.fails>>k&1 == 1:
				fails = append(fails, number)
			}
		}
		answer = o.apart(holds, fails)
		o.answered[now] = answer
	}
	return answer
}
