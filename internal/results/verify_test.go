package results

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"podium/internal/edition"
)

// table2019 reads the published file of 2019, or skips.
func table2019(t testing.TB) (*Table, []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dataDir(t), "raw-result-analysis-2019.csv.zip"))
	if err != nil {
		t.Fatal(err)
	}
	name, in, err := Open("2019.zip", data, ".csv")
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	table, found := ReadTable(name, bytes.NewReader(plain))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return table, plain
}

func named(t testing.TB, id string) *edition.Edition {
	t.Helper()
	e, err := edition.Named(id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestVerify2019(t *testing.T) {
	table, plain := table2019(t)
	e := named(t, "mcc2019")
	report, found := Verify(table, e, Participants{})
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	if report.Rows != 91600 {
		t.Errorf("%d rows", report.Rows)
	}
	for _, c := range report.Columns {
		if c.Agree != report.Rows || c.Deviate != 0 {
			t.Errorf("%s: %d cells agree, %d deviate", c.Name, c.Agree, c.Deviate)
			for _, d := range c.First {
				t.Log(d)
			}
		}
	}
	judged, err := table.Judged(e, report.Result)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := judged.Write(&out); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), plain) {
		t.Error("the file with recomputed judgements differs from the published one")
	}
}
