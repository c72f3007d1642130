package proof

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/nettest"
	"podium/internal/tools/engine"
	"podium/internal/witness"
	"podium/internal/witness/replay"
	"podium/pnml"
	"podium/pnml/unfold"
)

// answered returns the lines of answers, and demands that every value has a witness that a
// replay confirms.
func answered(t *testing.T, net *pnml.Net, exam examinations.ID, fs ...formula.Formula) (lines []string) {
	t.Helper()
	view := unfold.Plain(net)
	task := engine.Task{Instance: "X-PT-1", Exam: exam, View: view, Budget: time.Minute, Witnesses: &engine.Witnesses{}}
	for i, f := range fs {
		task.Properties = append(task.Properties, formula.Property{ID: string(rune('a' + i)), Formula: f})
	}
	var out strings.Builder
	if err := (Engine{}).Answer(t.Context(), task, engine.NewPrinter(&out, exam)); err != nil {
		t.Fatal(err)
	}
	names := replay.NewNet(view)
	confirmed := map[string]bool{}
	r := replay.NewReader(strings.NewReader(out.String()), names, replay.Options{File: "w", Embedded: true})
	for r.Scan() {
		for _, result := range names.Check(t.Context(), r.Witness(), task.Formula) {
			if result.State != witness.Confirmed {
				t.Errorf("%s of %s: %s", result.Claim, out.String(), result.Detail)
			}
			confirmed[result.Claim.String()] = true
		}
	}
	for line := range strings.Lines(out.String()) {
		if words := strings.Fields(line); words[0] == "FORMULA" || words[0] == "STATE_SPACE" {
			lines = append(lines, strings.Join(words[1:], " "))
			if words[2] != "CANNOT_COMPUTE" && !confirmed[words[1]+" "+words[2]] {
				t.Errorf("%s has no witness in %s", words[1], out.String())
			}
		}
	}
	return lines
}

// TestSmallNets: on small nets everything is answered, as the definitions say.
func TestSmallNets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	proofs := 0
	for used := 0; used < 150; {
		net := nettest.RandomNet(rng)
		g := nettest.Explore(net, 300)
		if g == nil {
			continue
		}
		used++
		draw := nettest.NewFormulas(rng, net)
		never := &formula.ExistsPath{F: &formula.Finally{F: draw.State(2)}}
		always := &formula.AllPaths{F: &formula.Globally{F: draw.State(2)}}
		deep := draw.CTL(2)
		for exam, fs := range map[examinations.ID][]formula.Formula{
			examinations.CTLFireability:          {never, always, deep},
			examinations.ReachabilityDeadlock:    nil,
			examinations.OneSafe:                 nil,
			examinations.Liveness:                nil,
			examinations.StateSpace:              nil,
			examinations.LTLFireability:          {&formula.AllPaths{F: draw.LTL(2)}},
			examinations.ReachabilityCardinality: {never},
		} {
			lines := answered(t, net, exam, fs...)
			text := strings.Join(lines, "\n")
			proofs += strings.Count(text, "STATE_EQUATION")
			if items := len(exam.Items(nil)) + len(fs); len(lines) != items || strings.Contains(text, "CANNOT_COMPUTE") {
				t.Errorf("%s: %d lines for %d items: %s", exam, len(lines), items, text)
			}
			for i, f := range fs {
				if exam == examinations.CTLFireability && !strings.HasPrefix(lines[indexOf(lines, string(rune('a'+i)))], string(rune('a'+i))+" "+examinations.Truth(g.Sat(f)[0]).Text) {
					t.Errorf("%s", text)
				}
			}
		}
	}
	if proofs < 50 {
		t.Errorf("only %d values were proved without enumeration", proofs)
	}
}

func indexOf(lines []string, item string) int {
	for i, line := range lines {
		if strings.HasPrefix(line, item+" ") {
			return i
		}
	}
	return 0
}

// TestLargeNet: where there are too many markings, proofs and runs decide some values, and
// the others are left open.
func TestLargeNet(t *testing.T) {
	net := nettest.Philosophers(20)
	mutex := &formula.ExistsPath{F: &formula.Finally{F: &formula.Not{F: &formula.LessEqual{Left: &formula.TokensCount{Places: []string{"eat0", "eat1"}}, Right: &formula.Number{N: 1}}}}}
	eats := &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: 1}, Right: &formula.TokensCount{Places: []string{"eat0"}}}}}
	got := strings.Join(answered(t, net, examinations.ReachabilityCardinality, mutex, eats), "\n")
	if got != "a FALSE TECHNIQUES STATE_EQUATION LP_APPROX SEQUENTIAL_PROCESSING\nb TRUE TECHNIQUES INDUCTION SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
	if got := strings.Join(answered(t, net, examinations.UpperBounds, &formula.Bound{Places: []string{"fork0"}}), "\n"); got != "a 1 TECHNIQUES STATE_EQUATION LP_APPROX INITIAL_STATE SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
	// After two firings, whichever, fork0 holds no two tokens.
	never := &formula.AllPaths{F: &formula.Next{F: &formula.AllPaths{F: &formula.Next{F: &formula.Not{F: &formula.LessEqual{Left: &formula.Number{N: 2}, Right: &formula.TokensCount{Places: []string{"fork0"}}}}}}}}
	if got := strings.Join(answered(t, net, examinations.CTLCardinality, never), "\n"); got != "a TRUE TECHNIQUES EXPLICIT RANDOM_WALK SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
	if got := strings.Join(answered(t, net, examinations.UpperBounds, &formula.Bound{Places: []string{"eat0", "eat2"}}), "\n"); got != "a 2 TECHNIQUES STATE_EQUATION LP_APPROX EXPLICIT RANDOM_WALK SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
	if got := answered(t, net, examinations.Liveness); len(got) > 0 {
		t.Error(got)
	}
}

// TestWaysBack: on a ring with more markings than anybody visits, tokens can always come
// together in a place, and every transition can fire again.
func TestWaysBack(t *testing.T) {
	net := nettest.Ring(8, 300)
	together := &formula.ExistsPath{F: &formula.Finally{F: &formula.LessEqual{Left: &formula.Number{N: 300}, Right: &formula.TokensCount{Places: []string{"p0"}}}}}
	if got := strings.Join(answered(t, net, examinations.CTLCardinality, &formula.AllPaths{F: &formula.Globally{F: together}}), "\n"); got != "a TRUE TECHNIQUES STATE_EQUATION LP_APPROX SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
	if got := strings.Join(answered(t, net, examinations.Liveness), "\n"); got != "Liveness TRUE TECHNIQUES STATE_EQUATION LP_APPROX EXPLICIT RANDOM_WALK SEQUENTIAL_PROCESSING" {
		t.Error(got)
	}
}

// TestNever: on a net without bounds, a dead transition and a place that never changes
// decide global properties.
func TestNever(t *testing.T) {
	b := &pnml.Builder{}
	b.Place("more", 0)
	b.Place("empty", 0)
	b.Place("full", 3)
	b.Transition("source")
	b.Out(0, 0, 1)
	b.Transition("dead")
	b.In(1, 1, 1)
	b.In(2, 1, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for exam, want := range map[examinations.ID]string{
		examinations.QuasiLiveness: "QuasiLiveness FALSE TECHNIQUES STATE_EQUATION LP_APPROX SEQUENTIAL_PROCESSING",
		examinations.Liveness:      "Liveness FALSE TECHNIQUES STATE_EQUATION LP_APPROX SEQUENTIAL_PROCESSING",
		examinations.StableMarking: "StableMarking TRUE TECHNIQUES STATE_EQUATION LP_APPROX SEQUENTIAL_PROCESSING",
	} {
		if got := strings.Join(answered(t, net, exam), "\n"); got != want {
			t.Errorf("%s: %s", exam, got)
		}
	}
}

// TestTechniques: a proof is named after what it has.
func TestTechniques(t *testing.T) {
	for want, p := range map[string]*witness.Proof{
		"LP_APPROX":                          {},
		"STATE_EQUATION LP_APPROX":           {Facts: []witness.Fact{{Kind: witness.Invariant}}},
		"LP_APPROX TOPOLOGICAL":              {Facts: []witness.Fact{{Kind: witness.Trap}}},
		"INDUCTION":                          {Clauses: make([]witness.Clause, 1)},
		"STATE_EQUATION LP_APPROX INDUCTION": {Facts: []witness.Fact{{Kind: witness.Invariant}}, Clauses: make([]witness.Clause, 1)},
	} {
		if got := strings.Join(techniques(p), " "); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}
