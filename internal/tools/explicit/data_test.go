package explicit

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/oracle"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml"
)

// untar calls visit for every regular file of an archive until it gives false.
func untar(t testing.TB, path string, visit func(name string, content io.Reader) bool) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg && !visit(filepath.Base(h.Name), r) {
			return
		}
	}
}

// instance is one real instance, read.
type instance struct {
	id    models.ID
	doc   *pnml.Document
	props map[examinations.ID][]formula.Property
}

func readInstance(t testing.TB, path string) instance {
	t.Helper()
	id, err := models.ParseID(strings.TrimSuffix(filepath.Base(path), ".tgz"))
	if err != nil {
		t.Fatal(err)
	}
	in := instance{id: id, props: map[examinations.ID][]formula.Property{}}
	untar(t, path, func(name string, content io.Reader) bool {
		if name == "model.pnml" {
			doc, findings := pnml.Read(content, path)
			if err := findings.Err(); err != nil {
				t.Fatal(err)
			}
			in.doc = doc
		}
		exam, err := examinations.ParseID(strings.TrimSuffix(name, ".xml"))
		if err != nil || !exam.HasFormulas() {
			return true
		}
		props, findings := formula.Read(content, path, exam)
		if err := findings.Err(); err != nil {
			t.Fatal(err)
		}
		in.props[exam] = props
		return true
	})
	return in
}

// readOracle returns the agreed answers.
func readOracle(t testing.TB) map[examinations.Key]examinations.Value {
	t.Helper()
	var agreed map[examinations.Key]examinations.Value
	untar(t, filepath.Join(realdata.Dir(t), "oracle.tgz"), func(name string, content io.Reader) bool {
		if name != "oracle_by_id.csv" {
			return true
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		values, findings := oracle.ReadCSV(bytes.NewReader(text), name)
		if err := findings.Err(); err != nil {
			t.Fatal(err)
		}
		agreed = values
		return false
	})
	if len(agreed) < 1000 {
		t.Fatalf("the oracle holds only %d values", len(agreed))
	}
	return agreed
}

// answersIn reads the lines that an engine printed.
func answersIn(t testing.TB, exam examinations.ID, output []byte) map[string]string {
	t.Helper()
	answers := map[string]string{}
	for _, line := range strings.Split(string(output), "\n") {
		words := strings.Fields(line)
		if len(words) < 4 || words[3] != "TECHNIQUES" {
			continue
		}
		if _, twice := answers[words[1]]; twice {
			t.Errorf("%s: %s is answered twice", exam, words[1])
		}
		answers[words[1]] = words[2]
	}
	return answers
}
