package output

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
)

// TestWordsOfOutput reads back every word that files use.
func TestWordsOfOutput(t *testing.T) {
	for p := FirstCounts; p <= NoneCounts; p++ {
		if again, err := ParseRepeats(p.String()); err != nil || again != p {
			t.Errorf("%v: %v, %v", p, again, err)
		}
	}
	if _, err := ParseRepeats("both"); err == nil {
		t.Error("both is a policy")
	}
	for p, want := range map[Participation]string{Silent: "CC", Answered: "answered", CannotCompute: "CC", DoesNotCompete: "DNC"} {
		if p.String() != want {
			t.Errorf("%d is %s", p, p)
		}
	}
}

func TestKnownTechnique(t *testing.T) {
	for word, want := range map[string]bool{"EXPLICIT": true, "K_INDUCTION(3)": true, "INDUCTION": true, "STATE_EQUATION": true, "explicit": false, "": false, "HEURISTIC": false} {
		if KnownTechnique(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}

func TestFindLintRule(t *testing.T) {
	for _, r := range LintRules {
		if again, ok := FindLintRule(r.Code); !ok || again != r {
			t.Errorf("%s: %v", r.Code, again)
		}
	}
	if _, ok := FindLintRule("answer-nothing"); ok {
		t.Error("answer-nothing is a rule")
	}
}

// TestEveryRuleFires: a rule that no hostile output breaks would be untested.
func TestEveryRuleFires(t *testing.T) {
	fired := map[string]bool{"too-many-items": true} // TestReaderManyItems
	for _, h := range hostileOutputs {
		for _, code := range strings.Fields(h.want[strings.LastIndex(h.want, ";")+1:]) {
			fired[code] = true
		}
	}
	for _, r := range LintRules {
		if !fired[r.Code[len("answer-"):]] {
			t.Errorf("no output breaks %s", r.Code)
		}
	}
}

// TestSuggestion: an id without its instance and year is not taken for another number.
func TestSuggestion(t *testing.T) {
	id, err := models.ParseID("Net-PT-1")
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for i := range 16 {
		items = append(items, fmt.Sprintf("Net-PT-1-CTLFireability-2025-%02d", i))
	}
	for printed, want := range map[string]string{
		"CTLFireability-02":               "Net-PT-1-CTLFireability-2025-02",
		"CTLFireability-2025-11":          "Net-PT-1-CTLFireability-2025-11",
		"Net-PT-1-CTLFireability-2024-07": "Net-PT-1-CTLFireability-2025-07",
		"CTLFireability-99":               "",
	} {
		j := newJudge(examinations.CTLFireability, ReaderOptions{Instance: id, Items: items})
		got := j.suggest(printed)
		if want == "" && got != "" || want != "" && !strings.Contains(got, strconv.Quote(want)) {
			t.Errorf("%s: %q", printed, got)
		}
	}
}
