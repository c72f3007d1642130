package formula

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"podium/examinations"
	"podium/internal/realdata"
	"podium/pnml/diagnostic"
)

// set wraps formulas into a file, one property per formula.
func set(formulas ...string) string {
	var b strings.Builder
	b.WriteString("<property-set xmlns=\"http://mcc.lip6.fr/\">\n")
	for i, f := range formulas {
		fmt.Fprintf(&b, "<property><id>f%d</id><description>d</description><formula>%s</formula></property>\n", i, f)
	}
	b.WriteString("</property-set>\n")
	return b.String()
}

const (
	le     = "<integer-le><integer-constant>1</integer-constant><tokens-count><place>p0</place></tokens-count></integer-le>"
	fires  = "<is-fireable><transition>t0</transition></is-fireable>"
	wanted = `1 <= tokens-count("p0")`
)

// TestReadFormulas reads the elements of all schemas.
func TestReadFormulas(t *testing.T) {
	two := "<integer-constant>1</integer-constant><tokens-count><place>p0</place></tokens-count>"
	for _, c := range []struct{ xml, want, codes string }{
		{le, wanted, ""},
		{"<exists-path><finally>" + fires + "</finally></exists-path>", `E (F (is-fireable("t0")))`, ""},
		{"<all-paths><until><reach>" + le + "</reach><before><deadlock/></before></until></all-paths>", `A ((deadlock) U (` + wanted + `))`, ""},
		{"<place-bound><place>p0</place><place> p1 </place></place-bound>", `bound("p0", "p1")`, ""},
		{"<integer-le><integer-sum><integer-constant>1</integer-constant><integer-constant>2</integer-constant><integer-constant>3</integer-constant></integer-sum><integer-difference>" + two + "</integer-difference></integer-le>",
			`(1 + 2 + 3) <= (1 - tokens-count("p0"))`, ""},
		{"<m:conjunction xmlns:m=\"http://mcc.lip6.fr/\">" + le + le + le + "</m:conjunction>", "(" + wanted + ") & (" + wanted + ") & (" + wanted + ")", ""},
		// Aliases and the schema of 2014.
		{"<and>" + le + le + "</and>", "(" + wanted + ") & (" + wanted + ")", "formula-old-schema"},
		{"<or>" + le + "</or>", wanted, "formula-old-schema formula-single-operand"},
		{"<not><true/></not>", "! (true)", "formula-old-schema"},
		{"<invariant><false/></invariant>", "A (G (false))", "formula-old-schema"},
		{"<possibility>" + le + "</possibility>", "E (F (" + wanted + "))", "formula-old-schema"},
		{"<impossibility>" + le + "</impossibility>", "A (G (! (" + wanted + ")))", "formula-old-schema"},
		{"<implication>" + fires + "<deadlock/></implication>", `(! (is-fireable("t0"))) | (deadlock)`, "formula-old-schema"},
		{"<equivalence>" + fires + "<deadlock/></equivalence>", `((is-fireable("t0")) & (deadlock)) | ((! (is-fireable("t0"))) & (! (deadlock)))`, "formula-old-schema"},
		{"<exclusive-disjunction>" + fires + "<deadlock/></exclusive-disjunction>", `((is-fireable("t0")) & (! (deadlock))) | ((! (is-fireable("t0"))) & (deadlock))`, "formula-old-schema"},
		{"<integer-eq>" + two + "</integer-eq>", `(1 <= tokens-count("p0")) & (tokens-count("p0") <= 1)`, "formula-old-schema"},
		{"<integer-ne>" + two + "</integer-ne>", `(! (1 <= tokens-count("p0"))) | (! (tokens-count("p0") <= 1))`, "formula-old-schema"},
		{"<integer-lt>" + two + "</integer-lt>", `! (tokens-count("p0") <= 1)`, "formula-old-schema"},
		{"<integer-gt>" + two + "</integer-gt>", `! (1 <= tokens-count("p0"))`, "formula-old-schema"},
		{"<integer-ge>" + two + "</integer-ge>", `tokens-count("p0") <= 1`, "formula-old-schema"},
		{"<all-paths><next><if-no-successor>false</if-no-successor><steps>2</steps>" + le + "</next></all-paths>", "A (X (X (" + wanted + ")))", "formula-old-schema"},
		{"<all-paths><until><before>" + le + "</before><reach>" + le + "</reach><strength>strong</strength></until></all-paths>", "A ((" + wanted + ") U (" + wanted + "))", ""},
		{"<conjunction>" + le + "</conjunction>", wanted, "formula-single-operand"},
	} {
		properties, list := Read(strings.NewReader(set(c.xml)), "f.xml", "")
		if got := distinctCodes(list); got != c.codes || len(properties) != 1 || list.Err() != nil {
			t.Errorf("%s: %d properties, %v", c.xml, len(properties), list)
			continue
		}
		if got := Print(properties[0].Formula); got != c.want {
			t.Errorf("%s: %s, want %s", c.xml, got, c.want)
		}
	}
}

func distinctCodes(list diagnostic.List) string {
	var words []string
	for _, d := range list {
		if d.Hint == "" {
			words = append(words, "no next step:")
		}
		if !strings.Contains(strings.Join(words, " "), d.Code) {
			words = append(words, d.Code)
		}
	}
	return strings.Join(words, " ")
}

// TestBadFormulas marks in each file with ^ where the error is to be found; the
// other property of the file must survive.
func TestBadFormulas(t *testing.T) {
	for _, c := range []struct {
		exam      examinations.ID
		xml, code string
	}{
		{"", "<^conjunction></conjunction>", "formula-operands"},
		{"", "<^negation></negation>", "formula-operands"},
		{"", "<^negation>" + fires + fires + "</negation>", "formula-operands"},
		{"", "<^integer-le><integer-constant>1</integer-constant></integer-le>", "formula-operands"},
		{"", "<^is-fireable></is-fireable>", "formula-operands"},
		{"", "<^until><before>" + le + "</before></until>", "formula-operands"},
		{"", "<until><before>" + le + "</before><^before>" + le + "</before></until>", "formula-element"},
		{"", "<until><^after>" + le + "</after></until>", "formula-element"},
		{"", "<deadlock><^true/></deadlock>", "formula-element"},
		{"", "<is-fireable><^place>p0</place></is-fireable>", "formula-element"},
		{"", "<is-fireable>^t0</is-fireable>", "formula-text"},
		{"", "<negation>^x" + le + "</negation>", "formula-text"},
		{"", "<is-fireable><transition> <^/transition></is-fireable>", "formula-name"},
		{"", "<negation><^place-bound><place>p0</place></place-bound></negation>", "formula-bound"},
		{"", "<integer-le><^place-bound><place>p0</place></place-bound><integer-constant>1</integer-constant></integer-le>", "formula-bound"},
		{"", "<integer-le><^integer-constant>-1</integer-constant><integer-constant>1</integer-constant></integer-le>", "formula-number"},
		{"", "<integer-le><^integer-constant>18446744073709551616</integer-constant><integer-constant>1</integer-constant></integer-le>", "formula-number"},
		{"", "<integer-le><^integer-product/><integer-constant>1</integer-constant></integer-le>", "formula-unsupported"},
		{"", "<^is-live><transition>t0</transition><level>l4</level></is-live>", "formula-unsupported"},
		{"", "<^k-safe/>", "formula-unsupported"},
		{"", le + "</formula><^formula>" + le, "formula-property"},
		{"", "<next><if-no-successor>true<^/if-no-successor>" + le + "</next>", "formula-unsupported"},
		{"", "<next><steps>0<^/steps>" + le + "</next>", "formula-number"},
		{"", strings.Repeat("<equivalence>"+le, 20) + le + strings.Repeat("</equivalence>", 20), "formula-limit"},
		{"", strings.Repeat("<negation>", maxFormulaDepth) + le + strings.Repeat("</negation>", maxFormulaDepth), "formula-limit"},
		{"", strings.Repeat("<next><steps>100</steps>", 15) + strings.Repeat("<negation>", 1000) + le + strings.Repeat("</negation>", 1000) + strings.Repeat("</next>", 15), "formula-limit"},
		{examinations.UpperBounds, le, "formula-fragment"},
		{examinations.ReachabilityFireability, fires, "formula-fragment"},
		{examinations.ReachabilityFireability, "<all-paths><finally>" + fires + "</finally></all-paths>", "formula-fragment"},
		{examinations.ReachabilityFireability, "<exists-path><finally><next>" + fires + "</next></finally></exists-path>", "formula-fragment"},
		{examinations.CTLFireability, "<all-paths>" + fires + "</all-paths>", "formula-fragment"},
		{examinations.CTLFireability, "<all-paths><globally><finally>" + fires + "</finally></globally></all-paths>", "formula-fragment"},
		{examinations.CTLFireability, "<next>" + fires + "</next>", "formula-fragment"},
		{examinations.LTLFireability, "<exists-path><next>" + fires + "</next></exists-path>", "formula-fragment"},
		{examinations.LTLFireability, "<all-paths><globally><all-paths><finally>" + fires + "</finally></all-paths></globally></all-paths>", "formula-fragment"},
		{examinations.LTLFireability, "<place-bound><place>p0</place></place-bound>", "formula-fragment"},
	} {
		good := map[examinations.ID]string{examinations.UpperBounds: "<place-bound><place>p0</place></place-bound>"}[c.exam]
		if good == "" {
			good = "<all-paths><globally>" + fires + "</globally></all-paths>"
		}
		marked := set(c.xml, good)
		text := strings.Replace(marked, "^", "", 1)
		properties, list := Read(strings.NewReader(text), "f.xml", c.exam)
		if len(properties) != 1 || properties[0].ID != "f1" {
			t.Errorf("%.200s: %d properties survive", c.xml, len(properties))
		}
		errors := list[:0:0]
		for _, d := range list {
			if d.Severity == diagnostic.Error {
				errors = append(errors, d)
			}
		}
		if len(errors) == 0 || errors[0].Code != c.code {
			t.Errorf("%.200s: %.500v, want %s", c.xml, list, c.code)
			continue
		}
		if at := strings.Index(marked, "^"); at >= 0 {
			line := strings.Count(marked[:at], "\n") + 1
			col := at - strings.LastIndex(marked[:at], "\n")
			if d := errors[0]; d.Line != line || d.Col < col-2 || d.Col > col {
				t.Errorf("%.200s: found at %s, marked at %d:%d", c.xml, d.Position(), line, col)
			}
		}
	}
}

// TestBrokenFormulaFiles reads what is no formula file at all.
func TestBrokenFormulaFiles(t *testing.T) {
	for text, code := range map[string]string{
		"":                                   "xml-end",
		"<pnml/>":                            "formula-root",
		"plain text":                         "xml-outside-root",
		"<property-set><property><id>a</id>": "xml-end",
		"<property-set/><more/>":             "xml-outside-root",
		"<property-set><property><id>a b</id><formula><deadlock/></formula></property></property-set>":                                  "formula-property",
		"<property-set><property></property></property-set>":                                                                            "formula-property",
		"<property-set><property><id>a</id></property></property-set>":                                                                  "formula-property",
		"<property-set><property><id>a</id><id>b</id><formula><deadlock/></formula></property></property-set>":                          "formula-property",
		"<property-set><property><formula><deadlock/></formula></property></property-set>":                                              "formula-property",
		"<property-set><other/><property><id>a</id><tags/><odd/><formula><deadlock/></formula></property></property-set>":               "formula-element formula-old-schema",
		"<property-set><property><id>a</id><formula><deadlock/></formula></property><property><id>&bad;</id></property></property-set>": "xml-entity",
	} {
		_, list := Read(strings.NewReader(text), "f.xml", "")
		if got := distinctCodes(list); got != code {
			t.Errorf("%q: %v", text, list)
		}
	}
	if _, list := ReadFile(filepath.Join(t.TempDir(), "none.xml"), ""); codes(list) != "formula-open" {
		t.Errorf("a missing file: %v", list)
	}
}

func TestCheckFormulas(t *testing.T) {
	net := NamesOf(ring(t, 3, 1, false))
	text := set("<exists-path><finally><is-fireable><transition>t0</transition>\n <transition>t00</transition></is-fireable></finally></exists-path>",
		"<exists-path><finally><integer-le><tokens-count><place>p1</place></tokens-count><tokens-count><place>Elsewhere</place></tokens-count></integer-le></finally></exists-path>")
	properties, list := ReadOf(strings.NewReader(text), "f.xml", examinations.ReachabilityFireability, net)
	want := `f.xml:3:2: the net has no transition "t00" [formula-unknown-transition]; did you mean "t0"?
f.xml:4:`
	if len(properties) != 2 || len(list) != 2 || !strings.HasPrefix(list.Error(), want) || list[1].Code != "formula-unknown-place" || list[1].Hint != nextSteps["formula-unknown-place"] {
		t.Errorf("while reading: %v", list)
	}
	properties[1].ID = "f0"
	list = Check("f.xml", properties, examinations.ReachabilityFireability, net)
	if got := codes(list); got != "formula-unknown-transition formula-duplicate-id formula-unknown-place formula-atom formula-count" {
		t.Errorf("after reading: %v", list)
	}
	if list := Check("f.xml", properties[:1], examinations.ReachabilityCardinality, nil); codes(list) != "formula-atom formula-count" {
		t.Errorf("without net: %v", list)
	}
	if list := Check("f.xml", properties[:1], examinations.LTLFireability, nil); codes(list) != "formula-fragment formula-count" {
		t.Errorf("wrong fragment: %v", list)
	}
}

// TestUnknownNamesAreBounded gives a file the names of another net.
func TestUnknownNamesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "<transition>other%d</transition>", i)
	}
	_, list := ReadOf(strings.NewReader(set("<is-fireable>"+b.String()+"</is-fireable>")), "f.xml", "", NamesOf(ring(t, 3, 1, false)))
	if len(list) != maxUnknown+1 || !strings.Contains(list.Error(), "more names") {
		t.Errorf("%d findings", len(list))
	}
}

func TestWriteIncompleteFormula(t *testing.T) {
	for _, f := range []Formula{nil, &Not{}, &LessEqual{Left: &Number{1}}, &Until{Before: &Deadlock{}}} {
		if err := Write(&bytes.Buffer{}, []Property{{ID: "a", Formula: f}}); err == nil {
			t.Errorf("%v was written", f)
		}
	}
}

// TestReadText reads both styles, and the operators that no generator prints.
func TestReadText(t *testing.T) {
	for text, want := range map[string]string{
		`A (F "t1"? & ((2) <= (#tokens("p1", "p2"))))`: `A ((F (is-fireable("t1"))) & (2 <= tokens-count("p1", "p2")))`,
		`A ("a"? | "b"? & "c"?)`:                       `A ((is-fireable("a")) | ((is-fireable("b")) & (is-fireable("c"))))`,
		`A (("a", "b")? U !X ("c")?)`:                  `A ((is-fireable("a", "b")) U (! (X (is-fireable("c")))))`,
		`A ("a"? U "b"? U "c"?)`:                       `A ((is-fireable("a")) U ((is-fireable("b")) U (is-fireable("c"))))`,
		`E (F ((deadlock) | (true) | (! (false))))`:    `E (F ((deadlock) | (true) | (! (false))))`,
		`1 + 2 - 3 <= tokens-count("p")`:               `((1 + 2) - 3) <= tokens-count("p")`,
		`bound("p","q")`:                               `bound("p", "q")`,
		`is-fireable("with \"quote\" and \\ and \d")`:  `is-fireable("with \"quote\" and \\ and \\d")`,
	} {
		properties, list := ReadText(strings.NewReader("Property a\n  \"d\"\n  is:\n    "+text+"\n  end.\n"), "f.txt", "")
		if len(list) > 0 || len(properties) != 1 {
			t.Errorf("%s: %v", text, list)
			continue
		}
		if got := Print(properties[0].Formula); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestBadText marks with ^ where the error is to be found.
func TestBadText(t *testing.T) {
	for _, marked := range []string{
		"Property a\nis: ^) end.",
		"^Property \nis: deadlock end.",
		"^Property a b\nis: deadlock end.",
		"Property a\n^\"\xff\"\nis: deadlock end.",
		"Property a\nis: bound(^\" p\") end.",
		"Property a\n\"d\"\nis: A (F ^) end.",
		"Property a\n\"d\"\nis: A (F \"t\"? ^end.",
		"Property a\n\"d\"\nis: \"t\" ^end.",
		"Property a\n\"d\"\nis: ^1 end.",
		"Property a\n\"d\"\nis: 1 <= ^deadlock end.",
		"Property a\n\"d\"\nis: ^\"t\"? <= 1 end.",
		"Property a\n\"d\"\nis: 1 ^< 2 end.",
		"Property a\n\"d\"\nis: ^99999999999999999999 <= 2 end.",
		"Property a\n\"d\"\nis: ^Q (deadlock) end.",
		"Property a\n\"d\"\nis: ! ^bound(\"p\") end.",
		"Property a\n\"d\"\nis: bound(^) end.",
		"Property a\n\"d\"\nis: bound(\"p\", ^) end.",
		"Property a\n\"d\"\nis: is-fireable(^\"\") end.",
		"Property a\n^\"d\nis: deadlock end.",
		"Property a\n\"d\"\n^deadlock end.",
		"Property a\n\"d\"\nis: deadlock ^deadlock end.",
		"^Properties a\n",
		"Property a\n\"d\"\nis: ^; end.",
		"Property a\n\"d\"\nis: " + strings.Repeat("(", maxTextDepth) + "^(",
	} {
		at := strings.Index(marked, "^")
		text := strings.Replace(marked, "^", "", 1) + "\nProperty b\n\"d\"\nis:\ndeadlock\nend.\n"
		properties, list := ReadText(strings.NewReader(text), "f.txt", "")
		line := strings.Count(marked[:at], "\n") + 1
		col := at - strings.LastIndex(marked[:at], "\n")
		if len(list) != 1 || list[0].Code != "formula-syntax" || list[0].Line != line || list[0].Col != col {
			t.Errorf("%.80q: %v, marked at %d:%d", marked, list, line, col)
		}
		if len(properties) != 1 || properties[0].ID != "b" {
			t.Errorf("%.80q: %d properties survive", marked, len(properties))
		}
	}
}

func FuzzReadFormulas(f *testing.F) {
	f.Add([]byte(set(le, fires, "<place-bound><place>p0</place></place-bound>")))
	f.Add([]byte(set("<all-paths><until><before>"+le+"</before><reach>"+fires+"</reach></until></all-paths>", "<invariant><exclusive-disjunction>"+le+"<true/>"+fires+"</exclusive-disjunction></invariant>")))
	f.Add([]byte(set("<integer-le><integer-sum><integer-constant>1</integer-constant><integer-constant>2</integer-constant></integer-sum><integer-constant>3</integer-constant></integer-le>")))
	f.Add([]byte(set("<next><steps>3</steps><deadlock/></next>")))
	f.Fuzz(func(t *testing.T, content []byte) {
		properties, _ := Read(bytes.NewReader(content), "f.xml", "")
		roundTrip(t, properties)
	})
}

func FuzzReadText(f *testing.F) {
	f.Add("Property a\n\"d\"\nis:\nA (F \"t1\"? & ((2) <= (#tokens(\"p1\", \"p2\"))))\nend.\n")
	f.Add("Property a\n\"d\"\nis:\nE (F ((deadlock) | (true) | (! (1 + 2 <= 3 - 4))))\nend.\nProperty b is: bound(\"a\")\nend.")
	f.Fuzz(func(t *testing.T, text string) {
		properties, _ := ReadText(strings.NewReader(text), "f.txt", "")
		roundTrip(t, properties)
	})
}

// roundTrip writes what was read, in both forms, and expects to read it again.
func roundTrip(t *testing.T, properties []Property) {
	for _, form := range []struct {
		write func(*bytes.Buffer, []Property) error
		read  func(*bytes.Buffer) ([]Property, diagnostic.List)
	}{
		{func(b *bytes.Buffer, p []Property) error { return Write(b, p) }, func(b *bytes.Buffer) ([]Property, diagnostic.List) { return Read(b, "", "") }},
		{func(b *bytes.Buffer, p []Property) error { return WriteText(b, p) }, func(b *bytes.Buffer) ([]Property, diagnostic.List) { return ReadText(b, "", "") }},
	} {
		var b bytes.Buffer
		if err := form.write(&b, properties); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		again, list := form.read(&b)
		if list.Err() != nil || !reflect.DeepEqual(unplaced(again), unplaced(properties)) {
			t.Fatalf("%s\nis read as %v, %v\nnot %v", text, again, list, properties)
		}
	}
}

// largeFile returns a formula file of about n bytes with lists of transitions.
func largeFile(n int) []byte {
	var list strings.Builder
	list.WriteString("<is-fireable>\n")
	for i := range 3000 {
		fmt.Fprintf(&list, "          <transition>Transition_%d</transition>\n", i)
	}
	list.WriteString("</is-fireable>\n")
	var b bytes.Buffer
	b.WriteString("<property-set>\n")
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "<property><id>f-%d</id><description>d</description><formula><exists-path><finally>\n<conjunction>%s%s</conjunction></finally></exists-path></formula></property>\n", i, list.String(), list.String())
	}
	b.WriteString("</property-set>\n")
	return b.Bytes()
}

// TestFormulaMemory reads a large file in no more than three times its size.
func TestFormulaMemory(t *testing.T) {
	content := largeFile(8 << 20)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	properties, list := Read(bytes.NewReader(content), "f.xml", examinations.ReachabilityFireability)
	runtime.ReadMemStats(&after)
	if len(list) > 0 || len(properties) < 10 {
		t.Fatal(list)
	}
	if spent := after.TotalAlloc - before.TotalAlloc; spent > 3*uint64(len(content)) {
		t.Errorf("%d bytes were allocated for a file of %d", spent, len(content))
	}
	if a, b := properties[0].Formula, properties[9].Formula; !sameBytes(firstTransition(a), firstTransition(b)) {
		t.Error("equal names of two formulas do not share their bytes")
	}
}

func BenchmarkReadFormulas(b *testing.B) {
	content := largeFile(16 << 20)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, list := Read(bytes.NewReader(content), "f.xml", examinations.ReachabilityFireability); len(list) > 0 {
			b.Fatal(list)
		}
	}
}

// BenchmarkRealFormulas reads the largest real formula file, 27.6 MB.
func BenchmarkRealFormulas(b *testing.B) {
	var content []byte
	realdata.EachFile(b, filepath.Join(realdata.Contest(b), "bench", "Sudoku-PT-AN13.tgz"), func(name string, c []byte) {
		if _, ok := examOf(name, ".xml"); ok && len(c) > len(content) {
			content = c
		}
	})
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, list := Read(bytes.NewReader(content), "f.xml", ""); len(list) > 0 {
			b.Fatal(list)
		}
	}
}

func BenchmarkWriteFormulas(b *testing.B) {
	properties, _ := Read(bytes.NewReader(largeFile(16<<20)), "f.xml", "")
	b.SetBytes(16 << 20)
	for b.Loop() {
		if err := Write(&discard{}, properties); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (*discard) Write(p []byte) (int, error) { return len(p), nil }

func firstTransition(f Formula) string {
	name := ""
	Walk(f, func(g Formula) {
		if atom, ok := g.(*Fireable); ok && name == "" {
			name = atom.Transitions[0]
		}
	})
	return name
}

func sameBytes(a, b string) bool { return a == b && unsafe.StringData(a) == unsafe.StringData(b) }

func codes(list diagnostic.List) string {
	words := make([]string, len(list))
	for i, d := range list {
		words[i] = d.Code
	}
	return strings.Join(words, " ")
}
