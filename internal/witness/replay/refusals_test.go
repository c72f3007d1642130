package replay

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"podium/examinations/formula"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// witnessOf is a witness, as text.
func witnessOf(exam, value string, lines ...string) string {
	return fmt.Sprintf("format podium-witness/1\ninstance N-PT-1\nexamination %s\nvalue %s\n%s\nend\n", exam, value, strings.Join(lines, "\n"))
}

// TestRefusals: what shows nothing is refused, and it is said why.
func TestRefusals(t *testing.T) {
	bound := &formula.Bound{Places: []string{"on"}}
	reach := &formula.ExistsPath{F: &formula.Finally{F: atLeast(2, "on")}}
	strange := &formula.ExistsPath{F: &formula.Finally{F: &formula.Fireable{Transitions: []string{"nowhere"}}}}
	for _, c := range []struct {
		f          formula.Formula
		text, want string
	}{
		// Inner cycles.
		{nil, witnessOf("StateSpace", "STATES +inf", "run", "fire up", "cycle", "fire count", "then", "fire down"), "confirmed STATES +inf: repeated cycles fill the places"},
		{nil, witnessOf("OneSafe", "OneSafe FALSE", "run", "fire up", "cycle", "fire count", "then", "fire count count"), "unconfirmed OneSafe FALSE: a run with inner cycles shows only what is unbounded"},
		{reach, witnessOf("ReachabilityCardinality", "f TRUE", "run", "cycle", "fire up down", "then"), "unconfirmed f TRUE: a run with inner cycles shows only what is unbounded"},
		{nil, witnessOf("StateSpace", "STATES +inf", "run", "cycle", "fire up", "then"), `step 1 (line 7): the cycle that ends here takes tokens away: place "off" holds 1 before and 0 after it`},
		{nil, witnessOf("StateSpace", "STATES +inf", "run", "cycle", "fire up down", "then"), "step 2 (line 7): the cycle that ends here adds no token"},
		// Formulas and values that are not there.
		{nil, witnessOf("UpperBounds", "f 1", "run"), `UpperBounds has no formula "f"`},
		{nil, witnessOf("CTLFireability", "f TRUE", "branches"), `CTLFireability has no formula "f"`},
		{nil, witnessOf("CTLFireability", "f TRUE", "enumerate"), `CTLFireability has no formula "f"`},
		{nil, witnessOf("ReachabilityFireability", "f FALSE", "proof", "leaf a0 1"), `ReachabilityFireability has no formula "f"`},
		{nil, witnessOf("OneSafe", "Safe FALSE", "run"), `OneSafe has no value "Safe"`},
		{nil, witnessOf("OneSafe", "Safe FALSE", "enumerate"), `OneSafe has no value "Safe"`},
		{strange, witnessOf("ReachabilityFireability", "f FALSE", "proof", "leaf a0 1"), `the net has no transition "nowhere"`},
		{strange, witnessOf("ReachabilityFireability", "f TRUE", "run"), `the net has no transition "nowhere"`},
		// Numbers that no proof can have.
		{bound, witnessOf("UpperBounds", "f 18446744073709551615", "proof", "leaf a0 1"), "the bound is too large"},
		{bound, witnessOf("UpperBounds", "f 18446744073709551616", "proof", "leaf a0 1"), "18446744073709551616 is no bound that a proof can have"},
		{&formula.Bound{Places: []string{"nowhere"}}, witnessOf("UpperBounds", "f 1", "proof", "leaf a0 1"), "is no bound that a proof can have"},
		{nil, witnessOf("StateSpace", "MAX_TOKEN_PER_MARKING 18446744073709551615", "proof", "leaf a0 1"), "the bound is too large"},
		{nil, witnessOf("StateSpace", "MAX_TOKEN_IN_PLACE 18446744073709551615", "proof", "leaf a0 1"), "the bound is too large"},
		{nil, witnessOf("StateSpace", "MAX_TOKEN_IN_PLACE 18446744073709551616", "proof", "leaf a0 1"), "is no number that a proof can have"},
		{nil, witnessOf("StateSpace", "STATES 4", "proof", "leaf a0 1"), `no proof of this form shows that "STATES" is 4`},
		// Lines of proofs.
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "always 99999999999999999999"), "w:6:8: the number is too large"},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "apart 0 !0 0", "leaf a0 1"), "the head names 3 state formulas and negations, and the formula has 2"},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "dead nowhere"), `w:6:6: the net has no transition "nowhere"`},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "constant"), "w:6:9: a name is missing"},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "split 1 2"), `w:6:7: "1" is no number here`},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "cut 1/2 1 on"), `w:6:5: "1/2" is no number here`},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "cut 1 1/2 on"), "a cut takes whole multiples of the tokens of places"},
		{reach, witnessOf("ReachabilityCardinality", "f FALSE", "proof", "clause 1/2 on <= 1"), "a clause has whole numbers only"},
	} {
		if got := replayed(switches(t), c.text, c.f); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestRefusalsOfLargeNumbers: what would exceed the numbers of a checker is refused.
func TestRefusalsOfLargeNumbers(t *testing.T) {
	b := &pnml.Builder{}
	p, q, u, v := b.Place("p", 1), b.Place("q", 1<<63), b.Transition("u"), b.Transition("v")
	b.In(p, u, 1)
	b.Out(u, p, math.MaxUint64)
	b.In(q, v, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	large := NewNet(unfold.Plain(net))
	few := switches(t)
	few.small = enumeration.Limits{Markings: 1, Memory: 1 << 20}
	next := &formula.ExistsPath{F: &formula.Next{F: &formula.Deadlock{}}}
	for _, c := range []struct {
		n          *Net
		f          formula.Formula
		text, want string
	}{
		{large, nil, witnessOf("StableMarking", "StableMarking TRUE", "proof", "constant q", "leaf a0 1"), "the place holds too many tokens"},
		{large, next, witnessOf("CTLFireability", "f TRUE", "branches", "from 0 u u"), "a place holds more than 2^64-1 tokens"},
		{large, nil, witnessOf("OneSafe", "OneSafe FALSE", "enumerate"), "a place holds more than 2^64-1 tokens"},
		{few, next, witnessOf("CTLFireability", "f TRUE", "branches", "from 0 up"), "the witness visits more than 1 markings"},
		{few, nil, witnessOf("OneSafe", "OneSafe FALSE", "enumerate"), "the net has more than 1 markings"},
	} {
		if got := replayed(c.n, c.text, c.f); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestRefusalsOfLongWitnesses: a reader keeps no more than its limits of a witness.
func TestRefusalsOfLongWitnesses(t *testing.T) {
	for _, c := range []struct {
		first, line string
		times       int
		want        string
	}{
		{"run", "cycle\nfire up down\nthen", maxInner, "a run has 4096 cycles at most"},
		{"proof", "bad", maxSteps, "a proof has 1048576 trees at most"},
		{"proof", "siphon on", maxFacts, "and there are 65536 at most"},
	} {
		text := witnessOf("OneSafe", "OneSafe FALSE", c.first, strings.Repeat(c.line+"\n", c.times+1))
		r := NewReader(strings.NewReader(text), switches(t), Options{})
		if !r.Scan() || !strings.Contains(r.Witness().Faults.Error(), c.want) {
			t.Errorf("%s: %v", c.line, r.Witness().Faults)
		}
	}
}
