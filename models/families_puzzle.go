package models

import "fmt"

// Nets that count, sieve and move discs: their state spaces are known exactly.

// binaryCounter goes through all numbers of n bits in one cycle. No run is
// shorter, so chance meets the far end late.
var binaryCounter = family(Family{
	Name:   "BinaryCounter",
	Title:  "an n-bit counter with carry; one cycle through 2^n markings",
	Source: "R. J. Lipton, The reachability problem requires exponential space, Yale research report 62, 1976 (counters of nets)",
	Params: "the number of bits",
	Ladder: []string{"02", "04", "08", "12", "16", "20", "30", "60"},
}, 1, 10_000, func(n int, b *net) {
	zero, one := b.places(n, 1, "zero_%d"), b.places(n, 0, "one_%d")
	for k := range n {
		b.rule(of("carry", k), append(append([]int{}, one[:k]...), zero[k]), append(append([]int{}, zero[:k]...), one[k]))
	}
	b.rule("overflow", one, zero)
})

// primeSieve ends in one dead marking: a token on every prime.
var primeSieve = family(Family{
	Name:   "PrimeSieve",
	Title:  "the sieve of Eratosthenes: a number that is there strikes out its multiples",
	Source: "Eratosthenes, after Nicomachus of Gerasa, Introduction to arithmetic I.13",
	Params: "the largest number of the sieve",
	Ladder: []string{"004", "010", "015", "020", "028", "050", "100", "500"},
}, 2, 100_000, func(n int, b *net) {
	number := make([]int, n+1)
	for k := 2; k <= n; k++ {
		number[k] = b.place(1, "number_%d", k)
	}
	for k := 2; k <= n; k++ {
		for j := 2; j*k <= n; j++ {
			b.rule(fmt.Sprintf("strike_%d_%d", k, j*k), []int{number[k], number[j*k]}, []int{number[k]})
		}
	}
})

var towersOfHanoi = family(Family{
	Name:   "TowersOfHanoi",
	Title:  "n discs on three pegs, never a larger one on a smaller one",
	Source: "É. Lucas, Récréations mathématiques III, 1883",
	Params: "the number of discs",
	Ladder: []string{"02", "03", "05", "07", "10", "13", "20"},
}, 1, 1_000, func(n int, b *net) {
	var disc [3][]int // [peg][disc], smallest first
	for peg := range disc {
		tokens := 0
		if peg == 0 {
			tokens = 1
		}
		disc[peg] = b.places(n, tokens, fmt.Sprintf("disc_%%d_on_%d", peg+1))
	}
	for k := range n {
		for from := range disc {
			for _, to := range []int{(from + 1) % 3, (from + 2) % 3} {
				// All smaller discs must be on the third peg.
				rest := disc[3-from-to][:k]
				take, give := append([]int{disc[from][k]}, rest...), append([]int{disc[to][k]}, rest...)
				b.rule(fmt.Sprintf("move_%d_from_%d_to_%d", k+1, from+1, to+1), take, give)
			}
		}
	}
})
