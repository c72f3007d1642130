package pnml

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"podium/internal/realdata"
	"podium/pnml/diagnostic"
)

// realArchives calls do with every archive of a folder of the real data.
func realArchives(t testing.TB, folder string, do func(name, path string)) {
	data := realdata.Dir(t)
	if folder != "instances" {
		data = realdata.Contest(t)
	}
	archives, _ := filepath.Glob(filepath.Join(data, folder, "*.tgz"))
	for _, path := range archives {
		do(strings.TrimSuffix(filepath.Base(path), ".tgz"), path)
	}
}

// realModels calls do with the model.pnml of every archive of a folder.
func realModels(t testing.TB, folder string, do func(name string, model []byte)) {
	realArchives(t, folder, func(name, path string) {
		model, err := member(path, "model.pnml")
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		do(name, model)
	})
}

// member returns one file of an archive, io.EOF when it is not there.
func member(archive, name string) ([]byte, error) {
	f, err := os.Open(archive)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for tr := tar.NewReader(z); ; {
		h, err := tr.Next()
		if err != nil {
			return nil, err
		}
		if filepath.Base(h.Name) == name {
			return io.ReadAll(tr)
		}
	}
}

// census is what can be counted in a P/T net without building it.
type census struct {
	places, transitions, arcs, units int
	tokens, weights                  uint64
}

// countTokens counts from the tokens of encoding/xml.
func countTokens(model []byte) (census, error) {
	d := xml.NewDecoder(bytes.NewReader(model))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(r)
		out := []rune{}
		for _, c := range b {
			out = append(out, rune(c))
		}
		return strings.NewReader(string(out)), err
	}
	var c census
	var path []string
	ones := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			c.weights += uint64(c.arcs - ones)
			return c, nil
		} else if err != nil {
			return c, err
		}
		switch x := token.(type) {
		case xml.StartElement:
			inside := ""
			if len(path) > 0 {
				inside = path[len(path)-1]
			}
			inNet := inside == "page" || inside == "net"
			if x.Name.Local == "toolspecific" && !(inNet && slices.Contains(x.Attr, xml.Attr{Name: xml.Name{Local: "tool"}, Value: "nupn"})) {
				if err := d.Skip(); err != nil {
					return c, err
				}
				continue
			}
			path = append(path, x.Name.Local)
			switch name := x.Name.Local; {
			case name == "unit" && inside == "structure":
				c.units++
			case !inNet:
			case name == "place":
				c.places++
			case name == "transition":
				c.transitions++
			case name == "arc":
				c.arcs++
			}
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			where := strings.Join(path, "/")
			n, _ := strconv.ParseUint(strings.TrimSpace(string(x)), 10, 64)
			if strings.HasSuffix(where, "place/initialMarking/text") {
				c.tokens += n
			}
			if strings.HasSuffix(where, "arc/inscription/text") {
				c.weights += n
				ones++
			}
		}
	}
}

func countNet(n *Net) census {
	c := census{places: n.Places.Len(), transitions: n.Transitions.Len(), arcs: n.Pre.Len() + n.Post.Len()}
	for _, m := range n.Initial {
		c.tokens += m
	}
	for _, a := range []*Arcs{&n.Pre, &n.Post} {
		for k := range a.Place {
			c.weights += a.WeightAt(uint32(k))
		}
	}
	if n.NUPN != nil {
		c.units = len(n.NUPN.Units)
	}
	return c
}

func countSymmetric(n *Symmetric) census {
	c := census{places: n.Places.Len(), transitions: n.Transitions.Len()}
	for t := range n.Pre {
		c.arcs += len(n.Pre[t]) + len(n.Post[t])
	}
	c.weights = uint64(c.arcs)
	return c
}

// written writes a document and reads it back.
func written(t testing.TB, doc *Document) (text []byte, again *Document) {
	var b bytes.Buffer
	if err := doc.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, diags := Read(bytes.NewReader(b.Bytes()), "written")
	if diags.Err() != nil {
		t.Fatalf("the written document is refused: %v", diags)
	}
	return b.Bytes(), again
}

func TestRealModels(t *testing.T) {
	realModels(t, "instances", func(name string, model []byte) {
		doc, diags := Read(bytes.NewReader(model), name)
		if err := diags.Err(); err != nil {
			t.Errorf("%.2000s", err)
			return
		}
		first, again := written(t, doc)
		if second, _ := written(t, again); !bytes.Equal(first, second) {
			t.Errorf("%s: written, read and written again differs", name)
		}
		want, err := countTokens(model)
		if err != nil {
			t.Fatal(name, err)
		}
		if doc.Symmetric != nil {
			if got := countSymmetric(doc.Symmetric); got != want {
				t.Errorf("%s: read %+v, counted %+v", name, got, want)
			}
			return
		}
		if got := countNet(doc.Net); got != want {
			t.Errorf("%s: read %+v, counted %+v", name, got, want)
		}
		if got, want := countNet(again.Net), countNet(doc.Net); got != want {
			t.Errorf("%s: written net has %+v, read %+v", name, got, want)
		}
		if n := diags.Count(diagnostic.Warning); n > 0 {
			t.Logf("%s: %d warnings, first %v", name, n, diags[0])
		}
	})
}
