package reduce

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"podium/pnml"
)

// parse builds a net from lines "places p=1 q" and "t: p 2q -> r".
func parse(t testing.TB, text string) *pnml.Net {
	t.Helper()
	b := &pnml.Builder{}
	places := map[string]int{}
	for line := range strings.SplitSeq(text, ";") {
		words := strings.Fields(line)
		if words[0] == "places" {
			for _, word := range words[1:] {
				id, tokens, _ := strings.Cut(word, "=")
				n, _ := strconv.ParseUint(tokens, 10, 64)
				places[id] = b.Place(id, n)
			}
			continue
		}
		x, in := b.Transition(strings.TrimSuffix(words[0], ":")), true
		for _, word := range words[1:] {
			if word == "->" {
				in = false
				continue
			}
			id := strings.TrimLeft(word, "0123456789")
			weight, p := uint64(1), places[id]
			if digits := word[:len(word)-len(id)]; digits != "" {
				weight, _ = strconv.ParseUint(digits, 10, 64)
			}
			if _, ok := places[id]; !ok {
				t.Fatalf("place %q is not declared in %q", id, text)
			}
			if in {
				b.In(p, x, weight)
			} else {
				b.Out(x, p, weight)
			}
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// observe marks the places of a list as asked for both ways.
func observe(net *pnml.Net, keep Keep, ids string) Question {
	q := Question{Keep: keep, Up: make([]bool, net.Places.Len()), Down: make([]bool, net.Places.Len())}
	for _, word := range strings.Fields(ids) {
		id := strings.TrimLeft(word, "<>")
		p, ok := net.Places.Find(id)
		if !ok {
			panic(id)
		}
		q.Up[p], q.Down[p] = !strings.HasPrefix(word, "<"), !strings.HasPrefix(word, ">")
	}
	return q
}

// by applies the pass of one rule once.
func by(w *work, r Rule) {
	switch r {
	case DeadTransition:
		w.deadTransitions()
	case ConstantPlace:
		w.constantPlaces()
	case SinkPlace:
		w.sinkPlaces()
	case ImplicitPlace:
		w.implicitPlaces()
	case TwinTransition, DominatedTransition:
		w.dearTransitions()
	case IdentityTransition:
		w.identityTransitions()
	case SourceTransition:
		w.sourceTransitions()
	case FreeCircuit:
		w.freeCircuits()
	case Cone:
		w.cone()
	default:
		w.agglomerate()
	}
}

// TestRules applies every rule where its preconditions hold and where just one
// of them fails. Observed places are asked for both ways, or upwards (>) or
// downwards (<) only.
func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule     Rule
		why      string
		keep     Keep
		observed string
		net      string
		used     int
		left     string // places, transitions after the pass
	}{
		{DeadTransition, "an unmarked siphon", Graph, "", "places p q r=1; t: p -> q; u: q -> p; v: r -> r", 2, "p q r, 1"},
		{DeadTransition, "more than is there", Graph, "", "places p=1 q; t: 2p -> q", 1, "p q, 0"},
		{DeadTransition, "more than is there, never added to", Graph, "", "places p=1 q; t: 2p -> 2p q; u: p -> p", 1, "p q, 1"},
		{DeadTransition, "the place gains", Graph, "", "places p=1 q; t: 2p -> q; u: p -> 2p", 0, "p q, 2"},
		{DeadTransition, "the siphon is marked", Graph, "", "places p q=1; t: p -> q; u: q -> p", 0, "p q, 2"},

		{ConstantPlace, "loops only", Steps, "", "places p=2 q=1; t: q 2p -> 2p", 1, "q, 1"},
		{ConstantPlace, "stands alone when observed", Steps, "p", "places p=2 q=1; t: q 2p -> 2p", 1, "p q, 1"},
		{ConstantPlace, "may lack tokens", Steps, "", "places p=1 q=1; t: q 2p -> 2p", 0, "p q, 1"},
		{ConstantPlace, "one transition changes it", Steps, "", "places p=2 q=1; t: q 2p -> p", 0, "p q, 1"},

		{SinkPlace, "nobody takes", Steps, "", "places p=1 q; t: p -> p q", 1, "p, 1"},
		{SinkPlace, "it is observed", Steps, "q", "places p=1 q; t: p -> p q", 0, "p q, 1"},
		{SinkPlace, "somebody looks", Steps, "", "places p=1 q; t: p -> p q; u: q -> q", 0, "p q, 2"},

		{ImplicitPlace, "two of the same", Steps, "q", "places p=1 q=1 r; t: p q -> r; u: r -> p q", 1, "q r, 2"},
		{ImplicitPlace, "more tokens, smaller arcs", Steps, "q", "places p=3 q=2 r; t: p 2q -> r; u: r -> 2p 2q", 1, "q r, 2"},
		{ImplicitPlace, "fewer tokens", Steps, "q", "places p=1 q=2 r; t: p q -> r; u: r -> p q", 0, "p q r, 2"},
		{ImplicitPlace, "the other gains more", Steps, "q", "places p=1 q=1 r; t: p q -> r; u: r -> p 2q", 0, "p q r, 2"},
		{ImplicitPlace, "it loses more", Steps, "q", "places p=2 q=2 r; t: p q -> q r; u: r -> p", 0, "p q r, 2"},
		{ImplicitPlace, "needed alone", Steps, "q", "places p=1 q=1 r; t: p q -> r; u: r -> p q; v: p -> p", 0, "p q r, 3"},
		{ImplicitPlace, "both observed", Steps, "p q", "places p=1 q=1 r; t: p q -> r; u: r -> p q", 0, "p q r, 2"},

		{TwinTransition, "the same arcs", Firings, "", "places p=1 q; t: p -> 2q; u: p -> 2q", 1, "p q, 1"},
		{TwinTransition, "other weights", Firings, "", "places p=1 q; t: p -> 2q; u: p -> q", 0, "p q, 2"},
		{DominatedTransition, "asks for more", Steps, "p q r", "places p=1 q r; t: p -> q; u: p r -> q r", 1, "p q r, 1"},
		{DominatedTransition, "another effect", Steps, "p q r", "places p=1 q r; t: p -> q; u: p r -> q", 0, "p q r, 2"},
		{DominatedTransition, "each needs its own", Steps, "p q r", "places p=1 q r s; t: p s -> q s; u: p r -> q r", 0, "p q r s, 2"},

		{IdentityTransition, "changes something", Deadlocks, "", "places p=1 q=1; t: p q -> p 2q; u: q -> p", 0, "p q, 2"},
		{IdentityTransition, "accompanied", Deadlocks, "", "places p=1 q=1; t: p q -> p q; u: q -> p", 1, "p q, 1"},
		{IdentityTransition, "keeps the net alive", Deadlocks, "", "places p=1 q=1; t: p -> p; u: p q -> p", 0, "p q, 2"},

		{SourceTransition, "feeds what is not observed", Reachable, "q", "places p q; t: -> 2p; u: 3p -> q", 1, "q, 1"},
		{SourceTransition, "feeds what is observed", Reachable, "p", "places p q; t: -> 2p; u: 3p -> q", 0, "p q, 2"},
		{SourceTransition, "needs something", Reachable, "q", "places p q r=1; t: r -> 2p r; u: 3p -> q", 0, "p q r, 2"},
		{SourceTransition, "never dead", Deadlocks, "", "places p q; t: -> 2p; u: 3p -> q", 1, ", 1"},

		{PostAgglomeration, "one may go on at once", Branching, "r", "places p q=1 r; h: q -> p r; f: p -> q", 1, "q r, 1"},
		{PostAgglomeration, "twice at once", Branching, "r", "places p q=1 r; h: q -> 4p r; f: 2p -> q", 1, "q r, 1"},
		{PostAgglomeration, "marked at first", Linear, "r", "places p=2 q r; h: q -> p r; f: p -> q", 1, "q r, 1"},
		{PostAgglomeration, "marked at first, firings count", Firings, "", "places p=2 q r; h: q r -> p; f: p -> q r", 0, "p q r, 2"},
		{PostAgglomeration, "a rest stays", Branching, "r", "places p q=1 r; h: q -> 3p r; f: 2p -> q", 0, "p q r, 2"},
		{PostAgglomeration, "f is visible", Branching, "q", "places p q=1 r; h: q -> p r; f: p -> q", 0, "p q r, 2"},
		{PostAgglomeration, "f needs more", Branching, "r", "places p q=1 r; h: q -> p r; f: p r -> q r", 0, "p q r, 2"},
		{PostAgglomeration, "p is observed", Branching, "p", "places p q=1 r; h: q -> p r; f: p -> q", 0, "p q r, 2"},
		{PostAgglomeration, "f gives p", Branching, "r", "places p q=1 r; h: q -> p r; f: p -> p q", 0, "p q r, 2"},
		{PostChoice, "two ways on", Linear, "r", "places p q=1 r s; h: q -> p r; f: p -> q; g: p -> s", 1, "q r s, 2"},
		{PostChoice, "a branching formula sees the choice", Branching, "r", "places p q=1 r s; h: q -> p r; f: p -> q; g: p -> s", 0, "p q r s, 3"},
		{PostChoice, "marked at first", Linear, "r", "places p=1 q=1 r s; h: q -> p r; f: p -> q; g: p -> s", 0, "p q r s, 3"},

		{PreAgglomeration, "one may wait", Branching, "s", "places p q=1 r=1 s; h: q -> p; f: p r -> s", 1, "q r s, 1"},
		{PreAgglomeration, "h has a rival", Branching, "s", "places p q=1 r=1 s; h: q -> p; f: p r -> s; g: q -> s", 0, "p q r s, 3"},
		{PreAgglomeration, "h gives more", Branching, "s", "places p q=1 r s; h: q -> p r; f: p r -> s", 0, "p q r s, 2"},
		{PreAgglomeration, "h is visible", Branching, "q s", "places p q=1 r=1 s; h: q -> p; f: p r -> s", 0, "p q r s, 2"},
		{PreAgglomeration, "h needs nothing", Branching, "s", "places p r=1 s; h: -> p; f: p r -> s", 0, "p r s, 2"},
		{PreAgglomeration, "marked at first", Branching, "s", "places p=1 q=1 r=1 s; h: q -> p; f: p r -> s", 0, "p q r s, 2"},
		{PreAgglomeration, "another weight", Branching, "s", "places p q=1 r=1 s; h: q -> 2p; f: p r -> s", 0, "p q r s, 2"},
		{FreeAgglomeration, "h has a rival", Reachable, "s", "places p q=1 r=1 s; h: q -> p; f: p r -> s; g: q -> s", 1, "q r s, 2"},
		{FreeAgglomeration, "h is visible", Reachable, "q s", "places p q=1 r=1 s; h: q -> p; f: p r -> s; g: q -> s", 0, "p q r s, 3"},

		{FreeCircuit, "three places in a ring", Futures, "s", "places p=1 q=1 r s; t: p -> q; u: q -> r; v: r -> p; w: q r -> s", 1, "p s, 1"},
		{FreeCircuit, "a token in it lives", Deadlocks, "", "places p=1 q=1 r s; t: p -> q; u: q -> r; v: r -> p; w: q r -> s", 1, "p s, 2"},
		{FreeCircuit, "no way back", Futures, "s", "places p=1 q=1 r s; t: p -> q; u: q -> r; v: r q -> p; w: q r -> s", 0, "p q r s, 4"},
		{FreeCircuit, "one is observed", Futures, "r s", "places p=1 q r s; t: p -> q; u: q -> r; v: r -> p; w: q r -> s", 0, "p q r s, 4"},

		{Cone, "what only takes, and what comes after", Reachable, ">q", "places p=1 q r s; t: p -> q; u: q -> r; v: r -> s", 4, "p q, 1"},
		{Cone, "fewer may be asked for", Reachable, "<q", "places p=1 q r s; t: p -> q; u: q -> r; v: r -> s", 3, "p q, 2"},
		{Cone, "what changes nothing", Reachable, ">p", "places p=1; t: p -> p", 1, "p, 0"},
		{Cone, "what takes closes futures", Futures, "q", "places p=1 q r s; t: p -> q; u: p -> r; v: r -> s", 3, "p q, 2"},
	} {
		net := parse(t, c.net)
		w := newWork(nil, net, observe(net, c.keep, c.observed), func() bool { return false })
		by(w, c.rule)
		r := w.result(net)
		var left []string
		for p := range r.Net.Places.Len() {
			left = append(left, r.Net.Places.At(p))
		}
		got := strings.Join(left, " ") + ", " + strconv.Itoa(r.Net.Transitions.Len())
		if w.used[c.rule] != c.used || got != c.left {
			t.Errorf("%v, %s: used %d times (%v), left %s; want %d, %s", c.rule, c.why, w.used[c.rule], r, got, c.used, c.left)
		}
	}
}

// TestTableOfRules compares the table of the package comment, and that of the
// manual, with the one that is used.
func TestTableOfRules(t *testing.T) {
	comment, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	manual, err := os.ReadFile("../../../docs/referee.md")
	if err != nil {
		t.Fatal(err)
	}
	var columns []int // where a column of the comment begins
	rows, printed := 0, 0
	compare := func(name string, k Keep, marked bool) {
		if r := Rule(slices.IndexFunc(table[:], func(r row) bool { return r.name == name })); marked != r.Allowed(k) {
			t.Errorf("%v, %v: written %v, used %v", r, k, marked, r.Allowed(k))
		}
	}
	known := func(name string) bool {
		return slices.ContainsFunc(table[:], func(r row) bool { return r.name == name })
	}
	for line := range strings.Lines(string(comment)) {
		line = strings.TrimPrefix(strings.TrimRight(line, "\n"), "//\t")
		if strings.Contains(line, "Graph Steps") {
			for k := range keeps {
				columns = append(columns, strings.Index(line, k.String()))
			}
			continue
		}
		name, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if name == "of a choice" {
			name = PostChoice.String()
		}
		if columns == nil || !known(name) {
			continue
		}
		rows++
		for k := range keeps {
			end := len(line)
			if k+1 < keeps {
				end = min(end, columns[k+1])
			}
			compare(name, k, columns[k] < end && strings.Contains(line[columns[k]:end], "x"))
		}
	}
	for line := range strings.Lines(string(manual)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != int(keeps)+3 || !known(strings.TrimSpace(cells[1])) {
			continue
		}
		printed++
		for k := range keeps {
			compare(strings.TrimSpace(cells[1]), k, strings.TrimSpace(cells[k+2]) == "x")
		}
	}
	if rows != int(rules) || printed != int(rules) {
		t.Errorf("the comment has %d and the manual %d of %d rules", rows, printed, rules)
	}
}
