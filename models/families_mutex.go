package models

import "fmt"

// Nets of mutual exclusion: who may enter, and when.

var diningPhilosophers = family(Family{
	Name:   "DiningPhilosophers",
	Title:  "philosophers around a table who take one fork at a time, in any order; they may all starve",
	Source: "E. W. Dijkstra, Hierarchical ordering of sequential processes, Acta Informatica 1, 1971",
	Params: "the number of philosophers",
	Ladder: []string{"002", "003", "005", "008", "010", "012", "020", "050", "100"},
}, 2, 100_000, func(n int, b *net) {
	fork := b.places(n, 1, "fork_%d")
	for i := range n {
		left, right := fork[i], fork[(i+1)%n]
		think, hasLeft, hasRight, eat := b.place(1, "think_%d", i+1), b.place(0, "hasLeft_%d", i+1), b.place(0, "hasRight_%d", i+1), b.place(0, "eat_%d", i+1)
		b.rule(of("takeLeft", i), []int{think, left}, []int{hasLeft})
		b.rule(of("takeRight", i), []int{think, right}, []int{hasRight})
		b.rule(of("thenRight", i), []int{hasLeft, right}, []int{eat})
		b.rule(of("thenLeft", i), []int{hasRight, left}, []int{eat})
		b.rule(of("putBack", i), []int{eat}, []int{think, left, right})
	}
})

var tokenRingMutex = family(Family{
	Name:   "TokenRingMutex",
	Title:  "stations on a ring; only the station that holds the token may be in its critical section",
	Source: "G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977",
	Params: "the number of stations",
	Ladder: []string{"002", "003", "005", "008", "012", "016", "030", "060"},
}, 2, 100_000, func(n int, b *net) {
	token := make([]int, n)
	for i := range token {
		first := 0
		if i == 0 {
			first = 1
		}
		token[i] = b.place(first, "token_%d", i+1)
	}
	for i := range n {
		next := token[(i+1)%n]
		idle, waiting, critical := b.place(1, "idle_%d", i+1), b.place(0, "waiting_%d", i+1), b.place(0, "critical_%d", i+1)
		b.rule(of("request", i), []int{idle}, []int{waiting})
		b.rule(of("enter", i), []int{waiting, token[i]}, []int{critical})
		b.rule(of("leave", i), []int{critical}, []int{idle, next})
		b.rule(of("pass", i), []int{token[i], idle}, []int{idle, next})
	}
})

// petersonFilter keeps, for every process k and level l, the complementary
// places below_k_l and reached_k_l, since a net has no test for "level[k] < l"
// otherwise. A process at level l goes on when every other one is below l, or
// when somebody came to l after it; each of the two tests is one step.
var petersonFilter = family(Family{
	Name:   "PetersonFilter",
	Title:  "Peterson's algorithm for n processes, a filter of n-1 levels",
	Source: "G. L. Peterson, Myths about the mutual exclusion problem, Information Processing Letters 12(3), 1981",
	Params: "the number of processes",
	Ladder: []string{"2", "3", "4", "5", "6"},
}, 2, 100, func(n int, b *net) {
	f := filterPlaces(n, b)
	for k := range n {
		idle, critical := b.place(1, "idle_%d", k+1), b.place(0, "critical_%d", k+1)
		from := idle
		for l := 1; l < n; l++ {
			from = f.climb(b, k, l, from, critical)
		}
		take, give := []int{critical}, []int{idle}
		for l := 1; l < n; l++ {
			take, give = append(take, f.reached[k][l]), append(give, f.below[k][l])
		}
		b.rule(of("leave", k), take, give)
	}
})

// filter holds the shared variables of Peterson's algorithm; levels count from 1.
type filter struct {
	n              int
	below, reached [][]int // [process][level]
	last           [][]int // [level][process]: who came to the level last
}

func filterPlaces(n int, b *net) filter {
	f := filter{n: n, below: make([][]int, n), reached: make([][]int, n), last: make([][]int, n)}
	for k := range n {
		f.below[k], f.reached[k] = make([]int, n), make([]int, n)
		for l := 1; l < n; l++ {
			f.below[k][l], f.reached[k][l] = b.place(1, "below_%d_%d", k+1, l), b.place(0, "reached_%d_%d", k+1, l)
		}
	}
	for l := 1; l < n; l++ {
		f.last[l] = make([]int, n)
		for k := range n {
			first := 0
			if k == 0 {
				first = 1
			}
			f.last[l][k] = b.place(first, "last_%d_%d", l, k+1)
		}
	}
	return f
}

// climb brings process k from the place from through level l: level[k] := l;
// last[l] := k; wait. It returns the place after the level, critical at the end.
func (f filter) climb(b *net, k, l, from, critical int) int {
	announced, waiting := b.place(0, "announced_%d_%d", k+1, l), b.place(0, "waiting_%d_%d", k+1, l)
	through := critical
	if l < f.n-1 {
		through = b.place(0, "through_%d_%d", k+1, l)
	}
	b.rule(fmt.Sprintf("announce_%d_%d", k+1, l), []int{from, f.below[k][l]}, []int{announced, f.reached[k][l]})
	take, give := []int{waiting}, []int{through}
	for j := range f.n {
		b.rule(fmt.Sprintf("yield_%d_%d_%d", k+1, l, j+1), []int{announced, f.last[l][j]}, []int{waiting, f.last[l][k]})
		if j != k {
			b.rule(fmt.Sprintf("overtaken_%d_%d_%d", k+1, l, j+1), []int{waiting, f.last[l][j]}, []int{through, f.last[l][j]})
			take, give = append(take, f.below[j][l]), append(give, f.below[j][l])
		}
	}
	b.rule(fmt.Sprintf("alone_%d_%d", k+1, l), take, give)
	return through
}

var readersWriters = family(Family{
	Name:   "ReadersWriters",
	Title:  "processes that read together or write alone; the lock is n tokens, of which a writer takes all",
	Source: "P. J. Courtois, F. Heymans, D. L. Parnas, Concurrent control with readers and writers, CACM 14(10), 1971",
	Params: "the number of processes",
	Ladder: []string{"0002", "0005", "0010", "0050", "0100", "0400", "1000"},
}, 1, 1_000_000_000, func(n int, b *net) {
	idle, lock := b.place(n, "idle"), b.place(n, "lock")
	waitRead, waitWrite := b.place(0, "waitRead"), b.place(0, "waitWrite")
	reading, writing := b.place(0, "reading"), b.place(0, "writing")
	b.rule("wantRead", []int{idle}, []int{waitRead})
	b.rule("wantWrite", []int{idle}, []int{waitWrite})
	b.rule("beginRead", []int{waitRead, lock}, []int{reading})
	b.rule("endRead", []int{reading}, []int{idle, lock})
	b.In(lock, b.rule("beginWrite", []int{waitWrite}, []int{writing}), uint64(n))
	b.Out(b.rule("endWrite", []int{writing}, []int{idle}), lock, uint64(n))
})

var milnerScheduler = family(Family{
	Name:   "MilnerScheduler",
	Title:  "a baton goes round a ring of cells; each starts its job when the baton comes, jobs end at any time",
	Source: "R. Milner, A calculus of communicating systems, LNCS 92, 1980",
	Params: "the number of cells",
	Ladder: []string{"002", "003", "005", "008", "011", "015", "025", "050"},
}, 2, 100_000, func(n int, b *net) {
	baton := make([]int, n)
	for i := range baton {
		first := 0
		if i == 0 {
			first = 1
		}
		baton[i] = b.place(first, "baton_%d", i+1)
	}
	for i := range n {
		started, idle, running := b.place(0, "started_%d", i+1), b.place(1, "idle_%d", i+1), b.place(0, "running_%d", i+1)
		b.rule(of("start", i), []int{baton[i], idle}, []int{started, running})
		b.rule(of("pass", i), []int{started}, []int{baton[(i+1)%n]})
		b.rule(of("finish", i), []int{running}, []int{idle})
	}
})

// swimmingBaths: a swimmer needs a cabin to change and a basket for the
// clothes; the cabin is given back while swimming, the basket is not. All
// cabins wait for baskets and all baskets for cabins only when there are as many
// swimmers as cabins and baskets together, which these numbers avoid.
var swimmingBaths = family(Family{
	Name:   "SwimmingBaths",
	Title:  "swimmers share cabins and baskets, and hold one while they wait for the other",
	Source: "G. W. Brams, Réseaux de Petri: théorie et pratique, Masson 1983",
	Params: "the size n: 20n swimmers, 10n cabins, 15n baskets",
	Ladder: []string{"01", "02", "03", "05", "10"},
}, 1, 1_000_000, func(n int, b *net) {
	outside, cabins, baskets := b.place(20*n, "outside"), b.place(10*n, "cabins"), b.place(15*n, "baskets")
	entered, inCabin, undressing := b.place(0, "entered"), b.place(0, "inCabin"), b.place(0, "undressing")
	swimming, dressing, dressed := b.place(0, "swimming"), b.place(0, "dressing"), b.place(0, "dressed")
	b.rule("enter", []int{outside}, []int{entered})
	b.rule("takeCabin", []int{entered, cabins}, []int{inCabin})
	b.rule("takeBasket", []int{inCabin, baskets}, []int{undressing})
	b.rule("swim", []int{undressing}, []int{swimming, cabins})
	b.rule("takeCabinAgain", []int{swimming, cabins}, []int{dressing})
	b.rule("giveBasket", []int{dressing}, []int{dressed, baskets})
	b.rule("leave", []int{dressed}, []int{outside, cabins})
})
