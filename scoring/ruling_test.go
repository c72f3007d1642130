package scoring_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"podium/confidence"
	"podium/examinations"
	. "podium/scoring"
	"podium/scoring/scoringtest"
	"podium/scoring/whatif"
)

func toolIs(name string) func(*Tool) bool { return func(t *Tool) bool { return t.Name == name } }

func sheetIs(instance string, exam examinations.ID) func(*Instance, examinations.ID) bool {
	return func(i *Instance, e examinations.ID) bool {
		return (instance == "" || i.Name == instance) && (exam == "" || e == exam)
	}
}

func itemIs(name string) func(string) bool { return func(item string) bool { return item == name } }

// judged is a contest of four tools: D alone says F to formula-01 of P-PT-1.
func judged(t *testing.T) *Contest {
	t.Helper()
	return scoringtest.Contest(t, nil,
		scoringtest.Everybody("A B C", "P-PT-1", examinations.CTLFireability, "T T T ."),
		[]Entry{scoringtest.Says("D", "P-PT-1", examinations.CTLFireability, "T F T T")},
		scoringtest.Everybody("A B C D", "P-PT-2", examinations.CTLFireability, "F F F F"),
		scoringtest.Everybody("A B", "P-PT-1", examinations.OneSafe, "T"),
	)
}

// summary is what pages show of a result: points, marks, references, reasons.
func summary(r *Result) string {
	var out strings.Builder
	c := r.Contest
	for _, b := range r.Boards() {
		fmt.Fprintln(&out, b.Name, scoringtest.Ranks(r, b.Name))
	}
	for sheet, s := range c.Sheets {
		for tool := range c.Tools {
			fmt.Fprintln(&out, c.Instances[s.Instance].Name, c.Exams[s.Exam].ID, c.Tools[tool].Name, r.RunPoints(sheet, tool), r.Mask(sheet, tool), r.NoScore(sheet, tool))
		}
		for v := int(s.First); v < int(s.First+s.Values); v++ {
			fmt.Fprintln(&out, " ", c.Items[v], referenceText(r, v), r.ClauseText(sheet, v), r.Votes(sheet, v), r.Uncounted(sheet, v))
		}
	}
	for tool := range c.Tools {
		fmt.Fprintln(&out, c.Tools[tool].Name, r.Confidence[tool], c.StruckPlace(tool))
	}
	return out.String()
}

func TestStruckRuns(t *testing.T) {
	before := scoringtest.Plain().Score(judged(t))
	if got := before.Confidence[3].String(); got != "7/8" && got != "6/7" {
		t.Fatalf("confidence of D is %s", got)
	}
	c := judged(t).WithRulings(Ruling{Effect: StrikesRuns, Tool: toolIs("D"), Sheet: sheetIs("P-PT-1", ""), Reason: "decision 1"})
	r := scoringtest.Plain().Score(c)
	sheet := c.SheetOf("P-PT-1", examinations.CTLFireability)
	if !r.SetAside(sheet, 3) || r.NoScore(sheet, 3) != "decision 1" || r.RunPoints(sheet, 3) != 0 || r.HasScore(sheet, 3) {
		t.Errorf("struck run: %v %q %d", r.SetAside(sheet, 3), r.NoScore(sheet, 3), r.RunPoints(sheet, 3))
	}
	if got := r.Confidence[3].String(); got != "1" {
		t.Errorf("D differs in struck runs only, and its confidence is %s", got)
	}
	first := int(c.Sheets[sheet].First)
	if votes := r.Votes(sheet, first+1); len(votes) != 3 {
		t.Errorf("votes: %v", votes)
	}
	if list := r.Uncounted(sheet, first+1); len(list) != 1 || list[0].Tool != 3 || list[0].Why != "decision 1" {
		t.Errorf("answers without a vote: %v", list)
	}
	if r.References[first+1].Clause != confidence.GlobalAgreement || !strings.Contains(r.ClauseText(sheet, first+1), "whose answers count") {
		t.Errorf("clause: %s", r.ClauseText(sheet, first+1))
	}
	if got := scoringtest.Ranks(r, "CTL"); got != "1 A 28, 1 B 28, 1 C 28, 4 D 16" {
		t.Errorf("ranks: %s", got)
	}
	for _, category := range r.Categories {
		if category.Name == "CTL" && (category.Tallies[3].Aside != 4 || category.Tallies[0].Aside != 0) {
			t.Errorf("%d values of D are set aside, %d of A", category.Tallies[3].Aside, category.Tallies[0].Aside)
		}
	}
	all := scoringtest.Plain().Score(judged(t).WithRulings(Ruling{Effect: StrikesRuns, Tool: toolIs("D")}))
	if got := scoringtest.Ranks(all, "CTL"); got != "1 A 28, 1 B 28, 1 C 28" {
		t.Errorf("a tool that is struck wholly has a rank: %s", got)
	}
}

func TestStruckVotes(t *testing.T) {
	c := judged(t).WithRulings(Ruling{Effect: StrikesVotes, Tool: toolIs("A"), Sheet: sheetIs("P-PT-1", examinations.OneSafe), Reason: "no vote"},
		Ruling{Effect: StrikesVotes, Tool: toolIs("B"), Sheet: sheetIs("P-PT-1", examinations.OneSafe), Reason: "none either"})
	r := scoringtest.Plain().Score(c)
	sheet := c.SheetOf("P-PT-1", examinations.OneSafe)
	v := int(c.Sheets[sheet].First)
	if ref := r.References[v]; ref.Known() || len(r.Votes(sheet, v)) != 0 {
		t.Errorf("a reference without votes: %v", ref)
	}
	if list := r.Uncounted(sheet, v); len(list) != 2 || list[1].Why != "none either" {
		t.Errorf("answers without a vote: %v", list)
	}
	if r.SetAside(sheet, 0) || r.RunMarks(sheet, 0)[0] != Unjudged {
		t.Error("an answer that is no vote is judged all the same")
	}
}

func TestStruckValues(t *testing.T) {
	c := judged(t).WithRulings(Ruling{Effect: StrikesValues, Sheet: sheetIs("P-PT-1", examinations.CTLFireability), Item: itemIs("formula-01"), Reason: "ill-posed"})
	r := scoringtest.Plain().Score(c)
	sheet := c.SheetOf("P-PT-1", examinations.CTLFireability)
	if got := r.Mask(sheet, 3); got != "T-T-" && got != "T-TT" {
		t.Errorf("mask of D: %s", got)
	}
	v := int(c.Sheets[sheet].First) + 1
	if got := r.ClauseText(sheet, v); !strings.HasSuffix(got, ": ill-posed") || r.References[v].Known() {
		t.Errorf("reference %v: %s", r.References[v], got)
	}
	if r.Confidence[3].String() != "1" {
		t.Errorf("the struck value counts in the confidence of D: %s", r.Confidence[3])
	}
	if got := scoringtest.Ranks(r, "CTL"); !strings.Contains(got, "A 24") || !strings.Contains(got, "D 24") && !strings.Contains(got, "D 28") {
		t.Errorf("ranks: %s", got)
	}

	whole := scoringtest.Plain().Score(judged(t).WithRulings(Ruling{Effect: StrikesValues, Sheet: sheetIs("P-PT-2", ""), Reason: "broken net"}))
	without := scoringtest.Plain().Score(whatif.Without(judged(t), nil, func(i *Instance) bool { return i.Name == "P-PT-2" }))
	if got, want := scoringtest.Ranks(whole, "CTL"), scoringtest.Ranks(without, "CTL"); got != want {
		t.Errorf("an instance is struck: %s; is left out: %s", got, want)
	}
	if !reflect.DeepEqual(whole.Confidence, without.Confidence) {
		t.Errorf("confidences %v, %v", whole.Confidence, without.Confidence)
	}
	if got, want := whole.Categories[slices.IndexFunc(whole.Categories, func(c Category) bool { return c.Name == "CTL" })].Sheets, 1; got != want {
		t.Errorf("%d sheets count", got)
	}
}

func TestSetReference(t *testing.T) {
	rule := Ruling{Effect: SetsReference, Sheet: sheetIs("P-PT-1", examinations.CTLFireability), Item: itemIs("formula-01"), Value: examinations.False, Reason: "shown by hand"}
	c := judged(t).WithRulings(rule)
	r := scoringtest.Plain().Score(c)
	sheet := c.SheetOf("P-PT-1", examinations.CTLFireability)
	v := int(c.Sheets[sheet].First) + 1
	if referenceText(r, v) != "FALSE" || r.References[v].Clause != confidence.ByJury || r.ClauseText(sheet, v) != "set by the jury: shown by hand" {
		t.Errorf("reference %s: %s", referenceText(r, v), r.ClauseText(sheet, v))
	}
	if got := r.Mask(sheet, 0) + " " + r.Mask(sheet, 3); !strings.HasPrefix(got, "TX") || !strings.Contains(got, " TT") {
		t.Errorf("masks: %s", got)
	}
	// The value may be one that nobody answered, and a later ruling counts.
	other := rule
	other.Value = examinations.Value{Kind: examinations.Bool, Text: "U"}
	if r := scoringtest.Plain().Score(c.WithRulings(other)); referenceText(r, v) != "U" {
		t.Errorf("reference %s", referenceText(r, v))
	}
	nowhere := other
	nowhere.Sheet = sheetIs("Left-PT-1", "")
	if got := c.WithRulings(nowhere).Values; slices.Contains(got, other.Value) {
		t.Errorf("the contest tells a value that nothing asks for: %v", got)
	}
	if r := scoringtest.Plain().Score(c.WithRulings(other, rule)); referenceText(r, v) != "FALSE" {
		t.Errorf("reference %s", referenceText(r, v))
	}
	proved := c.WithCertified(map[examinations.Key]examinations.Value{
		{Instance: c.Instances[0].ID, Exam: examinations.CTLFireability, Item: "formula-01"}: examinations.True})
	s := scoringtest.Plain()
	s.Certified = confidence.Overrides
	if r := s.Score(proved); referenceText(r, v) != "FALSE" {
		t.Errorf("a proof stands above the jury: %s", referenceText(r, v))
	} else if got := r.Certainty(sheet, v); got != Refuted {
		t.Errorf("what the jury set against a proof is %s", got)
	}
}

// TestStruckSheet: a sheet of one value that is struck counts for no category.
func TestStruckSheet(t *testing.T) {
	c := judged(t).WithRulings(Ruling{Effect: StrikesValues, Sheet: sheetIs("P-PT-1", examinations.OneSafe)})
	for _, category := range scoringtest.Plain().Score(c).Categories {
		if category.Name == "Global" && category.Sheets != 0 {
			t.Errorf("%d sheets count", category.Sheets)
		}
	}
}

// TestReasonsOfVotes: each answer that is no vote has the reason of its own ruling.
func TestReasonsOfVotes(t *testing.T) {
	c := judged(t)
	var list []Ruling
	for tool := range c.Tools {
		for i := range 4 {
			list = append(list, Ruling{Effect: StrikesVotes, Tool: toolIs(c.Tools[tool].Name), Sheet: sheetIs("P-PT-2", ""),
				Item: itemIs(fmt.Sprintf("formula-%02d", i)), Reason: fmt.Sprint(c.Tools[tool].Name, i)})
		}
	}
	r := scoringtest.Plain().Score(c.WithRulings(list...))
	sheet := c.SheetOf("P-PT-2", examinations.CTLFireability)
	for i := range 4 {
		for _, u := range r.Uncounted(sheet, int(c.Sheets[sheet].First)+i) {
			if want := fmt.Sprint(c.Tools[u.Tool].Name, i); u.Why != want {
				t.Errorf("%q, want %q", u.Why, want)
			}
		}
	}
}

// TestFlagsUnderRulings: a flag finds runs that contradict themselves beside rulings
// on others, and nothing in answers that are struck.
func TestFlagsUnderRulings(t *testing.T) {
	s := scoringtest.Plain()
	s.Flags = []Flag{{Name: "live-unsafe", Effect: SetAside, Detect: Contradiction(examinations.Liveness, examinations.True, examinations.QuasiLiveness, examinations.False)}}
	c := scoringtest.Contest(t, nil, scoringtest.Everybody("A B C", "P-PT-1", examinations.Liveness, "T"), scoringtest.Everybody("A B", "P-PT-1", examinations.QuasiLiveness, "F"))
	r := s.Score(c.WithRulings(Ruling{Effect: StrikesRuns, Tool: toolIs("A"), Sheet: sheetIs("", examinations.Liveness), Reason: "struck"}))
	sheet := c.SheetOf("P-PT-1", examinations.QuasiLiveness)
	if r.SetAside(sheet, 0) || !r.SetAside(sheet, 1) || !strings.HasPrefix(r.NoScore(sheet, 1), "flag live-unsafe") {
		t.Errorf("A set aside: %v; B set aside: %v, %s", r.SetAside(sheet, 0), r.SetAside(sheet, 1), r.NoScore(sheet, 1))
	}
}

func TestStruckPlace(t *testing.T) {
	c := judged(t).WithRulings(Ruling{Effect: StrikesPlace, Tool: toolIs("A"), Reason: "withdrawn"})
	r := scoringtest.Plain().Score(c)
	if got := scoringtest.Ranks(r, "CTL"); strings.Contains(got, "A") {
		t.Errorf("ranks: %s", got)
	}
	if c.StruckPlace(0) != "withdrawn" || c.StruckPlace(1) != "" {
		t.Errorf("reasons %q, %q", c.StruckPlace(0), c.StruckPlace(1))
	}
	if before := scoringtest.Plain().Score(judged(t)); !reflect.DeepEqual(before.Confidence, r.Confidence) || !reflect.DeepEqual(before.Points, r.Points) {
		t.Error("points or confidences changed")
	}
}

// TestRulingsCommute draws rulings by lot: their order changes nothing, a contest
// without rulings is not changed by them, and what is left out afterwards might as
// well have been left out before.
func TestRulingsCommute(t *testing.T) {
	lots := rand.New(rand.NewPCG(4, 2))
	pick := func(list ...string) string { return list[lots.IntN(len(list))] }
	for round := range 300 {
		c := judged(t)
		before := summary(scoringtest.Plain().Score(c))
		var list []Ruling
		for i := range 1 + lots.IntN(4) {
			k := Ruling{Effect: RulingEffect(lots.IntN(5)), Value: examinations.Truth(lots.IntN(2) == 0), Reason: fmt.Sprint("decision ", i)}
			if lots.IntN(3) > 0 || k.Effect != StrikesValues {
				k.Tool = toolIs(pick("A", "B", "C", "D"))
			}
			if lots.IntN(4) > 0 {
				k.Sheet = sheetIs(pick("P-PT-1", "P-PT-2", ""), examinations.ID(pick(string(examinations.CTLFireability), string(examinations.OneSafe))))
			}
			if k.Effect == SetsReference {
				k.Item = itemIs(fmt.Sprintf("formula-%02d", i)) // each another value
			} else if lots.IntN(2) == 0 {
				k.Item = itemIs(fmt.Sprintf("formula-%02d", lots.IntN(4)))
			}
			list = append(list, k)
		}
		// Two decisions may strike one run: then either reason may be shown.
		quiet := slices.Clone(list)
		for i := range quiet {
			quiet[i].Reason = "a decision"
		}
		forth := summary(scoringtest.Plain().Score(c.WithRulings(quiet...)))
		slices.Reverse(quiet)
		if back := summary(scoringtest.Plain().Score(c.WithRulings(quiet...))); back != forth {
			t.Fatalf("round %d:\n%s\nreversed:\n%s", round, forth, back)
		}
		if again := summary(scoringtest.Plain().Score(c.WithRulings(quiet[0]).WithRulings(quiet[1:]...))); again != forth {
			t.Fatalf("round %d:\n%s\none after the other:\n%s", round, forth, again)
		}
		if after := summary(scoringtest.Plain().Score(c)); after != before {
			t.Fatalf("round %d: the contest was changed", round)
		}
		gone := func(x *Contest) *Contest {
			return whatif.Without(x, toolIs("B"), func(i *Instance) bool { return i.Name == "P-PT-2" })
		}
		if x, y := summary(scoringtest.Plain().Score(gone(c.WithRulings(list...)))), summary(scoringtest.Plain().Score(gone(c).WithRulings(list...))); x != y {
			t.Fatalf("round %d: ruled and cut:\n%s\ncut and ruled:\n%s", round, x, y)
		}
	}
}

// TestDisagree: two answers differ, wherever they stand and with or without a vote.
func TestDisagree(t *testing.T) {
	for words, want := range map[string]bool{". . .": false, "T . .": false, ". . T": false, ". T T": false, "T T T": false, "T . F": true, ". T F": true, "T T F": true} {
		var entries []Entry
		for i, word := range strings.Fields(words) {
			entries = append(entries, scoringtest.Says([]string{"A", "B", "C"}[i], "P-PT-1", examinations.CTLFireability, word+" T"))
		}
		r := scoringtest.Plain().Score(scoringtest.Contest(t, nil, entries).WithRulings(Ruling{Effect: StrikesVotes, Tool: toolIs("C")}))
		if got := r.Disagree(r.Contest.ValueOf(0, "formula-00")); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
}

// TestConfidenceTells: three of three that agree tell nothing, five do, and so does a
// scheme without votes.
func TestConfidenceTells(t *testing.T) {
	for tools, want := range map[string]bool{"A B C": false, "A B C D E": true} {
		c := scoringtest.Contest(t, nil, scoringtest.Everybody(tools, "P-PT-1", examinations.OneSafe, "T"))
		if got := scoringtest.Plain().Score(c).ConfidenceTells(); got != want {
			t.Errorf("%s: %v", tools, got)
		}
		s := scoringtest.Plain()
		s.Elect = nil
		if !s.Score(c).ConfidenceTells() {
			t.Errorf("%s: no votes", tools)
		}
	}
}

func referenceText(r *Result, value int) string {
	if v, known := r.ReferenceValue(value); known {
		return v.Text
	}
	return "?"
}
