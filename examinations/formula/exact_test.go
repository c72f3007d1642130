package formula

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"

	"podium/examinations"
	"podium/pnml/diagnostic"
)

// said returns findings as "line:col code: message".
func said(list diagnostic.List) (texts []string) {
	for _, d := range list {
		texts = append(texts, fmt.Sprintf("%s:%d:%d %s: %s", d.File, d.Line, d.Col, d.Code, d.Message))
	}
	return texts
}

// TestMessages: each mistake in a file is named once, at its place, in these words.
func TestMessages(t *testing.T) {
	wrap := func(property string) string { return "<property-set>" + property + "</property-set>" }
	one := func(f string) string { return wrap("<property><id>a</id><formula>" + f + "</formula></property>") }
	const at = "f.xml:1:44 "
	deep := func(n int) string {
		return strings.Repeat("<negation>", n) + "<deadlock/>" + strings.Repeat("</negation>", n)
	}
	sums := func(n int) string {
		return "<integer-le><integer-constant>1</integer-constant>" + strings.Repeat("<integer-sum><integer-constant>1</integer-constant>", n) + "<integer-constant>1</integer-constant>" +
			strings.Repeat("</integer-sum>", n) + "</integer-le>"
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{one("<deadlock/>"), nil},
		{one(deep(maxFormulaDepth - 1)), nil},
		{one(deep(maxFormulaDepth)), []string{fmt.Sprintf("f.xml:1:%d formula-limit: the formula is nested deeper than 2000", 44+10*maxFormulaDepth)}},
		{one(sums(maxFormulaDepth - 2)), nil},
		{one(sums(maxFormulaDepth - 1)), []string{"f.xml:1:102005 formula-limit: the formula is nested deeper than 2000",
			"f.xml:1:102043 formula-limit: the formula is nested deeper than 2000"}},
		{one("<negation/>"), []string{at + "formula-operands: <negation> has 0 operands, not 1"}},
		{one("<integer-le><integer-constant>1</integer-constant></integer-le>"), []string{at + "formula-operands: <integer-le> has 1 operands, not 2"}},
		{one("<conjunction/>"), []string{at + "formula-operands: <conjunction> has 0 operands, not 1 or more"}},
		{one("<is-fireable/>"), []string{at + "formula-operands: <is-fireable> has 0 operands, not 1 or more"}},
		{one("<until><before><deadlock/></before></until>"), []string{at + "formula-operands: <until> has 1 operands, not 2"}},
		{one("<until><before><deadlock/><deadlock/></before><reach><deadlock/></reach></until>"), []string{"f.xml:1:51 formula-operands: <before> has 2 operands, not 1"}},
		{one("<until><reach><deadlock/></reach></until>"), []string{at + "formula-operands: <until> has 1 operands, not 2"}},
		{one("<disjunction><deadlock/></disjunction>"), []string{"f.xml:1:68 formula-single-operand: <disjunction> has one operand; it is read as the operand alone"}},
		{one("<and><deadlock/></and>"), []string{at + "formula-old-schema: <and> is not of today's schema; it is rewritten",
			"f.xml:1:60 formula-single-operand: <and> has one operand; it is read as the operand alone"}},
		{one("<or><deadlock/><deadlock/><deadlock/></or>"), []string{at + "formula-old-schema: <or> is not of today's schema; it is rewritten"}},
		{one("<conjunction><next><steps>2000</steps><deadlock/></next><next><steps>2000</steps><deadlock/></next></conjunction>"), []string{"f.xml:1:63 formula-old-schema: <steps> is not of today's schema; it is rewritten",
			"f.xml:1:106 formula-old-schema: <steps> is not of today's schema; it is rewritten", "f.xml:1:117 formula-limit: rewriting old operators would add more than 100000 new ones",
			"f.xml:1:117 formula-number: <steps> is no number from 1 to 2000, or there are too many"}},
		{one("<until><before><deadlock/></before><reach><deadlock/><deadlock/></reach></until>"), []string{"f.xml:1:79 formula-operands: <reach> has 2 operands, not 1"}},
		{one("<until><before><deadlock/></before><reach><deadlock/></reach><strength>weak</strength></until>"), []string{"f.xml:1:119 formula-unsupported: an until that is not strong"}},
		{one("<integer-le><integer-constant>+1</integer-constant><integer-constant>,1</integer-constant></integer-le>"), []string{`f.xml:1:95 formula-number: ",1" is no number from 0 to 2^64-1`}},
		{one(""), []string{"f.xml:1:35 formula-operands: <formula> is empty"}},
		{one("<deadlock/><deadlock/>"), []string{"f.xml:1:35 formula-operands: <formula> has 2 operands, not 1"}},
		{wrap("<property><id>a</id></property>"), []string{"f.xml:1:15 formula-property: the property has no <formula>"}},
		{wrap("<property><formula><deadlock/></formula></property>"), []string{"f.xml:1:15 formula-property: the property has no <id>"}},
		{wrap("<property><id>a b</id><formula><deadlock/></formula></property>"), []string{`f.xml:1:15 formula-property: the id "a b" holds blanks`}},
		{wrap("<property><id>a</id><formula><deadlock/></formula><colour/></property>"), []string{"f.xml:1:65 formula-element: <colour> is no part of a property and is passed over"}},
		{one("<next><if-no-successor>false</if-no-successor><deadlock/></next>"), []string{"f.xml:1:50 formula-old-schema: <if-no-successor> is not of today's schema; it is rewritten"}},
		{one("<next><steps>1</steps><deadlock/></next>"), []string{"f.xml:1:50 formula-old-schema: <steps> is not of today's schema; it is rewritten"}},
		{one("<next><deadlock/><deadlock/></next>"), []string{at + "formula-operands: <next> has 2 operands, not 1"}},
		{one("<implication><deadlock/><deadlock/><deadlock/></implication>"), []string{at + "formula-operands: <implication> has 3 operands, not 2",
			at + "formula-old-schema: <implication> is not of today's schema; it is rewritten"}},
		{one("<integer-le>" + strings.Repeat("<integer-constant>1</integer-constant>", 3) + "</integer-le>"), []string{at + "formula-operands: <integer-le> has 3 operands, not 2"}},
		{one("<next/>"), []string{at + "formula-operands: <next> has 0 operands, not 1"}},
		{one("<next><steps>2001</steps><deadlock/></next>"), []string{"f.xml:1:50 formula-old-schema: <steps> is not of today's schema; it is rewritten",
			"f.xml:1:61 formula-number: <steps> is no number from 1 to 2000, or there are too many"}},
		{one("<implication><deadlock/></implication>"), []string{at + "formula-operands: <implication> has 1 operands, not 2",
			at + "formula-old-schema: <implication> is not of today's schema; it is rewritten"}},
		{one("<exclusive-disjunction><deadlock/></exclusive-disjunction>"), []string{at + "formula-operands: <exclusive-disjunction> has 1 operands, not 2 or more",
			at + "formula-old-schema: <exclusive-disjunction> is not of today's schema; it is rewritten"}},
		{one("<possibility><deadlock/><deadlock/></possibility>"), []string{at + "formula-operands: <possibility> has 2 operands, not 1",
			at + "formula-old-schema: <possibility> is not of today's schema; it is rewritten"}},
	} {
		properties, list := Read(strings.NewReader(c.text), "f.xml", "")
		if got := said(list); !slices.Equal(got, c.want) || len(properties) != 1 && list.Err() == nil || len(properties) != 0 && list.Err() != nil {
			t.Errorf("%.150s: %d properties, %q, not %q", c.text, len(properties), got, c.want)
		}
	}
}

// TestOldFormulasOfAnyNumber: an exclusive disjunction has two operands or more.
func TestOldFormulasOfAnyNumber(t *testing.T) {
	properties, list := Read(strings.NewReader(set("<exclusive-disjunction><deadlock/><deadlock/><deadlock/></exclusive-disjunction>", "<next><steps>2000</steps><deadlock/></next>")), "f", "")
	if list.Err() != nil || len(properties) != 2 {
		t.Fatal(list)
	}
	depth := 0
	for f := properties[1].Formula; ; depth++ {
		next, ok := f.(*Next)
		if !ok {
			break
		}
		f = next.F
	}
	if depth != 2000 {
		t.Errorf("%d steps, not 2000", depth)
	}
}

// TestFragmentNamesTheFile: a formula of another logic is refused with its place.
func TestFragmentNamesTheFile(t *testing.T) {
	want := []string{`f:2:1 formula-fragment: a formula of UpperBounds is one place-bound; "f0" is none`}
	if _, list := Read(strings.NewReader(set("<deadlock/>")), "f", examinations.UpperBounds); !slices.Equal(said(list), want) {
		t.Errorf("%q, not %q", said(list), want)
	}
	want = []string{`f:1:1 formula-fragment: a formula of UpperBounds is one place-bound; "a" is none`}
	if _, list := ReadText(strings.NewReader("Property a\n is: deadlock end."), "f", examinations.UpperBounds); !slices.Equal(said(list), want) {
		t.Errorf("%q, not %q", said(list), want)
	}
}

// TestTextMessages: each mistake in a text file is named once, at its place.
func TestTextMessages(t *testing.T) {
	for text, want := range map[string]string{
		"bound":                                "1:16 a bound stands alone",
		"deadlock & bound(\"p\")":              "1:27 a bound stands alone",
		"often":                                `1:16 "often" is no operator`,
		"99999999999999999999 <= 1":            `1:16 "99999999999999999999" is no number from 0 to 2^64-1`,
		"& deadlock":                           `1:16 an operand is missing before "&"`,
		"is-fireable()":                        `1:28 a name in quotes is missing before ")"`,
		"is-fireable(\"a\", )":                 `1:33 a name in quotes is missing before ")"`,
		"deadlock\n& deadlock\n& 5":            "3:3 a number where a formula should stand",
		"deadlock ;":                           `1:25 unexpected character ";"`,
		"is-fireable(\" a\")":                  "1:28 the name is empty or has blanks around it",
		"(deadlock":                            `1:26 ")" is missing before "end"`,
		"1 < 2":                                "1:18 < is no operator; the comparison is <=",
		"is-fireable(\"a\x01\")":               "1:28 the text in quotes holds bytes that are no text",
		"is-fireable(\"a\uFFFE\")":             "1:28 the text in quotes holds bytes that are no text",
		"is-fireable(\"a\uFFFF\")":             "1:28 the text in quotes holds bytes that are no text",
		strings.Repeat("!", 4003) + "deadlock": "1:4018 the formula is nested deeper than 4002",
	} {
		if strings.HasPrefix(text, "bound") {
			text = "!" + text
			want = "1:17" + want[len("1:16"):]
		}
		got := ""
		_, list := ReadText(strings.NewReader("Property a\nis:            "+text+" end."), "f", "")
		if len(list) > 0 {
			got = fmt.Sprintf("%d:%d %s", list[0].Line-1, list[0].Col, list[0].Message)
		}
		if got != want || list[0].File != "f" {
			t.Errorf("%.60q: %q, not %q", text, got, want)
		}
	}
}

// TestTextThatCannotBeRead: an error of the reader is a finding.
func TestTextThatCannotBeRead(t *testing.T) {
	failed := errors.New("the disk is gone")
	_, list := ReadText(io.MultiReader(strings.NewReader("Property a is: deadlock end."), iotest.ErrReader(failed)), "f", "")
	if !slices.ContainsFunc(list, func(d diagnostic.Diagnostic) bool {
		return d.Code == "formula-read" && d.Message == failed.Error() && d.File == "f"
	}) {
		t.Errorf("%v", list)
	}
}

func TestBytesOfText(t *testing.T) {
	for c := rune(0); c < 256; c++ {
		if got, want := isSpace(byte(c)), c < 128 && unicode.IsSpace(c); got != want {
			t.Errorf("%q is a space: %v", c, got)
		}
		if got, want := inWord(byte(c)), c < 128 && (c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)); got != want {
			t.Errorf("%q in a word: %v", c, got)
		}
		if got, want := isText(string(c)), c >= ' ' || strings.ContainsRune("\t\n\r", c); got != want {
			t.Errorf("%q is text: %v", c, got)
		}
	}
	for text, want := range map[string]bool{"\uFFFD": true, "\uFFFE": false, "\uFFFF": false, "\xff": false} {
		if isText(text) != want {
			t.Errorf("%q is text: %v", text, !want)
		}
	}
	for text, want := range map[string]string{`"a\nb"`: "a\nb", `"a\\b"`: `a\b`, `"a\"b"`: `a"b`, `"a\xb"`: `a\xb`} {
		if got := newTextScanner(strings.NewReader(text)).next(); got.kind != quotedToken || got.text != want {
			t.Errorf("%s: %+v", text, got)
		}
	}
	s := newTextScanner(strings.NewReader("ab\n12 " + strings.Repeat("x", maxToken+2)))
	for _, want := range []token{{wordToken, "ab", 1, 1}, {numberToken, "12", 2, 1}, {wordToken, strings.Repeat("x", maxToken), 2, 4}, {wordToken, "xx", 2, 4 + maxToken}} {
		if got := s.next(); got != want {
			t.Errorf("%.20v, not %.20v", got, want)
		}
	}
	if s.next().kind != endToken || s.err != nil {
		t.Errorf("%v at the end", s.err)
	}
	if got := newTextScanner(strings.NewReader(strings.Repeat("y", maxToken+5))).restOfLine(); len(got) != maxToken {
		t.Errorf("a line of %d bytes", len(got))
	}
}

// names is a set of ids by index.
type names []string

func (n names) Len() int                   { return len(n) }
func (n names) At(i int) string            { return n[i] }
func (n names) Find(id string) (int, bool) { i := slices.Index(n, id); return i, i >= 0 }

// TestCheckedNames: names of bounds are looked up, a suggestion is made for the first
// ten that the net lacks, a hundred are listed, and the rest is counted.
func TestCheckedNames(t *testing.T) {
	net := &NetNames{Places: names{"place", "other", "third"}, Transitions: names{"fire"}}
	for n, want := range map[int]struct{ list, hints int }{1: {1, 1}, 10: {10, 10}, 11: {11, 10}, 100: {100, 10}, 101: {101, 10}} {
		places := make([]string, n)
		for i := range places {
			places[i] = "plac" + string(rune(0x100+i))
		}
		list := Check("f", []Property{{ID: "a", Formula: &Bound{places}}}, "", net)
		hints := 0
		for _, d := range list {
			if d.Hint == `did you mean "place"?` {
				hints++
			}
		}
		if len(list) != want.list || hints != want.hints {
			t.Errorf("%d names: %d findings, %d suggestions", n, len(list), hints)
		}
		if n == 101 && !slices.ContainsFunc(list, func(d diagnostic.Diagnostic) bool { return d.Message == "the net lacks 1 more names" && d.File == "f" }) {
			t.Errorf("%v", list)
		}
	}
}

// TestKindsOfAtoms: each examination has its kind of atoms.
func TestKindsOfAtoms(t *testing.T) {
	fire, count := &Fireable{[]string{"t"}}, &LessEqual{&Number{1}, &Number{2}}
	for _, exam := range examinations.All() {
		cardinality, fireability := strings.HasSuffix(string(exam), "Cardinality"), strings.HasSuffix(string(exam), "Fireability")
		for f, odd := range map[Formula]bool{fire: cardinality, count: fireability} {
			list := Check("f", []Property{{ID: "a", Formula: f}}, exam, nil)
			if got := slices.ContainsFunc(list, func(d diagnostic.Diagnostic) bool { return d.Code == "formula-atom" }); got != odd {
				t.Errorf("%s, %s: %v", exam, Print(f), got)
			}
		}
	}
	state := &AllPaths{&Globally{&AllPaths{&Globally{fire}}}}
	for f, want := range map[Formula]bool{state: true, &AllPaths{fire}: false, &ExistsPath{fire}: false, &AllPaths{&Globally{&Globally{fire}}}: false, &ExistsPath{&Finally{&Next{fire}}}: false} {
		if isCTL(f) != want {
			t.Errorf("%s is of CTL: %v", Print(f), !want)
		}
	}
	if got := IDs([]Property{{ID: "a"}, {ID: "b"}}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q", got)
	}
}

// TestNodes counts the operators of a formula as a tree, up to a limit.
func TestNodes(t *testing.T) {
	leaf := func() Formula { return &Deadlock{} }
	three := func() Formula { return &And{[]Formula{leaf(), leaf(), leaf()}} }
	for _, c := range []struct {
		f           Formula
		limit, want int
	}{
		{leaf(), 100, 1}, {three(), 100, 4}, {&And{[]Formula{three(), three()}}, 100, 9},
		{three(), 1, 2}, {three(), 0, 1}, {&And{[]Formula{three(), three()}}, 2, 3},
	} {
		if got := nodes(c.f, c.limit); got != c.want {
			t.Errorf("%s up to %d: %d, not %d", Print(c.f), c.limit, got, c.want)
		}
	}
}

// TestNearestOfAllNames: a name that the net lacks is compared with all that it has.
func TestNearestOfAllNames(t *testing.T) {
	var list diagnostic.List
	net := &NetNames{Places: names{"first", "second", "target"}, Transitions: names{"targe_1"}}
	new(unknownNames).check(&list, diagnostic.Diagnostic{}, net, "place", "targe")
	if len(list) != 1 || list[0].Hint != `did you mean "target"?` {
		t.Errorf("%v", list)
	}
}

// TestManyProperties: a file of more properties than the limit is refused.
func TestManyProperties(t *testing.T) {
	const one = "<property><id>a</id><formula><deadlock/></formula></property>"
	for n, want := range map[int]int{maxProperties: 0, maxProperties + 1: 1} {
		properties, list := Read(strings.NewReader("<property-set>"+strings.Repeat(one, n)+"</property-set>"), "f.xml", "")
		if got := list.Count(diagnostic.Error); got != want || want == 0 && len(properties) != n {
			t.Errorf("%d properties: %d read, %q", n, len(properties), said(list)[:min(3, len(list))])
		}
	}
}

// TestLayout: each element stands on a line of its own, as far in as it is deep.
func TestLayout(t *testing.T) {
	var out strings.Builder
	if err := Write(&out, []Property{{ID: "a", Formula: &Not{&Deadlock{}}}}); err != nil {
		t.Fatal(err)
	}
	const want = "      <negation>\n        <deadlock/>\n      </negation>\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("%s\nlacks\n%s", out.String(), want)
	}
}

// TestColonIsNoDigit: a colon ends a number, and begins none.
func TestColonIsNoDigit(t *testing.T) {
	for text, want := range map[string]string{
		"Property a\n  is: tokens-count(\"p\") <= : end.\n":  `f.txt:2:28 formula-syntax: an operand is missing before ":"`,
		"Property a\n  is: tokens-count(\"p\") <= 3: end.\n": `f.txt:2:29 formula-syntax: "end" is missing before ":"`,
	} {
		if _, list := ReadText(strings.NewReader(text), "f.txt", ""); !slices.Equal(said(list), []string{want}) {
			t.Errorf("%q: %q", text, said(list))
		}
	}
}
