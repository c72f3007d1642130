package edition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/scoring"
)

// randomEntries makes the runs of a small contest with twins, every kind of
// participation and measurement, and tools that are often right.
func randomEntries(rng *rand.Rand, exams []scoring.Examination, kinds map[examinations.ID]examinations.Kind, tools []string) []scoring.Entry {
	var entries []scoring.Entry
	for i := range 12 {
		name := fmt.Sprintf("Net%d-%s-%d", i%3, []string{"PT", "COL"}[i/3%2], i/6)
		for _, exam := range exams {
			if rng.IntN(3) > 0 {
				continue
			}
			for _, tool := range tools {
				if rng.IntN(8) > 0 {
					entries = append(entries, randomEntry(rng, name, exam, kinds[exam.ID], tool, int32(len(entries))))
				}
			}
		}
	}
	return entries
}

func randomEntry(rng *rand.Rand, instance string, exam scoring.Examination, kind examinations.Kind, tool string, order int32) scoring.Entry {
	e := scoring.Entry{Tool: tool, Instance: instance, Exam: exam.ID, Run: scoring.Run{Participation: scoring.Answered, Order: order,
		CPU: rng.Int64N(4), Wall: rng.Int64N(4), Memory: rng.Int64N(4) - 1}}
	if rng.IntN(6) == 0 {
		e.Participation = []scoring.Participation{scoring.CannotCompute, scoring.DoNotCompete, scoring.OutOfTime, scoring.Unreadable, scoring.Void}[rng.IntN(5)]
		return e
	}
	for v := range exam.Required {
		item := fmt.Sprintf("%02d", v)
		if exam.Items != nil {
			item = exam.Items[v]
		}
		a := scoring.AnsweredValue{Item: item}
		if rng.IntN(7) > 0 {
			truth := rng.IntN(10) > 0
			if kind == examinations.Bool {
				a.Value = examinations.Truth(truth)
			} else {
				a.Value = examinations.Value{Kind: kind, Text: fmt.Sprint(v + map[bool]int{true: 1, false: 2}[truth])}
			}
		}
		e.Answers = append(e.Answers, a)
	}
	return e
}

// scoreEntries declares the items of every sheet, adds the runs and scores them.
func scoreEntries(t *testing.T, e *Edition, entries []scoring.Entry) *scoring.Result {
	t.Helper()
	b := e.Builder()
	for _, x := range entries {
		if err := b.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return e.Score(b.Contest())
}

// summary writes everything that a result says, with names in place of numbers.
func summary(r *scoring.Result) string {
	var out strings.Builder
	c := r.Contest
	for i, tool := range c.Tools {
		fmt.Fprintf(&out, "%s %v %v\n", tool.Name, r.Shares[i], r.Confidence[i])
	}
	for i, s := range c.Sheets {
		fmt.Fprintf(&out, "%s %s\n", c.Instances[s.Instance].Name, c.Exams[s.Exam].ID)
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			value, known := r.ReferenceValue(v)
			fmt.Fprintf(&out, " %s %v %v %s", c.Items[v], value, known, r.References[v].Clause.Word())
			if known {
				fmt.Fprintf(&out, " %v", r.Weight(i, v))
			}
		}
		for tool := range c.Tools {
			if c.Run(i, tool).Participation != scoring.Absent {
				fmt.Fprintf(&out, " %s %d %s %s %s %v", c.Tools[tool].Name, r.RunPoints(i, tool), r.RunLetters(i, tool), r.FlagLetters(i, tool), r.Mask(i, tool), r.HasScore(i, tool))
			}
		}
	}
	for _, b := range r.Boards() {
		fmt.Fprintf(&out, "%s %d", b.Name, b.Values)
		for _, p := range b.Places {
			fmt.Fprintf(&out, " %d %s %s", p.Rank, c.Tools[p.Tool].Name, b.Standings[p.Tool].Points.RatString())
		}
	}
	return out.String()
}

func mccEditions(t *testing.T) []*Edition {
	t.Helper()
	var list []*Edition
	for _, id := range []string{"mcc2016", "mcc2019", "mcc2020"} {
		e, err := Named(id)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

func TestOrderOfRunsNeverMatters(t *testing.T) {
	for _, e := range mccEditions(t) {
		rng := rand.New(rand.NewPCG(1, 5))
		for range 20 {
			entries := randomEntries(rng, e.Examinations, e.Kinds, []string{"A", "B", "C", "D"})
			want := summary(scoreEntries(t, e, entries))
			for range 3 {
				rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
				if got := summary(scoreEntries(t, e, entries)); got != want {
					t.Fatalf("%s: the order of runs changed the result:\n%s\n%s", e.ID, got, want)
				}
			}
		}
	}
}

// TestRenamingToolsRenamesResults renames tools so that their order is reversed.
func TestRenamingToolsRenamesResults(t *testing.T) {
	rename := map[string]string{"A": "Z", "B": "Y", "C": "X", "D": "W"}
	for _, e := range mccEditions(t) {
		rng := rand.New(rand.NewPCG(2, 5))
		for range 20 {
			entries := randomEntries(rng, e.Examinations, e.Kinds, []string{"A", "B", "C", "D"})
			before := scoreEntries(t, e, entries)
			renamed := slices.Clone(entries)
			for i := range renamed {
				renamed[i].Tool = rename[renamed[i].Tool]
			}
			after := scoreEntries(t, e, renamed)
			compareRenamed(t, before, after, rename)
		}
	}
}

func compareRenamed(t *testing.T, before, after *scoring.Result, rename map[string]string) {
	t.Helper()
	for tool, x := range before.Contest.Tools {
		y := after.Contest.ToolNamed(rename[x.Name])
		if before.Shares[tool] != after.Shares[y] {
			t.Fatalf("%s: %v and %v", x.Name, before.Shares[tool], after.Shares[y])
		}
		for sheet := range before.Contest.Sheets {
			if before.RunPoints(sheet, tool) != after.RunPoints(sheet, y) || before.Mask(sheet, tool) != after.Mask(sheet, y) ||
				before.RunLetters(sheet, tool) != after.RunLetters(sheet, y) || before.FlagLetters(sheet, tool) != after.FlagLetters(sheet, y) {
				t.Fatalf("sheet %d of %s: %d %s and %d %s", sheet, x.Name, before.RunPoints(sheet, tool), before.Mask(sheet, tool), after.RunPoints(sheet, y), after.Mask(sheet, y))
			}
		}
		for k := range before.Categories {
			if before.Categories[k].Tallies[tool] != after.Categories[k].Tallies[y] {
				t.Fatalf("%s of %s: %+v and %+v", before.Categories[k].Name, x.Name, before.Categories[k].Tallies[tool], after.Categories[k].Tallies[y])
			}
		}
	}
}

// TestSilentToolChangesNothing adds a tool whose runs all answer nothing.
func TestSilentToolChangesNothing(t *testing.T) {
	for _, e := range mccEditions(t) {
		rng := rand.New(rand.NewPCG(3, 5))
		for range 20 {
			entries := randomEntries(rng, e.Examinations, e.Kinds, []string{"A", "B", "C", "D"})
			before := scoreEntries(t, e, entries)
			with := slices.Clone(entries)
			seen := map[string]bool{}
			for i, x := range entries {
				if key := x.Instance + string(x.Exam); !seen[key] {
					seen[key] = true
					with = append(with, scoring.Entry{Tool: "M", Instance: x.Instance, Exam: x.Exam,
						Run: scoring.Run{Participation: []scoring.Participation{scoring.CannotCompute, scoring.DoNotCompete, scoring.Void, scoring.Answered}[i%4]}})
				}
			}
			after := scoreEntries(t, e, with)
			silent := after.Contest.ToolNamed("M")
			for sheet := range after.Contest.Sheets {
				if points := after.RunPoints(sheet, silent); points != 0 {
					t.Fatalf("%s: a silent run has %d points", e.ID, points)
				}
			}
			for k := range after.Categories {
				if slices.ContainsFunc(after.Categories[k].Places, func(p scoring.Place) bool { return p.Tool == silent }) {
					t.Fatalf("%s: the silent tool has a place", e.ID)
				}
			}
			compareRenamed(t, before, after, map[string]string{"A": "A", "B": "B", "C": "C", "D": "D"})
		}
	}
}

// TestRandomAnswererIsNeverAboveZero: under the points of SV-COMP, whatever the
// share of tasks with a bug, whoever answers at random loses points in the mean;
// a hundred tasks leave no room for luck.
func TestRandomAnswererIsNeverAboveZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for _, id := range []string{"svcomp2019", "svcomp2026"} {
		for buggy := 0; buggy <= 100; buggy += 10 {
			for range 10 {
				var tasks []task
				for i := range 100 {
					tasks = append(tasks, task{expected: i >= buggy, answer: rng.IntN(2) == 0, answered: true, witness: scoring.Confirmed})
				}
				s := newSVComp(t, id)
				s.run("Random", "X", tasks, "1")
				c, boards := s.boards()
				if points := boards["X"].Standings[c.ToolNamed("Random")].Points; points.Sign() > 0 {
					t.Errorf("%s: a random answerer has %s points on 100 tasks, %d with a bug", id, points.RatString(), buggy)
				}
			}
		}
	}
}

// TestItemsExplainEveryPoint: the items of each run add up to its points, and each
// has a rule and a reason.
func TestItemsExplainEveryPoint(t *testing.T) {
	for _, e := range mccEditions(t) {
		rng := rand.New(rand.NewPCG(6, 5))
		r := scoreEntries(t, e, randomEntries(rng, e.Examinations, e.Kinds, []string{"A", "B", "C", "D"}))
		items := 0
		for sheet := range r.Contest.Sheets {
			for tool := range r.Contest.Tools {
				sum := int64(0)
				for _, item := range r.Accountant().Items(sheet, tool) {
					sum += item.Points
					items++
					if item.Rule == "" || item.Text() == "" {
						t.Errorf("%+v", item)
					}
				}
				if sum != r.RunPoints(sheet, tool) {
					t.Errorf("%s: items %d, points %d", e.ID, sum, r.RunPoints(sheet, tool))
				}
			}
		}
		if items == 0 {
			t.Errorf("%s: no items", e.ID)
		}
	}
}
