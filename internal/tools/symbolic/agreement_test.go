package symbolic_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/internal/tools"
	"podium/internal/tools/symbolic"
	"podium/pnml"
)

// ask runs an engine and gives its answers by item.
func ask(t *testing.T, e tools.Engine, exam examinations.ID, net *pnml.Net, properties ...examinations.Property) map[string]string {
	t.Helper()
	var out strings.Builder
	task := tools.Task{Exam: exam, Net: net, Properties: properties, Cores: 1, Budget: 4 * time.Second}
	if err := e.Answer(context.Background(), task, tools.NewPrinter(&out, exam)); err != nil {
		t.Fatalf("%s: %v", exam, err)
	}
	return answersIn(t, out.String())
}

// answersIn reads lines of the contest; CANNOT_COMPUTE is no answer.
func answersIn(t *testing.T, text string) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 4 {
			continue
		}
		if old, twice := answers[words[1]]; twice {
			t.Errorf("%s is answered twice: %s and %s", words[1], old, words[2])
		}
		answers[words[1]] = words[2]
	}
	return answers
}

var withoutFormulas = []examinations.ID{examinations.StateSpace, examinations.OneSafe, examinations.StableMarking,
	examinations.QuasiLiveness, examinations.Liveness, examinations.ReachabilityDeadlock}

// TestAgreement compares the engine with a naive evaluator on random nets: on
// one-safe nets it must answer everything, on others it may, and never wrong.
func TestAgreement(t *testing.T) {
	nets := 1500
	if testing.Short() {
		nets = 300
	}
	r := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for i := range nets {
		net := safeNet(r)
		if i%3 == 0 {
			net = wildNet(r)
		}
		g := enumerate(net, 400)
		if g == nil {
			continue
		}
		f := formulas{r, net}
		var reach, ctl, bounds []examinations.Property
		for k := range 4 {
			reach = append(reach, examinations.Property{ID: fmt.Sprint("r", k), Formula: f.reachability()})
			ctl = append(ctl, examinations.Property{ID: fmt.Sprint("c", k), Formula: f.state(3, true)})
			bounds = append(bounds, examinations.Property{ID: fmt.Sprint("b", k), Formula: &examinations.Bound{Places: f.some(&net.Places)}})
		}
		want := map[string]string{}
		for _, exam := range withoutFormulas {
			want = g.answers(exam)
			decided += compare(t, net, exam, want, ask(t, symbolic.Engine{}, exam, net), i)
		}
		safe := g.answers(examinations.OneSafe)["OneSafe"] == "TRUE"
		for exam, list := range map[examinations.ID][]examinations.Property{
			examinations.ReachabilityCardinality: reach, examinations.CTLFireability: ctl, examinations.UpperBounds: bounds,
		} {
			want = map[string]string{}
			for _, p := range list {
				if b, ok := p.Formula.(*examinations.Bound); ok {
					want[p.ID] = fmt.Sprint(g.bound(b.Places))
					continue
				}
				want[p.ID] = examinations.Truth(g.ctl(p.Formula)[0]).Text
			}
			got := ask(t, symbolic.Engine{}, exam, net, list...)
			decided += compare(t, net, exam, want, got, i)
			if safe && len(got) < len(want) {
				t.Errorf("net %d, %s: %d of %d values", i, exam, len(got), len(want))
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d values agree", decided)
}

func compare(t *testing.T, net *pnml.Net, exam examinations.ID, want, got map[string]string, i int) int {
	t.Helper()
	for item, v := range got {
		if want[item] != v {
			t.Errorf("net %d, %s %s: %s instead of %s\n%s", i, exam, item, v, want[item], describe(net))
		}
	}
	return len(got)
}

func describe(net *pnml.Net) string {
	var b strings.Builder
	fmt.Fprintln(&b, "initial", net.Initial)
	for x := range net.Transitions.Len() {
		pre, v := net.Pre.Row(x)
		post, w := net.Post.Row(x)
		fmt.Fprintln(&b, x, pre, v, "->", post, w)
	}
	return b.String()
}
