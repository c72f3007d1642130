package scoring_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	. "podium/scoring"
)

// account returns the scores of runs after one rule: marks are written as in masks,
// each value is worth ten points.
func account(rule Rule, inst Instance, scores ...Score) []Score {
	p := &Peers{Exam: &Examination{ID: examinations.CTLFireability, Required: 4, Points: []int64{10}}, Instance: &inst, Scores: scores}
	for i := range p.Scores {
		p.Scores[i].Count()
	}
	rule.Apply(p, rule.ID)
	return p.Scores
}

var markOf = map[byte]Mark{'T': Right, 'X': Wrong, '-': Missing, '?': Open, 'u': Unjudged, 'i': Ignored}

// marked is a run with the given marks; what is measured is the same everywhere.
func marked(mask string, measured int64) Score {
	s := Score{Run: &Run{Participation: Answered, CPU: measured, Wall: measured + 1, Memory: measured + 2}}
	for i := range len(mask) {
		s.Marks = append(s.Marks, markOf[mask[i]])
		s.Answers = append(s.Answers, true)
	}
	return s
}

// booked is a run to which a rule gave points before.
func booked(mask string, points int64) Score {
	s := marked(mask, 1)
	if points != 0 {
		s.Add(Item{Points: points})
	}
	return s
}

func pointsOf(scores []Score) []int64 {
	var list []int64
	for _, s := range scores {
		list = append(list, s.Points)
	}
	return list
}

func lettersOf(scores []Score) string {
	var list []string
	for _, s := range scores {
		list = append(list, s.Letters.String())
	}
	return strings.Join(list, " ")
}

func TestE42PointsOfRightValues(t *testing.T) {
	aside := marked("TTTT", 1)
	aside.SetAside = true
	got := pointsOf(account(Rule{"E-4.2", PointsPerValue}, Instance{}, marked("TTXu", 1), marked("----", 1), aside))
	if want := []int64{20, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("E-4.2: %v, want %v", got, want)
	}
}

// TestPointsOfConfirmedValues: only right values that a witness confirms get points.
func TestPointsOfConfirmedValues(t *testing.T) {
	some := marked("TTTX", 1)
	some.Witnesses = []Witness{Confirmed, Unconfirmed, Unasked, Confirmed}
	got := pointsOf(account(Rule{"x", PointsPerConfirmed}, Instance{}, some, marked("TTTT", 1)))
	if want := []int64{10, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestE43PenaltyFactors(t *testing.T) {
	for _, factor := range []int64{1, 2, 16} {
		aside := marked("XXXX", 1)
		aside.SetAside = true
		got := pointsOf(account(Rule{"E-4.3", PenaltyPerWrong(factor)}, Instance{}, marked("TXX-", 1), marked("TTu?", 1), aside))
		if want := []int64{-20 * factor, 0, 0}; !slices.Equal(got, want) {
			t.Errorf("E-4.3 factor %d: %v, want %v", factor, got, want)
		}
	}
}

func TestE43NeedRight(t *testing.T) {
	for _, tc := range []struct {
		mask         string
		before, want int64
	}{{"XX--", -40, 0}, {"TXXX", -50, -50}, {"TX--", 10, 10}, {"uu--", 30, 0}, {"----", 0, 0}} {
		s := marked(tc.mask, 1)
		s.Points = tc.before
		got := account(Rule{"E-4.3", NeedRight}, Instance{}, s)[0]
		if got.Points != tc.want {
			t.Errorf("E-4.3 %s with %d points: %d, want %d", tc.mask, tc.before, got.Points, tc.want)
		}
		if booked := len(got.Items) > 0; booked != (tc.before != tc.want) {
			t.Errorf("E-4.3 %s with %d points: items %v", tc.mask, tc.before, got.Items)
		}
	}
}

func TestE44ClassFactors(t *testing.T) {
	for class, factor := range map[models.Class]int64{models.Known: 1, models.Stripped: 2, models.Surprise: 3} {
		for _, points := range []int64{-7, 0, 1} {
			s := booked("X---", points)
			got := account(Rule{"E-4.4", ClassFactors([3]int64{1, 2, 3})}, Instance{Class: class}, s)[0]
			if got.Points != factor*points || len(got.Items) > len(s.Items) != (points != 0 && factor != 1) {
				t.Errorf("E-4.4 %s: %d points became %d by %v", class, points, got.Points, got.Items)
			}
		}
	}
}

func TestWeightOfFamilies(t *testing.T) {
	for _, tc := range []struct {
		points  int64
		members int
		want    int64
	}{
		{16, 1, 110}, // the whole of a family of one: base + floor
		{16, 10, 20}, // 100/10 + 10
		{8, 10, 10},  // half of the values
		{-16, 10, -20},
		{1, 3, 3}, // 130/48 = 2.7
		{0, 3, 0},
	} {
		s := booked("T---", tc.points)
		if got := account(Rule{"", FamilyWeight(16, 100, 10)}, Instance{FamilySize: tc.members}, s)[0].Points; got != tc.want {
			t.Errorf("%d points in a family of %d: %d, want %d", tc.points, tc.members, got, tc.want)
		}
	}
}

func TestE41WhoGetsTheBonus(t *testing.T) {
	half, tenth := confidence.NewRatio(1, 2), confidence.NewRatio(1, 10)
	aside := marked("TTTT", 1)
	aside.SetAside = true
	first, second := marked("TTTT", 10), marked("TTTT", 10)
	first.Run.Order, second.Run.Order = 2, 1
	cpu := Bonus{Metric: CPUTime, Letter: Fastest, Points: 4, MinShare: half, NeedsRight: true}
	with := func(change func(*Bonus)) Bonus {
		b := cpu
		change(&b)
		return b
	}
	for _, tc := range []struct {
		name   string
		bonus  Bonus
		scores []Score
		want   string
	}{
		{"the least", cpu, []Score{marked("TTTT", 10), marked("TTTT", 9)}, "-- P-"},
		{"exactly the share", cpu, []Score{marked("TT--", 1), marked("TTTT", 9)}, "P- --"},
		{"below the share", cpu, []Score{marked("T---", 1), marked("TTTT", 9)}, "-- P-"},
		{"values without reference count as answered", cpu, []Score{marked("Tu--", 1), marked("TTTT", 9)}, "P- --"},
		{"and so do those that are not judged", cpu, []Score{marked("Ti--", 1), marked("TTTT", 9)}, "P- --"},
		{"no right value", cpu, []Score{marked("uuuu", 1), marked("TTTT", 9)}, "-- P-"},
		{"no right value needed", with(func(b *Bonus) { b.NeedsRight = false }), []Score{marked("uuuu", 1), marked("TTTT", 9)}, "P- --"},
		{"nothing answered", with(func(b *Bonus) { b.NeedsRight, b.MinShare = false, confidence.Ratio{} }), []Score{marked("----", 1), marked("T---", 9)}, "-- P-"},
		{"a wrong value", cpu, []Score{marked("TTTX", 1), marked("TTTT", 9)}, "-- P-"},
		{"a wrong value and the time of the best", cpu, []Score{marked("TTTX", 9), marked("TTTT", 9)}, "-- P-"},
		{"set aside", cpu, []Score{aside, marked("TTTT", 9)}, "-- P-"},
		{"not measured", cpu, []Score{marked("TTTT", Unmeasured), marked("TTTT", 9)}, "-- P-"},
		{"nobody", cpu, []Score{marked("TTTX", 1)}, "--"},
		{"no time at all is a time", cpu, []Score{marked("TTTT", 0), marked("TTTT", 1)}, "P- --"},
		{"equals share", cpu, []Score{first, second}, "P- P-"},
		{"the first of equals by the order of the file", with(func(b *Bonus) { b.FirstOfEquals = true }), []Score{first, second}, "-- P-"},
		{"the first of equals without an order", with(func(b *Bonus) { b.FirstOfEquals = true }), []Score{marked("TTTT", 3), marked("TTTT", 3)}, "P- --"},
		{"just within", with(func(b *Bonus) { b.Within = tenth }), []Score{marked("TTTT", 100), marked("TTTT", 110)}, "P- P-"},
		{"just beyond", with(func(b *Bonus) { b.Within = tenth }), []Score{marked("TTTT", 100), marked("TTTT", 111)}, "P- --"},
		{"within, beside the first of equals", with(func(b *Bonus) { b.Within, b.FirstOfEquals = tenth, true }), []Score{marked("TTTT", 100), marked("TTTT", 105)}, "P- P-"},
		{"within nothing of nothing", with(func(b *Bonus) { b.Within = tenth }), []Score{marked("TTTT", 0), marked("TTTT", 1)}, "P- --"},
		{"within all of nothing", with(func(b *Bonus) { b.Within = confidence.NewRatio(1, 1) }), []Score{marked("TTTT", 0), marked("TTTT", 2)}, "P- --"},
		{"memory", Bonus{Metric: Memory, Letter: Smallest, MinShare: half}, []Score{marked("TTTT", 5), marked("TTTT", 4)}, "-- -M"},
	} {
		scores := slices.Clone(tc.scores)
		got := account(Rule{"E-4.1", tc.bonus.Apply}, Instance{}, scores...)
		if lettersOf(got) != tc.want {
			t.Errorf("E-4.1 %s: %s, want %s", tc.name, lettersOf(got), tc.want)
		}
		for _, s := range got {
			if winner := s.Letters != 0; winner != (len(s.Items) == 1) || winner && s.Points != tc.bonus.Points {
				t.Errorf("E-4.1 %s: %s has %d points by %v", tc.name, s.Letters, s.Points, s.Items)
			}
		}
	}
}

func TestE41Metrics(t *testing.T) {
	for metric, want := range map[Metric]int64{CPUTime: 7, WallTime: 8, Memory: 9} {
		got := account(Rule{"E-4.1", Bonus{Metric: metric, Letter: Fastest}.Apply}, Instance{}, marked("T---", 7))[0]
		if len(got.Items) != 1 || got.Items[0].B != want {
			t.Errorf("E-4.1 metric %d: %v, want %d", metric, got.Items, want)
		}
	}
}

func TestE41FirstItemStandsForAll(t *testing.T) {
	states := Examination{ID: examinations.StateSpace, Items: []string{"STATES", "TRANSITIONS", "C", "D"}, Required: 4, Points: []int64{1}}
	formulas := states
	formulas.Items = nil
	all := Bonus{Letter: Fastest, MinShare: confidence.NewRatio(1, 1)}
	first := all
	first.FirstItem = true
	for _, tc := range []struct {
		bonus Bonus
		exam  *Examination
		mask  string
		want  string
	}{{first, &states, "T---", "P-"}, {first, &states, "-TTT", "--"}, {first, &states, "TTTT", "P-"}, {all, &states, "T---", "--"}, {first, &formulas, "T---", "--"}} {
		p := &Peers{Exam: tc.exam, Instance: &Instance{}, Scores: []Score{marked(tc.mask, 1)}}
		p.Scores[0].Count()
		tc.bonus.Apply(p, "E-4.1")
		if got := p.Scores[0].Letters.String(); got != tc.want {
			t.Errorf("E-4.1 %s, the first item suffices: %v: %s, want %s", tc.mask, tc.bonus.FirstItem, got, tc.want)
		}
	}
}

func TestPointsByVerdict(t *testing.T) {
	points := [...]int64{CorrectTrue: 2, CorrectFalse: 1, UnconfirmedTrue: 20, UnconfirmedFalse: 10, WrongTrue: -32, WrongFalse: -16}
	s := marked("TTTTXX-u", 1)
	s.Answers = []bool{true, false, true, false, true, false, false, true}
	s.Witnesses = []Witness{Confirmed, Confirmed, Unconfirmed, Unconfirmed, Unconfirmed, Confirmed, Unasked, Unconfirmed}
	unasked := marked("TT", 1)
	unasked.Answers = []bool{true, false}
	aside := marked("TT", 1)
	aside.SetAside = true
	got := account(Rule{"sv", PointsByVerdict(points)}, Instance{}, s, unasked, aside)
	var each []string
	for _, item := range got[0].Items {
		each = append(each, fmt.Sprintf("%d:%d", item.Value, item.Points))
	}
	if text := strings.Join(each, " "); text != "0:2 1:1 2:20 3:10 4:-32 5:-16" {
		t.Errorf("verdicts: %s", text)
	}
	if sums := pointsOf(got); !slices.Equal(sums, []int64{-15, 3, 0}) {
		t.Errorf("sums: %v", sums)
	}
}

func TestDisplayedComparison(t *testing.T) {
	for _, text := range []string{"1.5E+10", "12345678901234567890:"} {
		odd := examinations.Value{Kind: examinations.Nat, Text: text}
		if got := Displayed(odd); got != odd.Text {
			t.Errorf("a text of a published file became %s", got)
		}
	}
	large := examinations.Value{Kind: examinations.Nat, Text: "12345678901234567890123"}
	for _, v := range []examinations.Value{large, examinations.True, examinations.Infinite} {
		if Displayed(v) != examinations.Displayed(v) {
			t.Errorf("%s: %s, want %s", v, Displayed(v), examinations.Displayed(v))
		}
	}
}
