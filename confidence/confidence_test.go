package confidence

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// votes writes one letter per tool, '.' for no answer.
func votes(row string) []Vote {
	var list []Vote
	for tool, c := range row {
		if c != '.' {
			list = append(list, Vote{tool, Answer(c)})
		}
	}
	return list
}

func TestE22ConsistentValues(t *testing.T) {
	for _, tc := range []struct {
		row  string
		min  int
		of   MajorityOf
		want Answer // None where the value is not consistent
	}{
		{"aaa", 3, OfAnswering, 'a'},
		{"aa.", 3, OfAnswering, None}, // two tools are not enough
		{"", 0, OfAnswering, None},
		{"a", 1, OfAnswering, 'a'},
		{"aaabb", 3, OfAnswering, 'a'},
		{"bbaaa", 3, OfAnswering, 'a'},
		{"aaabbb", 3, OfAnswering, None}, // no majority
		{"aaabbc", 3, OfAnswering, None}, // exactly half
		{"aabb", 2, OfAnswering, None},
		{"aab", 3, OfAnswering, None}, // a majority of too few
		{"aab", 2, OfAnswering, 'a'},
		{"aaabbc", 3, OfMode, 'a'},
		{"aaabbbc", 3, OfMode, None},
		{"bbaacc", 2, OfMode, None},
		{"aabbb..", 3, OfAll, None},
		{"abbbb..", 3, OfAll, 'b'},
		{"aaab..", 3, OfAll, None}, // exactly half of all
		{"aaa...", 3, OfAll, None},
		{"bbb....", 3, OfAll, None},
		{"bbbb...", 3, OfAll, 'b'},
		{"bbb....", 3, OfAnswering, 'b'},
		{"abcdefghij", 1, OfMode, None}, // more answers than a short list holds
		{"abcdefghijj", 1, OfMode, 'j'},
	} {
		if answer := Majority(tc.min, tc.of)(votes(tc.row), len(tc.row)); answer != tc.want {
			t.Errorf("E-2.2 %q of %s: %q, want %q", tc.row, tc.of, rune(answer), rune(tc.want))
		}
	}
}

// ballots has one row per string.
func ballots(rows ...string) *Ballots {
	b := NewBallots(len(rows), len(rows[0]))
	for value, row := range rows {
		for _, v := range votes(row) {
			b.Cells[value*b.Tools+v.Tool] = v.Answer
		}
	}
	return b
}

func TestE22Confidence(t *testing.T) {
	b := ballots("aaab", "aaa.", "aa..", "abbb", "....")
	shares := Shares(b, nil, Majority(3, OfAnswering))
	want := []Share{{2, 3, 3}, {3, 3, 3}, {3, 3, 3}, {1, 2, 3}}
	if !slices.Equal(shares, want) {
		t.Errorf("E-2.2: shares %v, want %v", shares, want)
	}
	if c := OverAnswered(shares[3]).String(); c != "1/2" {
		t.Errorf("E-2.2 over the answered values: %s", c)
	}
	if c := OverConsistent(shares[3]).String(); c != "1/3" {
		t.Errorf("E-2.2 over all of V: %s", c)
	}
	if c := OverAnswered(Share{}); c.Cmp(Ratio{}) != 0 {
		t.Errorf("E-2.1: a tool outside of V has confidence %v", c)
	}
}

// A tool can differ from a consistent value only where more tools answer than have to
// agree.
func TestE22CanDiffer(t *testing.T) {
	for _, tc := range []struct {
		name string
		b    *Ballots
		of   MajorityOf
		want bool
	}{
		{"three of three", ballots("aaa", "aab", "bbb", "aa."), OfAnswering, false},
		{"three of four", ballots("aaa.", ".bbb"), OfAnswering, false},
		{"a fourth agrees", ballots("aaa.", "bbbb"), OfAnswering, true},
		{"a fourth differs", ballots("aaab"), OfAnswering, true},
		{"too few of all", ballots("aaaa..."), OfAll, false},
		{"no value agreed on", ballots("abc", "..."), OfAnswering, false},
		{"no tools", &Ballots{}, OfAnswering, false},
	} {
		cells := slices.Clone(tc.b.Cells)
		if got := CanDiffer(tc.b, nil, Majority(3, tc.of)); got != tc.want {
			t.Errorf("E-2.2 %s: %v", tc.name, got)
		}
		if !slices.Equal(cells, tc.b.Cells) {
			t.Errorf("%s: the ballots were changed", tc.name)
		}
	}
	if CanDiffer(ballots("a.", ".b"), nil, Majority(1, OfAnswering)) {
		t.Error("a tool that answers alone can differ")
	}
	two := func(cast []Vote, _ *Electorate) []Vote { return cast[:min(2, len(cast))] }
	if CanDiffer(ballots("aaaa"), two, Majority(2, OfAnswering)) {
		t.Error("votes that do not count let a tool differ")
	}
}

func TestE31Reference(t *testing.T) {
	// tools 0 and 1 have confidence 1, 2 has 93/100, 3 has 94/100, 4 and 5 have 0
	e := NewElectorate([]Ratio{NewRatio(1, 1), NewRatio(1, 1), NewRatio(93, 100), NewRatio(94, 100), {}, {}})
	usual := WeightedMajorityPolicy{SingleAbove: NewRatio(93, 100)}
	absolute, supporters, against := usual, usual, usual
	absolute.Absolute = true
	supporters.TieBySupporters = true
	against.MissingAgainst = true
	for _, tc := range []struct {
		name   string
		policy WeightedMajorityPolicy
		row    string
		answer rune
		clause Clause
	}{
		{"nobody", usual, "......", 0, NoValue},
		{"single above the bound", usual, "...a..", 'a', SingleAccepted},
		{"single at the bound", usual, "..a...", 'a', SingleRejected},
		{"all agree", usual, "aaaa..", 'a', GlobalAgreement},
		{"all agree without any confidence", usual, "....aa", 'a', GlobalAgreement},
		{"two differ", usual, "..ab..", 'b', TwoConfidence},
		{"two differ, equal", usual, "ab....", 'a', TwoTie},
		{"plurality", usual, "..abc.", 'b', WeightedMajority},
		{"plurality below half", usual, "a.bc..", 'a', WeightedMajority},
		{"no absolute majority", absolute, "a.bc..", 'a', NoMajority},
		{"absolute majority", absolute, "aabc..", 'a', WeightedMajority},
		{"absolute majority does not touch two tools", absolute, "..ab..", 'b', TwoConfidence},
		{"tie of three", usual, "ab..c.", 'a', NoMajority},
		{"tie decided by the number of tools", supporters, "ab..b.", 'b', WeightedMajority},
		{"no weight at all", usual, "....ab", 'a', TwoTie},
		{"missing tools count against", against, "a.....", 'a', NoMajority},
		{"missing tools count against, enough weight", against, "aa....", 'a', GlobalAgreement},
	} {
		ref := tc.policy.Elect(e, votes(tc.row))
		if ref.Answer != Answer(tc.answer) || ref.Clause != tc.clause {
			t.Errorf("E-3.1 %s: %c by %q, want %c by %q", tc.name, ref.Answer, ref.Clause, tc.answer, tc.clause)
		}
		if known := ref.Known(); known != !slices.Contains([]Clause{NoValue, SingleRejected, TwoTie, NoMajority}, tc.clause) {
			t.Errorf("E-3.1 %s: known is %v", tc.name, known)
		}
	}
}

// TestE31NearTie needs exact sums: in binary floating point, 1/10 taken ten
// times is not 1.
func TestE31NearTie(t *testing.T) {
	confidence := []Ratio{NewRatio(1, 1)}
	row := "a"
	for range 10 {
		confidence = append(confidence, NewRatio(1, 10))
		row += "b"
	}
	policy := WeightedMajorityPolicy{}
	if ref := policy.Elect(NewElectorate(confidence), votes(row)); ref.Known() {
		t.Errorf("ten tenths against one: %v", ref)
	}
	confidence[1] = NewRatio(100_000_001, 1_000_000_000)
	e := NewElectorate(confidence)
	if ref := policy.Elect(e, votes(row)); ref.Answer != 'b' {
		t.Errorf("a thousand-millionth more must decide: %v", ref)
	}
	if w := e.Weight(votes(row), 'b'); w.Cmp(big.NewRat(1_000_000_001, 1_000_000_000)) != 0 {
		t.Errorf("weight %v", w)
	}
}

func interval(low, high int64) Interval {
	if high < 0 {
		return Interval{Low: big.NewInt(low)}
	}
	return Interval{big.NewInt(low), big.NewInt(high)}
}

func TestE32ReferenceSet(t *testing.T) {
	for _, tc := range []struct {
		name      string
		intervals []Interval
		want      string
		agree     int
	}{
		{"none", nil, "", 0},
		{"one", []Interval{interval(2, 5)}, "[2,5]", 1},
		{"overlap", []Interval{interval(0, 5), interval(3, 9), interval(4, -1)}, "[4,5]", 3},
		{"two best pieces", []Interval{interval(0, 2), interval(1, 3), interval(7, 9), interval(8, 8)}, "[1,2][8,8]", 2},
		{"neighbours join", []Interval{interval(0, 1), interval(2, 3)}, "[0,3]", 1},
		{"no upper end", []Interval{interval(1, 4), interval(6, -1), interval(9, -1)}, "[9,oo)", 2},
		{"points", []Interval{interval(7, 7), interval(7, 7), interval(8, 8)}, "[7,7]", 2},
	} {
		rng := rand.New(rand.NewPCG(3, 2))
		for range 4 {
			rng.Shuffle(len(tc.intervals), func(i, j int) { tc.intervals[i], tc.intervals[j] = tc.intervals[j], tc.intervals[i] })
			set, agree := ReferenceSet(tc.intervals)
			if got := show(set); got != tc.want || agree != tc.agree {
				t.Errorf("E-3.2 %s: %s by %d, want %s by %d", tc.name, got, agree, tc.want, tc.agree)
			}
		}
	}
}

func show(set []Interval) string {
	text := ""
	for _, in := range set {
		if in.High == nil {
			text += "[" + in.Low.String() + ",oo)"
			continue
		}
		text += "[" + in.Low.String() + "," + in.High.String() + "]"
	}
	return text
}

// TestE32AgainstCounting compares with the definition, number by number.
func TestE32AgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	const beyond = 30
	for range 500 {
		var intervals []Interval
		for range rng.IntN(6) {
			low := rng.Int64N(beyond)
			intervals = append(intervals, interval(low, low+rng.Int64N(8)-1+1))
		}
		set, agree := ReferenceSet(intervals)
		var f [2 * beyond]int
		most := 0
		for x := range f {
			for _, in := range intervals {
				if in.Low.Int64() <= int64(x) && int64(x) <= in.High.Int64() {
					f[x]++
				}
			}
			most = max(most, f[x])
		}
		if agree != most {
			t.Fatalf("E-3.2 %v: %d, counted %d", intervals, agree, most)
		}
		for x := range f {
			inside := slices.ContainsFunc(set, func(in Interval) bool { return in.Low.Int64() <= int64(x) && int64(x) <= in.High.Int64() })
			if inside != (most > 0 && f[x] == most) {
				t.Fatalf("E-3.2 %v: %d", show(intervals), x)
			}
		}
	}
}

func TestOneVotePerFamily(t *testing.T) {
	family := []int{0, 0, 0, 1, 1, 2}
	e := NewElectorate([]Ratio{NewRatio(1, 2), NewRatio(3, 4), NewRatio(1, 4), NewRatio(1, 1), NewRatio(1, 1), NewRatio(1, 1)})
	for row, want := range map[string][]Vote{
		"aaa...": {{1, 'a'}}, // the member of greatest confidence speaks
		"aab..b": {{1, 'a'}, {5, 'b'}},
		"...ab.": nil, // divided in equal parts
		"..aab.": {{2, 'a'}},
		"......": nil,
	} {
		if got := OnePerFamily(family)(votes(row), e); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", row, got, want)
		}
	}
	// The first of equals speaks, and nobody speaks for one that is trusted more.
	for _, confidences := range [][]Ratio{{NewRatio(1, 1), NewRatio(1, 2)}, {NewRatio(1, 2), NewRatio(1, 2)}} {
		if got := OnePerFamily([]int{0, 0})(votes("aa"), NewElectorate(confidences)); !slices.Equal(got, []Vote{{0, 'a'}}) {
			t.Errorf("confidences %v: %v", confidences, got)
		}
	}
}

func TestParseRatio(t *testing.T) {
	for text, want := range map[string]string{"93/100": "93/100", "0.93": "93/100", "2": "2", "-1/2": "-1/2", "4/8": "1/2", "0.50": "1/2", "-0.5": "-1/2"} {
		if r, err := ParseRatio(text); err != nil || r.String() != want {
			t.Errorf("%q: %v %v", text, r, err)
		}
	}
	for _, bad := range []string{"", "1/0", "a", "1/-2", ".5", "1.", "1.+5", "99999999999", "1/2/3", "0x1"} {
		if r, err := ParseRatio(bad); err == nil {
			t.Errorf("%q was read as %v", bad, r)
		}
	}
}

func TestRatioOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		a := NewRatio(rng.Int64N(21)-10, rng.Int64N(12)-2)
		b := NewRatio(rng.Int64N(21)-10, rng.Int64N(12)-2)
		if a.Cmp(b) != a.Rat().Cmp(b.Rat()) {
			t.Fatalf("%v and %v: %d", a, b, a.Cmp(b))
		}
	}
}

func TestRatioForm(t *testing.T) {
	for _, tc := range []struct {
		num, den int64
		want     string
	}{{3, -2, "-3/2"}, {-4, -6, "2/3"}, {12, 1, "12"}, {36, 3, "12"}, {0, 5, "0"}, {7, 0, "0"}, {-12, 24, "-1/2"}} {
		r := NewRatio(tc.num, tc.den)
		if r.String() != tc.want || r.IsInt() != !strings.Contains(tc.want, "/") {
			t.Errorf("%d/%d: %s, want %s", tc.num, tc.den, r, tc.want)
		}
	}
	if NewRatio(0, 5) != (Ratio{}) || NewRatio(0, 0) != (Ratio{}) {
		t.Error("zero has two forms")
	}
	for text, ok := range map[string]bool{"1000000000": true, "1000000001": false, "-1000000000": true, "-1000000001": false,
		"1/1000000000": true, "1/1000000001": false, "0.123456789": true, "0.1234567891": false, "-.5": false, "-1.5": true} {
		if _, err := ParseRatio(text); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
	if got := NewRatio(1, 8).Decimal(2); got != "0.13" {
		t.Errorf("an eighth with two digits: %s", got)
	}
}

func TestCertifiedOverrides(t *testing.T) {
	elected := Reference{'a', GlobalAgreement}
	if got := Overrides(elected, None); got != elected {
		t.Errorf("nothing proved: %v", got)
	}
	if got := Overrides(elected, 'b'); got != (Reference{'b', FromReferee}) {
		t.Errorf("b proved: %v", got)
	}
}

func TestWeakReferences(t *testing.T) {
	for clause := NoValue; clause <= FromReferee; clause++ {
		if weak := (Reference{'a', clause}).Weak(); weak != (clause == SingleRejected) {
			t.Errorf("%s: weak is %v", clause, weak)
		}
		if clause.Word() == "" || clause.String() == clause.Word() {
			t.Errorf("clause %d has the words %q and %q", clause, clause.Word(), clause)
		}
	}
	if !Unanimous(votes("a")) || Unanimous(votes("..")) || Unanimous(votes("ab")) {
		t.Error("one vote agrees with itself, and no vote with nobody")
	}
}

// TestE22CountedVotes: what decides whether a value is consistent are the votes
// that count.
func TestE22CountedVotes(t *testing.T) {
	b := ballots("aaab", "aaaa")
	oneFamily := OnePerFamily([]int{0, 0, 0, 1})
	if got := Shares(b, oneFamily, Majority(2, OfAnswering)); got[0] != (Share{1, 1, 1}) {
		t.Errorf("three siblings against one: %v", got)
	}
	last := Only(func(tool int) bool { return tool == 3 })
	if got := Shares(b, last, Majority(1, OfAnswering)); got[0] != (Share{1, 2, 2}) || got[3] != (Share{2, 2, 2}) {
		t.Errorf("the last tool alone votes: %v", got)
	}
	if b.Values() != 2 || (&Ballots{}).Values() != 0 {
		t.Error("the number of values is wrong")
	}
}

// TestE31Halves: exactly half of the weight is no majority.
func TestE31Halves(t *testing.T) {
	e := NewElectorate([]Ratio{NewRatio(1, 1), NewRatio(1, 2), NewRatio(1, 2), NewRatio(1, 1)})
	for _, tc := range []struct {
		name   string
		policy WeightedMajorityPolicy
		row    string
		want   Reference
	}{
		{"half of those who answered", WeightedMajorityPolicy{Absolute: true}, "abc.", Reference{'a', NoMajority}},
		{"more than half", WeightedMajorityPolicy{Absolute: true}, "aab.", Reference{'a', WeightedMajority}},
		{"of equal weight, the later has fewer tools", WeightedMajorityPolicy{TieBySupporters: true}, ".aab", Reference{'a', WeightedMajority}},
		{"of equal weight, the later has more tools", WeightedMajorityPolicy{TieBySupporters: true}, "abb.", Reference{'b', WeightedMajority}},
		{"a tie shows the least answer", WeightedMajorityPolicy{}, "b..a", Reference{'a', TwoTie}},
		{"half of all", WeightedMajorityPolicy{MissingAgainst: true}, "a.a.", Reference{'a', NoMajority}},
	} {
		if got := tc.policy.Elect(e, votes(tc.row)); got != tc.want {
			t.Errorf("E-3.1 %s: %v, want %v", tc.name, got, tc.want)
		}
	}
}
