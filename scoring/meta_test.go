package scoring_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

func rats(list ...int64) []*big.Rat {
	var out []*big.Rat
	for _, x := range list {
		out = append(out, big.NewRat(x, 1))
	}
	return out
}

// TestCombine holds the worked example of SV-COMP's normalisation: a score of 10
// in 10 tasks weighs as much as one of 1000 in 1000.
func TestCombine(t *testing.T) {
	for _, tc := range []struct {
		name       string
		normalised bool
		scores     []*big.Rat
		sizes      []int
		want       string
	}{
		{"sum", false, rats(24, -3), []int{10, 20}, "21"},
		{"normalised", true, rats(10, 1000), []int{10, 1000}, "1010"},
		{"a small part weighs as much", true, rats(5, 0), []int{5, 15}, "10"},
		{"a part without tasks counts nothing", true, rats(5, 7), []int{5, 0}, "5"},
		{"a part of one task", true, rats(1, 3), []int{1, 3}, "4"},
		{"nothing at all", true, nil, nil, "0"},
	} {
		if got := Combine(tc.normalised, tc.scores, tc.sizes).RatString(); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// verdicts scores two categories by an oracle, where every formula is true.
func verdicts(t *testing.T, change func(*Scheme), declare func(*Builder), entries ...[]Entry) *Result {
	c := scoringtest.Contest(t, func(b *Builder) {
		for _, exam := range []examinations.ID{examinations.CTLFireability, examinations.LTLFireability} {
			for i := range 4 {
				if err := b.Oracle("Task-1", exam, fmt.Sprintf("formula-%02d", i), examinations.True); err != nil {
					t.Fatal(err)
				}
			}
		}
		if declare != nil {
			declare(b)
		}
	}, entries...)
	s := &Scheme{Name: "by oracle", Unit: 1, Consistent: confidence.Majority(3, confidence.OfAnswering), Share: confidence.OverAnswered,
		Rules:   []Rule{{"sv", PointsByVerdict([...]int64{CorrectTrue: 2, CorrectFalse: 1, WrongTrue: -4, WrongFalse: -2})}},
		Ranking: Ranking{TieBySuccessCPU: true, EveryParticipant: true},
		Metas:   []Meta{{Name: "Both", Of: []string{"CTL", "LTL", "of no contest"}}, {Name: "All", Of: []string{"Both"}, Normalised: true}},
	}
	if change != nil {
		change(s)
	}
	return s.Score(c)
}

func TestBoardsAndMetas(t *testing.T) {
	slow := scoringtest.Says("Slow", "Task-1", examinations.CTLFireability, "T T . .")
	slow.CPU, slow.Energy = 50, 3_000_000
	fast := scoringtest.Says("Fast", "Task-1", examinations.CTLFireability, "T T . .")
	fast.Energy = 8_000_000
	entries := [][]Entry{{slow, fast}, scoringtest.Everybody("Bad", "Task-1", examinations.CTLFireability, "F F F ."),
		scoringtest.Everybody("Mute", "Task-1", examinations.CTLFireability, ". . . ."),
		scoringtest.Everybody("Slow", "Task-1", examinations.LTLFireability, "T . . ."), scoringtest.Everybody("Out", "Task-1", examinations.LTLFireability, "T T T T"),
		scoringtest.Everybody("Half", "Task-1", examinations.CTLFireability, "T . . .")}
	declare := func(b *Builder) {
		b.Tool(Tool{Name: "Out", OptOut: []string{"LTL"}})
		b.Tool(Tool{Name: "Half", OptOut: []string{"All"}})
		b.Tool(Tool{Name: "Fast", FirstTime: true})
	}
	for _, tc := range []struct {
		name   string
		change func(*Scheme)
		want   string // CTL; LTL; Both; All
	}{
		{"time decides", nil, "1 Fast 4, 2 Slow 4, 3 Half 2, 4 Mute 0, 5 Bad -6; 1 Slow 2; 1 Slow 6, 2 Fast 4, 3 Half 2, 4 Mute 0, 5 Bad -6; 1 Slow 6, 2 Fast 4, 3 Mute 0, 4 Bad -6"},
		{"patterns stand for categories, and for each once", func(s *Scheme) {
			s.Metas = []Meta{{Name: "Both", Of: []string{"[CL]TL", "LTL", "B*"}}, {Name: "All", Of: []string{"Both", "No*"}, Normalised: true}}
		}, "1 Fast 4, 2 Slow 4, 3 Half 2, 4 Mute 0, 5 Bad -6; 1 Slow 2; 1 Slow 6, 2 Fast 4, 3 Half 2, 4 Mute 0, 5 Bad -6; 1 Slow 6, 2 Fast 4, 3 Mute 0, 4 Bad -6"},
		{"shared ranks, only who answers", func(s *Scheme) { s.Ranking = Ranking{} },
			"1 Fast 4, 1 Slow 4, 3 Half 2, 4 Bad -6; 1 Slow 2; 1 Slow 6, 2 Fast 4, 3 Half 2, 4 Bad -6; 1 Slow 6, 2 Fast 4, 3 Bad -6"},
		{"below zero is a dash", func(s *Scheme) { s.Ranking.NegativeIsZero = true },
			"1 Fast 4, 2 Slow 4, 3 Half 2, 4 Mute 0; 1 Slow 2; 1 Slow 6, 2 Fast 4, 3 Half 2, 4 Mute 0; 1 Slow 6, 2 Fast 4, 3 Mute 0"},
	} {
		r := verdicts(t, tc.change, declare, entries...)
		var got []string
		for _, name := range []string{"CTL", "LTL", "Both", "All"} {
			got = append(got, scoringtest.Ranks(r, name))
		}
		if text := strings.Join(got, "; "); text != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, text, tc.want)
		}
	}
	r := verdicts(t, nil, declare, entries...)
	boards := r.Boards()
	if s := boards[1].Standings[r.Contest.ToolNamed("Out")]; !s.Out || !s.Dash || s.Points.RatString() != "8" {
		t.Errorf("who opted out shows %+v", s)
	}
	both := boards[2].Standings[r.Contest.ToolNamed("Slow")]
	if bad := boards[2].Standings[r.Contest.ToolNamed("Bad")]; bad.Wrong != 3 {
		t.Errorf("the wrong values of a meta category: %d", bad.Wrong)
	}
	if half := boards[3].Standings[r.Contest.ToolNamed("Half")]; !half.Out || !half.Dash {
		t.Errorf("who opted out of a meta category shows %+v", half)
	}
	if both.SuccessCPU != 55 || both.Energy != 3_000_000 || both.Right != 3 || both.Wrong != 0 || boards[2].Values != 8 {
		t.Errorf("the meta category adds up to %+v of %d values", both, boards[2].Values)
	}
}

func TestMedals(t *testing.T) {
	b := Board{Standings: []Standing{{Points: big.NewRat(3, 1)}, {Points: big.NewRat(3, 1)}, {Points: big.NewRat(1, 1)}, {Points: big.NewRat(0, 1)}, {Points: big.NewRat(-1, 1)}, {Points: big.NewRat(1, 2)}},
		Places: []Place{{1, 0}, {1, 1}, {3, 2}, {4, 5}, {5, 3}}}
	if got := fmt.Sprint(b.Medals()); got != "[{1 0} {1 1} {3 2}]" {
		t.Errorf("medals %s", got)
	}
	b.Places = []Place{{1, 3}, {2, 4}}
	if got := b.Medals(); len(got) > 0 {
		t.Errorf("no points, and medals %v", got)
	}
}

func TestAlternativeRankings(t *testing.T) {
	energy := func(e Entry, joules int64) []Entry {
		e.Energy = joules * 1_000_000
		return []Entry{e}
	}
	ctl := examinations.CTLFireability
	r := verdicts(t, nil, func(b *Builder) {
		b.Tool(Tool{Name: "C", FirstTime: true})
		b.Tool(Tool{Name: "D", FirstTime: true})
		b.Tool(Tool{Name: "F", FirstTime: true})
	}, energy(scoringtest.Says("A", "Task-1", ctl, "T T T T"), 80), energy(scoringtest.Says("B", "Task-1", ctl, "T T . ."), 20),
		energy(scoringtest.Says("F", "Task-1", ctl, "T T . ."), 0), energy(scoringtest.Says("Z", "Task-1", ctl, ". . . ."), 1),
		energy(scoringtest.Says("C", "Task-1", ctl, "T . . ."), 10), energy(scoringtest.Says("D", "Task-1", ctl, "F F F F"), 1), energy(scoringtest.Says("E", "Task-1", ctl, "T T T F"), 0))
	board := &r.Boards()[0]
	for which, want := range map[Alternative]string{
		Correct: "1 A 0, 2 B 0, 2 F 0, 4 C 0, 5 E 1/4",
		Green:   "1 B 5, 1 C 5, 3 A 10",
		New:     "1 F 4, 2 C 2",
	} {
		var got []string
		for _, m := range which.Rank(r.Contest, board) {
			got = append(got, fmt.Sprintf("%d %s %s", m.Rank, r.Contest.Tools[m.Tool].Name, m.Measure.RatString()))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("ranking %d: %s, want %s", which, text, want)
		}
	}
}

// TestMosts: what all right answers are worth; a part on nets has no maximal score.
func TestMosts(t *testing.T) {
	r := verdicts(t, nil, nil, scoringtest.Everybody("One", "Task-1", examinations.CTLFireability, "T . . ."), scoringtest.Everybody("One", "Task-1", examinations.LTLFireability, "F . . ."))
	for _, tc := range []struct {
		tasks []examinations.ID
		want  string // CTL, LTL, Both, All
	}{
		{nil, "none none none none"},
		{[]examinations.ID{examinations.LTLFireability}, "none 8 none none"},
		{[]examinations.ID{examinations.CTLFireability, examinations.LTLFireability}, "8 8 16 16"},
	} {
		for i := range r.Contest.Exams {
			r.Contest.Exams[i].Task = slices.Contains(tc.tasks, r.Contest.Exams[i].ID)
		}
		var got []string
		for _, x := range r.MaxScores() {
			if x == nil {
				x = big.NewRat(-1, 1)
			}
			got = append(got, strings.Replace(x.RatString(), "-1", "none", 1))
		}
		if text := strings.Join(got, " "); text != tc.want {
			t.Errorf("tasks are %v: %s, want %s", tc.tasks, text, tc.want)
		}
	}
}

// TestWeights: the points of the categories, each by its weight, are those of the meta category.
func TestWeights(t *testing.T) {
	for _, normalised := range []bool{false, true} {
		r := verdicts(t, func(s *Scheme) {
			s.Metas = []Meta{{Name: "Part", Of: []string{"LTL"}, Normalised: normalised}, {Name: "All", Of: []string{"CTL", "Part", "of no contest"}, Normalised: normalised}, {Name: "Twice", Of: []string{"All", "LTL"}, Normalised: normalised}}
		}, func(b *Builder) {
			if err := b.Oracle("Task-2", examinations.CTLFireability, "formula-00", examinations.True); err != nil {
				t.Fatal(err)
			}
		}, scoringtest.Everybody("One", "Task-1", examinations.CTLFireability, "T F . T"), scoringtest.Everybody("One", "Task-2", examinations.CTLFireability, "T . . ."), scoringtest.Everybody("One", "Task-1", examinations.LTLFireability, "T T T ."))
		boards := r.Boards()
		for _, b := range boards {
			sum := new(big.Rat)
			for category, weight := range r.Weights(b.Name) {
				at := slices.IndexFunc(boards, func(b Board) bool { return b.Name == category })
				sum.Add(sum, new(big.Rat).Mul(weight, boards[at].Standings[0].Points))
			}
			if want := b.Standings[0].Points; sum.Cmp(want) != 0 {
				t.Errorf("%s: the weighed points are %s, and the board has %s", b.Name, sum.RatString(), want.RatString())
			}
		}
	}
}

// TestDemonstrations: a category that is a demonstration counts answers, and has no points, no
// ranks and no part in a meta category.
func TestDemonstrations(t *testing.T) {
	r := verdicts(t, func(s *Scheme) { s.Demo = []string{"LTL"} }, nil, scoringtest.Everybody("One", "Task-1", examinations.CTLFireability, "T T . ."), scoringtest.Everybody("One", "Task-1", examinations.LTLFireability, "T T F ."))
	for _, b := range r.Boards() {
		want := map[string]string{"CTL": "1 One 4", "LTL": "", "Both": "1 One 4", "All": "1 One 4"}[b.Name]
		if got := scoringtest.Ranks(r, b.Name); got != want || b.Demo != (b.Name == "LTL") || b.Standings[0].Dash != b.Demo {
			t.Errorf("%s: %q, want %q; %+v", b.Name, got, want, b.Standings[0])
		}
		if s := b.Standings[0]; b.Demo && (s.Right != 2 || s.Wrong != 1 || s.Points.Sign() != 0) {
			t.Errorf("it shows %+v", s)
		}
	}
	for sheet := range r.Contest.Sheets {
		demo := r.Contest.Exams[r.Contest.Sheets[sheet].Exam].Category == "LTL"
		if points, why := r.RunPoints(sheet, 0), r.NoScore(sheet, 0); demo != (points == 0) || demo != strings.Contains(why, "demonstration") || demo != (len(r.Accountant().Items(sheet, 0)) == 0) {
			t.Errorf("sheet %d: %d points, %q", sheet, points, why)
		}
	}
}
