package placement

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const second = int64(1_000_000)

// hosts returns n equal hosts.
func hosts(n, slots int) []Host {
	list := make([]Host, n)
	for i := range list {
		list[i] = Host{Name: fmt.Sprintf("node%03d", i), Slots: slots, Hardware: "16 cores, 64 GB"}
	}
	return list
}

// units draws n units of up to mostRuns runs, whose times are spread as those of a
// contest are: many of a second, some of an hour.
func units(r *rand.Rand, n, mostRuns int) []Unit {
	list := make([]Unit, n)
	for i := range list {
		list[i].Name = fmt.Sprintf("Model%04d", i)
		for range 1 + r.IntN(mostRuns) {
			list[i].Runs = append(list[i].Runs, second<<r.IntN(13)*(1+r.Int64N(100))/100)
		}
	}
	return list
}

// bruteForce is the least time in which the hosts, if their slots could share work
// evenly, do all units: every placement is tried.
func bruteForce(hosts []Host, units []Unit) int64 {
	load := make([]int64, len(hosts))
	var try func(u int) int64
	try = func(u int) int64 {
		if u == len(units) {
			var end int64
			for h := range hosts {
				end = max(end, share(load[h], hosts[h].Slots))
			}
			return end
		}
		work, _ := units[u].work()
		best := int64(-1)
		for h := range hosts {
			if units[u].Host != "" && units[u].Host != hosts[h].Name || units[u].Class != "" && units[u].Class != hosts[h].Class {
				continue
			}
			load[h] += work
			if end := try(u + 1); best < 0 || end < best {
				best = end
			}
			load[h] -= work
		}
		return best
	}
	return try(0)
}

// TestE51BoundIsABound compares the bound with the best of all placements, and what
// is placed with both.
func TestE51BoundIsABound(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		hs := hosts(2+r.IntN(2), 1)
		for i := range hs {
			hs[i].Slots = 1 + r.IntN(3)
			if seed%3 == 0 {
				hs[i].Class = []string{"old", "new"}[i%2]
			}
		}
		us := units(r, 1+r.IntN(7), 6)
		for i := range us {
			if h := hs[r.IntN(len(hs))]; r.IntN(5) == 0 {
				us[i].Host = h.Name
			} else if r.IntN(3) == 0 {
				us[i].Class = h.Class
			}
			for k, time := range us[i].Runs { // no run is longer than the rest of its host
				us[i].Runs[k] = time/16 + 1
			}
		}
		p, err := Place(hs, us, seed)
		if err != nil {
			t.Fatal(err)
		}
		longest := int64(0)
		for i := range us {
			_, l := us[i].work()
			longest = max(longest, l)
		}
		bound, best, played := Bound(hs, us), max(longest, bruteForce(hs, us)), p.Play(nil).End
		if bound > best || best > played {
			t.Fatalf("seed %d: the bound is %d, the best placement takes %d and this one %d", seed, bound, best, played)
		}
		if loaded := p.ends(p.last(), 0); loaded > best*5/4 {
			t.Errorf("seed %d: the load of the last host is %d, and %d is possible", seed, loaded, best)
		}
	}
}

// TestE51WithinFivePercent places contests of every shape. Where no model is larger
// than a third of what a host has to do, the end is within 5 % of the bound, and
// nowhere more than 20 % above it.
func TestE51WithinFivePercent(t *testing.T) {
	small, large := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		hs := hosts(1+r.IntN(40), 1+r.IntN(16))
		us := units(r, 5+r.IntN(200), 1500)
		p, err := Place(hs, us, seed)
		if err != nil {
			t.Fatal(err)
		}
		played, bound := p.Play(nil).End, Bound(hs, us)
		if played < bound {
			t.Fatalf("seed %d: the end is %d, before the bound %d", seed, played, bound)
		}
		var total, most int64
		for u := range us {
			total, most = total+p.work[u], max(most, p.work[u])
		}
		more := float64(played-bound) / float64(bound)
		t.Logf("seed %3d: %2d hosts of %2d slots, %3d units: %.2f %% above the bound", seed, len(hs), hs[0].Slots, len(us), 100*more)
		if most <= total/int64(3*len(hs)) {
			small++
			if more > 0.05 {
				t.Errorf("seed %d: %d hosts, %d units: %.1f %% above the bound", seed, len(hs), len(us), 100*more)
			}
		} else {
			large++
			if more > 0.2 {
				t.Errorf("seed %d: %d hosts, %d large units: %.1f %% above the bound", seed, len(hs), len(us), 100*more)
			}
		}
	}
	if small < 20 || large < 20 {
		t.Errorf("%d contests of small models and %d of large ones", small, large)
	}
}

// TestE51OneHostPerModel: every unit has one host, a pinned one its own; all units of
// a model stay in one class; the order of what is given does not matter, the seed does.
func TestE51OneHostPerModel(t *testing.T) {
	differ := false
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		hs := hosts(6, 4)
		for i := range hs {
			hs[i].Class, hs[i].Hardware = []string{"old", "new"}[i%2], []string{"8 cores", "16 cores"}[i%2]
		}
		us := units(r, 40, 30)
		for i := range us {
			us[i].Model = fmt.Sprintf("Model%d", i/4)
			if i%10 == 0 {
				us[i].Host = hs[i/40].Name
			}
			if i%2 == 0 { // of equals the seed chooses
				us[i].Runs = []int64{second, second}
			}
		}
		p, err := Place(hs, us, seed)
		if err != nil {
			t.Fatal(err)
		}
		class, seen := map[string]string{}, 0
		for h, queue := range p.Queue {
			for _, u := range queue {
				seen++
				unit := p.Units[u]
				if name, _ := p.HostOf(unit.Name); p.On[u] != h || name != p.Hosts[h].Name || unit.Host != "" && unit.Host != name {
					t.Fatalf("seed %d: %s stands in the queue of %s, and is on %s, pinned to %q", seed, unit.Name, p.Hosts[h].Name, name, unit.Host)
				}
				if c := class[unit.Model]; c != "" && c != p.Hosts[h].Class {
					t.Fatalf("seed %d: model %s is in two classes", seed, unit.Model)
				}
				class[unit.Model] = p.Hosts[h].Class
			}
		}
		if seen != len(us) {
			t.Fatalf("seed %d: %d of %d units are in a queue", seed, seen, len(us))
		}
		r.Shuffle(len(hs), func(a, b int) { hs[a], hs[b] = hs[b], hs[a] })
		r.Shuffle(len(us), func(a, b int) { us[a], us[b] = us[b], us[a] })
		again, err := Place(hs, us, seed)
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("seed %d: another order gives another placement (%v)", seed, err)
		}
		other, err := Place(hs, us, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		differ = differ || !reflect.DeepEqual(p.On, other.On)
	}
	if !differ {
		t.Error("the seed decides nothing")
	}
}

// TestPlay follows a host of two slots by hand: a run of the next unit begins while
// the last one of the unit before is under way.
func TestPlay(t *testing.T) {
	us := []Unit{{Name: "a", Runs: []int64{5, 1, 1, 9}}, {Name: "b", Runs: []int64{4, 2}}, {Name: "c"}}
	p, err := Place(hosts(1, 2), us, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Play(nil)
	want := &Played{Units: []Span{{0, 11}, {5, 11}, {11, 11}}, Hosts: []Span{{0, 11}}, End: 11, Last: 0}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := p.Play(func(int) []int64 { return []int64{3} }).End; got != 6 {
		t.Errorf("three runs of 3 µs on two slots end at %d", got)
	}
}

// TestPlayIsFair compares the clock with a plain one, that looks at all slots.
func TestPlayIsFair(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 4))
		k := 1 + r.IntN(9)
		c, plain := make(clock, k), make([]int64, k)
		for range 300 {
			from, time := r.Int64N(50), r.Int64N(100)
			first := 0
			for i := range plain {
				if plain[i] < plain[first] {
					first = i
				}
			}
			plain[first] = max(from, plain[first]) + time
			if end := c.run(from, time); end != plain[first] {
				t.Fatalf("seed %d: a run ends at %d, not at %d", seed, end, plain[first])
			}
		}
	}
}

// TestE51LostHost: what had not ended on a lost host is done again elsewhere, as a
// whole and in its class, after the loss; what had ended stays.
func TestE51LostHost(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		hs := hosts(6, 3)
		for i := range hs {
			hs[i].Class = []string{"old", "new"}[i%2]
		}
		p, err := Place(hs, units(r, 30, 50), seed)
		if err != nil {
			t.Fatal(err)
		}
		before := p.Play(nil)
		at := r.Int64N(before.End)
		after, moved, err := p.Lose("node003", at, before)
		if err != nil {
			t.Fatal(err)
		}
		replayed := after.Play(nil)
		for u := range p.Units {
			name, now := p.Hosts[p.On[u]].Name, after.Hosts[after.On[u]]
			switch redone := name == "node003" && before.Units[u].End > at; {
			case redone != slices.Contains(moved, u):
				t.Fatalf("seed %d: %s is moved or not against the clock", seed, p.Units[u].Name)
			case !redone && (now.Name != name || replayed.Units[u] != before.Units[u]):
				t.Fatalf("seed %d: %s did not end on the lost host and is changed: %v, before %v", seed, p.Units[u].Name, replayed.Units[u], before.Units[u])
			case redone && (now.Name == name || now.Class != "new" || replayed.Units[u].Begin < at || !slices.Equal(after.Units[u].Runs, p.Units[u].Runs)):
				t.Fatalf("seed %d: %s is redone on %s of class %s at %v, lost at %d", seed, p.Units[u].Name, now.Name, now.Class, replayed.Units[u], at)
			}
		}
		if again := p.Play(nil); !reflect.DeepEqual(again, before) {
			t.Fatalf("seed %d: the placement before was changed", seed)
		}
		third, more, err := after.Lose("node001", at, replayed)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range more {
			if third.Hosts[third.On[u]].Name != "node005" {
				t.Fatalf("seed %d: %s went to %s", seed, p.Units[u].Name, third.Hosts[third.On[u]].Name)
			}
		}
		if _, more, err := third.Lose("node005", at, third.Play(nil)); err == nil && len(more) > 0 {
			t.Fatalf("seed %d: the last host of a class is lost and its models went to another class", seed)
		}
	}
	alone, _ := Place(hosts(1, 1), nil, 1)
	for _, name := range []string{"node000", "other"} {
		if _, _, err := alone.Lose(name, 0, alone.Play(nil)); err == nil {
			t.Errorf("host %s of one host is lost without a word", name)
		}
	}
}

// TestRefused: hosts of different hardware, and what cannot be placed.
func TestRefused(t *testing.T) {
	a, b := Host{Name: "a", Slots: 1, Hardware: "old"}, Host{Name: "b", Slots: 1, Hardware: "new"}
	with := func(h Host, class string) Host { h.Class = class; return h }
	unit := Unit{Name: "Net", Runs: []int64{second}}
	for _, c := range []struct {
		hosts []Host
		units []Unit
		want  string
	}{
		{[]Host{a, b}, []Unit{unit}, "hosts a (old) and b (new) have different hardware: declare a class"},
		{[]Host{with(a, "x"), with(b, "x")}, []Unit{unit}, "of class x have different hardware"},
		{[]Host{with(a, "x"), with(b, "y")}, []Unit{unit}, ""},
		{[]Host{with(a, "x"), b}, []Unit{unit}, "declare a class for every host, or for none"},
		{[]Host{a, a}, nil, "host a stands twice"},
		{nil, []Unit{unit}, "no hosts"},
		{[]Host{{Name: "a"}}, nil, "0 slots"},
		{[]Host{{Slots: 1}}, nil, "no name"},
		{[]Host{a}, []Unit{{}}, "no name"},
		{[]Host{a}, []Unit{unit, unit}, "Net stands twice"},
		{[]Host{a}, []Unit{{Name: "Net", Runs: []int64{-1}}}, "-1 µs"},
		{[]Host{a}, []Unit{{Name: "Net", Runs: []int64{maxWork, 1}}}, "at most"},
		{[]Host{a}, []Unit{{Name: "Net", Host: "c"}}, "pinned to host c"},
		{[]Host{a}, []Unit{{Name: "Net", Class: "x"}}, "no host is of it"},
		{[]Host{with(a, "x"), with(b, "y")}, []Unit{{Name: "1", Model: "Net", Host: "a"}, {Name: "2", Model: "Net", Host: "b"}}, "model Net belongs to class"},
	} {
		_, err := Place(c.hosts, c.units, 1)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v on %+v: %v, want %q", c.units, c.hosts, err, c.want)
		}
	}
}

// BenchmarkPlace places and plays contests of up to 5 million runs.
func BenchmarkPlace(b *testing.B) {
	for _, size := range []struct{ units, runs, hosts int }{{150, 3334, 40}, {1900, 263, 40}, {1900, 5264, 1000}} {
		b.Run(fmt.Sprintf("%dx%d", size.units, size.hosts), func(b *testing.B) {
			us := units(rand.New(rand.NewPCG(1, 6)), size.units, size.runs)
			hs := hosts(size.hosts, 4)
			above, runs := 0.0, 0
			for i := range us {
				runs += len(us[i].Runs)
			}
			for b.Loop() {
				p, err := Place(hs, us, 1)
				if err != nil {
					b.Fatal(err)
				}
				above = float64(p.Play(nil).End)/float64(Bound(hs, us)) - 1
			}
			b.ReportMetric(100*above, "%-above-bound")
			b.ReportMetric(float64(runs), "runs")
		})
	}
}
