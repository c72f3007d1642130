package scoring

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
)

// doubts writes warnings: "Net-PT-1 OneSafe: text".
func doubts(r *Result, only Doubt) []string {
	var list []string
	for _, w := range r.Warnings(Twinning{First: 2, Except: []string{"Odd"}}) {
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
	c := contest(t, func(b *Builder) { b.Tool(Tool{Name: "A2", Family: "A"}) },
		everybody("A A2 B C D E", "Base-PT-1", ctl, "T T T T"),
		everybody("A A2", "Net-PT-1", ctl, "T T T ."), everybody("B", "Net-PT-1", ctl, "T . T T"), everybody("C", "Net-PT-1", ctl, "F . F ."),
		everybody("D E", "Net-PT-1", ctl, "F . T ."))
	r := plain().Score(c)
	for doubt, want := range map[Doubt]string{
		SingleTool: "Net-PT-1 CTLFireability formula-03: only B answered",
		OneFamily:  "Net-PT-1 CTLFireability formula-01: all who voted for the reference are of the family A",
		NearMargin: "Net-PT-1 CTLFireability formula-00: the reference is ahead by ",
	} {
		got := doubts(r, doubt)
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q, want %q", doubt, got, want)
		}
	}
	byOracle := plain()
	byOracle.Elect = nil
	if got := byOracle.Score(c).voteWarnings(); got != nil {
		t.Errorf("nobody voted: %v", got)
	}
	proofs := plain()
	proofs.Certified = confidence.Overrides
	proved := c.WithCertified(map[examinations.Key]examinations.Value{{Instance: ParseInstance("Net-PT-1"), Exam: ctl, Item: "formula-03"}: examinations.True})
	if got := doubts(proofs.Score(proved), SingleTool); len(got) > 0 {
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
		{"more in a place than in all", "Net-PT-1", answers{ss: "4 5 10 9"}, []string{"StateSpace MAX_TOKEN_IN_PLACE: MAX_TOKEN_IN_PLACE 10 exceeds MAX_TOKEN_PER_MARKING 9"}},
	} {
		var entries []Entry
		for exam, words := range tc.answers {
			entries = append(entries, everybody("A B C", tc.instance, exam, words)...)
		}
		got := doubts(plain().Score(contest(t, nil, entries)), Break)
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
		{"formulas that were unfolded", ctl, "Net", "T F T T", "F F T F", 2},
		{"in a family with formulas of its own", ctl, "Odd", "T F T T", "F F T F", 0},
		{"one-safe with all colours", examinations.OneSafe, "Net", "T", "F", 2},
		{"one-safe in each colour", examinations.OneSafe, "Net", "F", "T", 0},
		{"live in each binding", examinations.Liveness, "Net", "F", "T", 2},
		{"live in some binding", examinations.Liveness, "Net", "T", "F", 0},
		{"every binding fires", examinations.QuasiLiveness, "Net", "F", "T", 2},
	} {
		r := plain().Score(contest(t, nil, everybody("A B C", tc.family+"-COL-1", tc.exam, tc.col), everybody("A B C", tc.family+"-PT-1", tc.exam, tc.pt)))
		got := slices.DeleteFunc(doubts(r, Break), func(w string) bool { return !strings.Contains(w, "twin") })
		if len(got) != tc.warnings {
			t.Errorf("%s: %d warnings, want %d: %q", tc.name, len(got), tc.warnings, got)
		}
	}
}

func TestRepeatBreaks(t *testing.T) {
	ctl, ltl := examinations.CTLFireability, examinations.LTLFireability
	r := plain().Score(contest(t, nil, everybody("A B C", "Net-PT-1", ctl, "T T T T"), everybody("A B C", "Net-PT-1", ltl, "T F . T")))
	if got := doubts(r, Break); len(got) != 1 || !strings.Contains(got[0], "LTLFireability formula-01: the reference is FALSE, that of the same formula of Net-PT-1 is TRUE") {
		t.Errorf("one formula in two files: %q", got)
	}
}
