package pnml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml/diagnostic"
)

// parsed makes a net from lines such as "p=1 q" and "t: 2p q -> r".
func parsed(t testing.TB, text string) *Net {
	var b Builder
	index := map[string]int{}
	weights := func(words string, arc func(p int, w uint64)) {
		for _, word := range strings.Fields(words) {
			w := uint64(1)
			if word[0] >= '0' && word[0] <= '9' {
				fmt.Sscan(word[:1], &w)
				word = word[1:]
			}
			arc(index[word], w)
		}
	}
	for _, line := range strings.Split(text, ";") {
		name, arcs, isTransition := strings.Cut(strings.TrimSpace(line), ":")
		if !isTransition {
			for _, word := range strings.Fields(line) {
				var tokens uint64
				id, n, _ := strings.Cut(word, "=")
				fmt.Sscan(n, &tokens)
				index[id] = b.Place(id, tokens)
			}
			continue
		}
		tr := b.Transition(name)
		pre, post, _ := strings.Cut(arcs, "->")
		weights(pre, func(p int, w uint64) { b.In(p, tr, w) })
		weights(post, func(p int, w uint64) { b.Out(tr, p, w) })
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestProperties(t *testing.T) {
	for _, c := range []struct{ name, net, holds string }{
		{"one cycle", "p=1 q; s: p -> q; t: q -> p",
			"ORDINARY SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE STATE_MACHINE MARKED_GRAPH CONNECTED STRONGLY_CONNECTED LOOP_FREE CONSERVATIVE SUBCONSERVATIVE"},
		{"choice", "p=1 q r; s: p -> q; t: p -> r",
			"ORDINARY SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE STATE_MACHINE CONNECTED SOURCE_PLACE SINK_PLACE LOOP_FREE CONSERVATIVE SUBCONSERVATIVE"},
		{"extended free choice only", "p=1 q=1 r; s: p q -> r; t: p q -> r",
			"ORDINARY EXTENDED_FREE_CHOICE CONNECTED SOURCE_PLACE SINK_PLACE LOOP_FREE SUBCONSERVATIVE"},
		{"no free choice", "p=1 q=1; s: p q -> p; t: p -> q", "ORDINARY CONNECTED STRONGLY_CONNECTED SUBCONSERVATIVE"},
		{"weights", "p=1 q; s: 2p -> q; t: q -> 2p", "SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE STATE_MACHINE MARKED_GRAPH CONNECTED STRONGLY_CONNECTED LOOP_FREE"},
		{"sources and sinks", "p; s: -> p; t: p ->", "ORDINARY SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE MARKED_GRAPH CONNECTED SOURCE_TRANSITION SINK_TRANSITION LOOP_FREE"},
		{"two parts", "p q; s: p -> p; t: q -> q", "ORDINARY SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE STATE_MACHINE MARKED_GRAPH CONSERVATIVE SUBCONSERVATIVE"},
		{"nothing", "", "ORDINARY SIMPLE_FREE_CHOICE EXTENDED_FREE_CHOICE STATE_MACHINE MARKED_GRAPH CONNECTED STRONGLY_CONNECTED LOOP_FREE CONSERVATIVE SUBCONSERVATIVE"},
	} {
		var holds []string
		for _, p := range parsed(t, c.net).Properties() {
			if p.Holds {
				holds = append(holds, p.Name)
			}
		}
		if got := strings.Join(holds, " "); got != c.holds {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.holds)
		}
	}
}

// TestVerdicts compares with the tables of the contest wherever they decide: no
// disagreement is known.
func TestVerdicts(t *testing.T) {
	realdata.Contest(t) // the samples have no table of properties
	compared := 0
	realArchives(t, "instances", func(name, path string) {
		table, err := member(path, "GenericPropertiesVerdict.xml")
		if errors.Is(err, io.EOF) {
			return
		}
		model, err := member(path, "model.pnml")
		if err != nil {
			t.Fatal(err)
		}
		doc, _ := Read(bytes.NewReader(model), name)
		if doc.Net == nil {
			return
		}
		var verdicts struct {
			Verdicts []struct {
				Reference string `xml:"reference,attr"`
				Value     string `xml:"value,attr"`
				Text      string `xml:"explanation"`
			} `xml:"verdict"`
		}
		if err := xml.Unmarshal(table, &verdicts); err != nil {
			t.Fatal(err)
		}
		for _, p := range doc.Net.Properties() {
			for _, v := range verdicts.Verdicts {
				if v.Reference != p.Name || v.Value != "true" && v.Value != "false" {
					continue
				}
				if compared++; (v.Value == "true") == p.Holds {
					continue
				}
				t.Errorf("%s %s: got %v (%s), the table says %s (%s)", name, p.Name, p.Holds, p.Witness, v.Value, v.Text)
			}
		}
	})
	if compared < 500 {
		t.Errorf("only %d verdicts were compared", compared)
	}
}

// shuffled returns the same net with other ids and another order.
func shuffled(n *Net, rng *rand.Rand) *Net {
	var b Builder
	places, transitions := rng.Perm(n.Places.Len()), rng.Perm(n.Transitions.Len())
	number := make([]int, len(places))
	for k, p := range places {
		number[p] = b.Place(fmt.Sprint("x", k), n.Initial[p])
	}
	for k, t := range transitions {
		tr := b.Transition(fmt.Sprint("y", k))
		for i := n.Pre.Start[t]; i < n.Pre.Start[t+1]; i++ {
			b.In(number[n.Pre.Place[i]], tr, n.Pre.WeightAt(i))
		}
		for i := n.Post.Start[t]; i < n.Post.Start[t+1]; i++ {
			b.Out(tr, number[n.Post.Place[i]], n.Post.WeightAt(i))
		}
	}
	out, err := b.Build()
	if err != nil {
		panic(err)
	}
	return out
}

func TestStructureHash(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := map[string]string{}
	for _, text := range []string{"", "p", "p=1", "p q", "p; s:", "p; s: p ->", "p; s: -> p", "p; s: p -> p", "p; s: 2p -> p", "p q; s: p -> q", "p=1 q; s: p -> q", "p q=1; s: p -> q",
		"p q r; s: p -> q; t: q -> r; u: r -> p", "p q r; s: p -> q; t: q -> p; u: r -> r", "p=1 q r; s: p -> q; t: q -> r; u: r -> p"} {
		n := parsed(t, text)
		h := n.StructureHash()
		if other, taken := seen[h]; taken {
			t.Errorf("%q and %q have the same hash", text, other)
		}
		seen[h] = text
		for range 5 {
			if got := shuffled(n, rng).StructureHash(); got != h {
				t.Errorf("%q: the hash depends on the order", text)
			}
		}
	}
}

func TestStatisticsAndLint(t *testing.T) {
	n := parsed(t, "p=3 q r=2 lone; s: 2p -> q; t: 9q -> ; u:")
	s := n.Statistics()
	if got, want := fmt.Sprint(s), "{4 3 3 0 5 2 3 9 2}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var codes []string
	for _, d := range n.Lint("f") {
		codes = append(codes, d.Code+" "+d.Message)
		if d.Hint == "" || d.Subject == "" {
			t.Errorf("no next step, or nothing to find a place by: %+v", d)
		}
	}
	want := []string{"net-isolated place r has no arcs", "net-isolated place lone has no arcs", "net-isolated transition u has no arcs"}
	if !slices.Equal(codes, want) {
		t.Errorf("got %q, want %q", codes, want)
	}
	for text, code := range map[string]string{"p": "net-empty", "p; s: p ->": "net-dead", "p=1; s: 2p ->": "net-dead"} {
		if !slices.ContainsFunc(parsed(t, text).Lint("f"), func(d diagnostic.Diagnostic) bool { return d.Code == code }) {
			t.Errorf("%q: no %s", text, code)
		}
	}
}
