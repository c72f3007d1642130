package walk

import (
	"errors"

	"podium/examinations/formula"
	"podium/internal/witness"
)

// truth is one of three values.
type truth int8

const (
	unknown truth = iota
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unknown
}

// question is what remains of a formula for the initial marking: a truth value,
// a goal whose reaching shows EF, or connectives of such.
type question struct {
	kind     kind // constant, negation, conjunction, disjunction, or reaching
	value    truth
	goal     int
	operands []*question
}

// reaching is the kind of a question that a reached goal answers with yes.
const reaching kind = 255

// ask makes a question of a state formula. What walks cannot show becomes
// unknown.
func (w *walker) ask(f formula.Formula) (*question, error) {
	p, err := w.compile(f)
	switch {
	case err == nil:
		return &question{kind: constant, value: truthOf(p.holds(&w.position))}, nil
	case errors.Is(err, errOutOfRange):
		return &question{kind: constant}, nil
	case !errors.Is(err, errTemporal):
		return nil, err
	}
	switch f := f.(type) {
	case *formula.Not:
		return w.askAll(negation, []formula.Formula{f.F})
	case *formula.And:
		return w.askAll(conjunction, f.Fs)
	case *formula.Or:
		return w.askAll(disjunction, f.Fs)
	case *formula.ExistsPath:
		if path, ok := f.F.(*formula.Finally); ok {
			return w.askReach(path.F)
		}
	case *formula.AllPaths:
		if path, ok := f.F.(*formula.Globally); ok {
			q, err := w.askReach(&formula.Not{F: path.F})
			return &question{kind: negation, operands: []*question{q}}, err
		}
	}
	return &question{kind: constant}, nil
}

func (w *walker) askAll(k kind, fs []formula.Formula) (*question, error) {
	q := &question{kind: k}
	for _, f := range fs {
		operand, err := w.ask(f)
		if err != nil {
			return nil, err
		}
		q.operands = append(q.operands, operand)
	}
	return q, nil
}

// askReach asks for EF f.
func (w *walker) askReach(f formula.Formula) (*question, error) {
	p, err := w.compile(f)
	switch {
	case errors.Is(err, errOutOfRange) || errors.Is(err, errTemporal):
		return &question{kind: constant}, nil
	case err != nil:
		return nil, err
	}
	w.goals = append(w.goals, goal{predicate: p})
	return &question{kind: reaching, goal: len(w.goals) - 1}, nil
}

// answer is what is known so far.
func (q *question) answer(goals []goal) truth {
	switch q.kind {
	case constant:
		return q.value
	case reaching:
		if goals[q.goal].reached {
			return yes
		}
		return unknown
	case negation:
		return q.operands[0].answer(goals).not()
	}
	deciding, all := no, yes
	if q.kind == disjunction {
		deciding, all = yes, no
	}
	for _, o := range q.operands {
		switch a := o.answer(goals); a {
		case deciding:
			return deciding
		case unknown:
			all = unknown
		}
	}
	return all
}

// hopeful reports whether walks can still bring an answer.
func (q *question) hopeful(goals []goal) bool {
	if q.kind == reaching {
		return !goals[q.goal].reached
	}
	for _, o := range q.operands {
		if o.hopeful(goals) {
			return true
		}
	}
	return false
}

// drop marks the goals of a question that needs no answer any more.
func (q *question) drop(goals []goal) {
	if q.kind == reaching {
		goals[q.goal].dropped = true
	}
	for _, o := range q.operands {
		o.drop(goals)
	}
}

// reached adds the walks that reached the goals of a question.
func (q *question) reached(goals []goal, runs []witness.Path) []witness.Path {
	if q.kind == reaching && goals[q.goal].reached {
		runs = append(runs, witness.Finite(goals[q.goal].trace))
	}
	for _, o := range q.operands {
		runs = o.reached(goals, runs)
	}
	return runs
}
