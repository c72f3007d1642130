package whatif_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
	"podium/scoring"
	"podium/scoring/scoringtest"
	"podium/scoring/whatif"
)

func withoutModels(c *scoring.Contest, families ...string) *scoring.Contest {
	return whatif.Without(c, nil, func(i *scoring.Instance) bool { return slices.Contains(families, i.ID.Family) })
}

func TestWithout(t *testing.T) {
	c := scoringtest.Small(t).Contest
	for _, tc := range []struct {
		name string
		got  *scoring.Contest
		want string // tools; sheets
	}{
		{"nothing", whatif.Without(c, nil, nil), "A A2 B C; Net-PT-1 Other-PT-1 Third-PT-1"},
		{"a tool", whatif.WithoutTools(c, "A", "C"), "A2 B; Net-PT-1 Other-PT-1 Third-PT-1"},
		{"a family of tools", whatif.WithoutToolFamilies(c, "A"), "B C; Net-PT-1 Other-PT-1 Third-PT-1"},
		{"a model", withoutModels(c, "Net", "Third"), "A A2 B C; Other-PT-1"},
	} {
		var tools, sheets []string
		for _, tool := range tc.got.Tools {
			tools = append(tools, tool.Name)
		}
		for _, s := range tc.got.Sheets {
			sheets = append(sheets, tc.got.Instances[s.Instance].Name)
		}
		if got := strings.Join(tools, " ") + "; " + strings.Join(sheets, " "); got != tc.want {
			t.Errorf("without %s: %s, want %s", tc.name, got, tc.want)
		}
		for i, tool := range tools {
			from, to := c.SheetOf("Other-PT-1", examinations.CTLFireability), tc.got.SheetOf("Other-PT-1", examinations.CTLFireability)
			for k := range 4 {
				x := c.Answer(int(c.Sheets[from].First)+k, c.ToolNamed(tool))
				if y := tc.got.Answer(int(tc.got.Sheets[to].First)+k, i); x != y {
					t.Errorf("without %s: %s answers %s, not %s", tc.name, tool, y, x)
				}
			}
		}
	}
}

// TestWithoutKeepsWhatStandsBeside: oracle, proofs and witnesses go with their
// values.
func TestWithoutKeepsWhatStandsBeside(t *testing.T) {
	ctl := examinations.CTLFireability
	b := scoring.NewBuilder(scoringtest.Exams)
	for _, name := range []string{"Net-PT-1", "Other-PT-1"} {
		for _, tool := range []string{"A", "B"} {
			e := scoringtest.Says(tool, name, ctl, "T F")
			e.Answers[1].Witness = scoring.Confirmed
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := b.Oracle("Other-PT-1", ctl, "formula-01", examinations.False); err != nil {
		t.Fatal(err)
	}
	c := b.Contest()
	id := models.ParseAnyID("Other-PT-1")
	c = c.WithCertified(map[examinations.Key]examinations.Value{{Instance: id, Exam: ctl, Item: "formula-00"}: examinations.False})
	left := whatif.Without(c, func(t *scoring.Tool) bool { return t.Name == "A" }, func(i *scoring.Instance) bool { return i.Name == "Net-PT-1" })
	got := fmt.Sprint(left.Values[left.Certified[0]], left.Values[left.Oracle[1]], left.Witnesses, len(left.Runs))
	if got != "FALSE FALSE [0 1] 1" {
		t.Errorf("left: %s", got)
	}
}

func TestCompare(t *testing.T) {
	before := scoringtest.Small(t)
	after := before.Scheme.Score(whatif.WithoutTools(before.Contest, "A", "A2"))
	d := whatif.Compare(before, after)
	var moved []string
	for _, m := range d.Moves {
		moved = append(moved, fmt.Sprintf("%s %s %d→%d %s→%s %d/%d %v", m.Category, m.Tool, m.RankBefore, m.RankAfter,
			m.PointsBefore.RatString(), m.PointsAfter.RatString(), m.WrongBefore, m.WrongAfter, m.Podium()))
	}
	want := `CTL A 1→0 24→0 0/0 true
CTL B 1→1 24→12 0/0 false
CTL C 3→1 -12→12 3/0 true`
	if got := strings.Join(moved, "\n"); got != want {
		t.Errorf("moves:\n%s\nwant\n%s", got, want)
	}
	var changed []string
	for _, x := range d.References {
		changed = append(changed, fmt.Sprintf("%s %s %s→%s", x.Instance, x.Item, x.Before, x.After))
	}
	if got := strings.Join(changed, ", "); got != "Net-PT-1 formula-03 TRUE→?, Other-PT-1 formula-00 TRUE→?, Other-PT-1 formula-01 TRUE→?" {
		t.Errorf("references: %s", got)
	}
	if same := whatif.Compare(before, before); len(same.Moves)+len(same.References) > 0 {
		t.Errorf("a result differs from itself: %v", same)
	}
}

func TestMovesOnThePodium(t *testing.T) {
	for _, tc := range []struct {
		before, after int
		want          bool
	}{{1, 0, true}, {0, 1, true}, {4, 3, true}, {3, 4, true}, {1, 2, true}, {2, 2, false}, {4, 5, false}, {4, 0, false}, {0, 4, false}} {
		if got := (whatif.Move{RankBefore: tc.before, RankAfter: tc.after}).Podium(); got != tc.want {
			t.Errorf("from %d to %d: %v", tc.before, tc.after, got)
		}
	}
}

// TestRankOfNobody: where nobody has points, all share the first place, and none has a rank.
func TestRankOfNobody(t *testing.T) {
	for _, tc := range []struct {
		first, second int64 // points
		want          int   // rank of the first
	}{{0, 0, 0}, {8, 0, 1}, {0, -8, 1}} {
		b := scoring.Board{Places: []scoring.Place{{Rank: 1, Tool: 0}, {Rank: 1, Tool: 1}}, Standings: make([]scoring.Standing, 2)}
		b.Standings[0].Points, b.Standings[1].Points = big.NewRat(tc.first, 1), big.NewRat(tc.second, 1)
		if got := whatif.RankOf(&b, 0); got != tc.want {
			t.Errorf("with %d and %d points the rank is %d, want %d", tc.first, tc.second, got, tc.want)
		}
	}
}

// TestCompareWhatOnlyOneHas: tools and categories that only one result has, and
// variants that are the best of their family only in one, have no place in the other.
func TestCompareWhatOnlyOneHas(t *testing.T) {
	ctl, ub := examinations.CTLFireability, examinations.UpperBounds
	c := scoringtest.Contest(t, func(b *scoring.Builder) { b.Tool(scoring.Tool{Name: "A2", Family: "A"}) },
		scoringtest.Everybody("A A2", "Net-PT-1", ctl, "T T"), scoringtest.Everybody("A2", "Other-PT-1", ctl, "T T"), scoringtest.Everybody("A", "Bound-PT-1", ub, "4"),
		scoringtest.Everybody("A A2 B C D", "Base-PT-1", examinations.LTLFireability, "T"))
	s := scoringtest.Plain()
	for _, tc := range []struct {
		name          string
		before, after *scoring.Contest
		want          string
	}{
		{"a category is gone", c, withoutModels(c, "Bound"), "UpperBounds A 1→0 8→0"},
		{"a category is new", withoutModels(c, "Bound"), c, ""},
		{"a tool is new", whatif.WithoutTools(c, "A2"), c, "CTL A 1→0 8→8, CTL A2 0→1 0→16"},
		{"the best variant is another", c, withoutModels(c, "Other"), "CTL A2 1→0 16→8, CTL A 0→1 8→8"},
	} {
		var moves []string
		for _, m := range whatif.Compare(s.Score(tc.before), s.Score(tc.after)).Moves {
			moves = append(moves, fmt.Sprintf("%s %s %d→%d %s→%s", m.Category, m.Tool, m.RankBefore, m.RankAfter, m.PointsBefore.RatString(), m.PointsAfter.RatString()))
		}
		if got := strings.Join(moves, ", "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestCompareValuesByName: values of two contests are the same by their names,
// wherever they stand, the first one included.
func TestCompareValuesByName(t *testing.T) {
	named := func(words ...string) *scoring.Result { // "id=answer"
		var entries []scoring.Entry
		for _, tool := range []string{"A", "B", "C"} {
			e := scoringtest.Says(tool, "Net-PT-1", examinations.CTLFireability, "")
			for _, word := range words {
				id, answer, _ := strings.Cut(word, "=")
				e.Answers = append(e.Answers, scoring.AnsweredValue{Item: id, Value: examinations.Truth(answer == "T")})
			}
			entries = append(entries, e)
		}
		return scoringtest.Plain().Score(scoringtest.Contest(t, nil, entries))
	}
	for _, tc := range []struct {
		name          string
		before, after *scoring.Result
		want          string
	}{
		{"the first value", named("f0=T", "f1=T"), named("f0=F", "f1=T"), "f0 TRUE→FALSE"},
		{"values that moved up", named("f0=T", "f1=T", "f2=T"), named("f1=F", "f2=T"), "f1 TRUE→FALSE"},
		{"values that moved down", named("f1=T", "f3=F"), named("f0=T", "f1=T", "f2=T", "f3=T"), "f3 FALSE→TRUE"},
		{"other values", named("f0=T"), named("f1=F"), ""},
	} {
		var changed []string
		for _, x := range whatif.Compare(tc.before, tc.after).References {
			changed = append(changed, fmt.Sprintf("%s %s→%s", x.Item, x.Before, x.After))
		}
		if got := strings.Join(changed, ", "); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
