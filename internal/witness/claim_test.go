package witness

import (
	"testing"

	"podium/examinations"
)

// TestJudge: an answer and the witnesses of its run.
func TestJudge(t *testing.T) {
	number := func(text string) examinations.Value { return examinations.Value{Kind: examinations.Nat, Text: text} }
	proves := func(claim, proved Claim) Result {
		return Result{Claim: claim, Proved: proved, Detail: "seen"}
	}
	yes, never := Claim{"a", examinations.True, false}, Claim{"a", examinations.False, false}
	two, atLeastTwo, atLeastThree := Claim{"a", number("2"), false}, Claim{"a", number("2"), true}, Claim{"a", number("3"), true}
	for name, c := range map[string]struct {
		answer   Claim
		provable bool
		results  []Result
		want     State
		proved   string
	}{
		"none":               {yes, true, nil, Unconfirmed, ""},
		"none can be":        {yes, false, nil, NotAsked, ""},
		"of another":         {yes, true, []Result{proves(Claim{Item: "b"}, Claim{"b", examinations.True, false})}, Unconfirmed, ""},
		"proved":             {yes, true, []Result{proves(yes, Claim{}), proves(yes, yes)}, Confirmed, "TRUE"},
		"proved otherwise":   {yes, true, []Result{proves(yes, yes), proves(never, never)}, Refuted, "FALSE"},
		"reached":            {two, false, []Result{proves(atLeastTwo, Claim{"a", number("1"), true}), proves(atLeastTwo, atLeastTwo)}, NotAsked, ">=2"},
		"exceeded":           {two, false, []Result{proves(atLeastThree, atLeastThree)}, Refuted, ">=3"},
		"infinite after all": {two, false, []Result{proves(two, Claim{"a", examinations.Infinite, false})}, Refuted, "+inf"},
	} {
		r := Judge(c.answer, c.provable, c.results)
		proved := ""
		if !r.Proved.Value.IsZero() {
			proved = r.Proved.Bound()
		}
		if r.State != c.want || proved != c.proved {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
