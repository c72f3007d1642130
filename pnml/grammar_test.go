package pnml

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml/diagnostic"
)

// node is an element of a document that a test changes, or a text, which has no name.
type node struct {
	name     string
	attrs    []string // name="value"
	text     string
	children []*node
	parent   *node
}

var markup = regexp.MustCompile(`(?s)<!--.*?-->|<\?.*?\?>|<[^>]+>|[^<]+`)

// tree reads a document that is written plainly.
func tree(document string) *node {
	root := &node{}
	open := root
	for _, token := range markup.FindAllString(document, -1) {
		switch {
		case strings.HasPrefix(token, "<!") || strings.HasPrefix(token, "<?"):
		case strings.HasPrefix(token, "</"):
			open = open.parent
		case strings.HasPrefix(token, "<"):
			inside := strings.Trim(token, "</>")
			name, attrs, _ := strings.Cut(strings.ReplaceAll(inside, "\n", " "), " ")
			n := &node{name: name, attrs: regexp.MustCompile(`[^\s=]+\s*=\s*("[^"]*"|'[^']*')`).FindAllString(attrs, -1), parent: open}
			open.children = append(open.children, n)
			if !strings.HasSuffix(token, "/>") {
				open = n
			}
		case strings.TrimSpace(token) != "":
			open.children = append(open.children, &node{text: token, parent: open})
		}
	}
	return root.children[0]
}

func (n *node) write(b *strings.Builder) {
	if n.name == "" {
		b.WriteString(n.text)
		return
	}
	b.WriteString("<" + n.name)
	for _, a := range n.attrs {
		b.WriteString(" " + a)
	}
	b.WriteString(">")
	for _, c := range n.children {
		c.write(b)
	}
	b.WriteString("</" + n.name + ">\n")
}

func (n *node) copy() *node {
	c := *n
	c.attrs = slices.Clone(n.attrs)
	c.children = nil
	for _, k := range n.children {
		k = k.copy()
		k.parent = &c
		c.children = append(c.children, k)
	}
	return &c
}

// all lists an element and those in it.
func (n *node) all(list []*node) []*node {
	list = append(list, n)
	for _, c := range n.children {
		if c.name != "" {
			list = c.all(list)
		}
	}
	return list
}

func (n *node) index() int { return slices.Index(n.parent.children, n) }

func (n *node) insert(at int, c *node) {
	c.parent = n
	n.children = slices.Insert(n.children, at, c)
}

// mutations are kinds of changes of an element n among others.
var mutations = map[string]func(rng *rand.Rand, n *node, others []*node){
	"delete": func(_ *rand.Rand, n *node, _ []*node) {
		n.parent.children = slices.Delete(n.parent.children, n.index(), n.index()+1)
	},
	"double": func(_ *rand.Rand, n *node, _ []*node) { n.parent.insert(n.index(), n.copy()) },
	"rename": func(rng *rand.Rand, n *node, others []*node) {
		n.name = pick(rng, append(slices.Sorted(maps.Keys(nameNumbers)), "labels", "value", strings.ToUpper(n.name), n.name+"s", pick(rng, others).name))
	},
	"copy elsewhere": func(rng *rand.Rand, n *node, others []*node) {
		to := pick(rng, others)
		to.insert(rng.IntN(len(to.children)+1), n.copy())
	},
	"move": func(rng *rand.Rand, n *node, _ []*node) { n.parent.parent.insert(0, n.copy()); remove(n) },
	"order": func(rng *rand.Rand, n *node, _ []*node) {
		rng.Shuffle(len(n.children), func(i, j int) { n.children[i], n.children[j] = n.children[j], n.children[i] })
	},
	"wrap": func(rng *rand.Rand, n *node, others []*node) {
		wrap(n, pick(rng, []string{n.name, n.name, "x", pick(rng, others).name}))
	},
	"unwrap": func(_ *rand.Rand, n *node, _ []*node) {
		n.parent.children = slices.Replace(n.parent.children, n.index(), n.index()+1, n.children...)
	},
	"namespace": func(rng *rand.Rand, n *node, _ []*node) {
		if rng.IntN(2) == 0 {
			n.name = "y:" + n.name
			n.attrs = append(n.attrs, `xmlns:y="urn:y"`)
		} else {
			n.attrs = append(n.attrs, pick(rng, []string{`xmlns="urn:y"`, `xmlns=""`, `xmlns="` + pnmlNamespace + `"`}))
		}
	},
	"attribute": func(rng *rand.Rand, n *node, others []*node) {
		n.attrs = append(n.attrs, pick(rng, []string{`colour="red"`, `lang="en"`, `xmlns:y="urn:y" y:z="1"`, `value0="3"`, `comment="x"`, `xml:space="preserve"`}))
	},
	"attribute gone": func(rng *rand.Rand, n *node, _ []*node) {
		if len(n.attrs) > 0 {
			n.attrs = slices.Delete(n.attrs, 0, 1)
		}
	},
	"attribute renamed": func(rng *rand.Rand, n *node, _ []*node) {
		if k := len(n.attrs); k > 0 {
			i := rng.IntN(k)
			name, value, _ := strings.Cut(n.attrs[i], "=")
			names := slices.DeleteFunc([]string{strings.ToUpper(name), name + "s", "y", "ref"}, func(other string) bool {
				return slices.ContainsFunc(n.attrs, func(a string) bool { return strings.HasPrefix(a, other+"=") }) // no file of XML
			})
			n.attrs[i] = pick(rng, names) + "=" + value
		}
	},
	"value": func(rng *rand.Rand, n *node, _ []*node) {
		if k := len(n.attrs); k > 0 {
			i := rng.IntN(k)
			name, value, _ := strings.Cut(n.attrs[i], "=")
			n.attrs[i] = name + "=" + pick(rng, []string{`""`, `"1"`, `"+1"`, `" 2 "`, `"a b"`, `"-3"`, `"1.5"`, `"x,y"`, `" ` + strings.Trim(value, `"'`) + ` "`})
		}
	},
	"text": func(rng *rand.Rand, n *node, _ []*node) {
		n.insert(rng.IntN(len(n.children)+1), &node{text: pick(rng, []string{"x", "1", " \n ", "<!-- x -->", "&#160;", "<![CDATA[ ]]>"})})
	},
	"number": func(rng *rand.Rand, n *node, _ []*node) {
		for _, c := range n.children {
			if c.name == "" {
				c.text = pick(rng, []string{"+3", " 3 ", "-0", "0", "03", "x", "", "3.0", "1e3", "&#160;4", "4 4"})
			}
		}
	},
}

// worth reports whether a change of a kind may make a difference at an element.
func worth(kind string, n *node) bool {
	switch kind {
	case "number":
		return n.name == "text" && n.parent.name != "name" || strings.HasSuffix(n.parent.name, "Marking")
	case "order":
		return len(n.children) > 1
	case "attribute gone", "attribute renamed", "value":
		return len(n.attrs) > 0
	}
	return true
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

func remove(n *node) { n.parent.children = slices.Delete(n.parent.children, n.index(), n.index()+1) }

func wrap(n *node, name string) {
	outer := &node{name: name, parent: n.parent}
	if name == n.name {
		outer.attrs = slices.Clone(n.attrs)
	}
	n.parent.children[n.index()] = outer
	outer.children, n.parent = []*node{n}, outer
}

// judges asks the validators about files: those that one of them refuses, with what it says.
// Jing judges structure, and xmllint ids: of structure it refuses valid files, such as sections
// of tools between nodes.
func judges(t *testing.T, schema string, files []string) map[string]string {
	refused := map[string]string{}
	last := filepath.Join(t.TempDir(), "last.pnml")
	if err := os.WriteFile(last, []byte("<refused/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := func(finding string, command ...string) {
		out, _ := exec.Command(command[0], command[1:]...).CombinedOutput() // exit code 1 where one is refused
		for _, m := range regexp.MustCompile("(?m)"+finding).FindAllStringSubmatch(string(out), -1) {
			if refused[m[1]] == "" {
				refused[m[1]] = m[2]
			}
		}
	}
	for chunk := range slices.Chunk(files, 500) {
		delete(refused, last)
		ask(`^(.*?):\d+:\d+: (?:error|fatal): (.*)$`, append(append([]string{"jing", "-i", schema}, chunk...), last)...)
		if refused[last] == "" {
			t.Fatal("jing did not come to the last file")
		}
		ask(`^(.*?):\d+: .*(ID .* redefined)$`, append([]string{"xmllint", "--noout", "--relaxng", schema}, chunk...)...)
	}
	return refused
}

// ofStructure are the codes of what the grammar says.
var ofStructure = []string{"pnml-unknown-element", "pnml-duplicate-label", "pnml-order", "pnml-missing", "pnml-attribute", "pnml-value", "pnml-stray-text", "pnml-namespace", "pnml-id-missing", "pnml-id-form", "pnml-no-page", "pnml-behaviour", "pnml-arc-type"}

// TestGrammar compares the table with the standard's own grammar, as two validators read
// it, on small changes of models of the contest: nothing that it refuses is silent, and nothing that it
// takes is refused for its structure.
func TestGrammar(t *testing.T) {
	dir := filepath.Join(realdata.Contest(t), "pnml-grammar")
	for _, program := range []string{"jing", "xmllint"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("the program " + program + " is not here: make test installs it")
		}
	}
	changes := 60
	if os.Getenv("PODIUM_SOAK") != "" {
		changes = 1500
	}
	type count struct{ errors, warnings, valid int }
	counts := map[string]*count{}
	for schema, models := range map[string][]string{
		"ptnet.pntd":        {"Parking-PT-104", "TwoPhaseLocking-PT-nC00010vN", "EGFr-PT-02010"},
		"symmetricnet.pntd": {"Peterson-COL-2", "TokenRing-COL-005", "PolyORBNT-COL-S10J40", "BART-COL-002", "CSRepetitions-COL-02", "UtilityControlRoom-COL-Z2T3N04"},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		folder := t.TempDir()
		kinds := map[string]string{}
		var files []string
		seeds := seedModels(t, models)
		for _, kind := range slices.Sorted(maps.Keys(mutations)) {
			for i := range changes / 2 {
				root := seeds[len(seeds)-1]
				if i%3 > 0 {
					root = pick(rng, seeds)
				}
				root = root.copy()
				all := root.all(nil)
				inner := slices.DeleteFunc(slices.Clone(all), func(n *node) bool { return n == root || n.parent == root || !worth(kind, n) })
				mutations[kind](rng, pick(rng, inner), all[1:])
				var b strings.Builder
				root.write(&b)
				path := filepath.Join(folder, fmt.Sprintf("%s-%d.pnml", strings.ReplaceAll(kind, " ", "-"), i))
				if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
				files = append(files, path)
				kinds[path] = kind
			}
		}
		refused := judges(t, filepath.Join(dir, schema), files)
		for _, path := range files {
			model, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, found := sameAsEvents(t, model)
			c := counts[kinds[path]]
			if c == nil {
				c = &count{}
				counts[kinds[path]] = c
			}
			structural := slices.DeleteFunc(slices.Clone(found), func(d diagnostic.Diagnostic) bool {
				return d.Severity != diagnostic.Error || !slices.Contains(ofStructure, d.Code)
			})
			switch why, no := refused[path]; {
			case no && len(found) == 0:
				t.Errorf("%s is refused, and nothing is said of it: %s\n%s", filepath.Base(path), why, excerptOf(model, seeds))
			case no && found.Err() != nil:
				c.errors++
			case no:
				c.warnings++
			case len(structural) > 0:
				t.Errorf("%s is valid: %v\n%s", filepath.Base(path), structural, excerptOf(model, seeds))
			default:
				c.valid++
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		c := counts[kind]
		t.Logf("%-18s refused: %4d errors, %3d warnings; valid: %4d", kind, c.errors, c.warnings, c.valid)
	}
}

// seedModels reads models of the contest, and one that holds what they do not, as far as small
// ones have it.
func seedModels(t *testing.T, names []string) (seeds []*node) {
	realModels(t, "instances", func(name string, model []byte) {
		if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(name, n) }) {
			root := tree(string(model))
			shorten(root)
			seeds = append(seeds, root)
		}
	})
	if strings.Contains(names[0], "-COL-") {
		seeds = append(seeds, tree(everySort))
	} else {
		seeds = append(seeds, tree(everyLabel))
	}
	if len(seeds) < 3 {
		t.Fatalf("%d models", len(seeds))
	}
	return seeds
}

// shorten leaves a few children of a kind in each element.
func shorten(n *node) {
	seen := map[string]int{}
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		seen[c.name]++
		return c.name != "" && seen[c.name] > 12 && (n.name == "page" || n.name == "structure")
	})
	for _, c := range n.children {
		shorten(c)
	}
}

// excerptOf shows where a model differs from the one that it was made of.
func excerptOf(model []byte, seeds []*node) string {
	best := 0
	for _, s := range seeds {
		var b strings.Builder
		s.write(&b)
		k := 0
		for k < min(len(model), b.Len()) && model[k] == b.String()[k] {
			k++
		}
		best = max(best, k)
	}
	return string(model[max(0, best-150):min(len(model), best+250)])
}

// everyLabel is a P/T net with all that the grammar has for it.
const everyLabel = `<pnml xmlns="` + pnmlNamespace + `"><net id="n" type="` + ptNetType + `"><name><text>n</text></name><toolspecific tool="x" version="1"><a b="1">t<c/></a></toolspecific>` +
	`<page id="g"><name><text>g</text><graphics><offset x="1" y="-2.50"/><fill color="red" gradient-rotation="vertical"/><line shape="line" style="dash" width="1.5"/><font family="x" align="left" rotation="90"/></graphics></name>` +
	`<graphics><position x="1" y="2"/><dimension x="30.5" y="4"/><fill image="x.png"/><line color="black"/></graphics>` +
	`<place id="p"><name><text>p</text></name><initialMarking><text>2</text><graphics><offset x="0" y="0"/></graphics><toolspecific tool="x" version="1"/></initialMarking></place>` +
	`<transition id="t"><graphics><position x="1" y="2"/></graphics><toolspecific tool="x" version="1"/></transition>` +
	`<arc id="a" source="p" target="t"><name/><inscription><text>1</text></inscription><graphics><position x="1" y="2"/><position x="1" y="3"/><line/></graphics><toolspecific tool="x" version="1"/></arc>` +
	`<page id="g2"><referencePlace id="r" ref="p"><name><text>r</text></name><toolspecific tool="x" version="1"/><graphics><position x="1" y="2"/></graphics></referencePlace>` +
	`<referenceTransition id="s" ref="t"/><arc id="b" source="s" target="r"/></page></page></net></pnml>`

// everySort is a symmetric net with all sorts and operators.
const everySort = `<pnml xmlns="` + pnmlNamespace + `"><net id="n" type="` + symmetricType + `"><page id="g">` +
	`<place id="p"><type><text>P</text><structure><usersort declaration="P"/></structure></type><hlinitialMarking><structure><add><subterm><numberof><subterm><numberconstant value="2"><positive/></numberconstant></subterm><subterm><tuple>` +
	`<subterm><useroperator declaration="c1"/></subterm><subterm><finiteintrangeconstant value="2"><finiteintrange start="1" end="3"/></finiteintrangeconstant></subterm></tuple></subterm></numberof></subterm>` +
	`<subterm><subtract><subterm><all><usersort declaration="P"/></all></subterm><subterm><empty><usersort declaration="P"/></empty></subterm></subtract></subterm></add></structure></hlinitialMarking></place>` +
	`<transition id="t"><condition><text>x</text><structure><and><subterm><imply><subterm><equality><subterm><variable refvariable="x"/></subterm><subterm><successor><subterm><variable refvariable="x"/></subterm></successor></subterm></equality></subterm>` +
	`<subterm><booleanconstant value="true"/></subterm></imply></subterm><subterm><gtp><subterm><partitionelementof refpartition="Q"><subterm><variable refvariable="x"/></subterm></partitionelementof></subterm><subterm><useroperator declaration="q1"/></subterm></gtp></subterm>` +
	`<subterm><not><subterm><lessthan><subterm><variable refvariable="r"/></subterm><subterm><variable refvariable="r"/></subterm></lessthan></subterm></not></subterm></and></structure></condition></transition>` +
	`<arc id="a" source="p" target="t"><hlinscription><structure><tuple><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="r"/></subterm></tuple></structure></hlinscription></arc>` +
	`<declaration><structure><declarations><namedsort id="D" name="D"><dot/></namedsort></declarations></structure></declaration></page>` +
	`<declaration><text>all</text><structure><declarations><namedsort id="C" name="C"><cyclicenumeration><feconstant id="c1" name="1"/><feconstant id="c2" name="2"/></cyclicenumeration></namedsort>` +
	`<namedsort id="F" name="F"><finiteenumeration><feconstant id="f1" name="1"/></finiteenumeration></namedsort><namedsort id="R" name="R"><finiteintrange start="1" end="3"/></namedsort>` +
	`<namedsort id="P" name="P"><productsort><usersort declaration="C"/><usersort declaration="R"/></productsort></namedsort>` +
	`<partition id="Q" name="Q"><usersort declaration="C"/><partitionelement id="q1" name="1"><useroperator declaration="c1"/></partitionelement><partitionelement id="q2" name="2"><useroperator declaration="c2"/></partitionelement></partition>` +
	`<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl><variabledecl id="r" name="r"><usersort declaration="R"/></variabledecl></declarations></structure></declaration></net></pnml>`

// TestGrammarHoldsSeeds: the nets above are read without a finding.
func TestGrammarHoldsSeeds(t *testing.T) {
	for _, model := range []string{everyLabel, everySort} {
		if _, found := Read(strings.NewReader(model), "f"); len(found) > 0 {
			t.Error(found)
		}
		var b strings.Builder
		tree(model).write(&b)
		if _, found := Read(bytes.NewReader([]byte(b.String())), "f"); len(found) > 0 {
			t.Error(found)
		}
	}
}
