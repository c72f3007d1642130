package scoring_test

import (
	"fmt"
	"slices"
	"testing"

	"podium/examinations"
	"podium/models"
	. "podium/scoring"
	"podium/scoring/scoringtest"
)

func TestBuilderWildcard(t *testing.T) {
	b := NewBuilder([]Examination{{ID: AnyExamination, Category: "any", Required: 1, Points: []int64{7}}, {ID: examinations.CTLFireability, Category: "CTL", Points: []int64{1}}})
	for _, tool := range []string{"A", "B"} {
		for _, exam := range []examinations.ID{"Zeta", "Alpha", examinations.CTLFireability} {
			if err := b.Add(Entry{Tool: tool, Instance: "Net-PT-1", Exam: exam, Run: Run{Participation: Answered}, Answers: []AnsweredValue{{Item: string(exam), Value: examinations.True}}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Add(Entry{Tool: "A", Instance: "Net-PT-1", Exam: AnyExamination}); err == nil {
		t.Error("a run of the wildcard itself was taken")
	}
	c := b.Contest()
	var got []string
	for _, s := range c.Sheets {
		got = append(got, fmt.Sprintf("%s of %s in %s for %d", c.Items[s.First], c.Exams[s.Exam].ID, c.Exams[s.Exam].Category, c.Exams[s.Exam].PointsOf(3)))
	}
	if want := []string{"CTLFireability of CTLFireability in CTL for 1", "Alpha of Alpha in Alpha for 7", "Zeta of Zeta in Zeta for 7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBuilderDeclare(t *testing.T) {
	b := NewBuilder(scoringtest.Exams)
	for _, e := range scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T") {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Declare("Net-PT-1", examinations.CTLFireability, "formula-01", "formula-00"); err != nil {
		t.Fatal(err)
	}
	if b.Declare("Net-PT-1", "Sudoku", "x") == nil || b.Oracle("Net-PT-1", "Sudoku", "x", examinations.True) == nil {
		t.Error("an unknown examination was taken")
	}
	c := b.Contest()
	r := scoringtest.Plain().Score(c)
	if got := r.Mask(0, 0); got != "T?" {
		t.Errorf("a value that nobody answers: %s", got)
	}
	if c.SheetOf("Net-PT-1", examinations.OneSafe) != -1 || c.ValueOf(0, "formula-09") != -1 || c.ToolNamed("D") != -1 {
		t.Error("what is not there has a number")
	}
	if _, known := r.Certified(0); known {
		t.Error("a proof without a referee")
	}
}

// TestManySheets: the parts of several processors add up to the same tallies.
func TestManySheets(t *testing.T) {
	const nets = 400
	var entries []Entry
	for i := range nets {
		name := fmt.Sprintf("Net-PT-%03d", i)
		entries = append(entries, scoringtest.Everybody("A B C", name, examinations.CTLFireability, "T T T T")...)
		entries = append(entries, scoringtest.Says("D", name, examinations.CTLFireability, []string{"T T T F", "T T . ."}[i%2]))
	}
	r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, entries))
	k := r.Categories[0]
	want := Tally{Points: nets / 2 * (3*4 - 8 + 2*4), Entered: nets, Runs: nets, Right: nets / 2 * 5, Wrong: nets / 2, SuccessCPU: nets / 2 * 5, Unmetered: nets / 2}
	if got := k.Tallies[r.Contest.ToolNamed("D")]; got != want || k.Sheets != nets || k.Values != 4*nets {
		t.Errorf("%d sheets, %d values, D: %+v, want %+v", k.Sheets, k.Values, got, want)
	}
}

func TestTallyMerge(t *testing.T) {
	a := Tally{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}
	a.Merge(Tally{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140})
	if want := (Tally{11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132, 143, 154}); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	var booked Tally
	idle, unmeasured := marked("uu--", 5), marked("T---", Unmeasured)
	for _, s := range []Score{idle, unmeasured} {
		s.Count()
		booked.Book(&s)
	}
	if want := (Tally{Entered: 2, Runs: 2, Right: 1, Unjudged: 2, Unmetered: 1}); booked != want {
		t.Errorf("no successful run that was measured: %+v, want %+v", booked, want)
	}
	booked = Tally{}
	s := marked("TTXu", 3)
	s.Letters, s.Points, s.Run.Ending = Fastest|Smallest, 9, AtBothLimits
	s.Count()
	booked.Book(&s)
	if want := (Tally{Points: 9, Entered: 1, Runs: 1, Right: 2, Wrong: 1, Unjudged: 1, Fastest: 1, Smallest: 1, Timeouts: 1, MemoryOuts: 1}); booked != want {
		t.Errorf("%+v, want %+v", booked, want)
	}
}

func TestNotJudgedValues(t *testing.T) {
	s := scoringtest.Plain()
	s.NotJudged = []NotJudged{{Exam: examinations.CTLFireability, Item: "formula-01", Kind: models.COL}}
	r := s.Score(scoringtest.Contest(t, nil,
		scoringtest.Everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T"), scoringtest.Everybody("A B", "Net-COL-1", examinations.CTLFireability, "T T"),
		scoringtest.Everybody("C", "Net-COL-1", examinations.CTLFireability, "T F"), scoringtest.Everybody("D", "Net-COL-1", examinations.CTLFireability, "T .")))
	col, pt := r.Contest.SheetOf("Net-COL-1", examinations.CTLFireability), r.Contest.SheetOf("Net-PT-1", examinations.CTLFireability)
	got := fmt.Sprint(r.Mask(pt, 0), r.Mask(col, 0), r.Mask(col, 2), r.Mask(col, 3), r.RunPoints(col, 0), r.RunPoints(col, 2))
	if want := fmt.Sprint("TT", "T-", "T-", "T-", 4, 4); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestLayOut: formulas are sorted, the first examinations share a category, and
// nothing stands beside the answers that nobody gave.
func TestLayOut(t *testing.T) {
	b := NewBuilder([]Examination{{ID: examinations.CTLFireability, Category: "Formulas", Required: 1, Points: []int64{1}},
		{ID: examinations.LTLFireability, Category: "Formulas", Required: 1, Points: []int64{1}}})
	e := scoringtest.Says("A", "Net-PT-1", examinations.CTLFireability, "T F 7 12")
	e.Answers[0].Item, e.Answers[3].Item = e.Answers[3].Item, e.Answers[0].Item
	short := scoringtest.Says("B", "Net-PT-1", examinations.CTLFireability, "T F")
	short.Vector = 2
	long := scoringtest.Says("C", "Net-PT-1", examinations.CTLFireability, "T")
	long.Vector = 99
	for _, e := range []Entry{e, short, long, scoringtest.Says("A", "Net-PT-1", examinations.LTLFireability, "T")} {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	c := b.Contest()
	if got := fmt.Sprint(c.Items[:4]); got != "[formula-00 formula-01 formula-02 formula-03]" {
		t.Errorf("items %s", got)
	}
	if got := fmt.Sprint(c.Values); got != "[ TRUE FALSE 7 12]" {
		t.Errorf("values %s", got)
	}
	if c.Witnesses != nil || c.Oracle != nil || c.Certified != nil {
		t.Errorf("witnesses %v, oracle %v, proofs %v", c.Witnesses, c.Oracle, c.Certified)
	}
	r := scoringtest.Plain().Score(c)
	if got := len(r.Mask(0, 0)) + 10*len(r.Mask(0, 1)) + 100*len(r.Mask(0, 2)); got != 424 {
		t.Errorf("lengths of the masks of C, B, A: %d", got)
	}
	if len(r.Categories) != 1 || r.Categories[0].Sheets != 2 {
		t.Errorf("categories %+v", r.Categories)
	}
}

func TestRelatives(t *testing.T) {
	c := scoringtest.Contest(t, func(b *Builder) {
		for _, name := range []string{"Net-PT-1", "Net-PT-2", "Net-COL-1", "Other-COL-2", "task.c"} {
			b.Instance(name, models.Known)
		}
	})
	var got []string
	for _, inst := range c.Instances {
		twin := "none"
		if inst.Twin >= 0 {
			twin = c.Instances[inst.Twin].Name
		}
		got = append(got, fmt.Sprintf("%s of %d, twin %s", inst.Name, inst.FamilySize, twin))
	}
	slices.Sort(got)
	want := []string{"Net-COL-1 of 3, twin Net-PT-1", "Net-PT-1 of 3, twin Net-COL-1", "Net-PT-2 of 3, twin none", "Other-COL-2 of 1, twin none", "task.c of 1, twin none"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestOnePerFamily: three siblings and one other are one vote against one.
func TestOnePerFamily(t *testing.T) {
	ctl := examinations.CTLFireability
	c := scoringtest.Contest(t, func(b *Builder) {
		for _, name := range []string{"A", "A2", "A3"} {
			b.Tool(Tool{Name: name, Family: "A"})
		}
	}, scoringtest.Everybody("A A2 A3", "Net-PT-1", ctl, "T"), scoringtest.Everybody("B", "Net-PT-1", ctl, "F"), scoringtest.Everybody("A A2 A3 B C", "Base-PT-1", ctl, "T"))
	s := scoringtest.Plain()
	s.OnePerFamily = true
	sheet := c.SheetOf("Net-PT-1", ctl)
	if r := s.Score(c); len(r.Votes(sheet, int(c.Sheets[sheet].First))) != 2 || r.References[c.Sheets[sheet].First].Known() {
		t.Errorf("one vote against one: %v", r.References[c.Sheets[sheet].First])
	}
	if r := scoringtest.Plain().Score(c); !r.References[c.Sheets[sheet].First].Known() {
		t.Error("three votes against one decide nothing")
	}
}

// TestDisplayedAlike: answers that are shown alike are one answer.
func TestDisplayedAlike(t *testing.T) {
	long, longer := "123456789012345678901", "123456789012345678902"
	ub := examinations.UpperBounds
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "Net-PT-1", ub, long), scoringtest.Everybody("D", "Net-PT-1", ub, longer), scoringtest.Everybody("E", "Net-PT-1", ub, "5"),
		scoringtest.Everybody("A B C D E", "Other-PT-1", examinations.CTLFireability, "T F"))
	s := scoringtest.Plain()
	s.Display = func(v examinations.Value) string { return v.Text[:1] }
	for name, want := range map[string]string{"A": "T", "D": "T", "E": "X"} {
		if got := s.Score(c).Mask(0, c.ToolNamed(name)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := s.Score(c).Mask(1, 0); got != "TT" {
		t.Errorf("truth values are shown as they are: %s", got)
	}
	if got := scoringtest.Plain().Score(c).Mask(0, c.ToolNamed("D")); got != "X" {
		t.Errorf("D by the exact text: %s", got)
	}
	shown := *c
	shown.AsDisplayed = true
	if got := s.Score(&shown).Mask(0, c.ToolNamed("D")); got != "X" {
		t.Errorf("D in texts that are shown already: %s", got)
	}
}

// TestWitnessesOfRuns: a witness belongs to its value.
func TestWitnessesOfRuns(t *testing.T) {
	ctl := examinations.CTLFireability
	var entries []Entry
	for i, tool := range []string{"A", "B", "C"} {
		e := scoringtest.Says(tool, "Net-PT-1", ctl, "T T T T")
		for k := range e.Answers {
			e.Answers[k].Witness = Confirmed
			if k == i+1 {
				e.Answers[k].Witness = Unconfirmed
			}
		}
		entries = append(entries, e)
	}
	s := scoringtest.Plain()
	s.Rules = []Rule{{"sv", PointsByVerdict([...]int64{CorrectTrue: 2, UnconfirmedTrue: 1, WrongFalse: 0})}}
	r := s.Score(scoringtest.Contest(t, nil, entries))
	for _, e := range entries {
		for value, a := range e.Answers {
			if got := r.Contest.Witness(value, r.Contest.ToolNamed(e.Tool)); got != a.Witness {
				t.Errorf("%s: witness %d of value %d, want %d", e.Tool, got, value, a.Witness)
			}
		}
	}
	only := scoringtest.Says("A", "Net-PT-1", ctl, "T")
	for _, want := range []Witness{Unasked, Confirmed} {
		only.Answers[0].Witness = want
		if got := scoringtest.Contest(t, nil, []Entry{only}).Witness(0, 0); got != want {
			t.Errorf("the only witness: %d, want %d", got, want)
		}
	}
	for tool := range 3 {
		var got []int64
		sum := int64(0)
		for _, item := range r.Accountant().Items(0, tool) {
			got = append(got, item.Points)
			sum += item.Points
		}
		want := []int64{2, 2, 2, 2}
		want[tool+1] = 1
		if !slices.Equal(got, want) || sum != r.RunPoints(0, tool) {
			t.Errorf("tool %d: %v, want %v; in all %d", tool, got, want, r.RunPoints(0, tool))
		}
	}
}

func TestPointsText(t *testing.T) {
	for _, tc := range []struct {
		unit, units int64
		want        string
	}{{1, 7, "7"}, {10, 5, "0.5"}, {1000, -1, "-0.001"}, {3, 1, "0.333333"}, {8, 1, "0.125"}, {1_000_000, 1, "0.000001"}, {100, 1200, "12"}} {
		if got := (&Scheme{Unit: tc.unit}).PointsText(tc.units); got != tc.want {
			t.Errorf("%d of %d: %s, want %s", tc.units, tc.unit, got, tc.want)
		}
	}
}
