package replay

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/clock/clocktest"
	"podium/internal/witness"
	"podium/pnml"
	"podium/pnml/unfold"
)

// switches: on and off move a token to and fro, count counts in a place, stop ends
// everything.
func switches(t testing.TB) *Net {
	var b pnml.Builder
	off, on, counted, stopped := b.Place("off", 1), b.Place("on", 0), b.Place("counted", 0), b.Place("stopped", 0)
	for _, x := range []struct {
		name     string
		in, out  []int
		outCount uint64
	}{{"up", []int{off}, []int{on}, 1}, {"down", []int{on}, []int{off}, 1}, {"count", []int{on}, []int{on, counted}, 1}, {"stop", []int{on}, []int{stopped}, 1}} {
		u := b.Transition(x.name)
		for _, p := range x.in {
			b.In(p, u, 1)
		}
		for _, p := range x.out {
			b.Out(u, p, x.outCount)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return NewNet(unfold.Plain(net))
}

func atLeast(n uint64, places ...string) formula.Formula {
	return &formula.LessEqual{Left: &formula.Number{N: n}, Right: &formula.TokensCount{Places: places}}
}

func fireable(ids ...string) formula.Formula { return &formula.Fireable{Transitions: ids} }

// TestCheck: what runs prove, and what they do not.
func TestCheck(t *testing.T) {
	e := func(f formula.Formula) formula.Formula { return &formula.ExistsPath{F: f} }
	a := func(f formula.Formula) formula.Formula { return &formula.AllPaths{F: f} }
	f := func(f formula.Formula) formula.Formula { return &formula.Finally{F: f} }
	g := func(f formula.Formula) formula.Formula { return &formula.Globally{F: f} }
	x := func(f formula.Formula) formula.Formula { return &formula.Next{F: f} }
	not := func(f formula.Formula) formula.Formula { return &formula.Not{F: f} }
	on, some := fireable("down"), atLeast(1, "counted")
	for _, c := range []struct {
		exam    examinations.ID
		formula formula.Formula
		value   string
		runs    string // transitions; | begins the cycle, ; another run
		want    witness.State
		detail  string
	}{
		{"ReachabilityDeadlock", nil, "TRUE", "up stop", witness.Confirmed, "after 2 firings no transition is enabled"},
		{"ReachabilityDeadlock", nil, "TRUE", "up", witness.Unconfirmed, `after 1 firing transition "down" is enabled`},
		{"ReachabilityDeadlock", nil, "TRUE", "up up", witness.Unconfirmed, `step 2: transition "up" is not enabled: place "off" holds 0 tokens and 1 are needed`},
		{"ReachabilityDeadlock", nil, "TRUE", "up; up stop", witness.Confirmed, ""},
		{"ReachabilityDeadlock", nil, "TRUE", "up stop; down", witness.Unconfirmed, "step 1 of run 2"},
		{"ReachabilityDeadlock", nil, "FALSE", "up", witness.Unconfirmed, "no run can prove this value"},
		{"ReachabilityDeadlock", nil, "FALSE", "up stop", witness.Refuted, ""},
		{"Liveness", nil, "FALSE", "up stop", witness.Confirmed, ""},
		{"Liveness", nil, "FALSE", "up", witness.Unconfirmed, "a run can only show by ending in a dead marking"},
		{"OneSafe", nil, "FALSE", "up count count", witness.Confirmed, `place "counted" holds 2 tokens`},
		{"OneSafe", nil, "FALSE", "up count", witness.Unconfirmed, "no place holds two tokens"},
		{"QuasiLiveness", nil, "TRUE", "up count down; up stop", witness.Confirmed, ""},
		{"QuasiLiveness", nil, "TRUE", "up count down", witness.Unconfirmed, `1 of 4 transitions do not fire, "stop" among them`},
		{"StableMarking", nil, "FALSE", "up count; up stop", witness.Confirmed, ""},
		{"StableMarking", nil, "FALSE", "up down", witness.Unconfirmed, `2 of 4 places keep their number of tokens, "counted" among them`},
		{"StateSpace", nil, "+inf", "up | count", witness.Confirmed, "the last 1 firings of 2 can be repeated for ever"},
		{"StateSpace", nil, "+inf", "up | stop", witness.Unconfirmed, `the cycle takes tokens away: place "on" holds 1 before and 0 after it`},
		{"StateSpace", nil, "+inf", "| up down", witness.Unconfirmed, "the cycle adds no token"},
		{"StateSpace", nil, "+inf", "up count", witness.Unconfirmed, "the run has no cycle"},
		{"StateSpace", nil, "7", "up | count", witness.Refuted, ""},
		{"UpperBounds", &formula.Bound{Places: []string{"counted"}}, "+inf", "up | count", witness.Confirmed, ""},
		{"UpperBounds", &formula.Bound{Places: []string{"on", "off"}}, "+inf", "up | count", witness.Unconfirmed, "the cycle adds no token to the places of the bound"},
		{"UpperBounds", &formula.Bound{Places: []string{"on", "off", "on"}}, ">=1", "up", witness.Confirmed, ""},
		{"UpperBounds", &formula.Bound{Places: []string{"on"}}, ">=2", "up", witness.Unconfirmed, "only that it is at least 1"},
		{"UpperBounds", &formula.Bound{Places: []string{"on"}}, "1", "up", witness.Unconfirmed, "that it is no more, no run can show"},
		{"UpperBounds", &formula.Bound{Places: []string{"counted"}}, "1", "up count count", witness.Refuted, "after 3 firings it is 2"},
		{"UpperBounds", &formula.Bound{Places: []string{"nowhere"}}, ">=1", "up", witness.Unconfirmed, `the net has no place "nowhere"`},
		{"ReachabilityCardinality", e(f(some)), "TRUE", "up count", witness.Confirmed, ""},
		{"ReachabilityCardinality", e(f(some)), "TRUE", "up", witness.Unconfirmed, "after 1 firing the formula is not decided"},
		{"ReachabilityCardinality", e(f(some)), "FALSE", "up count", witness.Refuted, ""},
		{"ReachabilityCardinality", a(g(not(some))), "FALSE", "up count down", witness.Confirmed, ""},
		{"ReachabilityCardinality", not(a(g(not(some)))), "TRUE", "up count", witness.Confirmed, ""},
		{"ReachabilityCardinality", &formula.And{Fs: []formula.Formula{e(f(some)), e(f(&formula.Deadlock{}))}}, "TRUE", "up count; up stop", witness.Confirmed, ""},
		{"ReachabilityCardinality", &formula.And{Fs: []formula.Formula{e(f(some)), e(f(&formula.Deadlock{}))}}, "TRUE", "up count", witness.Unconfirmed, ""},
		{"ReachabilityCardinality", a(g(atLeast(1, "off"))), "TRUE", "", witness.Unconfirmed, "no run can prove this value"},
		{"CTLFireability", e(x(on)), "TRUE", "up", witness.Confirmed, ""},
		{"CTLFireability", e(g(not(on))), "TRUE", "", witness.Unconfirmed, "after 0 firings the formula is not decided"},
		{"CTLFireability", e(g(atLeast(0, "on"))), "TRUE", "up | count", witness.Unconfirmed, `the cycle does not lead back to where it begins: place "counted" holds 0 tokens before and 1 after it`},
		{"CTLFireability", a(f(atLeast(1, "stopped"))), "FALSE", "| up down", witness.Confirmed, ""},
		{"CTLFireability", e(f(a(g(on)))), "TRUE", "up", witness.Unconfirmed, "no run can prove this value"},
		{"CTLFireability", e(&formula.Until{Before: not(some), Reach: on}), "TRUE", "up", witness.Confirmed, ""},
		{"LTLFireability", a(f(atLeast(1, "stopped"))), "FALSE", "up | down up", witness.Confirmed, ""},
		{"LTLFireability", a(g(f(on))), "FALSE", "up stop", witness.Confirmed, ""},
		{"LTLFireability", a(x(x(x(atLeast(1, "stopped"))))), "FALSE", "up stop", witness.Unconfirmed, ""},
		{"LTLFireability", a(not(x(x(x(atLeast(1, "stopped")))))), "FALSE", "up stop", witness.Confirmed, ""},
		{"LTLFireability", a(x(some)), "FALSE", "up", witness.Confirmed, ""}, // the beginning decides
		{"LTLFireability", a(g(some)), "FALSE", "", witness.Confirmed, ""},
		{"LTLFireability", a(f(g(on))), "FALSE", "| up down", witness.Confirmed, ""},
		{"LTLFireability", a(f(g(on))), "FALSE", "up | down", witness.Unconfirmed, "the cycle does not lead back"},
	} {
		n := switches(t)
		item := c.exam.Items([]string{"f"})[0]
		w := &witness.Witness{Exam: c.exam, Claims: []witness.Claim{witness.ParseBound(item, c.value, c.exam.Kind())}}
		for run := range strings.SplitSeq(c.runs, ";") {
			r := witness.Finite(nil)
			for word := range strings.FieldsSeq(run) {
				if word == "|" {
					r.Cycle = len(r.Fire)
					continue
				}
				u, _ := n.net.Transitions.Find(word)
				r.Fire = append(r.Fire, uint32(u))
			}
			w.Paths = append(w.Paths, r)
		}
		got := n.Check(t.Context(), w, func(string) (formula.Formula, bool) { return c.formula, true })[0]
		if got.State != c.want || !strings.Contains(got.Detail, c.detail) {
			t.Errorf("%s %s by %q is %s: %s; want %s: %s", c.exam, c.value, c.runs, got.State, got.Detail, c.want, c.detail)
		}
	}
}

// TestOverflow: no count wraps.
func TestOverflow(t *testing.T) {
	var b pnml.Builder
	p, u := b.Place("p", 1<<63), b.Transition("double")
	b.In(p, u, 1)
	b.Out(u, p, 1<<63)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	for fire, want := range map[int]witness.State{1: witness.Confirmed, 2: witness.Unconfirmed} {
		w := &witness.Witness{Exam: examinations.OneSafe, Claims: []witness.Claim{{Item: "OneSafe", Value: examinations.False}}, Paths: []witness.Path{witness.Finite(make([]uint32, fire))}}
		if r := n.Check(t.Context(), w, nil)[0]; r.State != want || want == witness.Unconfirmed && !strings.Contains(r.Detail, "more than 2^64-1 tokens") {
			t.Errorf("%d firings: %+v", fire, r)
		}
	}
}

// TestInterrupted: a replay that takes too long confirms nothing.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := &witness.Witness{Exam: examinations.QuasiLiveness, Claims: []witness.Claim{{Item: "QuasiLiveness", Value: examinations.True}}, Paths: []witness.Path{witness.Finite([]uint32{0})}}
	if r := switches(t).Check(ctx, w, nil)[0]; r.State != witness.Unconfirmed {
		t.Errorf("%+v", r)
	}
}

// TestHostileWitnesses: a replay ends in time, though each of many short lines asks for a look
// at the whole net.
func TestHostileWitnesses(t *testing.T) {
	b := &pnml.Builder{}
	for i := range 1 << 12 {
		p, u := b.Place(fmt.Sprint("p", i), 0), b.Transition(fmt.Sprint("t", i))
		b.In(p, u, 1)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	n := NewNet(unfold.Plain(net))
	head := func(exam string, value string) string {
		return "format podium-witness/1\ninstance N-PT-1\nexamination " + exam + "\nvalue " + value + "\n"
	}
	for name, text := range map[string]string{
		"runs":      head("OneSafe", "OneSafe FALSE") + strings.Repeat("run\n", 1<<8) + "end\n",
		"cycles":    head("StateSpace", "STATES +inf") + strings.Repeat("run\n", 1<<8) + "end\n",
		"dead":      head("QuasiLiveness", "QuasiLiveness FALSE") + "proof\nsiphon p0\n" + strings.Repeat("dead t0\nleaf a0 1 f0 1\n", 1<<8) + "end\n",
		"homes":     head("Liveness", "Liveness TRUE") + "proof\n" + strings.Repeat("home\nleaf a0 1\n", 1<<8) + "end\n",
		"constants": head("StableMarking", "StableMarking TRUE") + "proof\nsiphon p0\n" + strings.Repeat("constant p0\nleaf a0 1 f0 1\n", 1<<8) + "end\n",
	} {
		r := NewReader(strings.NewReader(text), n, Options{})
		r.Scan()
		w := r.Witness()
		if w.Faults != nil {
			t.Fatalf("%s: %v", name, w.Faults)
		}
		if got := n.Check(clocktest.Looks(3), w, nil)[0]; got.State != witness.Unconfirmed || !strings.Contains(got.Detail, "too long to be checked") {
			t.Errorf("%s: %s: %s", name, got.State, got.Detail)
		}
	}
}

// BenchmarkReplay reads and replays a million firings, of the net with few names.
func BenchmarkReplay(b *testing.B) {
	n := switches(b)
	var text strings.Builder
	w := &witness.Witness{Instance: "X-PT-1", Exam: examinations.ReachabilityCardinality, Claims: []witness.Claim{{Item: "f", Value: examinations.True}}, Paths: []witness.Path{witness.Finite(nil)}}
	const firings = 1_000_000
	for k := range firings {
		w.Paths[0].Fire = append(w.Paths[0].Fire, uint32(k%2))
	}
	if err := n.Write(&text, w); err != nil {
		b.Fatal(err)
	}
	f := &formula.ExistsPath{F: &formula.Finally{F: atLeast(1, "on")}}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for range b.N {
		r := NewReader(strings.NewReader(text.String()), n, Options{})
		for r.Scan() {
			if got := n.Check(b.Context(), r.Witness(), func(string) (formula.Formula, bool) { return f, true })[0]; got.State != witness.Confirmed {
				b.Fatalf("%+v", got)
			}
		}
	}
	b.ReportMetric(float64(firings)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mfirings/s")
}
