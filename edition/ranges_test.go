package edition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	"podium/scoring"
)

// TestRangesHoldTheFinalScore takes random contests and random prefixes of the ends of
// their runs. At every prefix the ranges hold the final points, they never grow
// from one prefix to the next, a place that is decided is the final one, and at the
// end both ends are the score.
func TestRangesHoldTheFinalScore(t *testing.T) {
	for _, id := range []string{"mcc2016", "mcc2020", "svcomp2019"} {
		e, err := Named(id)
		if err != nil {
			t.Fatal(err)
		}
		for variant, scheme := range rangedSchemes(e.Scheme) {
			rng := rand.New(rand.NewPCG(7, uint64(variant)))
			for range 2 {
				checkPrefixes(t, fmt.Sprintf("%s, variant %d", id, variant), scheme, rng, rangedExams(e), e.Kinds)
			}
		}
	}
}

// rangedExams are the examinations of an edition; the one that stands for all others
// gets a name.
func rangedExams(e *Edition) []scoring.Examination {
	list := append([]scoring.Examination(nil), e.Examinations...)
	for i := range list {
		if list[i].ID == scoring.AnyExamination {
			list[i].ID, list[i].Category = "ReachSafety", "ReachSafety"
		}
	}
	return list
}

// rangedSchemes are a scheme and others with the rules and flags that it lacks.
func rangedSchemes(s *scoring.Scheme) []*scoring.Scheme {
	list := []*scoring.Scheme{s}
	for _, effect := range []scoring.Effect{scoring.SetAside, scoring.AllWrong} {
		x := *s
		x.Elect = confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100), MissingAgainst: effect == scoring.AllWrong}.Elect
		x.Consistent, x.Share = confidence.Majority(2, confidence.OfAnswering), confidence.OverAnswered
		x.Flags = []scoring.Flag{{Name: "twins", Effect: effect, Detect: scoring.Twins(0, nil)},
			{Name: "contradiction", Effect: effect, Detect: scoring.Contradiction(examinations.Liveness, examinations.True, examinations.ReachabilityDeadlock, examinations.True)},
			{Name: "wrong", Effect: effect}}
		x.Rules = append(append([]scoring.Rule(nil), s.Rules...), scoring.Rule{ID: "E-4.3", Apply: scoring.NeedRight})
		x.Ranking.BestVariant = effect == scoring.SetAside
		if effect == scoring.AllWrong {
			x.Certified = func(elected confidence.Reference, proved confidence.Answer) confidence.Reference {
				if proved == confidence.None {
					return elected
				}
				return confidence.Reference{Answer: proved, Clause: confidence.FromReferee}
			}
		}
		list = append(list, &x)
	}
	return list
}

func checkPrefixes(t *testing.T, name string, scheme *scoring.Scheme, rng *rand.Rand, exams []scoring.Examination, kinds map[examinations.ID]examinations.Kind) {
	t.Helper()
	entries := randomEntries(rng, exams, kinds, []string{"A", "B", "C", "D"})
	rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	if len(entries) == 0 {
		return
	}
	whole := rangedContest(t, exams, entries, len(entries))
	final := scheme.Score(whole)
	boards := final.Boards()
	var before *scoring.Ranges
	prefixes := []int{0, rng.IntN(len(entries) + 1), rng.IntN(len(entries) + 1), len(entries) - 1, len(entries)}
	slices.Sort(prefixes)
	for _, n := range prefixes {
		part := scheme.Score(rangedContest(t, exams, entries, n))
		ranges := part.Ranges(func(sheet, tool int) bool {
			return part.Contest.Run(sheet, tool).Participation == scoring.Absent && whole.Run(sheet, tool).Participation != scoring.Absent
		})
		if want := len(entries) - n; ranges.Missing != want {
			t.Fatalf("%s: %d runs are missing, not %d", name, ranges.Missing, want)
		}
		for i := range ranges.Boards {
			checkBoard(t, fmt.Sprintf("%s, %d of %d runs", name, n, len(entries)), &ranges.Boards[i], &boards[i], whole.Tools, n == len(entries))
			if before != nil {
				checkShrunk(t, name, &before.Boards[i], &ranges.Boards[i])
			}
		}
		before = ranges
	}
}

// rangedContest has all sheets and values of the entries, and the first n of the runs.
func rangedContest(t *testing.T, exams []scoring.Examination, entries []scoring.Entry, n int) *scoring.Contest {
	t.Helper()
	b := scoring.NewBuilder(exams)
	for i, name := range []string{"A", "B", "C", "D"} {
		b.Tool(scoring.Tool{Name: name, Family: []string{"AB", "AB", "", ""}[i], OutOfCompetition: name == "D"})
	}
	proved := map[examinations.Key]examinations.Value{}
	for k, e := range entries {
		var items []string
		for v, a := range e.Answers {
			items = append(items, a.Item)
			if (len(e.Instance)+v+k)%5 == 0 && a.Value.Text != "" {
				proved[examinations.Key{Instance: models.ParseAnyID(e.Instance), Exam: e.Exam, Item: a.Item}] = a.Value
			}
		}
		err := b.Declare(e.Instance, e.Exam, items...)
		if err == nil && k < n {
			err = b.Add(e)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(items) > 0 && len(e.Instance)%2 == 0 {
			if err := b.Oracle(e.Instance, e.Exam, items[0], e.Answers[0].Value); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Contest().WithCertified(proved)
}

func checkBoard(t *testing.T, name string, k *scoring.BoardRange, final *scoring.Board, tools []scoring.Tool, ended bool) {
	t.Helper()
	for tool, s := range final.Standings {
		low, high := k.Least[tool].Points, k.Greatest[tool].Points
		if s.Points.Cmp(low) < 0 || s.Points.Cmp(high) > 0 || ended && low.Cmp(high) != 0 {
			t.Fatalf("%s: %s of %s is %s, and the range is %s to %s", name, k.Name, tools[tool].Name, s.Points.RatString(), low.RatString(), high.RatString())
		}
	}
	for _, p := range k.Decided {
		found := false
		for _, m := range final.Medals() {
			found = found || m == p
		}
		if !found {
			t.Fatalf("%s: %s: place %d of %s was decided and is not in %v", name, k.Name, p.Rank, tools[p.Tool].Name, final.Medals())
		}
	}
	if ended && len(k.Decided) != len(final.Medals()) {
		t.Fatalf("%s: %s: %v are decided, not %v", name, k.Name, k.Decided, final.Medals())
	}
}

func checkShrunk(t *testing.T, name string, before, now *scoring.BoardRange) {
	t.Helper()
	for tool := range now.Least {
		if now.Least[tool].Points.Cmp(before.Least[tool].Points) < 0 || now.Greatest[tool].Points.Cmp(before.Greatest[tool].Points) > 0 {
			t.Fatalf("%s: %s of tool %d grew from %s-%s to %s-%s", name, now.Name, tool, before.Least[tool].Points.RatString(),
				before.Greatest[tool].Points.RatString(), now.Least[tool].Points.RatString(), now.Greatest[tool].Points.RatString())
		}
	}
	if len(now.Decided) < len(before.Decided) {
		t.Fatalf("%s: %s: a decided place was lost", name, now.Name)
	}
}
