package placement

// mostChanges bounds the changes of a placement after its first form.
const mostChanges = 1000

// change moves a unit to a host, or exchanges it for one that is there.
type change struct {
	unit, to int
	back     int // the unit that comes back; -1: none
	end      int64
}

// refine moves and exchanges units of the host that ends last until nothing helps
// or the bound is reached.
func (p *Placement) refine() {
	bound := Bound(p.Hosts, p.Units)
	for range mostChanges {
		last := p.last()
		if p.ends(last, 0) <= bound {
			return
		}
		best := p.bestChange(last)
		if best.unit < 0 {
			return
		}
		p.take(best.unit)
		if best.back >= 0 {
			p.take(best.back)
			p.put(best.back, last)
		}
		p.put(best.unit, best.to)
	}
}

// last is the host that ends last.
func (p *Placement) last() int {
	last := 0
	for h := range p.Hosts {
		if p.ends(h, 0) > p.ends(last, 0) {
			last = h
		}
	}
	return last
}

// bestChange is the change after which the later of the two hosts ends first; its
// unit is -1 when none helps.
func (p *Placement) bestChange(last int) change {
	best := change{unit: -1, end: p.ends(last, 0)}
	for _, u := range p.Queue[last] {
		if p.Units[u].Host != "" {
			continue
		}
		for h := range p.Hosts {
			if h == last || !p.allows(u, h) || p.ends(h, 0) >= best.end {
				continue
			}
			if end := max(p.ends(last, -p.work[u]), p.ends(h, p.work[u])); end < best.end {
				best = change{u, h, -1, end}
			}
			best = p.bestExchange(best, u, last, h)
		}
	}
	return best
}

// bestExchange looks for a smaller unit that the host h would give back for u.
func (p *Placement) bestExchange(best change, u, last, h int) change {
	for _, v := range p.Queue[h] {
		less := p.work[u] - p.work[v]
		if less <= 0 || p.Units[v].Host != "" || !p.allows(v, last) {
			continue
		}
		if end := max(p.ends(last, -less), p.ends(h, less)); end < best.end {
			best = change{u, h, v, end}
		}
	}
	return best
}
