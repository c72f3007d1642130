package replay

import (
	"bytes"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock"
	"podium/internal/clock/clocktest"
	"podium/internal/explorer/directed"
	"podium/internal/witness"
)

// TestBranches: what is said of markings is accepted where it follows, and what is wrong with
// it is said.
func TestBranches(t *testing.T) {
	n := switches(t)
	stopped := atLeast(1, "stopped")
	all := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	ends := &formula.ExistsPath{F: &formula.Finally{F: all(&formula.Globally{F: stopped})}}
	next := all(&formula.Next{F: atLeast(1, "on")})
	head := "format podium-witness/1\ninstance N-PT-1\nexamination CTLCardinality\nvalue x "
	good := head + "TRUE\nbranches\nfrom 0 up\nmore stop\nholds 1 2\nholds 0 2 1 0\nend\n"
	avoided := head + "FALSE\nbranches\nfrom 0 up down\nfails 0 0 1\nend\n"
	one := head + "TRUE\nbranches\nfrom 0 up\nholds 0 0\nend\n"
	for _, c := range []struct {
		f                      formula.Formula
		text, old, fresh, want string
	}{
		{ends, good, "", "", "confirmed x TRUE: what is shown of some markings decides the formula: it is TRUE"},
		{ends, good, "TRUE", "FALSE", "refuted x FALSE"},
		{ends, good, "CTLCardinality", "LTLCardinality", "LTLCardinality has no formulas of CTL"},
		{ends, good, "holds 0 2 1 0", "holds 0 0 1 2", "line 5: the branches do not show it: nothing shows what is said of part 0 in marking 0"},
		{ends, good, "holds 0 2 1 0", "holds 0 2 1", "does not decide it in the initial marking"},
		{ends, good, "holds 0 2 1 0", "holds 0 2 0", "nothing shows what is said of part 0 in marking 0"},
		{ends, good, "holds 0 2 1 0", "holds 0 2 2 1 0", "part 0 is claimed twice in marking 2"},
		{ends, good, "holds 0 2 1 0", "holds 0 2 1 0\nfails 0 0", "part 0 is claimed twice in marking 0"},
		{ends, good, "holds 0 2 1 0", "holds 0 3", "there is no marking 3, but 3 of them"},
		{ends, good, "holds 0 2 1 0", "holds 2 0", "the formula has no part 2"},
		{ends, good, "holds 0 2 1 0", "holds x 0", `w:9:7: "x" is no number`},
		{ends, good, "holds 0 2 1 0", "holds 0 -1", `w:9:9: "-1" is no number`},
		{ends, good, "holds 0 2 1 0", "holds", `w:9:6: "" is no number`},
		{ends, good, "holds 1 2", "holds 1 1", "nothing shows what is said of part 1 in marking 1"},
		{ends, good, "holds 1 2", "fails 1 2", "nothing shows what is said of part 1 in marking 2"},
		{ends, good, "holds 1 2\n", "", "nothing shows what is said of part 0 in marking 2"},
		{ends, good, "more stop", "more up", `transition "up" is not enabled in marking 0 or behind it`},
		{ends, good, "more stop", "more halt", `w:7:6: the net has no transition "halt"`},
		{ends, good, "from 0 up", "from 5 up", "there is no marking 5, but 1 of them so far"},
		{ends, good, "branches\n", "", `w:5:1: the line "from" stands outside of branches`},
		{ends, good, "branches\n", "branches\nmore up\n", "there is nothing that this line goes on with"},
		{ends, good, "branches\n", "branches\nbranches\n", "branches begin twice"},
		{ends, good, "branches\n", "branches\nrun\n", "a run stands beside branches"},
		{ends, good, "branches\n", "run\nbranches\n", "branches begin twice, or beside runs"},
		{ends, good, "branches\n", "branches\nenumerate\n", "the line enumerate stands twice, or beside"},
		{ends, good, "holds 1 2\n", "holds 1 2\nproof\n", `w:9:1: a line of a proof stands behind branches`},
		{ends, good, "holds 1 2\n", "holds 1 2\nvalue y TRUE\n", `w:9:1: the line "value" stands twice, or behind a run, a proof, branches`},
		{ends, good, "holds 1 2\n", "hold 1 2\n", `did you mean "holds"?`},
		{ends, good, "branches\n", "branch\n", `did you mean "branches"?`},
		{ends, good, "value x TRUE\n", "", "branches begin before the lines"},
		{all(&formula.Finally{F: stopped}), avoided, "", "", "confirmed x FALSE"}, // round a cycle
		{all(&formula.Finally{F: stopped}), avoided, "FALSE", "TRUE", "refuted x TRUE"},
		{all(&formula.Finally{F: stopped}), avoided, "fails", "holds", "nothing shows what is said of part 0"},
		{all(&formula.Finally{F: stopped}), avoided, " down", "", "nothing shows what is said of part 0 in marking 1"},
		{next, one, "", "", "confirmed x TRUE"},
		{next, one, "from 0 up\n", "", "nothing shows what is said of part 0 in marking 0"}, // a successor is missing
		{next, one, "from 0 up", "from 0 up stop", "confirmed x TRUE"},
	} {
		text := strings.Replace(c.text, c.old, c.fresh, 1)
		if got := replayed(n, text, c.f); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, not %s", text, got, c.want)
		}
	}
}

// TestBranchesOfNets: branches that are found are written, read and accepted, on a coloured
// net with the bindings of its transitions, and do not show the other value.
func TestBranchesOfNets(t *testing.T) {
	dead := &formula.Deadlock{}
	for name, n := range nets(t) {
		for _, f := range []formula.Formula{
			&formula.AllPaths{F: &formula.Next{F: &formula.ExistsPath{F: &formula.Next{F: &formula.Not{F: dead}}}}},
			&formula.ExistsPath{F: &formula.Finally{F: &formula.AllPaths{F: &formula.Next{F: &formula.Not{F: dead}}}}},
			&formula.Not{F: &formula.AllPaths{F: &formula.Finally{F: &formula.AllPaths{F: &formula.Globally{F: dead}}}}},
		} {
			var holds, ok bool
			w := &witness.Witness{Instance: "N-PT-1", Exam: examinations.CTLFireability}
			clock.Until(clocktest.Looks(40), func(c *clock.Clock) error {
				holds, w.Branches, ok = directed.Branch(c, n.view, f, true, false)
				return nil
			})
			if !ok {
				t.Fatalf("%s: %s is not decided", name, formula.Print(f))
			}
			for _, value := range []bool{holds, !holds} {
				w.Claims = []witness.Claim{{Item: "x", Value: examinations.Truth(value)}}
				var text bytes.Buffer
				if err := n.Write(&text, w); err != nil {
					t.Fatal(err)
				}
				want := map[bool]string{true: "confirmed ", false: "refuted "}[value == holds]
				if got := replayed(n, text.String(), f); !strings.HasPrefix(got, want) {
					t.Errorf("%s: %s, not %s\n%s", name, got, want, text.String())
				}
			}
		}
	}
}
