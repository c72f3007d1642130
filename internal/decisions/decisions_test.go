package decisions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/campaign"
	"podium/scoring"
)

func decision(change func(*Decision)) Decision {
	d := Decision{Kind: Disqualify, Author: "Ada", At: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC), Reason: "it lies", Tool: "A"}
	change(&d)
	return d
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		want   string // part of the error; "" for none
		change func(*Decision)
	}{
		{"", func(*Decision) {}},
		{"decide disqualify needs --author", func(d *Decision) { d.Author = " " }},
		{"decide disqualify needs --reason", func(d *Decision) { d.Reason = "" }},
		{"decide disqualify needs --author, --reason and --tool", func(d *Decision) { d.Author, d.Reason, d.Tool = "", "", "" }},
		{"decide exclude needs --author and --instance or --examination (without", func(d *Decision) { d.Kind, d.Author, d.Tool = Exclude, "", "" }},
		{"decide correct needs --reason, --instance, --examination and one of --value, --proved and --without-family", func(d *Decision) { d.Kind, d.Reason, d.Tool = Correct, "", "" }},
		{"decide redo needs --reason and --only (a selection", func(d *Decision) { d.Kind, d.Reason, d.Tool = Redo, "", "" }},
		{"--only chooses all runs", func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", " " }},
		{"--reason has 4001 bytes", func(d *Decision) { d.Reason = strings.Repeat("x", 4001) }},
		{"cannot be printed", func(d *Decision) { d.Author = "A\x1b[2J" }},
		{"cannot be printed", func(d *Decision) { d.Author = "\xff" }},
		{"no address", func(d *Decision) { d.Link = "javascript:alert(1)" }},
		{"no address", func(d *Decision) { d.Link = "https:" }},
		{"", func(d *Decision) { d.Link = "https://example.org/minutes" }},
		{"cannot be read", func(d *Decision) { d.Tool = "A[" }},
		{"needs --tool", func(d *Decision) { d.Tool = "" }},
		{"takes no --item", func(d *Decision) { d.Item = "STATES" }},
		{"takes no --value", func(d *Decision) { d.Value = "1" }},
		{"takes no --keep-votes", func(d *Decision) { d.KeepsVotes = true }},
		{"no kind", func(d *Decision) { *d = decision(func(*Decision) {}); d.Kind, d.Tool = "pardon", "" }},
		{"takes no --instance", func(d *Decision) { d.Kind, d.Instance = Withdraw, "N-PT-1" }},
		{"number of a decision", func(d *Decision) { d.Kind, d.Tool = Revoke, "" }},
		{"the whole contest", func(d *Decision) { d.Kind, d.Tool = Exclude, "" }},
		{"needs --instance and --examination", func(d *Decision) { d.Kind, d.Tool, d.Value = Correct, "", "TRUE" }},
		{"needs one of --value, --proved and --without-family", func(d *Decision) { d.Kind, d.Tool, d.Instance, d.Examination = Correct, "", "N-PT-1", "OneSafe" }},
		{"takes one of --value, --proved and --without-family", func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value, d.WithoutFamily = Correct, "", "N-PT-1", "OneSafe", "TRUE", "A"
		}},
		{"", func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-1", "OneSafe", "TRUE"
		}},
		{"TRUE or FALSE", func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-1", "OneSafe", "true"
		}},
		{"a number such as 42", func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-1", "StateSpace", "-1"
		}},
		{"belongs to one examination", func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-1", "CTL*", "TRUE"
		}},
		{"200", func(d *Decision) { d.Effect = make([]string, 201) }},
	} {
		d := decision(test.change)
		err := d.Check()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", d, err, test.want)
		}
	}
}

// take writes a decision.
func take(t testing.TB, dir string, d Decision) error {
	t.Helper()
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	next, _, err := r.Next(d)
	if err != nil {
		return err
	}
	return next.Write(dir)
}

func TestRecord(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []Decision{
		decision(func(*Decision) {}),
		decision(func(d *Decision) { d.Kind = Withdraw }),
		decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", 1 }),
		decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", 3 }),
		decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", 2 }),
	} {
		if err := take(t, dir, d); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.RevokedBy(), []int{0, 5, 4, 0, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("revoked by %v, want %v", got, want)
	}
	if list := r.InForce(); len(list) != 1 || list[0].Number != 1 {
		t.Errorf("in force: %v", list)
	}
	for _, n := range []int{2, 3, 6, 7} {
		if err := take(t, dir, decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", n })); err == nil {
			t.Errorf("decision %d is revoked twice, or before it is taken", n)
		}
	}
	var out strings.Builder
	if err := r.WriteList(&out); err != nil || !strings.Contains(out.String(), "2. tool A is withdrawn (revoked by decision 5)") {
		t.Errorf("%v, list:\n%s", err, out.String())
	}
	// Others that were written meanwhile are not overwritten.
	if err := r.Write(dir); !errors.Is(err, ErrOvertaken) {
		t.Errorf("written twice: %v", err)
	}
}

// TestSameDecision: what is in force already is not decided once more, unless it changes
// something.
func TestSameDecision(t *testing.T) {
	correct := func(value string) Decision {
		return decision(func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-1", "OneSafe", value
		})
	}
	revoke := func(n int) Decision {
		return decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", n })
	}
	redo := decision(func(d *Decision) { d.Kind, d.Tool, d.Only = Redo, "", "tool=A" })
	dir := t.TempDir()
	for _, test := range []struct {
		d    Decision
		want string
	}{
		{decision(func(*Decision) {}), ""},
		{decision(func(d *Decision) { d.Author, d.Reason = "Bob", "it really lies" }), "decision 1 says so already: tool A is disqualified"},
		{decision(func(d *Decision) { d.Examination = "OneSafe" }), ""},
		{decision(func(d *Decision) { d.Kind = Withdraw }), ""},
		{decision(func(d *Decision) { d.Kind, d.KeepsVotes = Withdraw, true }), ""},
		{decision(func(d *Decision) { d.Kind, d.KeepsVotes = Withdraw, true }), "decision 4 says so already"},
		{revoke(1), ""},
		{decision(func(*Decision) {}), ""},
		{correct("TRUE"), ""},
		{correct("TRUE"), "decision 7 says so already"},
		{correct("FALSE"), ""},
		{correct("TRUE"), ""}, // the later one counts
		{redo, ""},
		{redo, ""},
	} {
		if err := take(t, dir, test.d); (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.d.Text(), err, test.want)
		}
	}
}

// TestDecideAtOnce: of those who decide at the same time each decision stands once,
// or its author is told.
func TestDecideAtOnce(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	var taken [8]int
	for i := range taken {
		all.Go(func() {
			for n := range 20 {
				if err := take(t, dir, decision(func(d *Decision) { d.Author, d.Tool = fmt.Sprint("author ", i), fmt.Sprint("tool ", i, " ", n) })); err == nil {
					taken[i]++
				} else if !errors.Is(err, ErrOvertaken) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found [8]int
	for _, d := range r.Decisions {
		var i int
		_, _ = fmt.Sscanf(d.Author, "author %d", &i)
		found[i]++
	}
	if found != taken {
		t.Errorf("taken %v, found %v", taken, found)
	}
}

func TestDamagedRecord(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, dir string){
		"decision 1 was another":  func(t *testing.T, dir string) { rewrite(t, dir, 1, `"Ada"`, `"Eve"`) },
		"the decision is missing": func(t *testing.T, dir string) { _ = os.Remove(campaign.DecisionFile(dir, 2)) },
		"the file holds decision": func(t *testing.T, dir string) { rewrite(t, dir, 3, `"number": 3`, `"number": 2`) },
		"the format is":           func(t *testing.T, dir string) { rewrite(t, dir, 3, "decision/1", "decision/9") },
		"unknown field":           func(t *testing.T, dir string) { rewrite(t, dir, 3, `"reason"`, `"raisin"`) },
		"is not earlier":          func(t *testing.T, dir string) { rewrite(t, dir, 3, `"revokes": 1`, `"revokes": 3`) },
		"pardon takes no":         func(t *testing.T, dir string) { rewrite(t, dir, 3, `"revoke"`, `"pardon"`) },
		"decide withdraw needs":   func(t *testing.T, dir string) { rewrite(t, dir, 3, `"revoke"`, `"withdraw"`) },
		"at most": func(t *testing.T, dir string) {
			_ = os.Rename(campaign.DecisionFile(dir, 3), campaign.DecisionFile(dir, MaxNumber+1))
		},
		"larger than": func(t *testing.T, dir string) {
			_ = os.WriteFile(campaign.DecisionFile(dir, 3), []byte(strings.Repeat(" ", campaign.MaxDecision+1)), 0o644)
		},
	} {
		dir := t.TempDir()
		for _, d := range []Decision{decision(func(*Decision) {}), decision(func(d *Decision) { d.Tool = "B" }), decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", 1 })} {
			if err := take(t, dir, d); err != nil {
				t.Fatal(err)
			}
		}
		spoil(t, dir)
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), Dir(dir)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func rewrite(t *testing.T, dir string, number int, from, to string) {
	text, err := os.ReadFile(campaign.DecisionFile(dir, number))
	if err != nil || !strings.Contains(string(text), from) {
		t.Fatalf("%v: no %s in %s", err, from, text)
	}
	if err := os.WriteFile(campaign.DecisionFile(dir, number), []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// small is a contest of three tools of which one differs.
func small(t *testing.T) (*scoring.Contest, *scoring.Scheme) {
	t.Helper()
	b := scoring.NewBuilder([]scoring.Examination{
		{ID: examinations.OneSafe, Category: "Global", Items: []string{"OneSafe"}, Required: 1, Points: []int64{16}},
		{ID: examinations.StateSpace, Category: "StateSpace", Items: examinations.StateSpaceItems[:], Required: 4, Points: []int64{4}},
	})
	for _, tool := range []string{"A", "B", "C"} {
		for _, instance := range []string{"N-PT-1", "N-PT-2", "M-PT-1"} {
			answers := []scoring.AnsweredValue{{Item: "OneSafe", Value: examinations.Truth(tool != "C")}}
			e := scoring.Entry{Tool: tool, Instance: instance, Exam: examinations.OneSafe, Run: scoring.Run{Participation: scoring.Answered, CPU: 1, Memory: 1}, Answers: answers}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
			e.Exam, e.Answers = examinations.StateSpace, nil
			for _, item := range examinations.StateSpaceItems {
				e.Answers = append(e.Answers, scoring.AnsweredValue{Item: item, Value: examinations.Value{Kind: examinations.Nat, Text: fmt.Sprint(len(item))}})
			}
			if err := b.Add(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.Contest(), &scoring.Scheme{Unit: 1, Consistent: confidence.Majority(3, confidence.OfAnswering), Share: confidence.OverAnswered,
		Elect: confidence.WeightedMajorityPolicy{SingleAbove: confidence.NewRatio(93, 100)}.Elect,
		Rules: []scoring.Rule{{ID: "E-4.2", Apply: scoring.PointsPerValue}, {ID: "E-4.3", Apply: scoring.PenaltyPerWrong(2)}}, Ranking: scoring.Ranking{BestVariant: true}}
}

// outcome is what pages print of a result.
func outcome(r *scoring.Result) string {
	var out strings.Builder
	for _, b := range r.Boards() {
		fmt.Fprintln(&out, b.Name, b.Places)
	}
	for sheet := range r.Contest.Sheets {
		for tool := range r.Contest.Tools {
			fmt.Fprint(&out, r.RunPoints(sheet, tool), r.Mask(sheet, tool), r.NoScore(sheet, tool), " ")
		}
	}
	for v := range r.References {
		fmt.Fprint(&out, r.References[v])
	}
	return out.String()
}

// draw returns a decision that fits the small contest.
func draw(lots *rand.Rand) Decision {
	pick := func(list ...string) string { return list[lots.IntN(len(list))] }
	return decision(func(d *Decision) {
		d.Tool = pick("A", "B", "C")
		switch lots.IntN(6) {
		case 0:
			d.Examination, d.Instance = pick("", "OneSafe"), pick("", "N-*")
		case 1:
			d.Kind, d.KeepsVotes = Withdraw, lots.IntN(2) == 0
		case 2:
			d.Kind = OutOfCompetition
		case 3:
			d.Kind, d.Tool, d.Instance, d.Item = Exclude, "", pick("N-PT-1", "M-*"), pick("", "STATES")
		case 4:
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-PT-2", "OneSafe", "FALSE"
		case 5:
			d.Kind, d.Tool, d.Instance, d.Examination, d.WithoutFamily = Correct, "", "N-*", "StateSpace", d.Tool
		}
	})
}

// TestRevokingRestores takes decisions by lot and revokes them in another order: the
// scores are those from before, and on the way their order changed nothing.
func TestRevokingRestores(t *testing.T) {
	lots := rand.New(rand.NewPCG(17, 1))
	c, scheme := small(t)
	before := outcome(scheme.Score(c))
	moved := 0
	for round := range 200 {
		r := &Record{}
		n := 1 + lots.IntN(5)
		for range n {
			drawn := draw(lots)
			for r.sameAs(&drawn) > 0 {
				drawn = draw(lots)
			}
			next, d, err := r.Next(drawn)
			if err == nil {
				err = d.CheckNames(c)
			}
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			r = next
		}
		decided := outcome(scheme.Score(r.Apply(c)))
		if decided != before {
			moved++
		}
		for _, i := range lots.Perm(n) {
			next, _, err := r.Next(decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", i+1 }))
			if err != nil {
				t.Fatal(err)
			}
			r = next
		}
		if after := outcome(scheme.Score(r.Apply(c))); after != before {
			t.Fatalf("round %d: before\n%s\nafter all was revoked\n%s", round, before, after)
		}
		// Revoking the revocations brings the decisions back.
		for i := range n {
			next, _, err := r.Next(decision(func(d *Decision) { d.Kind, d.Tool, d.Revokes = Revoke, "", n+i+1 }))
			if err != nil {
				t.Fatal(err)
			}
			r = next
		}
		if again := outcome(scheme.Score(r.Apply(c))); again != decided {
			t.Fatalf("round %d: decided\n%s\ndecided again\n%s", round, decided, again)
		}
	}
	if moved < 150 {
		t.Errorf("only %d of 200 rounds changed anything", moved)
	}
}

func TestCheckNames(t *testing.T) {
	c, _ := small(t)
	for want, change := range map[string]func(*Decision){
		`no tool "Aa"; the nearest is A`: func(d *Decision) { d.Tool = "Aa" },
		`no tool fits the pattern "X*"`:  func(d *Decision) { d.Tool = "X*" },
		`no instance "N-PT-9"`:           func(d *Decision) { d.Instance = "N-PT-9" },
		`no examination "OneSaf"`:        func(d *Decision) { d.Examination = "OneSaf" },
		`no item "STATE"`:                func(d *Decision) { d.Kind, d.Tool, d.Instance, d.Item = Exclude, "", "N-*", "STATE" },
		`no family of tools "Z"`: func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.WithoutFamily = Correct, "", "N-*", "OneSafe", "Z"
		},
		`asks for 4 values: name one with --`: func(d *Decision) {
			d.Kind, d.Tool, d.Instance, d.Examination, d.Value = Correct, "", "N-*", "StateSpace", "4"
		},
	} {
		d := decision(change)
		if err := d.CheckNames(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// FuzzRecord reads hostile files of decisions: they are refused, or written again
// as they were.
func FuzzRecord(f *testing.F) {
	text, err := json.MarshalIndent(decision(func(d *Decision) { d.Format, d.Number = Format, 1 }), "", "  ")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":"podium-decision/1","number":1,"kind":"revoke","revokes":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := &Record{}
		if err := r.add(filepath.Join("decisions", "1.json"), text, 1); err != nil {
			return
		}
		for _, d := range r.InForce() {
			_ = d.Text() + d.Why()
			d.rulings()
		}
		next, _, err := (&Record{}).Next(r.Decisions[0])
		if err != nil || !reflect.DeepEqual(next.Decisions[0], r.Decisions[0]) {
			t.Errorf("%v: %+v, read %+v", err, next.Decisions, r.Decisions)
		}
	})
}
