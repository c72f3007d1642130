package state

import "podium/internal/explorer/reduce"

// Observe notes in a question the places that a formula counts: those of which more tokens, and those
// of which fewer, help to make it true. It reports whether the formula asks for dead markings.
func (l *Lookup) Observe(q *reduce.Question, f Formula) (dead bool) {
	return l.observe(q.Up, q.Down, f)
}

func (l *Lookup) observe(up, down []bool, f Formula) (dead bool) {
	each := func(fs []Formula) {
		for _, g := range fs {
			dead = l.observe(up, down, g) || dead
		}
	}
	mark := func(set []bool, places []uint32) {
		l.Clock.Work(1 + len(places))
		for _, p := range places {
			set[p] = true
		}
	}
	switch f := f.(type) {
	case Not:
		return l.observe(down, up, f.F)
	case And:
		each(f)
	case Or:
		each(f)
	case Fireable:
		for _, t := range f {
			places, _ := l.View.Net.Pre.Row(int(t))
			mark(up, places)
		}
	case *AtMost:
		mark(down, f.Left.Places)
		mark(up, f.Right.Places)
	case Dead:
		dead = true
	}
	return dead
}
