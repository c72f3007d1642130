package formula

import (
	"strings"
	"testing"
)

func TestRename(t *testing.T) {
	const text = `Property Old-PT-1-CTLCardinality-00
  "of Old"
  is:
    A (G (E (F (((tokens-count("p", "q") <= 3) & (E (X (is-fireable("t"))))) | (! (A (is-fireable("t", "u") U deadlock)))))))
  end.
`
	properties, found := ReadText(strings.NewReader(text), "old.txt", "")
	if found.Err() != nil {
		t.Fatal(found)
	}
	before := Print(properties[0].Formula)
	renamed := Rename(properties, func(id string) string { return strings.Replace(id, "Old", "New", 1) }, strings.ToUpper)
	want := strings.NewReplacer(`"p"`, `"P"`, `"q"`, `"Q"`, `"t"`, `"T"`, `"u"`, `"U"`).Replace(before)
	if got := Print(renamed[0].Formula); got != want || renamed[0].ID != "New-PT-1-CTLCardinality-00" || renamed[0].Description != "" {
		t.Errorf("got %s %q\n%s\nwant\n%s", renamed[0].ID, renamed[0].Description, got, want)
	}
	if Print(properties[0].Formula) != before {
		t.Error("the original was changed")
	}
}
