package placement

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Host is a computer that runs units.
type Host struct {
	Name     string
	Slots    int    // runs at one time
	Class    string // as a person has declared it; empty: not declared
	Hardware string // what the host is, in words that are equal for equal computers; empty: not known
}

// Unit is what is pinned to one host.
type Unit struct {
	Name  string
	Model string  // of which it is; empty: Name. All units of a model stay within one class
	Runs  []int64 // expected time of each run, microseconds, in the order in which they begin
	Class string  // the class that it has to stay in; empty: any
	Host  string  // the host that it is pinned to already; empty: none
}

// model is the model of the unit.
func (u *Unit) model() string { return cmp.Or(u.Model, u.Name) }

// work is the time of all runs together, longest that of one.
func (u *Unit) work() (work, longest int64) {
	for _, t := range u.Runs {
		work, longest = work+t, max(longest, t)
	}
	return work, longest
}

// Placement says which host runs what.
type Placement struct {
	Hosts []Host  // by name
	Units []Unit  // by name
	On    []int   // for each unit its host
	Queue [][]int // for each host its units in the order in which they begin

	seed  uint64
	work  []int64           // of each unit
	load  []int64           // of each host
	class map[string]string // of models with several units, once the first has a host
	parts map[string]int    // units of each model
	from  []int64           // for each unit the time before which it cannot begin
	lost  []bool            // hosts that are lost
	ended map[int]Span      // units that had ended on a host before it was lost
}

// Place gives every unit a host. Those that are pinned stay; the others, longest
// first, go where they would end first (LPT: Graham, Bounds on multiprocessing timing
// anomalies, SIAM J. Appl. Math. 17, 1969). Then units of the host that ends last are
// moved or exchanged as long as it helps. The seed decides between equals.
//
// It is an error when hosts have different hardware and no classes, or differ within
// a class, when a unit is pinned to a host that is not there, and when nothing fits.
func Place(hosts []Host, units []Unit, seed uint64) (*Placement, error) {
	p := &Placement{seed: seed, Hosts: slices.Clone(hosts), Units: slices.Clone(units), class: map[string]string{}, parts: map[string]int{},
		ended: map[int]Span{}, lost: make([]bool, len(hosts))}
	slices.SortFunc(p.Hosts, func(a, b Host) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(p.Units, func(a, b Unit) int { return cmp.Compare(a.Name, b.Name) })
	if err := checkHosts(p.Hosts); err != nil {
		return nil, err
	}
	if err := checkUnits(p.Units); err != nil {
		return nil, err
	}
	p.On, p.work, p.from = make([]int, len(units)), make([]int64, len(units)), make([]int64, len(units))
	p.load, p.Queue = make([]int64, len(hosts)), make([][]int, len(hosts))
	for u := range p.Units {
		p.work[u], _ = p.Units[u].work()
		p.parts[p.Units[u].model()]++
	}
	free, err := p.pinned()
	if err != nil {
		return nil, err
	}
	if err := p.longestFirst(free); err != nil {
		return nil, err
	}
	p.refine()
	p.order()
	return p, nil
}

// pinned puts the units that have a host on it, and returns the others.
func (p *Placement) pinned() (free []int, err error) {
	for u := range p.Units {
		name := p.Units[u].Host
		if name == "" {
			free = append(free, u)
			continue
		}
		h := p.host(name)
		if h < 0 {
			return nil, fmt.Errorf("%s is pinned to host %s, which is not among the hosts: give the host, or move %s to another one", p.Units[u].Name, name, p.Units[u].Name)
		}
		if !p.allows(u, h) {
			return nil, fmt.Errorf("%s is pinned to host %s of class %q, and model %s belongs to class %q", p.Units[u].Name, name, p.Hosts[h].Class, p.Units[u].model(), p.classOf(u))
		}
		p.put(u, h)
	}
	return free, nil
}

// longestFirst gives units that have no host one.
func (p *Placement) longestFirst(free []int) error {
	p.shuffle(free)
	slices.SortStableFunc(free, func(a, b int) int { return cmp.Compare(p.work[b], p.work[a]) })
	order := make([]int, len(p.Hosts)) // of equals the first is taken
	for h := range order {
		order[h] = h
	}
	p.shuffle(order)
	for _, u := range free {
		best, end := -1, int64(0)
		for _, h := range order {
			if t := p.ends(h, p.work[u]); p.allows(u, h) && (best < 0 || t < end) {
				best, end = h, t
			}
		}
		if best < 0 {
			return fmt.Errorf("%s has to run in class %q, and no host is of it", p.Units[u].Name, p.classOf(u))
		}
		p.put(u, best)
	}
	return nil
}

func (p *Placement) shuffle(list []int) {
	r := rand.New(rand.NewPCG(p.seed, uint64(len(list))))
	r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
}

// order lets the longest units of each host begin first, pinned ones before them.
func (p *Placement) order() {
	for _, q := range p.Queue {
		slices.SortStableFunc(q, func(a, b int) int {
			return cmp.Or(cmp.Compare(btoi(p.Units[b].Host != ""), btoi(p.Units[a].Host != "")), cmp.Compare(p.work[b], p.work[a]), cmp.Compare(a, b))
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// put puts a unit on a host, at the end of its queue.
func (p *Placement) put(u, h int) {
	p.On[u], p.Queue[h] = h, append(p.Queue[h], u)
	p.load[h] += p.work[u]
	if m := p.Units[u].model(); p.parts[m] > 1 {
		p.class[m] = p.Hosts[h].Class
	}
}

// take takes a unit from its host.
func (p *Placement) take(u int) {
	h := p.On[u]
	p.load[h] -= p.work[u]
	i := slices.Index(p.Queue[h], u)
	p.Queue[h] = slices.Delete(p.Queue[h], i, i+1)
}

// ends is when a host would end with more work, if its slots could share it evenly.
func (p *Placement) ends(h int, more int64) int64 {
	return share(p.load[h]+more, p.Hosts[h].Slots)
}

// share is the time that work takes on a number of slots, at least.
func share(work int64, slots int) int64 { return (work + int64(slots) - 1) / int64(slots) }

// classOf is the class that a unit has to stay in; empty: any.
func (p *Placement) classOf(u int) string {
	return cmp.Or(p.Units[u].Class, p.class[p.Units[u].model()])
}

// allows reports whether a unit may run on a host, as far as classes go, and whether
// the host is there still.
func (p *Placement) allows(u, h int) bool {
	class := p.classOf(u)
	return !p.lost[h] && (class == "" || class == p.Hosts[h].Class)
}

// host returns the number of a host, -1 where there is none of the name.
func (p *Placement) host(name string) int {
	return slices.IndexFunc(p.Hosts, func(h Host) bool { return h.Name == name })
}

// HostOf returns the name of the host of a unit; false where there is no such unit.
func (p *Placement) HostOf(unit string) (string, bool) {
	u, ok := p.unit(unit)
	if !ok {
		return "", false
	}
	return p.Hosts[p.On[u]].Name, true
}

func (p *Placement) unit(name string) (int, bool) {
	return slices.BinarySearchFunc(p.Units, name, func(u Unit, name string) int { return cmp.Compare(u.Name, name) })
}
