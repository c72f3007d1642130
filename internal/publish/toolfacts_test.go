package publish

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestToolFacts: pages say who made a tool where a file says it, and link to web addresses alone.
func TestToolFacts(t *testing.T) {
	c := fixture(1, 3, 2)
	file := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(file, []byte("walk:\n  authors: Ada <b>\n  version: 1.10\n  home: https://example.org/walk\n  archive: javascript:alert(1)\nexplicit: {licence: MIT}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.DescribeTools(file); err != nil {
		t.Fatal(err)
	}
	dir := publishedSite(t, c)
	for page, want := range map[string][]string{
		"tools/walk.html":     {"Ada &lt;b&gt;", "<dd>1.10</dd>", `<a href="https://example.org/walk" rel="noopener">`, `<dd class="address">javascript:alert(1)</dd>`},
		"tools/explicit.html": {"<dt>Licence</dt><dd>MIT</dd>"},
		"tools.html":          {`<span class="note by">Ada &lt;b&gt;</span>`},
	} {
		for _, part := range want {
			if text := readPage(t, dir, page); !strings.Contains(text, part) {
				t.Errorf("%s lacks %s", page, part)
			}
		}
	}
}

// TestToolFactsRefused: every mistake has its place.
func TestToolFactsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "f: a file about tools is one YAML document",
		"- walk":                    "f:1:1: a file about tools is a mapping",
		"wlak: {licence: MIT}":      `f:1:1: these results have no tool "wlak"; the nearest is walk`,
		"walk:\n  licnce: MIT":      "f:2:3: what is said of a tool has no key \"licnce\"",
		"walk:\n  licence: [a, b]":  "f:2:12: licence is one word",
		"walk: MIT":                 "f:1:7: what is said of a tool is a mapping",
		"a: 1\nwalk: {licence: {}}": "f:1:1: these results have no tool",
	} {
		found := fixture(1, 3, 1).describeToolsBy("f", []byte(text))
		if !strings.HasPrefix(found.Error(), want) {
			t.Errorf("%q: %v", text, found)
		}
	}
}

func FuzzToolFacts(f *testing.F) {
	f.Add([]byte("walk: {licence: MIT}"))
	f.Add([]byte("walk:\n  home: &a x\n  archive: *a"))
	c := fixture(1, 3, 1)
	f.Fuzz(func(t *testing.T, text []byte) { c.describeToolsBy("f", text) })
}
