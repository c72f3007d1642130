package campaign

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"podium/internal/sentinel"
)

// MinSentinel is the shortest time between two readings of a core: the work itself
// takes some seconds.
const MinSentinel = 10 * time.Second

// watch has the sentinel read the cores of the runs of a worker (E-5.1).
type watch struct {
	every   time.Duration // between two readings of a core; 0 for none at all
	measure func(core int) (sentinel.Reading, error)
	mu      sync.Mutex
	last    map[int]time.Time // readings of each core
	used    map[int]bool      // cores with runs after their last reading
}

func newWatch(o Options) *watch {
	w := &watch{every: o.Sentinel, measure: o.measure, last: map[int]time.Time{}, used: map[int]bool{}}
	if w.measure == nil {
		w.measure = sentinel.Measure
	}
	return w
}

// due lists those of the cores that are to be read before a run.
func (w *watch) due(cores []int) (list []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, core := range cores {
		if last, read := w.last[core]; !read || time.Since(last) >= w.every {
			list = append(list, core)
		}
	}
	return list
}

// ran notes that a run has used cores.
func (w *watch) ran(cores []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, core := range cores {
		w.used[core] = true
	}
}

// left lists the cores with runs after their last reading.
func (w *watch) left() (list []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for core := range w.used {
		list = append(list, core)
	}
	return list
}

// read reads cores, one after the other, and records what was found.
func (w *worker) read(ctx context.Context, cores []int) error {
	if w.watch.every == 0 || len(cores) == 0 {
		return nil
	}
	var found Sentinel
	for _, core := range cores {
		if ctx.Err() != nil {
			return nil
		}
		r, err := w.watch.measure(core)
		if err != nil {
			return err
		}
		found.Readings = append(found.Readings, r)
		w.watch.mu.Lock()
		w.watch.last[core] = r.At
		delete(w.watch.used, core)
		w.watch.mu.Unlock()
	}
	return w.journal.Append(Record{Sentinel: &found})
}

// readings are what sentinels found, by computer.
type readings struct {
	found map[string][]sentinel.Reading
	hosts map[string]*sentinel.Host // made of found when it is asked for
}

func (r *readings) add(computer string, list []sentinel.Reading) {
	r.found[computer] = append(r.found[computer], list...)
	delete(r.hosts, computer)
}

// computer names the computer of a worker: nodes of one computer have one name. What a
// shard says of a computer is kept apart from what others say of it.
func (o *Opened) computer() string {
	return cmp.Or(o.Node.Machine, o.Node.Boot, o.Host) + markOf(o.Worker)
}

// HostCourse is what sentinels found on a computer.
type HostCourse struct {
	Host  string // its name, by its first worker
	Steps []sentinel.Step
}

// Courses returns what sentinels found, by the names of the computers.
func (l *Log) Courses() (list []HostCourse) {
	seen := map[string]bool{}
	for i := range l.Workers {
		w := &l.Workers[i]
		computer := w.computer()
		if found := l.readings.found[computer]; len(found) > 0 && !seen[computer] {
			list = append(list, HostCourse{w.Host, sentinel.NewHost(found).Course()})
		}
		seen[computer] = true
	}
	slices.SortStableFunc(list, func(a, b HostCourse) int { return cmp.Compare(a.Host, b.Host) })
	return list
}

// Drift says in sentences how the computer of a run was slower, faster, or otherwise
// not as usual around it; empty where all was as usual, or where no sentinel ran.
func (l *Log) Drift(f *Finished) []string {
	if f.made.by == nil || len(f.Binding.Cores) == 0 {
		return nil
	}
	computer := f.made.by.computer()
	host := l.readings.hosts[computer]
	if host == nil {
		host = sentinel.NewHost(l.readings.found[computer])
		l.readings.hosts[computer] = host
	}
	return host.Drift(f.Binding.Cores, f.Outcome.Started, f.Outcome.EndedAt())
}
