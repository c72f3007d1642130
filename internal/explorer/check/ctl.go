package check

import (
	"errors"

	"podium/internal/explorer/memory"
	"podium/internal/explorer/space"
	"podium/internal/explorer/state"
	"podium/internal/explorer/temporal"
)

// label is the set of markings where a formula holds. On a complete space low
// and high are one set. Else low is what is proved to hold, and what is not in
// high is proved not to hold: of a marking of the frontier, only what it says
// by itself is known.
type label struct{ low, high []uint64 }

// Labels computes the markings of a space where CTL formulas hold. The sets are taken
// from the budget of the space; every method uses up the labels that it is given.
type Labels struct {
	s     *space.Space
	back  *space.Reverse
	n     uint32
	atoms []state.Formula // of the formula that is decided
}

var errNoMemory = errors.New("the labels do not fit the memory")

// NewLabels makes the table of predecessors. Its error says that the budget of the
// space has no room for it. The caller closes the labels.
func NewLabels(s *space.Space) (*Labels, error) {
	l := &Labels{s: s, n: uint32(s.States())}
	if l.back = s.Predecessors(); l.back == nil {
		return nil, errNoMemory
	}
	return l, nil
}

// Close gives the memory back.
func (l *Labels) Close() { l.back.Close() }

// Decide reports whether the initial marking satisfies a formula, whose atoms have the
// numbers that they have in the list. known is false when the
// markings found so far do not tell. The error says that memory is short.
func (l *Labels) Decide(f temporal.CTL, atoms []state.Formula) (holds, known bool, err error) {
	l.atoms = atoms
	set, err := l.labelOf(f)
	if err != nil {
		return false, false, err
	}
	low, high := memory.Has(set.low, 0), memory.Has(set.high, 0)
	l.free(set)
	return low, low == high, nil
}

func (l *Labels) partial() bool { return l.s.Expanded() < l.n }

func (l *Labels) labelOf(f temporal.CTL) (label, error) {
	l.s.Clock.Look()
	switch f := f.(type) {
	case temporal.Atom:
		return l.atom(l.formula(f))
	case temporal.Not:
		set, err := l.labelOf(f.F)
		if err != nil {
			return label{}, err
		}
		return l.not(set), nil
	case temporal.And:
		return l.join(f.Fs, func(a, b uint64) uint64 { return a & b })
	case temporal.Or:
		return l.join(f.Fs, func(a, b uint64) uint64 { return a | b })
	case temporal.EX:
		return l.unary(f.F, l.next)
	case temporal.EG:
		return l.unary(f.F, l.always)
	}
	return l.until(f.(temporal.EU))
}

// set returns an empty set.
func (l *Labels) set() ([]uint64, error) {
	set := memory.Allocate[uint64](l.s.Budget(), int(l.n/64)+1)
	if set == nil {
		return nil, errNoMemory
	}
	return set, nil
}

func (l *Labels) free(a label) {
	memory.Release(l.s.Budget(), a.low)
	if &a.low[0] != &a.high[0] {
		memory.Release(l.s.Budget(), a.high)
	}
}

// formula is the state formula that an atom stands for.
func (l *Labels) formula(a temporal.Atom) state.Formula {
	if a < 0 {
		return state.Truth(a == temporal.True)
	}
	return l.atoms[a]
}

// atom labels the markings where a state formula holds.
func (l *Labels) atom(f state.Formula) (label, error) {
	set, err := l.set()
	if err != nil {
		return label{}, err
	}
	for i := range l.n {
		l.s.Clock.Work(1)
		if f.Holds(&l.s.View, l.s.At(i)) {
			memory.Put(set, i)
		}
	}
	return label{set, set}, nil
}

// not turns a label round: what surely does not hold is what may not hold.
func (l *Labels) not(a label) label {
	l.complement(a.low)
	if &a.low[0] != &a.high[0] {
		l.complement(a.high)
	}
	return label{a.high, a.low}
}

func (l *Labels) complement(set []uint64) {
	for w := range set {
		set[w] = ^set[w]
	}
	set[l.n/64] &= 1<<(l.n%64) - 1
}

func (l *Labels) join(fs []temporal.CTL, op func(a, b uint64) uint64) (label, error) {
	all, err := l.labelOf(fs[0])
	if err != nil {
		return label{}, err
	}
	for _, f := range fs[1:] {
		set, err := l.labelOf(f)
		if err == nil {
			all, err = l.combine(all, set, op)
		}
		if err != nil {
			l.free(all)
			return label{}, err
		}
	}
	return all, nil
}

// combine joins b to a and frees b.
func (l *Labels) combine(a, b label, op func(a, b uint64) uint64) (label, error) {
	defer l.free(b)
	exact := &a.low[0] == &a.high[0]
	if exact && &b.low[0] != &b.high[0] {
		high, err := l.set()
		if err != nil {
			return a, err
		}
		copy(high, a.low)
		a.high, exact = high, false
	}
	for w := range a.low {
		a.low[w] = op(a.low[w], b.low[w])
		if !exact {
			a.high[w] = op(a.high[w], b.high[w])
		}
	}
	return a, nil
}

// unary applies an operator to both bounds of a label.
func (l *Labels) unary(f temporal.CTL, op func(set []uint64, high bool) ([]uint64, error)) (label, error) {
	a, err := l.labelOf(f)
	if err != nil {
		return label{}, err
	}
	defer l.free(a)
	low, err := op(a.low, false)
	if err != nil {
		return label{}, err
	}
	if !l.partial() {
		return label{low, low}, nil
	}
	high, err := op(a.high, true)
	if err != nil {
		memory.Release(l.s.Budget(), low)
		return label{}, err
	}
	return label{low, high}, nil
}

// next returns the markings with a successor in the set; as an upper bound, all
// of the frontier too.
func (l *Labels) next(set []uint64, high bool) ([]uint64, error) {
	result, err := l.set()
	if err != nil {
		return nil, err
	}
	for i := range l.n {
		if !memory.Has(set, i) {
			continue
		}
		row := l.back.Of(i)
		l.s.Clock.Work(1 + len(row))
		for _, j := range row {
			memory.Put(result, j)
		}
	}
	if high {
		for i := l.s.Expanded(); i < l.n; i++ {
			memory.Put(result, i)
		}
	}
	return result, nil
}

// until labels E (f U g) backwards from g. As an upper bound, a marking of the
// frontier with f may lead to g.
func (l *Labels) until(f temporal.EU) (label, error) {
	before, err := l.labelOf(f.F)
	if err != nil {
		return label{}, err
	}
	defer l.free(before)
	return l.unary(f.G, func(reach []uint64, high bool) ([]uint64, error) {
		way := before.low
		if high {
			way = before.high
		}
		return l.backward(false, func(i uint32) bool {
			return memory.Has(reach, i) || high && i >= l.s.Expanded() && memory.Has(way, i)
		}, func(i uint32) bool { return memory.Has(way, i) })
	})
}

// always labels EG f: markings that have no successor in the label are taken away
// until none is left, but dead ones stay. As a lower bound the frontier is
// taken away first, as an upper bound it stays.
func (l *Labels) always(set []uint64, high bool) ([]uint64, error) {
	result, err := l.backward(true, func(i uint32) bool {
		return !memory.Has(set, i) || !high && i >= l.s.Expanded()
	}, nil)
	if err == nil {
		l.complement(result)
	}
	return result, err
}

// backward returns the least set with the seeds that has with a marking its predecessors; with
// every only those all of whose successors are in it. Only those that may be added are; nil may be all.
func (l *Labels) backward(every bool, seed, may func(i uint32) bool) ([]uint64, error) {
	result, err := l.set()
	if err != nil {
		return nil, err
	}
	work := memory.NewStack[uint32](l.s.Budget())
	defer work.Close()
	var left []uint32 // successors outside of the result
	if every {
		left = memory.Allocate[uint32](l.s.Budget(), int(l.n))
		defer func() { memory.Release(l.s.Budget(), left) }()
		for i := range min(l.s.Expanded(), uint32(len(left))) {
			l.s.Clock.Work(1)
			left[i] = uint32(l.s.Degree(i))
		}
	}
	ok := !every || left != nil
	add := func(i uint32) {
		memory.Put(result, i)
		ok = work.Push(i)
	}
	for i := uint32(0); ok && i < l.n; i++ {
		if !memory.Has(result, i) && seed(i) {
			add(i)
		}
		for ok && work.Len() > 0 {
			row := l.back.Of(work.Pop())
			l.s.Clock.Work(1 + len(row))
			for _, j := range row {
				if !ok || memory.Has(result, j) || may != nil && !may(j) {
					continue
				}
				if every {
					left[j]--
				}
				if !every || left[j] == 0 {
					add(j)
				}
			}
		}
	}
	if !ok {
		memory.Release(l.s.Budget(), result)
		return nil, errNoMemory
	}
	return result, nil
}
