package scoring_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
	. "podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/scoringtest"
)

// An answer that costs 205.10 points is shown with these, and with the 32 raw
// points behind them.
func TestItemsAreInPointsOfTheRanking(t *testing.T) {
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", examinations.ReachabilityDeadlock, "T"),
		[]Entry{scoringtest.Says("D", "Net-PT-1", examinations.ReachabilityDeadlock, "F")})
	text := explain.Run(scoringtest.Weighted().Score(c), 0, c.ToolNamed("D")).String()
	for _, want := range []string{"D on ReachabilityDeadlock of Net-PT-1: -205.1 points", "E-4.3    -205.1 ReachabilityDeadlock: the value differs",
		"(raw points: -32)", "E-4.5  x 6.409375 weight of a family of 1 instance;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the account lacks %q:\n%s", want, text)
		}
	}
}

// What is right and what is wrong may be worth the same: each is shown with its
// worth all the same.
func TestItemsOfZeroInAll(t *testing.T) {
	c := scoringtest.Contest(t, func(b *Builder) { b.Instance("Net-PT-1", models.Surprise) },
		scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T T T"),
		[]Entry{scoringtest.Says("D", "Net-PT-1", examinations.CTLFireability, "T T F .")})
	text := explain.Run(scoringtest.Weighted().Score(c), 0, c.ToolNamed("D")).String()
	if !strings.Contains(text, ": 0 points") || strings.Count(text, "+333.29 ") != 2 || strings.Count(text, "-666.58 ") != 1 || !strings.Contains(text, "x 13 surprise model") {
		t.Errorf("got\n%s", text)
	}
}

var (
	printedTotal = regexp.MustCompile(`(?m): (-?[0-9.]+) points?$`)
	printedItem  = regexp.MustCompile(`(?m)^  (?:E-\S+ +|)([+-][0-9.]+|0) `)
)

// Every unit, weight and class: the printed items add up to the printed total, and
// equal answers are printed with equal points.
func TestPrintedItemsAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for _, unit := range []int64{1, 2, 3, 100, 1000, 7} {
		for range 60 {
			s := scoringtest.Weighted()
			s.Unit = unit
			s.Rules[2].Apply = FamilyWeight(16, rng.Int64N(20000), rng.Int64N(300))
			s.Rules[3].Apply = ClassFactors([3]int64{1, rng.Int64N(4), 13})
			if rng.IntN(4) == 0 {
				s.Rules = append(s.Rules[:2], s.Rules[3])
			}
			r := s.Score(randomNets(t, rng))
			accountant := r.Accountant()
			for sheet := range r.Contest.Sheets {
				for tool := range r.Contest.Tools {
					addsUp(t, r, accountant, sheet, tool)
				}
			}
		}
	}
}

// randomNets is a family of up to 7 instances with a few tools that err.
func randomNets(t *testing.T, rng *rand.Rand) *Contest {
	var entries []Entry
	for n := range 1 + rng.IntN(7) {
		for _, tool := range []string{"A", "B", "C", "D"} {
			words := make([]string, 4)
			for i := range words {
				words[i] = []string{"T", "T", "T", "F", "."}[rng.IntN(5)]
			}
			entries = append(entries, scoringtest.Says(tool, fmt.Sprintf("Net-PT-%d", n), examinations.LTLFireability, strings.Join(words, " ")))
		}
	}
	class := models.Class(rng.IntN(3))
	return scoringtest.Contest(t, func(b *Builder) { b.Instance("Net-PT-0", class) }, entries)
}

func addsUp(t *testing.T, r *Result, accountant *Accountant, sheet, tool int) {
	t.Helper()
	text := explain.Run(r, sheet, tool).String()
	total, sum := printedTotal.FindStringSubmatch(text), new(big.Rat)
	worth := map[Reason]string{}
	for _, item := range printedItem.FindAllStringSubmatch(text, -1) {
		x, ok := new(big.Rat).SetString(item[1])
		if !ok {
			t.Fatalf("%q in\n%s", item[1], text)
		}
		sum.Add(sum, x)
	}
	if want, ok := new(big.Rat).SetString(total[1]); !ok || sum.Cmp(want) != 0 {
		t.Errorf("the items sum to %s:\n%s", sum.RatString(), text)
	}
	exact := new(big.Rat)
	for _, a := range accountant.Worth(sheet, tool).Addends {
		exact.Add(exact, a.Points)
		if before := worth[a.Item.Reason]; before != "" && before != a.Points.RatString() {
			t.Errorf("equal items are worth %s and %s:\n%s", before, a.Points.RatString(), text)
		}
		worth[a.Item.Reason] = a.Points.RatString()
	}
	if exact.Cmp(r.Scheme.Points(r.RunPoints(sheet, tool))) != 0 {
		t.Errorf("the items are worth %s exactly:\n%s", exact.RatString(), text)
	}
}

// TestWorthOfAnItem: points are worth what is printed, in hundredths or, where the
// unit is no part of these, in millionths; raw points are those before the factors.
func TestWorthOfAnItem(t *testing.T) {
	third := (&Scheme{Unit: 3}).WorthOf([]Item{{Rule: "E-4.2", Points: 1}}, 1)
	if got := PointsText(third.Addends[0].Points); got != "0.333333" || third.Addends[0].Raw != nil {
		t.Errorf("a third of a point: %s, raw %v", got, third.Addends[0].Raw)
	}
	surprise := (&Scheme{Unit: 100}).WorthOf([]Item{{Rule: "E-4.2", Points: 400}, {Rule: "E-4.4", Reason: ClassFactor, Points: 800, Num: 3, Den: 1}}, 1200)
	if a := surprise.Addends[0]; a.Points.RatString() != "12" || a.Raw.RatString() != "4" {
		t.Errorf("4 points that count 3 times: %s, raw %s", a.Points.RatString(), a.Raw.RatString())
	}
}
