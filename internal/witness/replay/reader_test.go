package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/witness"
	"podium/internal/witness/enumeration"
	"podium/pnml"
	"podium/pnml/unfold"
)

// forks are two philosophers who may starve, and names that ask for quotation.
func forks(t testing.TB) *Net {
	var b pnml.Builder
	left, right := b.Place("left", 1), b.Place("right", 1)
	a, bb, ate := b.Place("a has left", 0), b.Place("b", 0), b.Place("ate", 0)
	takeA, takeB, eat, pour := b.Transition("take a"), b.Transition(`take"b\`), b.Transition("eat"), b.Transition("пить,{x}")
	b.In(left, takeA, 1)
	b.Out(takeA, a, 1)
	b.In(right, takeB, 1)
	b.Out(takeB, bb, 1)
	b.In(a, eat, 1)
	b.In(right, eat, 1)
	b.Out(eat, left, 1)
	b.Out(eat, right, 1)
	b.Out(eat, ate, 1)
	b.In(ate, pour, 2)
	b.In(right, pour, 1)
	b.Out(pour, right, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return NewNet(unfold.Plain(net))
}

// ring is a coloured net: a token of a cyclic sort with three colours moves on,
// with a partner of a product sort.
const ring = `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<declaration><structure><declarations>
<namedsort id="L" name="L"><cyclicenumeration><feconstant id="c a" name="one"/><feconstant id="cb" name="two"/><feconstant id="cc" name="three"/></cyclicenumeration></namedsort>
<namedsort id="I" name="I"><finiteintrange start="3" end="5"/></namedsort>
<namedsort id="P" name="P"><productsort><usersort declaration="L"/><usersort declaration="I"/></productsort></namedsort>
<variabledecl id="x" name="x"><usersort declaration="L"/></variabledecl>
<variabledecl id="i" name="i"><usersort declaration="I"/></variabledecl>
<variabledecl id="p" name="p"><usersort declaration="P"/></variabledecl>
</declarations></structure></declaration><page id="page">
<place id="here"><type><structure><usersort declaration="L"/></structure></type><hlinitialMarking><structure><useroperator declaration="c a"/></structure></hlinitialMarking></place>
<place id="pairs"><type><structure><usersort declaration="P"/></structure></type></place>
<transition id="move"/><transition id="use"/>
<arc id="a1" source="here" target="move"><hlinscription><structure><variable refvariable="x"/></structure></hlinscription></arc>
<arc id="a2" source="move" target="here"><hlinscription><structure><successor><subterm><variable refvariable="x"/></subterm></successor></structure></hlinscription></arc>
<arc id="a3" source="move" target="pairs"><hlinscription><structure><tuple><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="i"/></subterm></tuple></structure></hlinscription></arc>
<arc id="a4" source="pairs" target="use"><hlinscription><structure><variable refvariable="p"/></structure></hlinscription></arc>
</page></net></pnml>`

func colouredRing(t testing.TB) *Net {
	doc, found := pnml.Read(strings.NewReader(ring), "ring")
	if found.Err() != nil {
		t.Fatal(found)
	}
	view, err := unfold.Of(t.Context(), doc, unfold.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return NewNet(view)
}

func nets(t testing.TB) map[string]*Net {
	return map[string]*Net{"plain": forks(t), "coloured": colouredRing(t)}
}

// TestRoundTrip: every transition of every kind of net comes back.
func TestRoundTrip(t *testing.T) {
	for name, n := range nets(t) {
		var all []uint32
		for i := range 3 * n.net.Transitions.Len() {
			all = append(all, uint32(i%n.net.Transitions.Len()))
		}
		w := &witness.Witness{Instance: "Odd name-PT-1", Exam: examinations.UpperBounds,
			Claims: []witness.Claim{{Item: "first one", Value: examinations.Infinite}, {Item: "b", Value: examinations.Value{Kind: examinations.Nat, Text: "12"}, AtLeast: true}},
			Paths: []witness.Path{witness.Finite(nil), witness.Finite(all), witness.Lasso(all, all[1:]), witness.Lasso(nil, all),
				{Fire: all, Cycle: 4, Inner: []witness.Span{{From: 0, To: 1}, {From: 2, To: 3}}}, {Fire: all, Cycle: -1, Inner: []witness.Span{{From: 1, To: len(all)}}}}}
		var text bytes.Buffer
		if err := n.Write(&text, w); err != nil {
			t.Fatal(err)
		}
		got := readAll(t, n, text.String(), Options{})
		if len(got) != 1 || got[0].Faults != nil {
			t.Fatalf("%s: %v\n%s", name, got[0].Faults, text.String())
		}
		if same(got[0], w) != "" {
			t.Errorf("%s: %s\n%s", name, same(got[0], w), text.String())
		}
	}
}

// same says in what two witnesses differ.
func same(a, b *witness.Witness) string {
	strip := func(w *witness.Witness) string {
		c := *w
		c.Line, c.Paths = 0, nil
		for _, r := range w.Paths {
			c.Paths = append(c.Paths, witness.Path{Fire: append([]uint32{}, r.Fire...), Cycle: r.Cycle, Inner: append([]witness.Span{}, r.Inner...)})
		}
		if w.Proof != nil {
			p := *w.Proof
			p.Line, c.Proof = 0, &p
		}
		if w.Branches != nil {
			b := *w.Branches
			b.Line, c.Branches = 0, &b
		}
		text, err := json.Marshal(c)
		return fmt.Sprint(string(text), err)
	}
	if x, y := strip(a), strip(b); x != y {
		return x + "\nis not\n" + y
	}
	return ""
}

func readAll(t testing.TB, n *Net, text string, o Options) []*witness.Witness {
	t.Helper()
	o.File = "w"
	r := NewReader(strings.NewReader(text), n, o)
	var list []*witness.Witness
	for r.Scan() {
		list = append(list, r.Witness())
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	if found := r.Found(); found != nil {
		list = append(list, &witness.Witness{Faults: found})
	}
	return list
}

const head = "format podium-witness/1\ninstance X-PT-1\nexamination ReachabilityDeadlock\nvalue ReachabilityDeadlock TRUE\n"

// TestFaults: every mistake has its place and its words.
func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"run\n", "w:1:1: this line stands outside of any witness"},
		{"format podium-witness/2\nend\n", `w:1:8: the format is "podium-witness/2"`},
		{"format podium-witness/1\nend\n", "w:2:1: the witness has no line: instance NAME"},
		{head + "end\n", "w:5:1: the witness has no line: run"},
		{head + "run\n", "w:5: the file ends inside a witness"},
		{head + "run\n" + head + "run\nend\n", "w:6:1: another witness begins before this one has ended"},
		{head + "fire eat\nend\n", "w:5:1: a firing stands outside of a run"},
		{head + "cycle\nend\n", "w:5:1: a cycle begins outside of a run"},
		{head + "run\nfire eat  eats\nend\n", `w:6:11: the net has no transition "eats"; did you mean "eat"?`},
		{head + "run\nfire eat{x=1}\nend\n", `w:6:6: "{x=1}" stands behind transition "eat"`},
		{head + "run\nfire \"eat\nend\n", "w:6:6: a name in quotation marks is no JSON string"},
		{head + "run\nfire {\nend\n", "w:6:6: a name is missing"},
		{head + "run\ncycle\nend\n", "w:7:1: the cycle has no firings"},
		{head + "run\ncycle\nrun\nend\n", "w:7:1: the cycle before this line has no firings"},
		{head + "run\ncycle\nfire eat\ncycle\nend\n", "w:8:1: a cycle begins inside another one"},
		{head + "run\nthen\nend\n", "w:6:1: no cycle ends here"},
		{head + "run\ncycle\nthen\nend\n", "w:7:1: the cycle before this line has no firings"},
		{head + "run now\nend\n", "w:5:5: nothing follows the word run"},
		{head + "run\ninstance Y-PT-1\nend\n", `w:6:1: the line "instance" stands twice, or behind a run`},
		{head + "firing eat\nend\n", `w:5:1: no line of a witness begins with "firing" [witness-line]; lines begin with`},
		{head + "fre eat\nend\n", `did you mean "fire"?`},
		{"format podium-witness/1\nrun\nend\n", "w:2:1: a run begins before the lines instance, examination and value"},
		{"format podium-witness/1\nexamination Deadlock\nend\n", `w:2:13: "Deadlock" is no examination`},
		{"format podium-witness/1\ninstance a b\nend\n", `w:2:10: "a b" is more than one word`},
		{"format podium-witness/1\nvalue a TRUE\nend\n", "w:2:1: a value stands before the examination"},
		{"format podium-witness/1\nexamination OneSafe\nvalue OneSafe\nend\n", `w:3:7: the value of "OneSafe" is missing`},
		{"format podium-witness/1\nexamination OneSafe\nvalue OneSafe >=3\nend\n", `w:3:14: ">=3" is no value of OneSafe [witness-value]; write TRUE or FALSE`},
		{"format podium-witness/1\nexamination UpperBounds\nvalue a >=inf\nend\n", `w:3:8: "inf" is no value of UpperBounds`},
		{head + "run\nfire eat\xff\nend\n", "w:6: the line is no UTF-8 text"},
		{head + "run\nfire " + strings.Repeat("eat ", 1<<18) + "\nend\n", "w:6: the line has 1048582 bytes, and 1048576 are allowed"},
		{head + "run\nfire eat eat eat eat\nend\n", "w:6:18: there are too many firings"},
	} {
		list := readAll(t, forks(t), c.text, Options{Firings: 3})
		var all []string
		for _, w := range list {
			all = append(all, w.Faults.Error())
		}
		if got := strings.Join(all, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%q\ngives %s\nwant %s", c.text[:min(200, len(c.text))], got, c.want)
		}
	}
	for o, want := range map[Options]string{
		{Instance: "Y-PT-1"}:         `w:2:10: the witness is about instance "X-PT-1", not Y-PT-1`,
		{Exam: examinations.OneSafe}: "w:3:13: the witness is about ReachabilityDeadlock, not OneSafe",
	} {
		if w := readAll(t, forks(t), head+"run\nend\n", o); !strings.Contains(w[0].Faults.Error(), want) {
			t.Errorf("%+v: %v", o, w[0].Faults)
		}
	}
}

// TestBindings: what can be wrong with a binding.
func TestBindings(t *testing.T) {
	n := colouredRing(t)
	for word, want := range map[string]string{
		`move{x="c a",i=3}`:  "",
		`move{i=5,x="c a"}`:  "",
		`move{i=5,x=one}`:    "", // by the name of the colour
		`move_two_4`:         "", // as in a P/T twin
		`use{p=("c a",3)}`:   "",
		`use{p=(cb,5)}`:      "",
		`mvoe{x=cb,i=3}`:     `the net has no transition "mvoe"; did you mean "move"?`,
		`move`:               `transition "move" needs a value for variable "x", as in move{x=...}`,
		`move{}`:             `transition "move" needs a value for variable "x"`,
		`move{x=cb}`:         `transition "move" needs a value for variable "i"`,
		`move{x=cb,x=cb}`:    `variable "x" is bound twice`,
		`move{y=cb,i=3}`:     `the net has no variable of transition "move" "y"`,
		`move{x,i=3}`:        `variable "x" is followed by no =`,
		`move{x=cd,i=3}`:     `variable "x": the net has no colour of sort "L" "cd"; did you mean`,
		`move{x=cb,i=6}`:     `variable "i": sort "I" has no colour "6": its colours are 3 to 5`,
		`move{x=cb,i=3`:      `is not written as {variable=colour,...}`,
		`move{x=cb,i=3}}`:    `"}" stands behind the binding`,
		`move(x=cb,i=3)`:     `is not written as {variable=colour,...}`,
		`use{p=cb}`:          `a tuple of 2 colours is written as (colour,...)`,
		`use{p=(cb,3}`:       `a tuple of 2 colours does not end with )`,
		`use{p=(cb)}`:        `a tuple of 2 colours is written as`,
		`move{x="c a,i=3}`:   "no JSON string",
		`"move"{x=cb,"i"=3}`: "",
	} {
		_, err := n.find([]byte(word))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", word, err, want)
		}
	}
}

// TestEmbedded finds witnesses in the output of a tool.
func TestEmbedded(t *testing.T) {
	text := "hello\nFORMULA ReachabilityDeadlock TRUE TECHNIQUES EXPLICIT\nformat of something else\n" + head + "run\nfire \"take a\"\nend\n" +
		strings.Repeat("x", 2<<20) + "\n\xff\n" + head + "run\nfire eat\nend\nbye"
	if list := readAll(t, forks(t), text, Options{Embedded: true}); len(list) != 2 || list[0].Faults != nil || list[1].Faults != nil || list[1].Line != 13 {
		t.Errorf("%+v", list)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(head+"run\nfire \"take a\"\ncycle\nfire eat\nend\n", false)
	f.Add(head+"run\nend\n"+head, true)
	f.Add("format podium-witness/1\ninstance \"\\u0041\"\nexamination UpperBounds\nvalue a >=3\nvalue b +inf\nrun\nfire move{x=\"c a\",i=3} use{p=(cb,5)}\nend\n", false)
	f.Add("format podium-witness/1\ninstance \"\\u0041\"\nexamination UpperBounds\nvalue a 3\nproof\ninvariant 1 a -2/3 b\nmore 1 c\ntrap a\nsiphon b\nsplit 0\nleaf a0 1 f0 1\ncut 3 1 a\nleaf f1 2\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination LTLFireability\nvalue a TRUE\nproof\nclause 1 a -2 b <= 1 and 1 c <= 0 or -1 d <= -1\nkeep 0 eat\nsplit c0\nleaf a0 1\nalways 0\nsplit 1\nnever 1\ndead eat\nconstant a\nbad\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination CTLCardinality\nvalue a TRUE\nbranches\nfrom 0 eat\nmore eat\nfrom 1 tick move{x=cb,i=3}\nholds 0 1 0\nfails 1 2\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination CTLCardinality\nvalue a TRUE\nrun\nfire eat\nproof\nrun\napart 0 !1\nvalue b TRUE\nleaf a0 1\nbranches\nproof\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination CTLCardinality\nvalue a TRUE\nproof\nnever 1\nleaf a0 1\nbranches\nfrom 0 eat\nfails 0 0\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination QuasiLiveness\nvalue QuasiLiveness FALSE\n"+strings.Repeat("run\n", 20)+"proof\nsiphon a\n"+strings.Repeat("dead eat\nleaf a0 1 f0 1\n", 20)+"end\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination CTLCardinality\nvalue a TRUE\nproof\nreturn 1\nrank 1 a 1/2 b\nmore 2 c\nmove eat tick\nmore move{x=cb,i=3}\nmove eat\nsplit 0\nleaf a0 1\nhome\nmove eat\nend\n", false)
	f.Add("format podium-witness/1\ninstance N\nexamination UpperBounds\nvalue a 3\nproof\ndiagram a b\nmore c\nnode 0 0 1 0\nnode 0 1\nmore 3 1\nnode 2 2\ndiagram a\nnode 1 0\nbad\nsplit 0\noutside 1\nend\n", false)
	var list []*Net
	for _, n := range nets(f) {
		n.small = enumeration.Limits{Markings: 1000, Memory: 1 << 20}
		list = append(list, n)
	}
	f.Fuzz(func(t *testing.T, text string, embedded bool) {
		for _, n := range list {
			for _, w := range readAll(t, n, text, Options{Embedded: embedded, Firings: 1000}) {
				results := n.Check(t.Context(), w, func(string) (formula.Formula, bool) {
					if w.Branches != nil {
						return &formula.ExistsPath{F: &formula.Finally{F: &formula.AllPaths{F: &formula.Globally{F: &formula.Deadlock{}}}}}, true
					}
					return &formula.Bound{Places: []string{n.view.Places().At(0)}}, true
				})
				if len(w.Faults) > 0 {
					for _, r := range results {
						if r.State != witness.Unconfirmed {
							t.Errorf("a faulty witness is %s", r.State)
						}
					}
					continue
				}
				var again bytes.Buffer
				if err := n.Write(&again, w); err != nil {
					t.Fatal(err)
				}
				back := readAll(t, n, again.String(), Options{})
				if len(back) != 1 || back[0].Faults != nil || same(back[0], w) != "" {
					t.Errorf("%q is written as %q, and read as %v", text, again.String(), back)
				}
			}
		}
	})
}
