package forecast

import (
	"math"

	"podium/internal/campaign"
)

// limits are those of time of a run, microseconds; 0 does not limit.
type limits struct {
	cpu, wall int64
	cores     int
}

func limitsOf(c campaign.Confinement) limits {
	return limits{min(max(0, c.CPUTime), mostTime), min(max(0, c.WallTime), mostTime), max(1, c.Cores)}
}

// time is the limit that people speak of: that of CPU time, or else of wall time.
func (l limits) time() int64 {
	if l.cpu > 0 {
		return l.cpu
	}
	return l.wall
}

// with returns the limits with another limit of CPU time, or, where there is none, of
// wall time. Where both limit, the wall time changes by as much.
func (l limits) with(time int64) limits {
	switch {
	case l.cpu > 0 && l.wall > 0:
		l.wall = max(1, l.wall+time-l.cpu)
		l.cpu = time
	case l.cpu > 0:
		l.cpu = time
	default:
		l.wall = time
	}
	return l
}

// most is what a run can take under the limits; false where nothing limits it.
func (l limits) most() (c cost, ok bool) {
	c = cost{cpu: l.cpu, wall: l.wall}
	if c.wall == 0 {
		c.wall = l.cpu
	}
	if c.cpu == 0 {
		c.cpu = min(mostTime, l.wall*int64(min(l.cores, 1<<16)))
	}
	return c, c.wall > 0
}

// cost is what a run takes and gives.
type cost struct {
	cpu, wall int64 // microseconds
	answers   int
}

// under is what the run would have taken under the limits: it is cut where it took
// longer, and then has the answers that it gave before, none if nobody knows when it
// gave them. A run that was out of time is out of time again.
func (t *Taken) under(l limits) cost {
	part := math.Inf(1) // of what it took
	if l.cpu > 0 && t.CPU > 0 {
		part = float64(l.cpu) / float64(t.CPU)
	}
	if l.wall > 0 && t.Wall > 0 {
		part = min(part, float64(l.wall)/float64(t.Wall))
	}
	if !t.OutOfTime || math.IsInf(part, 1) {
		part = min(part, 1)
	}
	scaled := func(time int64) int64 { return int64(math.Round(min(mostTime, part*float64(time)))) }
	c := cost{scaled(t.CPU), scaled(t.Wall), t.Answers}
	if part < 1 {
		c.answers = 0
		for _, at := range t.At {
			if at <= c.wall {
				c.answers++
			}
		}
	}
	return c
}
