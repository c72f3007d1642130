package models

import (
	"encoding/binary"
	"math/big"
	"slices"
	"testing"

	"podium/pnml"
)

// space is the state space of a net, counted as the contest counts it.
type space struct {
	states, edges  int
	inPlace, total uint64
	dead           int
	fired          []bool
	next           [][]step
}

type step struct{ to, label int }

// explore enumerates the markings of a bounded net of at most limit markings.
func explore(t *testing.T, n *pnml.Net, limit int) space {
	t.Helper()
	index := map[string]int{}
	var markings [][]uint64
	visit := func(m []uint64) int {
		key := make([]byte, 0, len(m))
		for _, x := range m {
			key = binary.AppendUvarint(key, x)
		}
		if i, ok := index[string(key)]; ok {
			return i
		}
		index[string(key)] = len(markings)
		markings = append(markings, m)
		return len(markings) - 1
	}
	visit(slices.Clone(n.Initial))
	s := space{fired: make([]bool, n.Transitions.Len())}
	for at := 0; at < len(markings); at++ {
		if at > limit {
			t.Fatalf("%s has more than %d markings", n.ID, limit)
		}
		m := markings[at]
		var sum uint64
		for _, x := range m {
			sum, s.inPlace = sum+x, max(s.inPlace, x)
		}
		s.total = max(s.total, sum)
		var out []step
		for tr := range n.Transitions.Len() {
			if after, ok := fire(n, m, tr); ok {
				out = append(out, step{visit(after), tr})
				s.fired[tr] = true
			}
		}
		if len(out) == 0 {
			s.dead++
		}
		s.edges += len(out)
		s.next = append(s.next, out)
	}
	s.states = len(markings)
	return s
}

// live reports whether every transition can fire again from every marking. It
// goes backwards from the sources of each label: all markings must be met.
func (s space) live() bool {
	back := make([][]int, s.states)
	for from, out := range s.next {
		for _, e := range out {
			back[e.to] = append(back[e.to], from)
		}
	}
	for label := range s.fired {
		seen, count := make([]bool, s.states), 0
		var stack []int
		push := func(i int) {
			if !seen[i] {
				seen[i] = true
				count++
				stack = append(stack, i)
			}
		}
		for from, out := range s.next {
			if slices.ContainsFunc(out, func(e step) bool { return e.label == label }) {
				push(from)
			}
		}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range back[i] {
				push(j)
			}
		}
		if count < s.states {
			return false
		}
	}
	return true
}

func fire(n *pnml.Net, m []uint64, t int) ([]uint64, bool) {
	for k := n.Pre.Start[t]; k < n.Pre.Start[t+1]; k++ {
		if m[n.Pre.Place[k]] < n.Pre.WeightAt(k) {
			return nil, false
		}
	}
	after := slices.Clone(m)
	for k := n.Pre.Start[t]; k < n.Pre.Start[t+1]; k++ {
		after[n.Pre.Place[k]] -= n.Pre.WeightAt(k)
	}
	for k := n.Post.Start[t]; k < n.Post.Start[t+1]; k++ {
		after[n.Post.Place[k]] += n.Post.WeightAt(k)
	}
	return after, true
}

func power(b, e int) int {
	return int(new(big.Int).Exp(big.NewInt(int64(b)), big.NewInt(int64(e)), nil).Int64())
}

func choose(n, k int) int { return int(new(big.Int).Binomial(int64(n), int64(k)).Int64()) }

func familyNamed(t *testing.T, name string) Family {
	t.Helper()
	for _, f := range Families() {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no family %s", name)
	return Family{}
}

// TestStateCounts repeats counts that were published or follow from a formula.
// A negative number stands for "not asked".
func TestStateCounts(t *testing.T) {
	const live, dead = true, false
	for _, c := range []struct {
		family, param  string
		states, edges  int
		inPlace, total int
		live           bool
		why            string
	}{
		{"DiningPhilosophers", "005", 243, 945, 1, 10, dead, "3^n: each fork is free, held left or held right (contest: Philosophers-PT-000005)"},
		{"DiningPhilosophers", "008", power(3, 8), -1, 1, 16, dead, "3^n"},
		{"KanbanCells", "0001", 160, 616, 1, 4, live, "Ciardo and Tilgner 1996"},
		{"KanbanCells", "0002", 4600, 28120, 2, 8, live, "Ciardo and Tilgner 1996"},
		{"KanbanCells", "0003", 58400, 446400, 3, 12, live, "Ciardo and Tilgner 1996"},
		{"FlexibleManufacturing", "0002", 3444, 16311, 3, 12, live, "contest: FMS-PT-00002"},
		{"TokenRingMutex", "005", 3 * 5 * power(2, 4), -1, 1, -1, live, "3n 2^(n-1): token at a station or used there"},
		{"MilnerScheduler", "005", 5 * power(2, 6), -1, 1, 6, live, "n 2^(n+1): two places of the baton per cell, any job running"},
		{"ReadersWriters", "0010", choose(13, 3) + choose(11, 2), -1, 10, 20, live, "n processes in 4 states without a writer, n-1 in 3 with one"},
		{"SwimmingBaths", "01", 89621, 450003, 20, 45, live, "contest: SwimmingPool-PT-01"},
		{"BoundedBuffer", "0001", 8, 12, 1, 3, live, "(n+1)^3"},
		{"BoundedBuffer", "0010", 11 * 11 * 11, -1, 10, 30, live, "(n+1)^3"},
		{"OrderWorkflow", "04", power(3, 4) + 8, -1, 1, 4, dead, "3^n + 8"},
		{"EnzymeKinetics", "0000000010", 11 * 12 / 2, 3 * 10 * 11 / 2, 10, 20, dead, "a+b+c = n"},
		{"BinaryCounter", "08", 256, 256, 1, 8, live, "one cycle"},
		{"PrimeSieve", "010", 32, 120, 1, 9, dead, "2^composites (contest: Eratosthenes-PT-010)"},
		{"TowersOfHanoi", "05", 243, power(3, 6) - 3, 1, 5, live, "3^n vertices and (3^(n+1)-3)/2 edges of the Hanoi graph, each both ways"},
	} {
		n, err := familyNamed(t, c.family).Build(c.param)
		if err != nil {
			t.Fatal(err)
		}
		s := explore(t, n, 200_000)
		if s.states != c.states || c.edges >= 0 && s.edges != c.edges || s.inPlace != uint64(c.inPlace) || c.total >= 0 && s.total != uint64(c.total) || s.live() != c.live {
			t.Errorf("%s: %d states, %d edges, %d in a place, %d in a marking, live %v; want %+v", n.ID, s.states, s.edges, s.inPlace, s.total, s.live(), c)
		}
	}
}

// TestPetersonFilter compares the net with the algorithm run directly, and
// checks what it is for: mutual exclusion without deadlock.
func TestPetersonFilter(t *testing.T) {
	for n, param := range map[int]string{2: "2", 3: "3"} {
		net, err := familyNamed(t, "PetersonFilter").Build(param)
		if err != nil {
			t.Fatal(err)
		}
		s := explore(t, net, 200_000)
		states, worst := runPeterson(n)
		if s.states != states || worst != 1 || s.dead != 0 || !s.live() || s.inPlace != 1 {
			t.Errorf("%s: %d states, %d dead, live %v; the algorithm has %d states and at most %d processes in the critical section", net.ID, s.states, s.dead, s.live(), states, worst)
		}
	}
}

// peterson is the memory of the algorithm: program counters and shared variables.
type peterson struct {
	pc, level, last [4]int // pc 0 idle; 2l-1 announced, 2l waiting at level l; 2n-1 critical
}

func runPeterson(n int) (states, worst int) {
	start := peterson{}
	seen := map[peterson]bool{start: true}
	queue := []peterson{start}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		inside := 0
		for k := range n {
			if s.pc[k] == 2*n-1 {
				inside++
			}
			if next, ok := s.step(n, k); ok && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		worst = max(worst, inside)
	}
	return len(seen), worst
}

// step moves process k. Between level l and the next one its counter is 100+l.
func (s peterson) step(n, k int) (peterson, bool) {
	l := (s.pc[k] + 1) / 2
	switch {
	case s.pc[k] == 2*n-1:
		s.pc[k], s.level[k] = 0, 0
		return s, true
	case s.pc[k] >= 100: // through a level
		next := s.pc[k] - 100 + 1
		s.level[k], s.pc[k] = next, 2*next-1
		return s, true
	case s.pc[k] == 0:
		s.level[k], s.pc[k] = 1, 1
		return s, true
	case s.pc[k]%2 == 1:
		s.last[l], s.pc[k] = k, s.pc[k]+1
		return s, true
	}
	alone := true
	for j := range n {
		alone = alone && (j == k || s.level[j] < l)
	}
	if !alone && s.last[l] == k {
		return s, false
	}
	s.pc[k] = 100 + l
	if l == n-1 {
		s.pc[k] = 2*n - 1
	}
	return s, true
}

// TestSampleRateConverter: a buffer with rates p and c lets both ends go on for
// ever if and only if it holds p+c-gcd(p,c) samples; 8 and 7 ask for most. No two
// actors compete for a token, so one run tells about all: it dies, or it comes
// back to its beginning after 147, 147, 98, 28, 32 and 160 firings.
func TestSampleRateConverter(t *testing.T) {
	cycle := []int{147, 147, 98, 28, 32, 160}
	for param, live := range map[string]bool{"08": false, "13": false, "14": true, "40": true} {
		n, err := familyNamed(t, "SampleRateConverter").Build(param)
		if err != nil {
			t.Fatal(err)
		}
		fired := make([]int, len(cycle))
		m, moved := n.Initial, true
		for moved {
			moved = false
			for actor := range fired {
				if after, ok := fire(n, m, actor); ok && fired[actor] < cycle[actor] {
					m, moved = after, true
					fired[actor]++
				}
			}
		}
		if back := slices.Equal(fired, cycle) && slices.Equal(m, n.Initial); back != live {
			t.Errorf("%s: firings %v, back %v, want %v", n.ID, fired, back, live)
		}
	}
}

// TestAlternatingBit: with channels of one place nothing is delivered twice, so
// sender and receiver are never more than one message apart; everything is live.
func TestAlternatingBit(t *testing.T) {
	n, err := familyNamed(t, "AlternatingBit").Build("001")
	if err != nil {
		t.Fatal(err)
	}
	s := explore(t, n, 1000)
	// Sender and receiver 2x2, each channel free or with bit 0 or 1: at most 36.
	if s.states > 36 || !s.live() || s.inPlace != 1 {
		t.Errorf("%d states, live %v, %d in a place", s.states, s.live(), s.inPlace)
	}
}

// TestUnboundedChannels finds a run that comes back to more than it began with.
func TestUnboundedChannels(t *testing.T) {
	n, err := familyNamed(t, "UnboundedChannels").Build("02")
	if err != nil {
		t.Fatal(err)
	}
	m := slices.Clone(n.Initial)
	for _, name := range []string{"make", "send"} {
		tr, _ := n.Transitions.Find(name)
		after, ok := fire(n, m, tr)
		if !ok {
			t.Fatalf("%s cannot fire", name)
		}
		m = after
	}
	more := 0
	for p := range m {
		if m[p] < n.Initial[p] {
			t.Fatalf("place %s has lost tokens", n.Places.At(p))
		}
		if m[p] > n.Initial[p] {
			more++
		}
	}
	if more == 0 {
		t.Error("no place has won tokens")
	}
}

// TestFamilies builds every step of every ladder and checks what the families
// promise of names and parameters.
func TestFamilies(t *testing.T) {
	families := Families()
	if !slices.IsSortedFunc(families, func(a, b Family) int { return a.ID("").Compare(b.ID("")) }) {
		t.Error("the families are not sorted by name")
	}
	for _, f := range families {
		if f.Title == "" || f.Source == "" || f.Params == "" || len(f.Ladder) < 4 {
			t.Errorf("%s lacks a title, a source, the meaning of its parameter or a ladder", f.Name)
		}
		if !slices.IsSorted(f.Ladder) {
			t.Errorf("%s: the ladder %v does not sort", f.Name, f.Ladder)
		}
		size := 0
		for _, param := range f.Ladder {
			n, err := f.Build(param)
			if err != nil {
				t.Errorf("%s: %v", f.Name, err)
				continue
			}
			id, err := ParseID(n.ID)
			if err != nil || id != f.ID(param) {
				t.Errorf("net %q of %s %s: %v", n.ID, f.Name, param, err)
			}
			weight := n.Places.Len() + n.Transitions.Len() + n.Pre.Len() + n.Post.Len()
			for _, tokens := range n.Initial {
				weight += int(tokens)
			}
			if weight <= size {
				t.Errorf("%s is no larger than the step before", n.ID)
			}
			size = weight
		}
		for _, bad := range []string{"", "x", "-1", "0", "1.5", "99999999999999999999"} {
			if _, err := f.Build(bad); err == nil {
				t.Errorf("%s accepts the parameter %q", f.Name, bad)
			}
		}
	}
}

// TestFirstSteps keeps the small instances different enough for a contest.
func TestFirstSteps(t *testing.T) {
	safe, dead, live := 0, 0, 0
	for _, f := range Families() {
		if f.Name == "UnboundedChannels" {
			continue
		}
		n, err := f.Build(f.Ladder[0])
		if err != nil {
			t.Fatal(err)
		}
		s := explore(t, n, 800_000)
		if slices.Contains(s.fired, false) {
			t.Errorf("%s has transitions that never fire", n.ID)
		}
		if s.inPlace == 1 {
			safe++
		}
		if s.dead > 0 {
			dead++
		}
		if s.live() {
			live++
		}
	}
	if safe < 8 || dead < 4 || live < 8 {
		t.Errorf("%d one-safe, %d with deadlock, %d live", safe, dead, live)
	}
}
