package energy

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"
)

// mostWatts bounds what a package uses: a counter is read so often that it cannot begin
// again twice between two readings.
const mostWatts = 1000

// total adds up one counter.
type total struct {
	zone   zone
	last   uint64
	at     time.Time
	used   uint64 // microjoules
	broken string // why it says nothing; empty while it does
}

// rarest is the longest time between two readings.
func (t *total) rarest() time.Duration {
	return time.Duration(t.zone.span/(mostWatts*1_000_000)) * time.Second
}

// read takes the counter once more.
func (t *total) read(m *Meter) {
	if t.broken != "" {
		return
	}
	now := m.now()
	n, err := m.counter(t.zone.path)
	switch name := partNames[t.zone.part]; {
	case errors.Is(err, fs.ErrNotExist):
		t.broken = "the counter of " + name + " has vanished"
	case err != nil:
		t.broken = "the counter of " + name + " cannot be read: " + cause(err)
	case n >= t.last:
		t.used += n - t.last
	case t.zone.span < t.last:
		t.broken = "the counter of " + name + " went back, and its range is not known"
	default:
		t.used += t.zone.span - t.last + n
	}
	if gap := now.Sub(t.at); t.broken == "" && t.zone.span > 0 && gap > t.rarest() {
		t.broken = fmt.Sprintf("the counter of %s was not read for %s, in which it may have begun again", partNames[t.zone.part], gap.Round(time.Second))
	}
	t.last, t.at = n, now
}

// Span is a time over which counters are read.
type Span struct {
	meter *Meter
	by    *measuring // the program, where it measures instead
	mu    sync.Mutex
	packs [][]*total // by package of the meter
	busy  map[int]uint64
	stop  chan struct{}
	ended sync.WaitGroup
}

// Begin starts a span. [Span.End] must be called.
func (m *Meter) Begin() *Span {
	s := &Span{meter: m, stop: make(chan struct{})}
	if m.why != "" {
		return s
	}
	s.busy = m.busy()
	if m.program != "" {
		s.by = startProgram(m.program)
		return s
	}
	rarest := time.Duration(0)
	for _, p := range m.packs {
		var list []*total
		for _, z := range p.zones {
			t := &total{zone: z, at: m.now()}
			n, err := m.counter(z.path)
			if t.last = n; err != nil {
				t.broken = "the counter of " + partNames[z.part] + " cannot be read: " + cause(err)
			}
			if r := t.rarest(); r > 0 && (rarest == 0 || r < rarest) {
				rarest = r
			}
			list = append(list, t)
		}
		s.packs = append(s.packs, list)
	}
	if rarest > 0 {
		s.ended.Go(func() { s.watch(max(rarest/4, time.Second)) })
	}
	return s
}

// watch reads the counters until the span ends.
func (s *Span) watch(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case <-tick.C:
			s.read()
		}
	}
}

func (s *Span) read() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range s.packs {
		for _, t := range list {
			t.read(s.meter)
		}
	}
}
