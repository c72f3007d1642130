package packed

import "podium/internal/clock"

// View is what one needs to look at packed markings.
type View struct {
	Layout  *Layout
	Program *Program
	Clock   *clock.Clock // counts the work; nil when nobody ends it
}

// Tokens is the number of tokens in place p.
func (v *View) Tokens(m []uint64, p uint32) uint64 { return v.Layout.fields[p].of(m) }

// Fireable reports whether transition t is enabled in m.
func (v *View) Fireable(m []uint64, t uint32) bool {
	v.Clock.Work(1)
	a := v.Program.of[t]
	return a >= 0 && v.Program.enabled(&v.Program.actions[a], m)
}

// Dead reports whether no transition is enabled in m.
func (v *View) Dead(m []uint64) bool {
	p := v.Program
	v.Clock.Work(len(p.touches))
	for i := range p.actions {
		if p.enabled(&p.actions[i], m) {
			return false
		}
	}
	return true
}

// AddFireable sets fireable[t] for each transition t that is enabled in m.
func (v *View) AddFireable(m []uint64, fireable []bool) {
	p := v.Program
	v.Clock.Work(len(p.touches) + 1)
	for i := range p.actions {
		if a := &p.actions[i]; !fireable[a.transition] && p.enabled(a, m) {
			fireable[a.transition] = true
		}
	}
}
