package yaml

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestLimits: what would make the parser recurse, or take time in the square of
// the text, is refused before the parser sees it, with the memory that it takes to
// split the text into words.
func TestLimits(t *testing.T) {
	for name, text := range map[string]string{
		"values":              "title: [" + strings.Repeat("a, ", 20_000) + "]",
		"lists":               "title: " + strings.Repeat("[", 40) + strings.Repeat("]", 40),
		"brackets":            "title: " + strings.Repeat("[", 100_000),
		"braces":              "title: " + strings.Repeat("{a: ", 20_000),
		"brackets and quotes": "title: " + strings.Repeat(`[ "]", `, 10_000),
		"brackets and don't":  "title: " + strings.Repeat("[a'b, ", 10_000),
		"entries":             strings.Repeat("- ", 20_000),
		"keys":                strings.Repeat("? ", 20_000),
		"tags":                "title: " + strings.Repeat("!!map ", 20_000),
		"words":               "title: " + strings.Repeat("a: ", 20_000),
		"lines":               strings.Repeat("a:\n", 100_000),
		"indentation":         strings.Repeat(" ", 1000) + "a: b",
	} {
		for way, read := range map[string]func() error{
			"parse":  func() error { _, err := Parse([]byte(text)); return err },
			"decode": func() error { return Decode([]byte(text), &struct{ Title string }{}) },
		} {
			var refused *Error
			noYAML := name == "tags" || name == "words" || name == "brackets and quotes" || name == "brackets and don't"
			if err := read(); !errors.As(err, &refused) || refused.Limit == noYAML {
				t.Errorf("%s, %s: %v", name, way, err)
			}
		}
	}
}

// TestWithinLimits: brackets inside words and quotes do not count.
func TestWithinLimits(t *testing.T) {
	var m struct{ Title string }
	text := strings.Repeat("[(", 100)
	if err := Decode([]byte("title: '"+text+"'"), &m); err != nil || m.Title != text {
		t.Errorf("%q, %v", m.Title, err)
	}
	nested := "title: " + strings.Repeat("[", maxDepth) + "a" + strings.Repeat("]", maxDepth)
	if root, err := Parse([]byte(nested)); err != nil || root == nil {
		t.Errorf("%v, %v", root, err)
	}
}

func TestErrors(t *testing.T) {
	var m struct{ Title string }
	var at *Error
	if err := Decode([]byte("title: a\nother: b\n"), &m); !errors.As(err, &at) || at.Line != 2 || at.Col != 1 || at.Limit {
		t.Errorf("an unknown key: %v", err)
	}
	for _, text := range []string{"t\x00i\x00", "\xff\xfet\x00", "\xfe\xff\x00t", "\x00t\x00i"} {
		if err := Decode([]byte(text), &m); !errors.As(err, &at) || at.Line != 1 || at.Limit || !strings.Contains(at.Message, "UTF-16") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := Decode([]byte("\xef\xbb\xbftitle: marked\n"), &m); err != nil || m.Title != "marked" {
		t.Errorf("a byte order mark: %v, %v", m, err)
	}
	if _, err := Parse([]byte("format: x\ntitle a\n")); !errors.As(err, &at) || at.Line != 2 || !strings.Contains(at.Message, "no colon") {
		t.Errorf("a key without a colon: %v", err)
	}
	if err := Decode(nil, &m); !errors.Is(err, io.EOF) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := Parse([]byte("a: [b")); !errors.As(err, &at) || at.Line != 1 {
		t.Errorf("an open bracket: %v", err)
	}
	if root, err := Parse([]byte("a: 1\n---\nb: 2\n")); root != nil || err != nil {
		t.Errorf("two documents: %v, %v", root, err)
	}
}

// TestTextsStayTexts: what is read into a text is what was written.
func TestTextsStayTexts(t *testing.T) {
	for _, word := range []string{"1.10", "017", "1_000", "0x10", "1e3", "yes", "2026-11-27", "bin/run\t--spec", "18446744073709551616", "-0", "+1", ".5"} {
		var into struct {
			Text string
			List []string
			Map  map[string]string
		}
		text := "%YAML 1.2\n---\n# for all\n---\ntext: " + word + "\nlist: [" + word + "]\nmap: {" + word + ": " + word + "}\n"
		if err := Decode([]byte(text), &into); err != nil || into.Text != word || len(into.List) != 1 || into.List[0] != word || into.Map[word] != word {
			t.Errorf("%q: %q, %v", word, into, err)
		}
		root, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		w := Walker{}
		if in := w.Mapping(root, "it", nil); w.Text(in, root, "text", false) != word || w.Words(in, "list")[0] != word || len(w.Found) > 0 {
			t.Errorf("%q: %v", word, w.Found)
		}
	}
}

// TestEachErrorIsNamed: all that is wrong with a text, in its order.
func TestEachErrorIsNamed(t *testing.T) {
	var into struct{ Slots int }
	list := Findings("a.yaml", Decode([]byte("nmae: x\nslots: 1.9\nknid: y\n"), &into), "code", "hint")
	var said strings.Builder
	for _, d := range list {
		said.WriteString(d.Error() + "\n")
	}
	const want = "a.yaml:1:1: unknown field \"nmae\" [code]; hint\na.yaml:2:8: cannot construct !!float `1.9` into int [code]; hint\na.yaml:3:1: unknown field \"knid\" [code]; hint\n"
	if said.String() != want {
		t.Errorf("got\n%s", said.String())
	}
}

func TestTagWithoutValue(t *testing.T) {
	var into struct {
		List []string `yaml:"list"`
	}
	if err := Decode([]byte("list: !tag #\n"), &into); err == nil {
		t.Error("it was taken")
	}
}
