package unfold

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml"
)

// symmetric wraps declarations and a page into a document and reads it.
func symmetric(t testing.TB, declarations, page string) *pnml.Symmetric {
	doc := `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="the-net" type="http://www.pnml.org/version-2009/grammar/symmetricnet">` +
		`<declaration><structure><declarations>` + declarations + `</declarations></structure></declaration><page id="page">` + page + `</page></net></pnml>`
	d, diags := pnml.Read(strings.NewReader(doc), "test")
	if diags.Err() != nil {
		t.Fatal(diags)
	}
	return d.Symmetric
}

// Pieces of documents.
const (
	abc = `<namedsort id="L" name="L"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/></cyclicenumeration></namedsort>` +
		`<namedsort id="LL" name="LL"><productsort><usersort declaration="L"/><usersort declaration="L"/></productsort></namedsort>` +
		`<variabledecl id="x" name="x"><usersort declaration="L"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="L"/></variabledecl>`
	x, y = `<variable refvariable="x"/>`, `<variable refvariable="y"/>`
	a, b = `<useroperator declaration="a"/>`, `<useroperator declaration="b"/>`
	all  = `<all><usersort declaration="L"/></all>`
)

func op(name string, args ...string) string {
	var out strings.Builder
	for _, arg := range args {
		out.WriteString("<subterm>" + arg + "</subterm>")
	}
	return "<" + name + ">" + out.String() + "</" + name + ">"
}

func times(n int, term string) string {
	operator := "numberof"
	for _, multiset := range []string{"<numberof>", "<scalarproduct>", "<add>", "<subtract>"} {
		if strings.HasPrefix(term, multiset) {
			operator = "scalarproduct"
		}
	}
	return op(operator, fmt.Sprintf(`<numberconstant value="%d"><natural/></numberconstant>`, n), term)
}

func place(id, sort, initial string) string {
	if initial != "" {
		initial = "<hlinitialMarking><structure>" + initial + "</structure></hlinitialMarking>"
	}
	return `<place id="` + id + `"><type><structure><usersort declaration="` + sort + `"/></structure></type>` + initial + `</place>`
}

func transition(id, guard string) string {
	if guard != "" {
		guard = "<condition><structure>" + guard + "</structure></condition>"
	}
	return `<transition id="` + id + `">` + guard + `</transition>`
}

func arc(from, to, term string) string {
	return `<arc id="` + from + `-` + to + `" source="` + from + `" target="` + to + `"><hlinscription><structure>` + term + `</structure></hlinscription></arc>`
}

// lines writes a net as sorted lines, independent of the order of nodes.
func lines(n *pnml.Net) []string {
	all := func(int) bool { return true }
	return linesOf(n, all, all)
}

// linesOf writes some places and transitions.
func linesOf(n *pnml.Net, place, transition func(i int) bool) []string {
	var out []string
	for p := range n.Places.Len() {
		if !place(p) {
			continue
		}
		out = append(out, fmt.Sprintf("%s=%d", n.Places.At(p), n.Initial[p]))
	}
	row := func(a *pnml.Arcs, t int) string {
		var words []string
		places, weights := a.Row(t)
		for k, p := range places {
			w := ""
			if weights.At(k) != 1 {
				w = fmt.Sprintf("%d'", weights.At(k))
			}
			words = append(words, w+n.Places.At(int(p)))
		}
		slices.Sort(words)
		return strings.Join(words, "+")
	}
	for t := range n.Transitions.Len() {
		if !transition(t) {
			continue
		}
		out = append(out, n.Transitions.At(t)+": "+row(&n.Pre, t)+" -> "+row(&n.Post, t))
	}
	slices.Sort(out)
	return out
}

func TestUnfold(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"variables and successor", place("p", "L", times(2, all)) + place("q", "L", "") + transition("t", "") + arc("p", "t", x) + arc("t", "q", op("successor", x)),
			"p_a=2|p_b=2|p_c=2|q_a=0|q_b=0|q_c=0|t_a: p_a -> q_b|t_b: p_b -> q_c|t_c: p_c -> q_a"},
		{"predecessor of a constant", place("p", "L", op("predecessor", a)), "p_a=0|p_b=0|p_c=1"},
		{"guard", place("p", "L", all) + transition("t", op("and", op("lessthan", x, y), op("inequality", x, b))) + arc("p", "t", op("add", x, y)),
			"p_a=1|p_b=1|p_c=1|t_a_b: p_a+p_b -> |t_a_c: p_a+p_c -> "},
		{"not, or, imply", place("p", "L", all) + transition("t", op("and", op("not", op("equality", x, a)), op("or", op("equality", x, a), op("imply", op("equality", x, x), op("equality", x, b))))) + arc("p", "t", x),
			"p_a=1|p_b=1|p_c=1|t_b: p_b -> "},
		{"cases", place("p", "LL", "") + transition("t", op("or", op("and", op("equality", x, a), op("equality", b, op("successor", y))), op("and", op("equality", y, b), op("equality", x, b)), op("and", op("equality", x, a), op("equality", y, a)))) + arc("t", "p", op("tuple", x, y)),
			"p_a_a=0|p_a_b=0|p_a_c=0|p_b_a=0|p_b_b=0|p_b_c=0|p_c_a=0|p_c_b=0|p_c_c=0|t_a_a:  -> p_a_a|t_b_b:  -> p_b_b"},
		{"equal colours add up", place("p", "L", times(2, a)) + transition("t", op("equality", x, y)) + arc("p", "t", op("add", x, times(3, y))),
			"p_a=2|p_b=0|p_c=0|t_a_a: 4'p_a -> |t_b_b: 4'p_b -> |t_c_c: 4'p_c -> "},
		{"tuple with all", place("p", "LL", op("tuple", a, all)) + transition("t", "") + arc("p", "t", op("tuple", x, all)),
			"p_a_a=1|p_a_b=1|p_a_c=1|p_b_a=0|p_b_b=0|p_b_c=0|p_c_a=0|p_c_b=0|p_c_c=0|t_a: p_a_a+p_a_b+p_a_c -> |t_b: p_b_a+p_b_b+p_b_c -> |t_c: p_c_a+p_c_b+p_c_c -> "},
		{"difference stops at 0", place("p", "L", op("subtract", all, times(5, a), b)) + transition("t", op("equality", x, a)) + arc("t", "p", op("add", a, times(2, op("subtract", op("add", all, x), b, b)))),
			"p_a=0|p_b=0|p_c=1|t_a:  -> 2'p_c+5'p_a"},
		{"no variable", place("p", "L", a) + transition("t", "") + arc("p", "t", a), "p_a=1|p_b=0|p_c=0|t: p_a -> "},
		{"no colour", place("p", "L", times(0, a)) + transition("t", "") + arc("p", "t", times(0, x)), "p_a=0|p_b=0|p_c=0|t_a:  -> |t_b:  -> |t_c:  -> "},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, err := Unfold(t.Context(), symmetric(t, abc, c.page), Limits{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(lines(u.Net), "|"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestUnfoldOlderTerms(t *testing.T) {
	declarations := `<namedsort id="R" name="R"><finiteintrange start="-1" end="2"/></namedsort>` +
		`<namedsort id="F" name="F"><finiteenumeration><feconstant id="f" name="f"/><feconstant id="g" name="g"/><feconstant id="h" name="h"/></finiteenumeration></namedsort>` +
		`<partition id="P" name="P"><usersort declaration="F"/><partitionelement id="low" name="low"><useroperator declaration="f"/><useroperator declaration="g"/></partitionelement>` +
		`<partitionelement id="high" name="high"><useroperator declaration="h"/></partitionelement></partition>` +
		`<variabledecl id="v" name="v"><usersort declaration="F"/></variabledecl><variabledecl id="w" name="w"><usersort declaration="R"/></variabledecl>`
	v, w := `<variable refvariable="v"/>`, `<variable refvariable="w"/>`
	element := `<partitionelementof refpartition="P"><subterm>` + v + `</subterm></partitionelementof>`
	one := `<finiteintrangeconstant value="1"><finiteintrange start="-1" end="2"/></finiteintrangeconstant>`
	page := place("p", "F", `<useroperator declaration="low"/>`) + place("r", "R", op("scalarproduct", `<numberconstant value="2"><positive/></numberconstant>`, op("numberof", one))) +
		transition("t", op("gtp", element, `<useroperator declaration="low"/>`)) + arc("p", "t", v) +
		transition("s", op("greaterthan", w, one)) + arc("r", "s", op("add", w))
	u, err := Unfold(t.Context(), symmetric(t, declarations, page), Limits{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	want := "p_f=1|p_g=1|p_h=0|r_-1=0|r_0=0|r_1=2|r_2=0|s_2: r_2 -> |t_h: p_h -> "
	if got := strings.Join(lines(u.Net), "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// slowPruned prunes an exact unfolding by going round until nothing changes.
func slowPruned(n *pnml.Net) []string {
	marked, fires := make([]bool, n.Places.Len()), make([]bool, n.Transitions.Len())
	for p, tokens := range n.Initial {
		marked[p] = tokens > 0
	}
	for changed := true; changed; {
		changed = false
		for t := range fires {
			pre, _ := n.Pre.Row(t)
			if fires[t] || slices.ContainsFunc(pre, func(p uint32) bool { return !marked[p] }) {
				continue
			}
			fires[t], changed = true, true
			post, _ := n.Post.Row(t)
			for _, p := range post {
				marked[p] = true
			}
		}
	}
	return linesOf(n, func(p int) bool { return marked[p] }, func(t int) bool { return fires[t] })
}

// TestCountDown: the sweeps and the count find the same.
func TestCountDown(t *testing.T) {
	for seed := range uint64(200) {
		s := symmetric(t, drawnSorts, (&drawing{rand.New(rand.NewPCG(seed, 0))}).page())
		b := &builder{net: s, limits: Limits{}.filled()}
		if err := errors.Join(b.placesOf(), b.compile()); err != nil {
			t.Fatal(err)
		}
		b.order()
		if err := b.size(); err != nil {
			t.Fatal(err)
		}
		b.emit()
		swept, counted := b.newFixPoint(), b.newFixPoint()
		swept.sweeps()
		counted.countDown()
		if !slices.Equal(swept.reached, counted.reached) || !slices.Equal(swept.fires, counted.fires) || swept.left != counted.left {
			t.Errorf("seed %d: %v and %v", seed, swept, counted)
		}
	}
}

// candidates returns the number of candidates and the net, after a restriction.
func candidates(t *testing.T, s *pnml.Symmetric, restrict func(b *builder)) (n int, kept []string) {
	t.Helper()
	b := &builder{net: s, limits: Limits{}.filled()}
	if err := errors.Join(b.placesOf(), b.compile()); err != nil {
		t.Fatal(err)
	}
	restrict(b)
	if err := b.size(); err != nil {
		t.Fatal(err)
	}
	b.emit()
	n = b.bindings.len()
	b.prune()
	return n, lines(b.result().Net)
}

// fewerCandidates tells how often a restriction leaves fewer candidates of drawn
// nets; it must not change the net that is left.
func fewerCandidates(t *testing.T, seeds, stream uint64, restrictions ...func(b *builder)) (fewer int) {
	t.Helper()
	for seed := range seeds {
		page := (&drawing{rand.New(rand.NewPCG(seed, stream))}).page()
		s := symmetric(t, drawnSorts, page)
		all, want := candidates(t, s, (*builder).order)
		for _, restrict := range restrictions {
			some, got := candidates(t, s, restrict)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: got\n%s\nwant\n%s\n%s", seed, strings.Join(got, "\n"), strings.Join(want, "\n"), page)
			}
			if some < all {
				fewer++
			}
		}
	}
	return fewer
}

// TestPairs: pairs of a small and a large component take away only what is never
// marked, and on a net of counters with bounds of their own, all of that.
func TestPairs(t *testing.T) {
	pairs := func(large uint64) func(b *builder) {
		return func(b *builder) { b.order(); b.pairs(2, large) }
	}
	if fewer := fewerCandidates(t, 4000, 2, pairs(3)); fewer < 5 {
		t.Errorf("only %d times were there fewer candidates", fewer)
	}
	sorts := `<namedsort id="K" name="K"><cyclicenumeration><feconstant id="one" name="one"/><feconstant id="two" name="two"/></cyclicenumeration></namedsort><variabledecl id="k" name="k"><usersort declaration="K"/></variabledecl>` +
		`<namedsort id="N" name="N"><finiteintrange start="0" end="99"/></namedsort><variabledecl id="n" name="n"><usersort declaration="N"/></variabledecl>` +
		`<namedsort id="KN" name="KN"><productsort><usersort declaration="K"/><usersort declaration="N"/></productsort></namedsort>`
	number := func(n string) string {
		return `<finiteintrangeconstant value="` + n + `"><finiteintrange start="0" end="99"/></finiteintrangeconstant>`
	}
	k, n := `<variable refvariable="k"/>`, `<variable refvariable="n"/>`
	s := symmetric(t, sorts, place("counter", "KN", op("add", op("tuple", `<useroperator declaration="one"/>`, number("9")), op("tuple", `<useroperator declaration="two"/>`, number("69"))))+place("stopped", "KN", "")+
		transition("count", op("greaterthan", n, number("0")))+arc("counter", "count", op("tuple", k, n))+arc("count", "counter", op("tuple", k, op("predecessor", n)))+
		transition("stop", "")+arc("counter", "stop", op("tuple", k, n))+arc("stop", "stopped", op("tuple", op("successor", k), n)))
	if all, _ := candidates(t, s, (*builder).order); all != 2*99+2*100 {
		t.Errorf("%d candidates without pairs", all)
	}
	if some, kept := candidates(t, s, pairs(100)); some != 9+69+10+70 || len(kept) != some+2*(10+70) {
		t.Errorf("%d candidates, %d nodes", some, len(kept))
	}
}

// TestRelations: tables of small components take away only what is never marked,
// and on a net whose pairs never meet themselves, all of that.
func TestRelations(t *testing.T) {
	relations := func(small uint64) func(b *builder) {
		return func(b *builder) { b.relate(small, 1); b.order() }
	}
	if fewer := fewerCandidates(t, 1000, 1, relations(2), relations(3)); fewer < 10 {
		t.Errorf("only %d times were there fewer candidates", fewer)
	}
	counted := abc + `<namedsort id="N" name="N"><finiteintrange start="1" end="100"/></namedsort><variabledecl id="n" name="n"><usersort declaration="N"/></variabledecl>` +
		`<namedsort id="LLN" name="LLN"><productsort><usersort declaration="L"/><usersort declaration="L"/><usersort declaration="N"/></productsort></namedsort>`
	n := `<variable refvariable="n"/>`
	s := symmetric(t, counted, place("idle", "L", all)+place("busy", "LLN", "")+place("numbers", "N", `<all><usersort declaration="N"/></all>`)+
		transition("begin", op("inequality", x, y))+arc("idle", "begin", x)+arc("numbers", "begin", n)+arc("begin", "busy", op("tuple", x, y, n))+
		transition("end", "")+arc("busy", "end", op("tuple", x, y, n)))
	if all, _ := candidates(t, s, (*builder).order); all != 600+900 {
		t.Errorf("%d candidates without relations", all)
	}
	if some, kept := candidates(t, s, relations(16)); some != 600+600 || len(kept) != some+3+600+100 {
		t.Errorf("%d candidates, %d nodes", some, len(kept))
	}
}

// realModels calls do with the symmetric nets of a folder of the real data.
func realModels(t testing.TB, folder string, do func(name string, s *pnml.Symmetric)) {
	data := realdata.Dir(t)
	if folder != "instances" {
		data = realdata.Contest(t)
	}
	archives, _ := filepath.Glob(filepath.Join(data, folder, "*-COL-*.tgz"))
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".tgz")
		do(name, model(t, path, name).Symmetric)
	}
}

func model(t testing.TB, path, name string) *pnml.Document {
	doc, diags := pnml.Read(bytes.NewReader(archived(t, path, "model.pnml")), name)
	if diags.Err() != nil {
		t.Fatal(diags)
	}
	return doc
}

// archived returns one file of an archive, nil when it is not there.
func archived(t testing.TB, path, file string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err == io.EOF {
			return nil
		} else if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(h.Name) == file {
			b, err := io.ReadAll(tr)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
	}
}

// TestPrunedPartOfExact compares the pruned unfolding of every real net with the
// exact one, pruned slowly.
func TestPrunedPartOfExact(t *testing.T) {
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		exact, err := Unfold(t.Context(), s, Limits{Exact: true, Transitions: 100_000})
		if large := (*TooLarge)(nil); errors.As(err, &large) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		pruned, err := Unfold(t.Context(), s, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := lines(pruned.Net), slowPruned(exact.Net); !slices.Equal(got, want) {
			t.Errorf("%s: pruned has %d nodes, want %d", name, len(got), len(want))
		}
	})
}

// TestTwins compares with the P/T twins of the contest: those that hold all nodes
// of the exact unfolding, and those that leave out dead ones.
func TestTwins(t *testing.T) {
	want := map[string]struct {
		exact                     bool
		places, transitions, arcs int
	}{
		"AirplaneLD-COL-0010":        {true, 89, 88, 333},
		"BART-COL-002":               {false, 474 + 62, 404, 3240}, // the twin has no places for the tables' unused rows
		"CSRepetitions-COL-02":       {true, 23, 28, 92},
		"CryptoMiner-COL-D03N000":    {true, 8, 8, 22},
		"DrinkVendingMachine-COL-02": {true, 24, 72, 440},
		"PermAdmissibility-COL-01":   {false, 168, 592, 3456},
		"Peterson-COL-2":             {false, 102, 126, 384},
	}
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		w, ok := want[name]
		if !ok {
			return
		}
		u, err := Unfold(t.Context(), s, Limits{Exact: w.exact})
		if err != nil {
			t.Fatal(err)
		}
		n := u.Net
		if n.Places.Len() != w.places || n.Transitions.Len() != w.transitions || n.Pre.Len()+n.Post.Len() != w.arcs {
			t.Errorf("%s: got %d places, %d transitions, %d arcs, want %v", name, n.Places.Len(), n.Transitions.Len(), n.Pre.Len()+n.Post.Len(), w)
		}
	})
}

// TestTwinNets compares the pruned unfolding with every P/T twin, pruned too: as
// a whole where the twin follows the convention of ids, else but for what is
// said.
func TestTwinNets(t *testing.T) {
	deviations := map[string]string{
		"CryptoMiner-COL-D03N000":    "all ids", // ids of constants instead of names; transitions numbered
		"DrinkVendingMachine-COL-02": "transitions",
		"NeoElection-COL-2":          "transitions",
	}
	realdata.Contest(t)
	compared := 0
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		twin := strings.Replace(name, "-COL-", "-PT-", 1)
		path := filepath.Join(realdata.Contest(t), "instances", twin+".tgz")
		if _, err := os.Stat(path); err != nil {
			return
		}
		want := model(t, path, twin).Net
		u, err := Unfold(t.Context(), s, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if deviations[name] == "all ids" {
			if u.Net.StructureHash() != want.StructureHash() {
				t.Errorf("%s: the unfolding is not the twin", name)
			}
			return
		}
		a, b := lines(u.Net), slowPruned(want)
		if deviations[name] == "transitions" {
			a, b = withoutIDs(a), withoutIDs(b)
		}
		if !slices.Equal(a, b) {
			t.Errorf("%s: the unfolding is not the twin", name)
		}
	})
	if compared == 0 {
		t.Error("no net has a twin")
	}
}

// withoutIDs takes the ids of transitions from lines.
func withoutIDs(list []string) []string {
	for k, line := range list {
		if _, arcs, ok := strings.Cut(line, ": "); ok {
			list[k] = arcs
		}
	}
	slices.Sort(list)
	return list
}

// TestWritten: an unfolded net that is written and read again is the same.
func TestWritten(t *testing.T) {
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		u, err := Unfold(t.Context(), s, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := u.Net.Write(&b); err != nil {
			t.Fatal(err)
		}
		doc, diags := pnml.Read(&b, name)
		if diags.Err() != nil {
			t.Fatal(diags)
		}
		if !slices.Equal(lines(doc.Net), lines(u.Net)) {
			t.Errorf("%s: written and read again differs", name)
		}
		if doc.Net.StructureHash() != u.Net.StructureHash() {
			t.Errorf("%s: the hash differs", name)
		}
	})
}

// twinsArePruned lists the nets whose P/T twins leave out what can never be
// marked; the contest's tables speak of the twins.
var twinsArePruned = []string{"Peterson-COL-2", "PolyORBNT-COL-S10J40"}

// TestVerdicts compares the structural properties of exact unfoldings (or of
// pruned ones, where the twins are) with the contest's tables.
func TestVerdicts(t *testing.T) {
	compared := 0
	realModels(t, "instances", func(name string, s *pnml.Symmetric) {
		u, err := Unfold(t.Context(), s, Limits{Exact: !slices.Contains(twinsArePruned, name), Transitions: 100_000})
		if large := (*TooLarge)(nil); errors.As(err, &large) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		table := verdicts(t, name)
		for _, p := range u.Net.Properties() {
			value, decided := table[p.Name]
			if !decided || p.Name == "NESTED_UNITS" { // the twin has them, not the coloured net
				continue
			}
			if compared++; value != p.Holds {
				t.Errorf("%s %s: got %v (%s), the table says %v", name, p.Name, p.Holds, p.Witness, value)
			}
		}
	})
	if compared < 100 {
		t.Errorf("only %d verdicts were compared", compared)
	}
}

// verdicts returns the decided properties of the contest's table of an instance.
func verdicts(t *testing.T, name string) map[string]bool {
	var table struct {
		Verdicts []struct {
			Reference string `xml:"reference,attr"`
			Value     string `xml:"value,attr"`
		} `xml:"verdict"`
	}
	if text := archived(t, filepath.Join(realdata.Contest(t), "instances", name+".tgz"), "GenericPropertiesVerdict.xml"); text != nil {
		if err := xml.Unmarshal(text, &table); err != nil {
			t.Fatal(err)
		}
	}
	decided := map[string]bool{}
	for _, v := range table.Verdicts {
		if v.Value == "true" || v.Value == "false" {
			decided[v.Reference] = v.Value == "true"
		}
	}
	return decided
}

func TestMapBack(t *testing.T) {
	s := symmetric(t, abc, place("p", "L", all)+place("q", "LL", "")+transition("t", op("inequality", x, y))+arc("p", "t", x)+arc("t", "q", op("tuple", x, y)))
	u, err := Unfold(t.Context(), s, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range u.Net.Places.Len() {
		p, colour := u.PlaceOf(i)
		if from, to := u.PlacesOf(p); i < from || i >= to {
			t.Errorf("place %d is not in [%d, %d)", i, from, to)
		}
		if p == 1 && colour%4 == 0 {
			t.Errorf("colour %d of q is never there", colour)
		}
	}
	for i := range u.Net.Transitions.Len() {
		tr, values := u.TransitionOf(i)
		if from, to := u.TransitionsOf(tr); i < from || i >= to || len(values) != len(u.Variables(tr)) {
			t.Errorf("transition %d is not in [%d, %d)", i, from, to)
		}
		want := "t_" + s.Sorts[0].Constants[values[0]].Name + "_" + s.Sorts[0].Constants[values[1]].Name
		if got := u.Net.Transitions.At(i); got != want {
			t.Errorf("transition %d is %s, want %s", i, got, want)
		}
		if k, ok := u.Net.Transitions.Find(want); !ok || k != i {
			t.Errorf("Find(%s) gives %d, %v", want, k, ok)
		}
	}
}

func TestDistinctNames(t *testing.T) {
	s := symmetric(t, abc, place("p", "LL", op("tuple", all, all))+place("p_a", "L", all)+transition("p_b", "")+transition("t", "")+
		arc("p_a", "t", x)+arc("p", "p_b", op("tuple", x, y)))
	u, err := Unfold(t.Context(), s, Limits{Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, names := range []*pnml.Names{&u.Net.Places, &u.Net.Transitions} {
		for i := range names.Len() {
			if id := names.At(i); seen[id] {
				t.Errorf("id %s is used twice", id)
			} else {
				seen[id] = true
			}
		}
	}
}

func TestRefusal(t *testing.T) {
	s := symmetric(t, abc, place("p", "L", all)+transition("t", op("lessthan", x, y))+arc("p", "t", op("add", x, y)))
	for what, limits := range map[string]Limits{"places": {Places: 2}, "transitions": {Transitions: 2}, "arcs": {Arcs: 5}, "steps": {Steps: 4}} {
		_, err := Unfold(t.Context(), s, limits)
		large := (*TooLarge)(nil)
		if !errors.As(err, &large) || !strings.Contains(large.What, what) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	if _, err := Unfold(t.Context(), s, Limits{Places: 3, Transitions: 3, Arcs: 6, Steps: 100}); err != nil {
		t.Error(err)
	}
}
