package formula

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"podium/internal/realdata"
)

// TestRealTextFiles reads the text form of every formula file of the real
// instances: it must mean the same as the XML, and survive being written. Ids
// are not compared: formulas taken over from an earlier year have another one
// in the text.
func TestRealTextFiles(t *testing.T) {
	files := 0
	for _, archive := range realdata.InstanceArchives(t) {
		trees, texts := map[string][]Property{}, map[string][]Property{}
		realdata.EachFile(t, archive, func(name string, content []byte) {
			if exam, ok := examOf(name, ".xml"); ok {
				trees[strings.TrimSuffix(name, ".xml")], _ = Read(bytes.NewReader(content), name, exam)
			}
			if exam, ok := examOf(name, ".txt"); ok {
				properties, list := ReadText(bytes.NewReader(content), name, exam)
				if len(list) > 0 {
					t.Error(list)
				}
				texts[strings.TrimSuffix(name, ".txt")] = properties
			}
		})
		for name, tree := range trees {
			files++
			text, tree := texts[name], unplaced(tree)
			if len(text) != len(tree) {
				t.Fatalf("%s: %d formulas in the text, %d in the tree", name, len(text), len(tree))
			}
			for i := range tree {
				if !reflect.DeepEqual(text[i].Formula, tree[i].Formula) {
					t.Errorf("%s: text and XML differ\n%v\n%v", name, text[i], tree[i])
				}
			}
			var b bytes.Buffer
			if err := WriteText(&b, tree); err != nil {
				t.Fatal(err)
			}
			if again, list := ReadText(&b, name, ""); len(list) > 0 || !reflect.DeepEqual(unplaced(again), tree) {
				t.Errorf("%s changes when it is written as text and read: %v", name, list)
			}
		}
	}
	if files == 0 {
		t.Error("no formula file was seen")
	}
}

func TestPropertyString(t *testing.T) {
	p := Property{ID: "a", Formula: &Not{&Deadlock{}}}
	if got := p.String(); got != "a: ! (deadlock)" {
		t.Error(got)
	}
}
