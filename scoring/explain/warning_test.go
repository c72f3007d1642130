package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// doubts writes warnings: "Net-PT-1 OneSafe: text".
func doubts(r *scoring.Result, only explain.Doubt) []string {
	var list []string
	for _, w := range explain.Warnings(r, scoring.Twinning{First: 2, Except: []string{"Odd"}}) {
		if w.Doubt != only {
			continue
		}
		s := r.Contest.Sheets[w.Sheet]
		list = append(list, fmt.Sprintf("%s %s %s: %s", r.Contest.Instances[s.Instance].Name, r.Contest.Exams[s.Exam].ID, r.Contest.Items[w.Value], w.Text))
	}
	return list
}

func TestVoteWarnings(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, func(b *scoring.Builder) { b.Tool(scoring.Tool{Name: "A2", Family: "A"}) },
		scoringtest.Everybody("A A2 B C D E", "Base-PT-1", ctl, "T T T T"),
		scoringtest.Everybody("A A2", "Net-PT-1", ctl, "T T T ."), scoringtest.Everybody("B", "Net-PT-1", ctl, "T . T T"), scoringtest.Everybody("C", "Net-PT-1", ctl, "F . F ."),
		scoringtest.Everybody("D E", "Net-PT-1", ctl, "F . T ."))
	r := scoringtest.Plain().Score(c)
	for doubt, want := range map[explain.Doubt]string{
		explain.SingleTool: "Net-PT-1 CTLFireability formula-03: only B answered",
		explain.OneFamily:  "Net-PT-1 CTLFireability formula-01: all who voted for the reference are of the family A",
		explain.NearMargin: "Net-PT-1 CTLFireability formula-00: the reference is ahead by ",
	} {
		got := doubts(r, doubt)
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %q", doubt, got, want)
		}
	}
	byOracle := scoringtest.Plain()
	byOracle.Elect = nil
	for _, doubt := range []explain.Doubt{explain.SingleTool, explain.OneFamily, explain.NearMargin} {
		if got := doubts(byOracle.Score(c), doubt); got != nil {
			t.Errorf("nobody voted: %v", got)
		}
	}
	proofs := scoringtest.Plain()
	proofs.Certified = confidence.Overrides
	proved := c.WithCertified(map[examinations.Key]examinations.Value{{Instance: models.ParseAnyID("Net-PT-1"), Exam: ctl, Item: "formula-03"}: examinations.True})
	if got := doubts(proofs.Score(proved), explain.SingleTool); len(got) > 0 {
		t.Errorf("a proved value is in doubt: %v", got)
	}
}

func TestConsistencyBreaks(t *testing.T) {
	ss, safe, live, quasi := examinations.StateSpace, examinations.OneSafe, examinations.Liveness, examinations.QuasiLiveness
	dead, bounds := examinations.ReachabilityDeadlock, examinations.UpperBounds
	type answers map[examinations.ID]string
	for _, tc := range []struct {
		name     string
		instance string
		answers  answers
		want     []string
	}{
		{"all is well", "Net-PT-1", answers{ss: "4 5 1 3", safe: "T", live: "T", quasi: "T", dead: "F", bounds: "1 3"}, nil},
		{"live and dead", "Net-PT-1", answers{live: "T", dead: "T"}, []string{"Liveness Liveness: the net is live although ReachabilityDeadlock is TRUE",
			"ReachabilityDeadlock ReachabilityDeadlock: a deadlock is reachable although Liveness is TRUE"}},
		{"live and not quasi-live", "Net-PT-1", answers{live: "T", quasi: "F"}, []string{"Liveness Liveness: the net is live although QuasiLiveness is FALSE",
			"QuasiLiveness QuasiLiveness: QuasiLiveness is FALSE although the net is live"}},
		{"not live", "Net-PT-1", answers{live: "F", quasi: "F", dead: "T"}, nil},
		{"safe with two tokens", "Net-PT-1", answers{ss: "4 5 2 3", safe: "T"}, []string{"OneSafe OneSafe: OneSafe is TRUE although MAX_TOKEN_IN_PLACE is 2",
			"StateSpace MAX_TOKEN_IN_PLACE: OneSafe is TRUE although MAX_TOKEN_IN_PLACE is 2"}},
		{"not safe with one token", "Net-PT-1", answers{ss: "4 5 0 3", safe: "F"}, []string{"OneSafe OneSafe: OneSafe is FALSE although MAX_TOKEN_IN_PLACE is 0",
			"StateSpace MAX_TOKEN_IN_PLACE: OneSafe is FALSE although MAX_TOKEN_IN_PLACE is 0"}},
		{"coloured nets count otherwise", "Net-COL-1", answers{ss: "4 5 2 3", safe: "T"}, nil},
		{"a bound beyond all tokens", "Net-PT-1", answers{ss: "4 5 1 3", bounds: "3 4"}, []string{"UpperBounds formula-01: the bound 4 exceeds MAX_TOKEN_PER_MARKING 3"}},
		{"an infinite bound", "Net-PT-1", answers{ss: "4 5 1 3", bounds: "+inf 0"}, []string{"UpperBounds formula-00: the bound +inf exceeds MAX_TOKEN_PER_MARKING 3"}},
		{"infinite tokens", "Net-PT-1", answers{ss: "+inf +inf +inf +inf", bounds: "+inf 9"}, nil},
		{"unknown tokens of markings", "Net-PT-1", answers{ss: "4 5 +inf ."}, nil},
		{"unknown tokens of places", "Net-PT-1", answers{ss: "4 5 . 3"}, nil},
		{"texts of a published file", "Net-PT-1", answers{ss: "4 5 1.5E+10 3", bounds: "1.5E+10 3"}, nil},
		{"a text of a published file", "Net-PT-1", answers{ss: "4 5 3 1.5E+10", bounds: "4 4"}, nil},
		{"as many in a place as in all", "Net-PT-1", answers{ss: "4 5 10 10", bounds: "10 10"}, nil},
		{"eleven in a place and ten in all", "Net-PT-1", answers{ss: "4 5 11 10"}, []string{"StateSpace MAX_TOKEN_IN_PLACE: MAX_TOKEN_IN_PLACE 11 exceeds MAX_TOKEN_PER_MARKING 10"}},
		{"more in a place than in all", "Net-PT-1", answers{ss: "4 5 10 9"}, []string{"StateSpace MAX_TOKEN_IN_PLACE: MAX_TOKEN_IN_PLACE 10 exceeds MAX_TOKEN_PER_MARKING 9"}},
	} {
		var entries []scoring.Entry
		for exam, words := range tc.answers {
			entries = append(entries, scoringtest.Everybody("A B C", tc.instance, exam, words)...)
		}
		got := doubts(scoringtest.Plain().Score(scoringtest.Contest(t, nil, entries)), explain.Break)
		for i := range tc.want {
			tc.want[i] = tc.instance + " " + tc.want[i]
		}
		if len(got) != len(tc.want) || !sameSet(got, tc.want) {
			t.Errorf("%s:\n got %q\nwant %q", tc.name, got, tc.want)
		}
	}
}

func sameSet(a, b []string) bool {
	in := map[string]bool{}
	for _, x := range a {
		in[x] = true
	}
	for _, x := range b {
		if !in[x] {
			return false
		}
	}
	return true
}

func TestTwinBreaks(t *testing.T) {
	ctl := examinations.CTLFireability
	for _, tc := range []struct {
		name     string
		exam     examinations.ID
		family   string
		col, pt  string
		warnings int
	}{
		{"states and transitions", examinations.StateSpace, "Net", "4 5 1 1", "4 6 2 2", 2},
		{"tokens are counted otherwise", examinations.StateSpace, "Net", "4 5 1 1", "4 5 2 2", 0},
		{"a deadlock", examinations.ReachabilityDeadlock, "Net", "T", "F", 2},
		{"formulas that were unfolded", ctl, "Net", "T F T T", "F F T T", 2},
		{"formulas behind those that were unfolded", ctl, "Net", "T F T T", "T F F F", 0},
		{"two bounds", examinations.UpperBounds, "Net", "3 4", "3 5", 2},
		{"a property that is another one of the coloured net", examinations.StableMarking, "Net", "T", "F", 0},
		{"in a family with formulas of its own", ctl, "Odd", "T F T T", "F F T F", 0},
		{"one-safe with all colours", examinations.OneSafe, "Net", "T", "F", 2},
		{"one-safe in each colour", examinations.OneSafe, "Net", "F", "T", 0},
		{"live in each binding", examinations.Liveness, "Net", "F", "T", 2},
		{"live in some binding", examinations.Liveness, "Net", "T", "F", 0},
		{"every binding fires", examinations.QuasiLiveness, "Net", "F", "T", 2},
	} {
		r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", tc.family+"-COL-1", tc.exam, tc.col), scoringtest.Everybody("A B C", tc.family+"-PT-1", tc.exam, tc.pt)))
		got := slices.DeleteFunc(doubts(r, explain.Break), func(w string) bool { return !strings.Contains(w, "twin") })
		if len(got) != tc.warnings {
			t.Errorf("%s: %d warnings, want %d: %q", tc.name, len(got), tc.warnings, got)
		}
	}
}

// TestRepeatBreaks: one formula has one reference in all files that hold it. Names of
// values and numbers of positions are no ids of formulas.
func TestRepeatBreaks(t *testing.T) {
	ss, ctl, ltl := examinations.StateSpace, examinations.CTLFireability, examinations.LTLFireability
	named := func(item, instance, word string) []scoring.Entry {
		list := scoringtest.Everybody("A B C", instance, ctl, word)
		for i := range list {
			list[i].Answers[0].Item = item
		}
		return list
	}
	for _, tc := range []struct {
		name    string
		entries [][]scoring.Entry
		want    string
	}{
		{"one formula in two files", [][]scoring.Entry{scoringtest.Everybody("A B C", "Net-PT-1", ctl, "T T T T"), scoringtest.Everybody("A B C", "Net-PT-1", ltl, "T F . T")},
			"Net-PT-1 LTLFireability formula-01: the reference is FALSE, that of the same formula of Net-PT-1 is TRUE"},
		{"values of two nets", [][]scoring.Entry{scoringtest.Everybody("A B C", "Net-PT-1", ss, "4 5 1 1"), scoringtest.Everybody("A B C", "Other-PT-1", ss, "6 7 2 2")}, ""},
		{"properties of two nets", [][]scoring.Entry{scoringtest.Everybody("A B C", "Net-PT-1", examinations.StableMarking, "T"), scoringtest.Everybody("A B C", "Other-PT-1", examinations.StableMarking, "F")}, ""},
		{"positions of two nets", [][]scoring.Entry{named("001", "Net-PT-1", "T"), named("001", "Other-PT-1", "F")}, ""},
		{"an id that is as short as can be", [][]scoring.Entry{named("f-01", "Net-PT-1", "T"), named("f-01", "Other-PT-1", "F")},
			"Other-PT-1 CTLFireability f-01: the reference is FALSE, that of the same formula of Net-PT-1 is TRUE"},
	} {
		got := strings.Join(doubts(scoringtest.Plain().Score(scoringtest.Contest(t, nil, tc.entries...)), explain.Break), "; ")
		if got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestWarningsInOrder: what is found last may stand on the first sheet.
func TestWarningsInOrder(t *testing.T) {
	r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T T T"), scoringtest.Everybody("A", "Net-PT-1", examinations.LTLFireability, "T T"),
		scoringtest.Everybody("A B C", "Net-PT-1", examinations.Liveness, "T"), scoringtest.Everybody("A B C", "Net-PT-1", examinations.ReachabilityDeadlock, "T")))
	var got []string
	for _, w := range explain.Warnings(r, scoring.Twinning{}) {
		got = append(got, fmt.Sprintf("%d %d %s", w.Sheet, w.Value, w.Doubt))
	}
	if want := []string{"0 0 consistency-break", "1 1 consistency-break", "3 6 single-tool", "3 7 single-tool"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOneFamily: two tools at least elected the value, and all of them are siblings.
// C errs in the base and has less weight than the others.
func TestOneFamily(t *testing.T) {
	ctl := examinations.CTLFireability
	r := scoringtest.Plain().Score(scoringtest.Contest(t, func(b *scoring.Builder) { b.Tool(scoring.Tool{Name: "B2", Family: "B"}) },
		scoringtest.Everybody("A B B2 D", "Base-PT-1", ctl, "T T T T"), scoringtest.Everybody("C", "Base-PT-1", ctl, "T T T F"),
		scoringtest.Everybody("A", "Net-PT-1", ctl, ". T . ."), scoringtest.Everybody("B", "Net-PT-1", ctl, "T T T T"), scoringtest.Everybody("B2", "Net-PT-1", ctl, "T . . ."),
		scoringtest.Everybody("D", "Net-PT-1", ctl, ". . . T"), scoringtest.Everybody("C", "Net-PT-1", ctl, "F F F F")))
	// B and B2; A and B; B alone; B and D
	want := []string{"Net-PT-1 CTLFireability formula-00: all who voted for the reference are of the family B"}
	if got := doubts(r, explain.OneFamily); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNearMargin: the answers of a net are A and B against C. The error is one
// consistent value of each tool that voted.
func TestNearMargin(t *testing.T) {
	ctl := examinations.CTLFireability
	for _, tc := range []struct {
		name      string
		all, errs string // answers of A, B and D to the base, and of C
		want      []string
	}{
		{"two values each, 2 - 1/2 is as much as 3/2", "T T", "T F", nil},
		{"the same where FALSE was elected", "F F", "F T", nil},
		{"one value each, 2 - 1 is less than 3", "T", "T", []string{
			"Net-PT-1 CTLFireability formula-00: the reference is ahead by 1.000000, the error of the confidences is 3.000000"}},
		{"three values each, 2 - 2/3 is more than 1", "T T T", "T T F", nil},
	} {
		r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, scoringtest.Everybody("A B D", "Base-PT-1", ctl, tc.all), scoringtest.Everybody("C", "Base-PT-1", ctl, tc.errs),
			scoringtest.Everybody("A B", "Net-PT-1", ctl, "T"), scoringtest.Everybody("C", "Net-PT-1", ctl, "F")))
		if got := doubts(r, explain.NearMargin); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestBoundsByName: values are found by their names, also where an edition asks for
// two of the four.
func TestBoundsByName(t *testing.T) {
	b := scoring.NewBuilder([]scoring.Examination{{ID: examinations.StateSpace, Category: "StateSpace", Items: []string{"MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"}, Required: 2, Points: []int64{8}}})
	for _, tool := range []string{"A", "B", "C"} {
		e := scoringtest.Says(tool, "Net-PT-1", examinations.StateSpace, "4 3")
		e.Answers[0].Item, e.Answers[1].Item = "MAX_TOKEN_IN_PLACE", "MAX_TOKEN_PER_MARKING"
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := doubts(scoringtest.Plain().Score(b.Contest()), explain.Break); len(got) != 1 {
		t.Errorf("%q", got)
	}
}
