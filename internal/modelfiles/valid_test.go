package modelfiles

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/internal/explorer/simplify"
	"podium/internal/nettest"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
	"podium/pnml/unfold"
)

// hostile are names that people give: those of colours may be any text, those of nodes are ids or nearly so.
var (
	hostileColours = []string{"a b", "a:b", "(1,2)", "*", "1", "0", "é", "×", "", " ", "a b", "-", "..", "a_b", "&lt;", "&quot;", "日本", "😀", "x", "y1", "p__p1"}
	hostileIDs     = []string{"0", "a b", "a:b", "*", "p", "p_1", "p__p0", "p_", "t__t1", "_", "é", "2x", "a_b", "x'y", "-", "日本"}
)

// hostileNet is a coloured net with such names.
func hostileNet(rng *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="page">`)
	ids := rng.Perm(len(hostileIDs))[:6]
	id := func(k int) string { return hostileIDs[ids[k]] }
	for k := range 3 {
		fmt.Fprintf(&b, `<place id="%s"><type><structure><usersort declaration="%s"/></structure></type><hlinitialMarking><structure><numberof><subterm><numberconstant value=" +2 "><positive/></numberconstant></subterm><subterm><all><usersort declaration=" %[2]s"/></all></subterm></numberof></structure></hlinitialMarking></place>`, id(k), []string{"L", "LM", "L"}[k])
	}
	terms := []string{`<variable refvariable="x"/>`, `<tuple><subterm><variable refvariable="x"/></subterm><subterm><variable refvariable="y"/></subterm></tuple>`, `<successor><subterm><variable refvariable="x"/></subterm></successor>`}
	for k := 3; k < 6; k++ {
		fmt.Fprintf(&b, `<transition id="%s"><condition><structure><booleanconstant value="true"/></structure></condition></transition>`, id(k))
		for p := range 3 {
			fmt.Fprintf(&b, `<arc id="in%d.%d" source=" %s" target="%s "><hlinscription><structure>%s</structure></hlinscription></arc>`, k, p, id(p), id(k), terms[p])
		}
	}
	b.WriteString(`</page><declaration><structure><declarations>`)
	for s, sort := range []string{"L", "M"} {
		fmt.Fprintf(&b, `<namedsort id="%s" name="%[1]s"><cyclicenumeration>`, sort)
		for k := range 1 + rng.IntN(4) {
			fmt.Fprintf(&b, `<feconstant id="c%d.%d" name="%s"/>`, s, k, hostileColours[rng.IntN(len(hostileColours))])
		}
		b.WriteString(`</cyclicenumeration></namedsort>`)
	}
	b.WriteString(`<namedsort id="LM" name="LM"><productsort><usersort declaration="L"/><usersort declaration="M"/></productsort></namedsort>` +
		`<variabledecl id="x" name="x"><usersort declaration="L"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="M"/></variabledecl></declarations></structure></declaration></net></pnml>`)
	return b.String()
}

// TestWrittenNetsAreValid: whatever names a net has, what is unfolded or stripped of it has ids of XML, all
// different, and the grammar takes it.
func TestWrittenNetsAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	dir, written := t.TempDir(), map[string][]string{}
	write := func(schema, name string, do func(w io.Writer) error) {
		var b bytes.Buffer
		if err := do(&b); err != nil {
			t.Fatal(name, err)
		}
		if _, found := pnml.Read(bytes.NewReader(b.Bytes()), name); len(found) > 0 {
			t.Errorf("%v\n%s", found, &b)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		written[schema] = append(written[schema], path)
	}
	for k := range 60 {
		source := filepath.Join(dir, fmt.Sprintf("%dHostile-COL-%d.pnml", k%10, k))
		if err := os.WriteFile(source, []byte(hostileNet(rng)), 0o600); err != nil {
			t.Fatal(err)
		}
		opened, err := models.Open(source)
		if err != nil {
			t.Fatal(err)
		}
		i := opened.Instances[0]
		for _, exact := range []bool{false, true} {
			u, err := Unfold(t.Context(), i, models.ID{}, exact)
			if err != nil {
				t.Fatal(err)
			}
			write("ptnet.pntd", fmt.Sprintf("unfolded-%d-%v.pnml", k, exact), u.WriteNet)
		}
		stripped := models.ID{Family: "0", Kind: models.COL, Param: fmt.Sprint(k)}
		if _, err := models.Strip(i, dir, models.StripOptions{ID: stripped}); err != nil {
			t.Fatal(err)
		}
		write("symmetricnet.pntd", fmt.Sprintf("stripped-%d.pnml", k), func(w io.Writer) error {
			content, err := os.ReadFile(filepath.Join(dir, stripped.String(), models.ModelFile))
			if err == nil {
				_, err = w.Write(content)
			}
			return err
		})
	}
	grammar := filepath.Join(realdata.Contest(t), "pnml-grammar")
	if _, err := exec.LookPath("jing"); err != nil {
		t.Skip("the program jing is not here: make test installs it")
	}
	for schema, paths := range written {
		if out, err := exec.Command("jing", append([]string{"-i", filepath.Join(grammar, schema)}, paths...)...).Output(); err != nil {
			t.Errorf("%s: %v\n%s", schema, err, out)
		}
	}
}

// TestNothingIsAskedTwice: no file of generated formulas has a copy, where the net has
// enough to ask.
func TestNothingIsAskedTwice(t *testing.T) {
	dir := t.TempDir()
	if err := Write(t.Context(), dir, Short(), 11, false); err != nil {
		t.Fatal(err)
	}
	for _, c := range Short() {
		for _, file := range examinations.FormulaFiles() {
			exam, _ := examinations.ParseID(strings.TrimSuffix(file, ".xml"))
			properties, found := formula.ReadFile(filepath.Join(dir, c.ID().String(), file), exam)
			if found.Err() != nil {
				t.Fatal(found)
			}
			if c.Family.Name == "EnzymeKinetics" && exam == examinations.UpperBounds {
				continue // four places have 15 bounds
			}
			if copies := simplify.Copies(properties, exam); len(copies) > 0 {
				t.Errorf("%s %s: %v", c.ID(), file, copies)
			}
		}
	}
}

// TestTrivialOfLargeNets: formulas of a large net are not explored.
func TestTrivialOfLargeNets(t *testing.T) {
	for places, explored := range map[int]bool{8: true, filterArcs: false} {
		if filter := trivial(t.Context(), unfold.Plain(nettest.Ring(places, 3)), examinations.ReachabilityCardinality, filterMarkings); (filter != nil) != explored {
			t.Errorf("%d places: explored %v", places, filter != nil)
		}
	}
}
