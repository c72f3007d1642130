package replay

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/prover"
	"podium/internal/witness"
	"podium/pnml/unfold"
)

// TestCorruptedFiles: witness files whose text is changed at random never confirm a wrong
// value, nor refute a right one. They hold bounds with their runs, deadlocks, places that
// are one-safe, and state formulas; enumeration says what is right.
func TestCorruptedFiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 12))
	tried, kept, read := 0, 0, 0
	for net, g := range nettest.RandomNets(rng, nettest.Cases(400)) {
		n := NewNet(unfold.Plain(net))
		formulas := nettest.NewFormulas(rng, net)
		places := formulas.Some(formulas.Places)
		bound := strconv.Itoa(g.UpperBound(places))
		state := &formula.ExistsPath{F: &formula.Finally{F: formulas.State(3)}}
		for _, q := range []struct {
			exam  examinations.ID
			f     formula.Formula
			truth string
		}{
			{examinations.UpperBounds, &formula.Bound{Places: places}, bound},
			{examinations.ReachabilityDeadlock, nil, g.Value(examinations.ReachabilityDeadlock, "", nil)},
			{examinations.OneSafe, nil, g.Value(examinations.OneSafe, "", nil)},
			{examinations.ReachabilityCardinality, state, examinations.Truth(g.Sat(state)[0]).Text},
		} {
			right := truthful(t, n, g, q.exam, q.f, q.truth)
			for k := range 9 {
				text := right
				if k > 0 {
					tried++
				}
				for range min(k, 1+k%2) {
					text = spoilt(rng, text)
				}
				r := NewReader(strings.NewReader(text), n, Options{})
				for r.Scan() {
					if len(r.Witness().Faults) == 0 && k > 0 {
						read++
					}
					for _, result := range n.Check(t.Context(), r.Witness(), func(string) (formula.Formula, bool) { return q.f, q.f != nil }) {
						correct := result.Claim.Value.Text == q.truth && result.Claim.Value.Kind == q.exam.Kind()
						if result.State == witness.Confirmed && !correct && !atLeastTruth(result.Claim, q.truth) || result.State == witness.Refuted && correct {
							t.Fatalf("%s, where %s is right: %s %s: %s\n%s", q.exam, q.truth, result.Claim, result.State, result.Detail, text)
						}
						if result.State == witness.Confirmed && k > 0 {
							kept++
						}
					}
				}
			}
		}
	}
	t.Logf("%d corrupted files, %d read without a fault, %d values still confirmed", tried, read, kept)
	if tried < 10_000 || read < tried/20 || kept == 0 {
		t.Errorf("%d corrupted files, %d read without a fault, %d values still confirmed", tried, read, kept)
	}
}

// atLeastTruth reports whether a claim of a lower bound is right.
func atLeastTruth(c witness.Claim, truth string) bool {
	n, err := strconv.Atoi(c.Value.Text)
	most, wrong := strconv.Atoi(truth)
	return c.AtLeast && err == nil && wrong == nil && n <= most
}

// truthful is a witness file of the right value: with a run where one shows it, and with a
// proof where one is found.
func truthful(t *testing.T, n *Net, g *nettest.Graph, exam examinations.ID, f formula.Formula, truth string) string {
	t.Helper()
	item := string(exam)
	if f != nil {
		item = "f"
	}
	w := &witness.Witness{Instance: "N-PT-1", Exam: exam, Claims: []witness.Claim{{Item: item, Value: examinations.Value{Kind: exam.Kind(), Text: truth}}},
		Proof: &witness.Proof{Trees: make([]witness.Tree, 1)}} // the claim is about such trees
	of := n.claimed(nil, w, w.Claims[0], func(string) (formula.Formula, bool) { return f, f != nil })
	p := prover.NewNet(nil, n.view).Begin(nil)
	var proof *witness.Proof
	if bad, err := of.markings(witness.Head{}); err == nil {
		if found, err := p.Show(witness.Head{}, bad); err == nil && found {
			proof = p.Proof(of.markings)
		}
	}
	w.Proof = proof
	target := formula.Formula(&formula.Deadlock{})
	switch f := f.(type) {
	case *formula.Bound:
		most, _ := strconv.Atoi(truth)
		target = &formula.LessEqual{Left: &formula.Number{N: uint64(most)}, Right: &formula.TokensCount{Places: f.Places}}
	case *formula.ExistsPath:
		target = f.F.(*formula.Finally).F
	}
	if fire, ok := g.RunTo(g.Sat(target)); ok {
		w.Paths = []witness.Path{witness.Finite(fire)}
	}
	var out bytes.Buffer
	if err := n.Write(&out, w); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// spoilt changes a word, a number or a line of a text.
func spoilt(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := rng.IntN(len(lines))
	switch rng.IntN(6) {
	case 0: // a line is missing
		return strings.Join(lines[:at], "") + strings.Join(lines[at+1:], "")
	case 1: // there twice
		return strings.Join(lines[:at+1], "") + strings.Join(lines[at:], "")
	case 2: // elsewhere
		to := rng.IntN(len(lines))
		lines[at], lines[to] = lines[to], lines[at]
		return strings.Join(lines, "")
	}
	words := strings.Fields(lines[at])
	if len(words) < 2 {
		return text
	}
	k := 1 + rng.IntN(len(words)-1)
	if n, err := strconv.Atoi(words[k]); err == nil {
		words[k] = fmt.Sprint(n + rng.IntN(5) - 2)
	} else {
		other := strings.Fields(text)
		words[k] = other[rng.IntN(len(other))]
	}
	lines[at] = strings.Join(words, " ") + "\n"
	return strings.Join(lines, "")
}
