package formula

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"podium/examinations"
	"podium/internal/realdata"
)

// examOf returns the examination whose formula file, with the ending ext, a path is.
func examOf(path, ext string) (examinations.ID, bool) {
	name, ok := strings.CutSuffix(filepath.Base(path), ext)
	id, err := examinations.ParseID(name)
	return id, ok && err == nil && id.HasFormulas()
}

// unplaced removes what a second reading cannot give back.
func unplaced(properties []Property) []Property {
	list := append([]Property(nil), properties...)
	for i := range list {
		list[i].Line, list[i].Col = 0, 0
	}
	return list
}

// TestTerms: what is subtracted from what is subtracted is added.
func TestTerms(t *testing.T) {
	number := func(n uint64) Integer { return &Number{n} }
	minus := func(terms ...Integer) Integer { return &Difference{terms} }
	f := &LessEqual{minus(number(1), &Sum{[]Integer{&TokensCount{[]string{"p"}}, number(2)}}, number(3)), minus(number(4), minus(number(5), number(6)), number(7))}
	var got []string
	for term, sign := range f.Terms() {
		name := "p"
		if n, ok := term.(*Number); ok {
			name = fmt.Sprint(n.N)
		}
		got = append(got, fmt.Sprintf("%+d*%s", sign, name))
		if name == "6" {
			break
		}
	}
	if want := "+1*1 -1*p -1*2 -1*3 -1*4 +1*5 -1*6"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestRealFormulaFiles reads, checks, prints and reads again every formula file
// of the real instances, and counts their operators in a second way.
func TestRealFormulaFiles(t *testing.T) {
	files := 0
	for _, archive := range realdata.InstanceArchives(t) {
		realdata.EachFile(t, archive, func(name string, content []byte) {
			exam, ok := examOf(name, ".xml")
			if !ok {
				return
			}
			files++
			properties, list := Read(bytes.NewReader(content), name, exam)
			list = append(list, Check(name, properties, exam, nil)...)
			if len(list) > 0 {
				t.Errorf("%v", list)
			}
			var out bytes.Buffer
			if err := Write(&out, properties); err != nil {
				t.Fatal(err)
			}
			again, list := Read(&out, name, exam)
			if len(list) > 0 || !reflect.DeepEqual(unplaced(properties), unplaced(again)) {
				t.Errorf("%s changes when it is written and read: %v", name, list)
			}
			if got, want := countNodes(properties), countElements(t, content); !reflect.DeepEqual(got, want) {
				t.Errorf("%s holds %v, the tree holds %v", name, want, got)
			}
		})
	}
	if files == 0 {
		t.Error("no formula file was seen")
	}
}

// countElements counts elements with the parser of the standard library.
func countElements(t *testing.T, content []byte) map[string]int {
	counts := map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(content)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(xml.StartElement); ok {
			counts[s.Name.Local]++
		}
	}
	for _, name := range []string{"property-set", "id", "description", "formula", "before", "reach"} {
		delete(counts, name)
	}
	return counts
}

func countNodes(properties []Property) map[string]int {
	counts := map[string]int{}
	add := func(name string, n int) {
		if n > 0 {
			counts[name] += n
		}
	}
	var integer func(i Integer)
	integer = func(i Integer) {
		switch i := i.(type) {
		case *Number:
			add("integer-constant", 1)
		case *TokensCount:
			add("tokens-count", 1)
			add("place", len(i.Places))
		case *Sum:
			add("integer-sum", 1)
			for _, x := range i.Terms {
				integer(x)
			}
		case *Difference:
			add("integer-difference", 1)
			for _, x := range i.Terms {
				integer(x)
			}
		}
	}
	for _, p := range properties {
		add("property", 1)
		Walk(p.Formula, func(f Formula) {
			add(elementName(f), 1)
			switch f := f.(type) {
			case *Fireable:
				add("transition", len(f.Transitions))
			case *Bound:
				add("place", len(f.Places))
			case *LessEqual:
				integer(f.Left)
				integer(f.Right)
			}
		})
	}
	return counts
}
