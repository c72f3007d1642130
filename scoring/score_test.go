package scoring_test

import (
	"fmt"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	"podium/models"
	. "podium/scoring"
)

// scheme2016 is E-2 to E-4 of 2016 built by hand, with both bonuses.
func scheme2016() *Scheme {
	bonus := func(m Metric, l Letters) Rule {
		return Rule{"E-4.1", Bonus{Metric: m, Letter: l, Points: 4, MinShare: confidence.NewRatio(1, 2), NeedsRight: true}.Apply}
	}
	return &Scheme{
		Name: "by hand", Unit: 1,
		Consistent: confidence.Majority(3, confidence.OfAnswering),
		Share:      confidence.OverAnswered,
		Elect:      confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100)}.Elect,
		Rules: []Rule{{"E-4.2", PointsPerValue}, {"E-4.3", PenaltyPerWrong(2)}, bonus(CPUTime, Fastest), bonus(Memory, Smallest),
			{"E-4.4", ClassFactors([3]int64{1, 3, 5})}},
		Ranking: Ranking{BestVariant: true},
	}
}

var exams2016 = []Examination{
	{ID: examinations.StateSpace, Category: "StateSpace", Items: []string{"STATES", "TRANSITIONS"}, Required: 2, Points: []int64{8}},
	{ID: examinations.CTLFireability, Category: "CTL", Required: 4, Points: []int64{4}},
}

// run writes one letter per value: T, F, or . for none. cpu and memory of -1 are
// not measured.
func run(tool, instance, answers string, cpu, memory int64) Entry {
	e := Entry{Tool: tool, Instance: instance, Exam: examinations.CTLFireability,
		Run: Run{Participation: Answered, CPU: cpu, Wall: Unmeasured, Memory: memory}}
	for i, c := range answers {
		a := AnsweredValue{Item: fmt.Sprintf("formula-%02d", i)}
		if c != '.' {
			a.Value = examinations.Truth(c == 'T')
		}
		e.Answers = append(e.Answers, a)
	}
	return e
}

func score(t *testing.T, declare func(*Builder), entries ...Entry) *Result {
	t.Helper()
	b := NewBuilder(exams2016)
	if declare != nil {
		declare(b)
	}
	for _, e := range append([]Entry{run("A", "Base-PT-1", "TTTT", 5, 5), run("B", "Base-PT-1", "TTTT", 5, 5), run("C", "Base-PT-1", "TTTT", 5, 5)}, entries...) {
		if err := b.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	return scheme2016().Score(b.Contest())
}

// points returns "points letters mask" of a run on an instance.
func points(r *Result, tool, instance string) string {
	sheet := r.Contest.SheetOf(instance, examinations.CTLFireability)
	n := r.Contest.ToolNamed(tool)
	return fmt.Sprintf("%d %s %s", r.RunPoints(sheet, n), r.RunLetters(sheet, n), r.Mask(sheet, n))
}

func TestE4RunScores(t *testing.T) {
	agree := func(answers string) []Entry {
		return []Entry{run("B", "Net-PT-1", answers, 50, 50), run("C", "Net-PT-1", answers, 50, 50)}
	}
	for _, tc := range []struct{ rule, answers, want string }{
		{"E-4.2 every right value gets its points, E-4.1 both bonuses", "TTTT", "24 PM TTTT"},
		{"E-4.2 values that are not computed get nothing", "TT..", "16 PM TT--"},
		{"E-4.3 less than half of the values: no bonus", "T...", "4 -- T---"},
		{"E-4.3 a wrong value costs twice its points and the bonus", "TTTF", "4 -- TTTX"},
		{"E-4.3 only wrong values: negative", "FFFF", "-32 -- XXXX"},
		{"E-4.3 nothing computed", "....", "0 -- ----"},
	} {
		r := score(t, nil, append(agree("TTTT"), run("A", "Net-PT-1", tc.answers, 1, 1))...)
		if got := points(r, "A", "Net-PT-1"); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.rule, got, tc.want)
		}
	}
}

func TestE41BonusTies(t *testing.T) {
	r := score(t, nil, run("A", "Net-PT-1", "TTTT", 7, 9), run("B", "Net-PT-1", "TTTT", 7, 8), run("C", "Net-PT-1", "TTTT", Unmeasured, Unmeasured))
	for tool, want := range map[string]string{"A": "20 P- TTTT", "B": "24 PM TTTT", "C": "16 -- TTTT"} {
		if got := points(r, tool, "Net-PT-1"); got != want {
			t.Errorf("E-4.1 %s: %s, want %s", tool, got, want)
		}
	}
}

func TestE44ClassesMultiplyEverything(t *testing.T) {
	for class, want := range map[models.Class]string{models.Known: "24 PM TTTT", models.Stripped: "72 PM TTTT", models.Surprise: "120 PM TTTT"} {
		r := score(t, func(b *Builder) { b.Instance("Net-PT-1", class) }, run("A", "Net-PT-1", "TTTT", 1, 1), run("B", "Net-PT-1", "TTTT", 2, 2))
		if got := points(r, "A", "Net-PT-1"); got != want {
			t.Errorf("E-4.4 %s: %s, want %s", class, got, want)
		}
	}
}

func TestE45RankingAndPodium(t *testing.T) {
	r := score(t, func(b *Builder) {
		b.Tool(Tool{Name: "A2", Family: "A"})
		b.Tool(Tool{Name: "Gold", OutOfCompetition: true})
	}, run("A", "Net-PT-1", "T...", 1, 1), run("A2", "Net-PT-1", "TTTT", 2, 2), run("B", "Net-PT-1", "T...", 3, 3), run("C", "Net-PT-1", "TT..", 1, 1), run("Gold", "Net-PT-1", "TTTT", 0, 0))
	k := r.Categories[0]
	var got []string
	for _, p := range k.Places {
		got = append(got, fmt.Sprintf("%d %s %d", p.Rank, r.Contest.Tools[p.Tool].Name, k.Tallies[p.Tool].Points))
	}
	// the base gives 24 points to A, B and C; A2 has 16 and is not the best of its family
	if want := "1 C 32, 2 A 28, 2 B 28"; strings.Join(got, ", ") != want {
		t.Errorf("E-4.5: %v, want %s", got, want)
	}
	if tally := k.Tallies[r.Contest.ToolNamed("A2")]; tally.Points != 16 {
		t.Errorf("E-4.5: the score of a variant is displayed all the same: %+v", tally)
	}
}

func TestVoidRunsNeverCount(t *testing.T) {
	void := run("A", "Net-PT-1", "", 1, 1)
	void.Participation, void.Answers = Void, nil
	r := score(t, nil, void, run("B", "Net-PT-1", "TTTT", 9, 9))
	sheet := r.Contest.SheetOf("Net-PT-1", examinations.CTLFireability)
	if r.HasScore(sheet, r.Contest.ToolNamed("A")) {
		t.Error("a void run has a score")
	}
	if got := points(r, "B", "Net-PT-1"); got != "24 PM TTTT" {
		t.Errorf("%s", got)
	}
}

func TestFamilyWeightRounding(t *testing.T) {
	for _, tc := range []struct{ num, den, want int64 }{{1, 2, 1}, {-1, 2, -1}, {3, 2, 2}, {-3, 2, -2}, {1, 3, 0}, {2, 3, 1}, {-2, 3, -1}, {0, 5, 0}, {8205, 16, 513}} {
		if got := RoundedQuotient(tc.num, tc.den); got != tc.want {
			t.Errorf("%d/%d: %d, want %d", tc.num, tc.den, got, tc.want)
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	b := NewBuilder(exams2016)
	good := run("A", "Net-PT-1", "T", 1, 1)
	if err := b.Add(good); err != nil {
		t.Fatal(err)
	}
	unknown, silent, idle := good, good, good
	unknown.Exam = "Sudoku"
	silent.Participation, silent.Tool = CannotCompute, "B"
	idle.Participation, idle.Tool = Absent, "C"
	for what, e := range map[string]Entry{"a run given twice": good, "an unknown examination": unknown, "answers of a run that did not answer": silent, "a run without participation": idle} {
		if err := b.Add(e); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}

func TestManyItemsOnOneSheet(t *testing.T) {
	var a, b strings.Builder
	for i := range 300 {
		a.WriteByte("TF"[i%2])
		b.WriteByte("TF."[i%3])
	}
	builder := NewBuilder([]Examination{{ID: examinations.CTLFireability, Category: "CTL", Required: 300, Points: []int64{1}}})
	first, second := run("A", "Net-PT-1", a.String(), 1, 1), run("B", "Net-PT-1", b.String(), 1, 1)
	for i := range second.Answers { // another order of the same formulas
		j := (i * 7) % 300
		second.Answers[i], second.Answers[j] = second.Answers[j], second.Answers[i]
	}
	for _, e := range []Entry{first, second} {
		if err := builder.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	c := builder.Contest()
	if c.Sheets[0].Values != 300 {
		t.Fatalf("%d values", c.Sheets[0].Values)
	}
	for i := range 300 {
		v := c.ValueOf(0, fmt.Sprintf("formula-%02d", i))
		want := map[byte]string{'T': "TRUE", 'F': "FALSE", '.': ""}[b.String()[i]]
		if got := c.Answer(v, c.ToolNamed("B")).Text; got != want {
			t.Errorf("formula %d: %q, want %q", i, got, want)
		}
	}
}

func TestNotJudgedAndPointsText(t *testing.T) {
	if m := Exclude(Right); m != Ignored || m.Char() != '-' || !m.Given() {
		t.Errorf("an answered value that is not judged: %v", m)
	}
	if m := Exclude(Missing); m != Excluded || m.Given() {
		t.Errorf("an open value that is not judged: %v", m)
	}
	for units, want := range map[int64]string{10255: "102.55", -1013: "-10.13", 800: "8", 0: "0"} {
		if got := (&Scheme{Unit: 100}).PointsText(units); got != want {
			t.Errorf("%d hundredths: %s, want %s", units, got, want)
		}
	}
}
