package walk

import (
	"errors"
	"math"
	"math/big"
	"slices"

	"podium/examinations/formula"
	"podium/internal/tools/engine"
)

// kind is the kind of a predicate.
type kind uint8

const (
	constant kind = iota
	atMostZero
	fireable
	deadlock
	negation
	conjunction
	disjunction
)

// predicate is a formula without path quantifiers, compiled for a game.
type predicate struct {
	kind        kind
	value       bool // constant
	form        int  // atMostZero
	transitions []uint32
	operands    []*predicate
}

// errOutOfRange says that a number of a formula does not fit the game.
var errOutOfRange = errors.New("a number is out of range")

// errTemporal says that a formula has path quantifiers.
var errTemporal = errors.New("the formula is no predicate on markings")

// compile makes a predicate of a formula; its forms are added to the game.
func (g *game) compile(f formula.Formula) (*predicate, error) {
	switch f := f.(type) {
	case *formula.Constant:
		return &predicate{kind: constant, value: f.Value}, nil
	case *formula.Deadlock:
		return &predicate{kind: deadlock}, nil
	case *formula.Fireable:
		transitions, err := g.view.TransitionsOf(f.Transitions)
		return &predicate{kind: fireable, transitions: transitions}, err
	case *formula.LessEqual:
		sum, err := engine.Compared(g.view, f)
		if err != nil {
			return nil, err
		}
		form, err := g.addForm(sum)
		return &predicate{kind: atMostZero, form: form}, err
	case *formula.Not:
		return g.compileAll(negation, []formula.Formula{f.F})
	case *formula.And:
		return g.compileAll(conjunction, f.Fs)
	case *formula.Or:
		return g.compileAll(disjunction, f.Fs)
	}
	return nil, errTemporal
}

func (g *game) compileAll(k kind, fs []formula.Formula) (*predicate, error) {
	p := &predicate{kind: k}
	for _, f := range fs {
		operand, err := g.compile(f)
		if err != nil {
			return nil, err
		}
		p.operands = append(p.operands, operand)
	}
	return p, nil
}

// addForm adds a form to the game, which must stand at the initial marking.
func (g *game) addForm(s engine.Linear) (int, error) {
	value := new(big.Int).Set(s.Constant)
	term := new(big.Int)
	for p, w := range s.Weights {
		term.SetUint64(g.tokens[p])
		value.Add(value, term.Mul(term, big.NewInt(w)))
	}
	if !value.IsInt64() || !s.Constant.IsInt64() {
		return 0, errOutOfRange
	}
	form := len(g.forms)
	shifts := map[int]int64{}
	for t := range g.changes {
		total := new(big.Int)
		for _, c := range g.changes[t] {
			w := s.Weights[c.place]
			if w == 0 {
				continue
			}
			if c.down {
				w = -w
			}
			term.SetUint64(c.amount)
			total.Add(total, term.Mul(term, big.NewInt(w)))
		}
		switch {
		case !total.IsInt64() || total.Int64() == math.MinInt64:
			return 0, errOutOfRange
		case total.Sign() != 0:
			shifts[t] = total.Int64()
		}
	}
	for t, add := range shifts {
		g.shifts[t] = append(g.shifts[t], shift{uint32(form), add})
	}
	g.sums = append(g.sums, s)
	g.start.forms = append(g.start.forms, value.Int64())
	g.forms = append(g.forms, value.Int64())
	return form, nil
}

// recompute finds the values of the forms in a marking that was not reached by
// firing, and returns false when one does not fit.
func (g *game) recompute() bool {
	for i, s := range g.sums {
		value := s.Constant.Int64()
		for p, w := range s.Weights {
			if w == 0 {
				continue
			}
			if g.tokens[p] > uint64(math.MaxInt64/max(w, -w)) {
				return false
			}
			add := int64(g.tokens[p]) * w
			sum := value + add
			if add != 0 && (sum > value) != (add > 0) {
				return false
			}
			value = sum
		}
		g.forms[i] = value
	}
	return true
}

// holds reports whether the predicate holds in the position.
func (p *predicate) holds(at *position) bool {
	switch p.kind {
	case constant:
		return p.value
	case atMostZero:
		return at.forms[p.form] <= 0
	case fireable:
		for _, t := range p.transitions {
			if at.lack[t] == 0 {
				return true
			}
		}
		return false
	case deadlock:
		return len(at.enabled) == 0
	case negation:
		return !p.operands[0].holds(at)
	case conjunction:
		for _, q := range p.operands {
			if !q.holds(at) {
				return false
			}
		}
		return true
	}
	for _, q := range p.operands {
		if q.holds(at) {
			return true
		}
	}
	return false
}

// far is the largest distance.
const far = math.MaxInt64 / 4

// distance estimates how far the position is from one in which the predicate
// has the wanted value; 0 when it has it. It guides walks and decides nothing.
func (p *predicate) distance(at *position, want bool) int64 {
	switch p.kind {
	case constant:
		if p.value == want {
			return 0
		}
		return far
	case atMostZero:
		v := at.forms[p.form]
		if want {
			return min(far, max(0, v))
		}
		return min(far, max(0, 1-max(v, -far)))
	case fireable:
		least, on := int64(far), int64(0)
		for _, t := range p.transitions {
			least = min(least, int64(at.lack[t]))
			if at.lack[t] == 0 {
				on++
			}
		}
		if want {
			return least
		}
		return on
	case deadlock:
		if want {
			return int64(len(at.enabled))
		}
		return 0
	case negation:
		return p.operands[0].distance(at, !want)
	}
	if (p.kind == conjunction) == want {
		total := int64(0)
		for _, q := range p.operands {
			total = min(far, total+q.distance(at, want))
		}
		return total
	}
	least := int64(far)
	for _, q := range p.operands {
		least = min(least, q.distance(at, want))
	}
	return least
}

// support marks the transitions whose firing may change the predicate's value.
func (p *predicate) support(g *game, marked []bool) {
	switch p.kind {
	case atMostZero:
		for t := range g.shifts {
			if slices.ContainsFunc(g.shifts[t], func(s shift) bool { return int(s.form) == p.form }) {
				marked[t] = true
			}
		}
	case fireable:
		touched := map[uint32]bool{}
		for _, t := range p.transitions {
			inputs, _ := g.net.Pre.Row(int(t))
			for _, i := range inputs {
				touched[i] = true
			}
		}
		for t := range g.changes {
			if slices.ContainsFunc(g.changes[t], func(c change) bool { return touched[c.place] }) {
				marked[t] = true
			}
		}
	case deadlock:
		for t := range marked {
			marked[t] = true
		}
	}
	for _, q := range p.operands {
		q.support(g, marked)
	}
}
