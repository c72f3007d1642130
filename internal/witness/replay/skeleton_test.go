package replay

import (
	"strings"
	"testing"

	"podium/examinations/formula"
	"podium/pnml"
	"podium/pnml/unfold"
)

// TestSkeleton: on the net without its colours a proof, and the initial marking's numbers of
// tokens, show a value; runs, ways back and what is enabled do not. Where the unfolding is too
// large, other witnesses say so.
func TestSkeleton(t *testing.T) {
	whole := colouredRing(t)
	view, ok := unfold.Skeleton(whole.view.Unfolding.Source)
	if !ok {
		t.Fatal("the ring has no skeleton")
	}
	alone := NewNet(view)
	large := Open(&pnml.Document{Symmetric: whole.view.Unfolding.Source}, unfold.Limits{Places: 1})
	one := &formula.Bound{Places: []string{"here"}}
	two := &formula.ExistsPath{F: &formula.Finally{F: atLeast(2, "here")}}
	now := &formula.ExistsPath{F: &formula.Finally{F: atLeast(1, "here")}}
	moves := &formula.ExistsPath{F: &formula.Finally{F: fireable("move")}}
	stuck := &formula.AllPaths{F: &formula.Globally{F: fireable("move")}}
	for _, c := range []struct {
		net  *Net
		f    formula.Formula
		text string
		want string
	}{
		{whole, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run"), "confirmed f TRUE"},
		{alone, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run"), "confirmed f TRUE"},
		{whole, one, witnessOf("UpperBounds", "f 1", "skeleton", "run", "proof", "invariant 1 here", "leaf a0 1 f0 1"), "confirmed f 1: a proof"},
		{whole, two, witnessOf("ReachabilityCardinality", "f FALSE", "skeleton", "proof", "invariant 1 here", "leaf a0 1 f0 1"), "confirmed f FALSE"},
		{whole, stuck, witnessOf("ReachabilityFireability", "f TRUE", "skeleton", "proof", "invariant -1 here", "leaf a0 1 f0 1"), "unconfirmed f TRUE: line 6: the proof does not hold"},
		{whole, moves, witnessOf("ReachabilityFireability", "f TRUE", "skeleton", "run"), "unconfirmed f TRUE: " + errSkeleton.Error()},
		{whole, stuck, witnessOf("ReachabilityFireability", "f FALSE", "skeleton", "run"), "unconfirmed f FALSE: " + errSkeleton.Error()},
		{whole, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run", "fire move"), "unconfirmed f TRUE: a skeleton may do what"},
		{whole, one, witnessOf("UpperBounds", "f 1", "skeleton", "enumerate"), "unconfirmed f 1: a skeleton may do what"},
		{whole, nil, witnessOf("StateSpace", "STATES 3", "skeleton", "run"), "unconfirmed STATES 3: a skeleton has other markings"},
		{alone, now, witnessOf("ReachabilityCardinality", "f TRUE", "run"), "unconfirmed f TRUE: the witness is not about the skeleton"},
		{large, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run"), "confirmed f TRUE"},
		{large, now, witnessOf("ReachabilityCardinality", "f TRUE", "run"), "w:5:1: the unfolding is too large"},
		{whole, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "skeleton", "run"), "w:6:1: the line skeleton stands twice"},
		{whole, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton 1", "run"), "w:5:10: nothing follows the word skeleton"},
		{forks(t), now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run"), "w:5:1: the net has no skeleton"},
		// The net of the file counts again for the next witness.
		{whole, now, witnessOf("ReachabilityCardinality", "f TRUE", "skeleton", "run") + witnessOf("ReachabilityCardinality", "f TRUE", "run", `fire move{x="c a",i=3}`), "\nconfirmed f TRUE"},
	} {
		if got := replayed(c.net, c.text, c.f); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %s\nwant %s", c.text, got, c.want)
		}
	}
}
