package models

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"podium/pnml"
)

// FuzzStrip: whatever the document, it is refused or stripped. A sound P/T net
// stays sound, with as many places, transitions, arcs and tokens.
func FuzzStrip(f *testing.F) {
	f.Add(smallNet)
	f.Add(smallColoured)
	f.Add(`<pnml><net id="n" type="x"><page id="p"><place id="1"/><place id="1"/></page></net></pnml>`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, keep := range []bool{false, true} {
			fuzzStrip(t, text, keep)
		}
	})
}

func fuzzStrip(t *testing.T, text string, keepOrder bool) {
	open := func(use func(io.Reader) error) error { return use(strings.NewReader(text)) }
	net, err := prepareStrip(ModelFile, open, ID{"Toy", PT, "1"}, StripOptions{ID: ID{"S_Toy", PT, "1"}, KeepOrder: keepOrder})
	if err != nil {
		return
	}
	var out bytes.Buffer
	if err := net.Write(&out); err != nil {
		return
	}
	before, found := pnml.Read(strings.NewReader(text), ModelFile)
	if found.Err() != nil || before.Net == nil {
		return
	}
	after, more := pnml.Read(&out, ModelFile)
	if more.Err() != nil || after.Net == nil {
		t.Fatalf("stripped: %v", more)
	}
	if a, b := sizes(before.Net), sizes(after.Net); a != b {
		t.Fatalf("%v before, %v after", a, b)
	}
	if a, b := before.Net.NUPN, after.Net.NUPN; keepOrder && (a == nil) != (b == nil) || keepOrder && a != nil && (a.Safe != b.Safe || len(a.Units) != len(b.Units)) {
		t.Fatalf("units %v before, %v after", a, b)
	}
}

func sizes(n *pnml.Net) [5]uint64 {
	var tokens uint64
	for _, m := range n.Initial {
		tokens += m
	}
	return [5]uint64{uint64(n.Places.Len()), uint64(n.Transitions.Len()), uint64(n.Pre.Len()), uint64(n.Post.Len()), tokens}
}

// FuzzRenaming: what is read is written and read again the same.
func FuzzRenaming(f *testing.F) {
	f.Add([]byte(`{"format":"podium-renaming/1","original":"A-PT-1","stripped":"S_A-PT-1","seed":"","ids":{"a":"p1","b":"p2"}}`))
	f.Add([]byte(`{"format":"podium-renaming/1","ids":{"a":"p1","b":"p1"}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := ReadRenaming(bytes.NewReader(content))
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := r.Write(io.MultiWriter(&first, &second)); err != nil {
			t.Fatal(err)
		}
		again, err := ReadRenaming(&first)
		if err != nil {
			t.Fatal(err)
		}
		first.Reset()
		if err := again.Write(&first); err != nil || first.String() != second.String() {
			t.Fatalf("%v\n%s\n%s", err, &first, &second)
		}
	})
}
