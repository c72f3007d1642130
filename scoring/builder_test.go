package scoring

import (
	"fmt"
	"slices"
	"testing"

	"podium/examinations"
	"podium/models"
)

func TestBuilderWildcard(t *testing.T) {
	b := NewBuilder([]Examination{{ID: examinations.CTLFireability, Category: "CTL", Points: []int64{1}}, {ID: AnyExamination, Category: "any", Required: 1, Points: []int64{7}}})
	for _, exam := range []examinations.ID{"Zeta", "Alpha", examinations.CTLFireability} {
		if err := b.Add(Entry{Tool: "A", Instance: "Net-PT-1", Exam: exam, Run: Run{Participation: Answered}, Answers: []AnsweredValue{{Item: "x", Value: examinations.True}}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Add(Entry{Tool: "A", Instance: "Net-PT-1", Exam: AnyExamination}); err == nil {
		t.Error("a run of the wildcard itself was taken")
	}
	c := b.Contest()
	var got []string
	for _, s := range c.Sheets {
		got = append(got, fmt.Sprintf("%s in %s for %d", c.Exams[s.Exam].ID, c.Exams[s.Exam].Category, c.Exams[s.Exam].PointsOf(3)))
	}
	if want := []string{"CTLFireability in CTL for 1", "Alpha in Alpha for 7", "Zeta in Zeta for 7"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBuilderDeclare(t *testing.T) {
	b := NewBuilder(exams)
	for _, e := range everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T") {
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
	r := plain().Score(c)
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
		entries = append(entries, everybody("A B C", name, examinations.CTLFireability, "T T T T")...)
		entries = append(entries, says("D", name, examinations.CTLFireability, []string{"T T T F", "T T . ."}[i%2]))
	}
	r := plain().Score(contest(t, nil, entries))
	k := r.Categories[0]
	want := Tally{Points: nets / 2 * (3*4 - 8 + 2*4), Entered: nets, Runs: nets, Right: nets / 2 * 5, Wrong: nets / 2, SuccessCPU: nets / 2 * 5}
	if got := k.Tallies[r.Contest.ToolNamed("D")]; got != want || k.Sheets != nets || k.Values != 4*nets {
		t.Errorf("%d sheets, %d values, D: %+v, want %+v", k.Sheets, k.Values, got, want)
	}
}

func TestTallyMerge(t *testing.T) {
	a := Tally{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	a.merge(Tally{10, 20, 30, 40, 50, 60, 70, 80, 90, 100})
	if want := (Tally{11, 22, 33, 44, 55, 66, 77, 88, 99, 110}); a != want {
		t.Errorf("%+v, want %+v", a, want)
	}
	var booked Tally
	s := marked("TTXu", 3)
	s.Letters, s.Points = Fastest|Smallest, 9
	s.count()
	booked.book(&s)
	if want := (Tally{Points: 9, Entered: 1, Runs: 1, Right: 2, Wrong: 1, Unjudged: 1, Fastest: 1, Smallest: 1}); booked != want {
		t.Errorf("%+v, want %+v", booked, want)
	}
}

func TestNotJudgedValues(t *testing.T) {
	s := plain()
	s.NotJudged = []NotJudged{{Exam: examinations.CTLFireability, Item: "formula-01", Kind: models.COL}}
	r := s.Score(contest(t, nil,
		everybody("A B C", "Net-PT-1", examinations.CTLFireability, "T T"), everybody("A B", "Net-COL-1", examinations.CTLFireability, "T T"),
		everybody("C", "Net-COL-1", examinations.CTLFireability, "T F"), everybody("D", "Net-COL-1", examinations.CTLFireability, "T .")))
	col, pt := r.Contest.SheetOf("Net-COL-1", examinations.CTLFireability), r.Contest.SheetOf("Net-PT-1", examinations.CTLFireability)
	got := fmt.Sprint(r.Mask(pt, 0), r.Mask(col, 0), r.Mask(col, 2), r.Mask(col, 3), r.RunPoints(col, 0), r.RunPoints(col, 2))
	if want := fmt.Sprint("TT", "T-", "T-", "T-", 4, 4); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestParseInstance(t *testing.T) {
	for name, want := range map[string]models.ID{
		"Net-PT-1":          {Family: "Net", Kind: models.PT, Param: "1"},
		"Odd name!-COL-a b": {Family: "Odd name!", Kind: models.COL, Param: "a b"},
		"task.c":            {Family: "task.c"},
		"-PT-1":             {Family: "-PT-1"},
	} {
		if got := ParseInstance(name); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
