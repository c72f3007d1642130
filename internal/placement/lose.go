package placement

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Lose returns the placement after a host was lost for good at a time, and the units
// that were moved: all that had not ended there by then, as played says. They are
// done again as a whole, none of their runs there counts (E-5.1), on other hosts of
// their class, behind what these hosts have already.
func (p *Placement) Lose(host string, at int64, played *Played) (after *Placement, moved []int, err error) {
	dead := p.host(host)
	if dead < 0 {
		return nil, nil, fmt.Errorf("there is no host %s", host)
	}
	if len(p.Hosts) == 1 {
		return nil, nil, errors.New("the only host is lost, and nothing is left to run on")
	}
	for u, h := range p.On {
		if h == dead && played.Units[u].End > at {
			moved = append(moved, u)
		}
	}
	after = p.clone()
	after.lost[dead] = true
	for u, h := range p.On {
		if h == dead {
			after.ended[u] = played.Units[u]
		}
	}
	for _, u := range moved {
		delete(after.ended, u)
		after.take(u)
		after.Units[u].Host = ""
		after.Units[u].Class = p.Hosts[dead].Class
		after.from[u] = max(at, p.from[u])
	}
	return after, moved, after.longestFirst(slices.Clone(moved))
}

func (p *Placement) clone() *Placement {
	c := *p
	c.Units, c.On, c.Queue = slices.Clone(p.Units), slices.Clone(p.On), slices.Clone(p.Queue)
	for h := range c.Queue {
		c.Queue[h] = slices.Clone(c.Queue[h])
	}
	c.load, c.from, c.lost = slices.Clone(p.load), slices.Clone(p.from), slices.Clone(p.lost)
	c.class, c.ended = maps.Clone(p.class), maps.Clone(p.ended)
	return &c
}
