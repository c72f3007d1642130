package edition

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
	"podium/scoring"
	"podium/scoring/explain"
	"podium/scoring/whatif"
)

// one makes a run of one truth value; "" leaves it open.
func one(tool, instance string, exam examinations.ID, answer string, cpu int64) scoring.Entry {
	e := scoring.Entry{Tool: tool, Instance: instance, Exam: exam, Run: scoring.Run{Participation: scoring.Answered, CPU: cpu, Memory: cpu, Wall: cpu, Source: "log of " + tool}}
	if answer != "" {
		e.Answers = []scoring.AnsweredValue{{Item: string(exam), Value: examinations.Value{Kind: examinations.Bool, Text: answer}}}
	}
	return e
}

// number makes a run of one item of StateSpace.
func number(tool, instance, item, value string) scoring.Entry {
	e := one(tool, instance, examinations.StateSpace, "", 1)
	e.Answers = []scoring.AnsweredValue{{Item: item, Value: examinations.Value{Kind: examinations.Nat, Text: value}}}
	return e
}

// calibrated adds runs that give every tool confidence 1.
func calibrated(t *testing.T, b *scoring.Builder, tools ...string) {
	t.Helper()
	for i := range 4 {
		for _, tool := range tools {
			if err := b.Add(one(tool, fmt.Sprintf("Calibration-PT-%d", i), examinations.OneSafe, "TRUE", 9)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func build(t *testing.T, e *Edition, declare func(b *scoring.Builder), entries ...scoring.Entry) *scoring.Contest {
	t.Helper()
	b := e.Builder()
	declare(b)
	for _, x := range entries {
		if err := b.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	return b.Contest()
}

func embeddedEdition(t *testing.T, id string) *Edition {
	t.Helper()
	e, err := Named(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

const rd = examinations.ReachabilityDeadlock

func TestChangesOfAnEdition(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	c := build(t, e, func(b *scoring.Builder) { calibrated(t, b, "A", "B", "C") },
		one("A", "Net-PT-1", rd, "TRUE", 100), one("B", "Net-PT-1", rd, "FALSE", 102), one("C", "Net-PT-1", rd, "FALSE", 110),
		one("A", "Net-PT-2", rd, "TRUE", 100), one("B", "Net-PT-2", rd, "FALSE", 100),
		one("A", "Net-PT-3", rd, "TRUE", 100),
		one("A", "Net-PT-4", rd, "TRUE", 100), one("B", "Net-PT-4", rd, "TRUE", 104), one("C", "Net-PT-4", rd, "TRUE", 106))
	references := func(e *Edition) string {
		r := e.Score(c)
		text := ""
		for i := range 4 {
			v, _ := r.ReferenceValue(int(c.Sheets[c.SheetOf(fmt.Sprintf("Net-PT-%d", i+1), rd)].First))
			text += (v.Text + "?")[:1]
		}
		return text
	}
	letters := func(e *Edition) string {
		r, sheet := e.Score(c), c.SheetOf("Net-PT-4", rd)
		return fmt.Sprint(r.RunLetters(sheet, 0), r.RunLetters(sheet, 1), r.RunLetters(sheet, 2))
	}
	if got := references(e); got != "F?TT" {
		t.Fatalf("unchanged: %s", got)
	}
	for change, want := range map[string]string{
		"elect.single_above=1":       "F??T",
		"elect.missing=against":      "F??T",
		"consistent.min_agree=5":     "???T", // no confidence, no weight: only agreement is left
		"elect.majority=absolute":    "F?TT",
		"confidence.over=consistent": "F?TT", // all answered all of V
	} {
		x, err := ParseChange(change)
		if err != nil {
			t.Fatal(err)
		}
		changed, err := e.With(x)
		if err != nil {
			t.Fatal(err)
		}
		if changed.Digest == e.Digest || len(changed.Changes) != 1 || changed.Changes[0].String() != change {
			t.Errorf("%s: the change does not travel with the edition: %v", change, changed.Changes)
		}
		if got := references(changed); got != want {
			t.Errorf("%s: %s, want %s", change, got, want)
		}
	}
	if got := letters(e); got != "PM -- --" {
		t.Errorf("bonus of the unchanged edition: %s", got)
	}
	shared, err := e.With(Change{"scoring", "bonus-least", "within", "1/20"})
	if err != nil {
		t.Fatal(err)
	}
	if got := letters(shared); got != "PM PM --" {
		t.Errorf("bonus shared within 5 %%: %s", got)
	}
	if got := letters(e); got != "PM -- --" {
		t.Errorf("With changed the edition itself: %s", got)
	}
	for _, bad := range []Change{{"elect", "", "colour", "red"}, {"elect", "", "tie", "maybe"}, {"nowhere", "", "tie", "unknown"}, {"votes", "", "", "none"}} {
		if _, err := e.With(bad); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
	if _, err := ParseChange("elect"); err == nil {
		t.Error("a change without a value was read")
	}
}

// TestTieBySupporters: without any confidence, the number of tools may decide.
func TestTieBySupporters(t *testing.T) {
	e := embeddedEdition(t, "mcc2016")
	var entries []scoring.Entry
	for i, tool := range []string{"A", "B", "C"} {
		answer := "TRUE"
		if i == 0 {
			answer = "FALSE"
		}
		entries = append(entries, one(tool, "Net-PT-1", rd, answer, 1))
	}
	// nobody has a confidence here, so that all weights are 0
	c := build(t, e, func(*scoring.Builder) {}, entries...)
	for change, want := range map[string]string{"elect.tie=unknown": "", "elect.tie=supporters": "TRUE"} {
		x, _ := ParseChange(change)
		changed, err := e.With(x)
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := changed.Score(c).ReferenceValue(0); v.Text != want {
			t.Errorf("%s: %q, want %q", change, v.Text, want)
		}
	}
}

func withFamily(t *testing.T, tools ...string) func(b *scoring.Builder) {
	return func(b *scoring.Builder) {
		calibrated(t, b, tools...)
		b.Tool(scoring.Tool{Name: "C.fast", Family: "C"})
		b.Instance("Sudden-PT-1", models.Surprise)
	}
}

func TestWithoutToolModelFamily(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	entries := []scoring.Entry{
		one("A", "Net-PT-1", rd, "TRUE", 1), one("B", "Net-PT-1", rd, "TRUE", 2), one("C", "Net-PT-1", rd, "FALSE", 3),
		one("C.fast", "Net-PT-1", rd, "FALSE", 3), one("A", "Sudden-PT-1", rd, "TRUE", 1), one("C", "Sudden-PT-1", rd, "FALSE", 1)}
	c := build(t, e, withFamily(t, "A", "B", "C", "C.fast"), entries...)
	before := e.Score(c)
	if got := e.Score(whatif.Without(c, nil, nil)); summary(got) != summary(before) {
		t.Error("leaving nothing out changed the result")
	}
	changes := whatif.Compare(before, e.Score(whatif.WithoutTools(c, "A")))
	if len(changes.References) != 2 || changes.References[0].After != "FALSE" || changes.References[1].After != "FALSE" {
		t.Errorf("without A: %+v", changes.References)
	}
	moved := ""
	for _, m := range changes.Moves {
		if m.Podium() {
			moved += fmt.Sprintf("%s %d>%d ", m.Tool, m.RankBefore, m.RankAfter)
		}
	}
	if !strings.Contains(moved, "A 1>0") {
		t.Errorf("without A the podium moves by %q", moved)
	}
	if got := e.Score(whatif.WithoutToolFamilies(c, "C")); len(got.Contest.Tools) != 2 {
		t.Errorf("without the family C: %v", got.Contest.Tools)
	}
	if got := e.Score(whatif.Without(c, nil, func(i *scoring.Instance) bool { return i.ID.Family == "Sudden" || i.ID.Family == "Calibration" })); len(got.Contest.Sheets) != 1 || len(got.Contest.Items) != 1 {
		t.Errorf("without two models: %d sheets", len(got.Contest.Sheets))
	}
	again := build(t, e, withFamily(t, "B", "C", "C.fast"), entries[1], entries[2], entries[3], entries[5])
	if got, want := summary(e.Score(whatif.WithoutTools(c, "A"))), summary(e.Score(again)); got != want {
		t.Errorf("without A:\n%s\nbuilt without A:\n%s", got, want)
	}
}

func TestAccounts(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	c := build(t, e, func(b *scoring.Builder) {
		calibrated(t, b, "A", "B", "C")
		b.Instance("Net-PT-1", models.Surprise)
	}, one("A", "Net-PT-1", rd, "TRUE", 1_500_000), one("B", "Net-PT-1", rd, "TRUE", 2_000_000), one("C", "Net-PT-1", rd, "FALSE", 1))
	r, sheet := e.Score(c), c.SheetOf("Net-PT-1", rd)
	text := explain.Run(r, sheet, c.ToolNamed("A")).String()
	for _, want := range []string{"A on ReachabilityDeadlock of Net-PT-1: 410.2 points", "source log of A", "E-4.2", "answered TRUE, reference TRUE",
		"fastest of the candidates: 1.500 s of wall-clock time", "smallest memory among the candidates: 1500000 bytes", "weight of a family of 1 instance;", "surprise model: the points count 4 times", "mask   T"} {
		if !strings.Contains(text, want) {
			t.Errorf("the account lacks %q:\n%s", want, text)
		}
	}
	text = explain.Run(r, sheet, c.ToolNamed("C")).String()
	if !strings.Contains(text, "-820.4 points") || !strings.Contains(text, "flag: wrong") || !strings.Contains(text, "answered FALSE, reference TRUE") {
		t.Errorf("account of a wrong run:\n%s", text)
	}
	value := explain.Value(r, sheet, int(c.Sheets[sheet].First))
	text = value.String()
	for _, want := range []string{"Net-PT-1 ReachabilityDeadlock ReachabilityDeadlock: TRUE", "E-3.1 weighted majority", "TRUE has weight 2.0000: A, B", "C answers FALSE with confidence 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the account of the value lacks %q:\n%s", want, text)
		}
	}
	if value.Consistent {
		t.Error("two of three tools are not enough for V")
	}
}

func TestWarnings(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	entries := []scoring.Entry{one("A", "Single-PT-1", rd, "TRUE", 1),
		one("C", "Family-PT-1", rd, "TRUE", 1), one("C.fast", "Family-PT-1", rd, "TRUE", 1), one("A", "Family-PT-1", rd, "FALSE", 1),
		one("C", "Near-PT-2", rd, "TRUE", 1), one("D", "Near-PT-2", rd, "FALSE", 1)}
	both := func(e scoring.Entry) {
		for _, tool := range []string{"A", "B"} {
			e.Tool = tool
			entries = append(entries, e)
		}
	}
	both(one("", "Dead-PT-1", rd, "TRUE", 1))
	both(one("", "Dead-PT-1", examinations.Liveness, "TRUE", 1))
	both(one("", "Bound-PT-1", examinations.OneSafe, "TRUE", 1))
	both(number("", "Bound-PT-1", "MAX_TOKEN_IN_PLACE", "2"))
	both(one("", "Twin-PT-1", examinations.OneSafe, "FALSE", 1))
	both(one("", "Twin-COL-1", examinations.OneSafe, "TRUE", 1))
	both(number("", "Twin-PT-1", "STATES", "5"))
	both(number("", "Twin-COL-1", "STATES", "6"))
	// D is wrong once, so that its confidence is a little below that of C
	for _, tool := range []string{"A", "B", "C"} {
		entries = append(entries, one(tool, "Wrong-PT-1", rd, "TRUE", 1))
	}
	entries = append(entries, one("D", "Wrong-PT-1", rd, "FALSE", 1))
	c := build(t, e, withFamily(t, "A", "B", "C", "C.fast", "D"), entries...)
	got := map[string]int{}
	for _, w := range explain.Warnings(e.Score(c), scoring.Twinning{First: 8}) {
		got[string(w.Doubt)+" "+c.Instances[c.Sheets[w.Sheet].Instance].Name]++
	}
	want := map[string]int{"single-tool Single-PT-1": 1, "one-family Family-PT-1": 1, "near-margin Near-PT-2": 1,
		"consistency-break Dead-PT-1": 2, "consistency-break Bound-PT-1": 2, "consistency-break Twin-PT-1": 2, "consistency-break Twin-COL-1": 2}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}

// TestBoundsAndRepeatedFormulas: bounds above the greatest number of tokens, and a
// formula that stands in two files.
func TestBoundsAndRepeatedFormulas(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	var entries []scoring.Entry
	for _, tool := range []string{"A", "B"} {
		bound := number(tool, "Net-PT-1", "Net-PT-1-UpperBounds-00", "+inf")
		bound.Exam = examinations.UpperBounds
		formula := func(instance, answer string) scoring.Entry {
			x := one(tool, instance, examinations.CTLFireability, answer, 1)
			x.Answers = append(x.Answers, scoring.AnsweredValue{Item: instance + "-01", Value: examinations.True})
			x.Answers[0].Item = "Net-COL-1-CTLFireability-2024-00"
			return x
		}
		entries = append(entries, bound, number(tool, "Net-PT-1", "MAX_TOKEN_PER_MARKING", "7"), formula("Net-PT-2", "TRUE"), formula("Net-PT-3", "FALSE"))
	}
	c := build(t, e, func(b *scoring.Builder) { calibrated(t, b, "A", "B", "C") }, entries...)
	var texts []string
	for _, w := range explain.Warnings(e.Score(c), scoring.Twinning{First: 8}) {
		texts = append(texts, w.Text)
	}
	want := []string{"the bound +inf exceeds MAX_TOKEN_PER_MARKING 7", "the reference is FALSE, that of the same formula of Net-PT-2 is TRUE"}
	if strings.Join(texts, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(texts, "\n"))
	}
}

func TestSensitivity(t *testing.T) {
	e := embeddedEdition(t, "mcc2020")
	c := build(t, e, withFamily(t, "A", "B", "C", "C.fast"),
		one("A", "Net-PT-1", rd, "TRUE", 1), one("B", "Net-PT-1", rd, "FALSE", 1), one("C", "Net-PT-1", rd, "TRUE", 1), one("C.fast", "Net-PT-1", rd, "TRUE", 1))
	s := whatif.SensitivityOf(e.Score(c))
	if len(s.Removals) != 4 || s.OneVotePerFamily == nil {
		t.Fatalf("%+v", s)
	}
	if len(s.OneVotePerFamily.References) != 0 {
		t.Errorf("A and the family C still outvote B: %+v", s.OneVotePerFamily.References)
	}
	found := false
	for _, m := range s.Margins {
		if m.Behind == "B" {
			found = true
			if m.Needed != 1 || len(m.Decisions) != 1 || m.Decisions[0].Otherwise != "FALSE" || m.Decisions[0].Instance != "Net-PT-1" {
				t.Errorf("one value keeps B behind %s: %+v", m.Ahead, m)
			}
		}
	}
	if !found {
		t.Errorf("no margin of B: %+v", s.Margins)
	}
}

// TestSensitivityLeavesTheResultAlone: looking for alternatives changes nothing, and a
// second look sees the same.
func TestSensitivityLeavesTheResultAlone(t *testing.T) {
	text := func(s *whatif.Sensitivity) string {
		out := ""
		for _, m := range s.Margins {
			out += fmt.Sprintf("%s %s %s %s %d", m.Category, m.Ahead, m.Behind, m.Points, m.Needed)
			for _, d := range m.Decisions {
				out += fmt.Sprintf(" %s %s %s %s %s", d.Instance, d.Exam, d.Item, d.Otherwise, d.Swing)
			}
		}
		return out
	}
	for _, e := range mccEditions(t) {
		r := scoreEntries(t, e, randomEntries(rand.New(rand.NewPCG(7, 7)), e.Examinations, e.Kinds, []string{"A", "B", "C", "D"}))
		before := summary(r)
		first := text(whatif.SensitivityOf(r))
		if summary(r) != before {
			t.Errorf("%s: the result changed", e.ID)
		}
		if second := text(whatif.SensitivityOf(r)); first != second || first == "" {
			t.Errorf("%s: the second look differs:\n%s\n%s", e.ID, first, second)
		}
	}
}
