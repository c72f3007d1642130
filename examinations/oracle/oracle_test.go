package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"podium/examinations"
	"podium/examinations/formula"
	"podium/examinations/output"
	"podium/internal/realdata"
	"podium/models"
	"podium/pnml/diagnostic"
)

// TestOracleRanks reads a file whose ids are of two years: the older ones come
// first in the order of the oracle.
func TestOracleRanks(t *testing.T) {
	items := []string{"M-PT-1-CTLFireability-2025-00", "M-PT-1-CTLFireability-2025-01", "M-PT-1-CTLFireability-2023-15"}
	text := "M-PT-1 CTLFireability\n" +
		"FORMULA M-PT-1-CTLFireability-00 TRUE TECHNIQUES ORACLE2025\n" +
		"FORMULA M-PT-1-CTLFireability-01 ? TECHNIQUES ORACLE2025\n" +
		"FORMULA M-PT-1-CTLFireability-02 FALSE TECHNIQUES ORACLE2025\n"
	got, list := Read(strings.NewReader(text), "o", items)
	m := instance(t, "M-PT-1")
	want := map[examinations.Key]examinations.Value{{Instance: m, Exam: examinations.CTLFireability, Item: items[2]}: examinations.True, {Instance: m, Exam: examinations.CTLFireability, Item: items[1]}: examinations.False}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	var b bytes.Buffer
	if err := Write(&b, m, examinations.CTLFireability, items, got, "ORACLE2025"); err != nil || b.String() != text {
		t.Errorf("written as %s, %v", b.String(), err)
	}
}

func TestOracleStateSpace(t *testing.T) {
	text := "M-PT-1 StateSpace\n" +
		"STATE_SPACE STATES 4.0000E+0009 TECHNIQUES X\n" +
		"STATE_SPACE TRANSITIONS -1 TECHNIQUES X\n" +
		"STATE_SPACE MAX_TOKEN_IN_PLACE +inf TECHNIQUES X\n" +
		"STATE_SPACE MAX_TOKEN_PER_MARKING 12 TECHNIQUES X\n"
	got, list := Read(strings.NewReader(text), "o", nil)
	m := instance(t, "M-PT-1")
	want := map[examinations.Key]examinations.Value{
		{Instance: m, Exam: examinations.StateSpace, Item: "STATES"}:                {Kind: examinations.Nat, Text: "4000000000"},
		{Instance: m, Exam: examinations.StateSpace, Item: "MAX_TOKEN_IN_PLACE"}:    examinations.Infinite,
		{Instance: m, Exam: examinations.StateSpace, Item: "MAX_TOKEN_PER_MARKING"}: {Kind: examinations.Nat, Text: "12"},
	}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	var b bytes.Buffer
	err := Write(&b, m, examinations.StateSpace, examinations.StateSpace.Items(nil), got, "X")
	if want := strings.Replace(text, "4.0000E+0009", "4000000000", 1); err != nil || b.String() != want {
		t.Errorf("written as %s, %v", b.String(), err)
	}
}

func TestBadOracles(t *testing.T) {
	for text, code := range map[string]string{
		"":                         "oracle-head",
		"M-PT-1\n":                 "oracle-head",
		"nonsense OneSafe\n":       "oracle-head",
		"M-PT-1 Liveliness\n":      "oracle-head",
		strings.Repeat("x", 10000): "oracle-head",
		"M-PT-1 OneSafe\nFORMULA OneSafe 1 TECHNIQUES X\n":                                          "answer-wrong-kind answer-none",
		"M-PT-1 UpperBounds\nFORMULA M-PT-1-UpperBounds-16 1 TECHNIQUES X\n":                        "answer-unknown-item answer-none",
		"M-PT-1 OneSafe\nFORMULA OneSafe TRUE TECHNIQUES X\nFORMULA OneSafe FALSE TECHNIQUES Y\n":   "answer-contradiction",
		"M-PT-1 StateSpace\nFORMULA OneSafe TRUE TECHNIQUES X\nSTATE_SPACE STATES 3 TECHNIQUES Y\n": "answer-wrong-keyword",
	} {
		_, list := Read(strings.NewReader(text), "o", nil)
		if got := codes(list); got != code {
			t.Errorf("%.60q: got %s, want %s", text, got, code)
		}
	}
}

func codes(list diagnostic.List) string {
	words := make([]string, len(list))
	for i, d := range list {
		words[i] = d.Code
	}
	return strings.Join(words, " ")
}

func TestOracleCSV(t *testing.T) {
	text := "value,instance,examination,formula_id,note\n" +
		"TRUE,M-PT-1,OneSafe,OneSafe,\n" +
		"?,M-PT-1,Liveness,Liveness,\n" +
		"-1,M-PT-1,StateSpace,TRANSITIONS,\n" +
		"inf,M-PT-1,UpperBounds,M-PT-1-UpperBounds-00,\n"
	got, list := ReadCSV(strings.NewReader(text), "o")
	m := instance(t, "M-PT-1")
	want := map[examinations.Key]examinations.Value{{Instance: m, Exam: examinations.OneSafe, Item: "OneSafe"}: examinations.True, {Instance: m, Exam: examinations.UpperBounds, Item: "M-PT-1-UpperBounds-00"}: examinations.Infinite}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	for text, code := range map[string]string{
		"":                           "oracle-csv",
		"instance,examination,value": "oracle-column",
		"instance,examination,formula_id,value\nM-PT-1,OneSafe,OneSafe,7\nM-PT-1,OneSafe\nM,OneSafe,OneSafe,TRUE\nM-PT-1,Safe,Safe,TRUE\n":  "oracle-value oracle-csv oracle-value oracle-value",
		"instance,examination,formula_id,value\nM-PT-1,OneSafe,OneSafe,TRUE\nM-PT-1,OneSafe,OneSafe,FALSE\nM-PT-1,OneSafe,\"OneSafe,TRUE\n": "oracle-contradiction oracle-csv",
	} {
		if _, list := ReadCSV(strings.NewReader(text), "o"); codes(list) != code {
			t.Errorf("%q: got %v", text, list)
		}
	}
}

// checkAsOutput reads an oracle as the output of a tool.
func checkAsOutput(t *testing.T, name string, content []byte, exam examinations.ID, want int) {
	t.Helper()
	r := output.NewReader(bytes.NewReader(content), exam, output.ReaderOptions{File: name})
	n := 0
	for r.Scan() {
		n++
	}
	if list := r.Diagnostics(); n != want || list.Err() != nil {
		t.Errorf("%s: %d answers, not %d: %v", name, n, want, list)
	}
}

// TestRealOracles reads the oracle files of the real data with the ids of the
// real formula files and finds exactly what the table of the same answers says.
func TestRealOracles(t *testing.T) {
	items := map[models.ID]map[examinations.ID][]string{}
	for _, archive := range realdata.InstanceArchives(t) {
		realdata.EachFile(t, archive, func(name string, content []byte) {
			exam, err := examinations.ParseID(strings.TrimSuffix(filepath.Base(name), ".xml"))
			if err != nil || !exam.HasFormulas() {
				return
			}
			id := instance(t, filepath.Base(filepath.Dir(name)))
			properties, list := formula.Read(bytes.NewReader(content), name, exam)
			if len(list) > 0 {
				t.Error(list)
			}
			if items[id] == nil {
				items[id] = map[examinations.ID][]string{}
			}
			items[id][exam] = exam.Items(formula.IDs(properties))
		})
	}
	got, table := map[examinations.Key]examinations.Value{}, map[examinations.Key]examinations.Value{}
	realdata.EachFile(t, filepath.Join(realdata.Dir(t), "oracle.tgz"), func(name string, content []byte) {
		if strings.HasSuffix(name, ".csv") {
			values, list := ReadCSV(bytes.NewReader(content), name)
			if len(list) > 0 {
				t.Error(list)
			}
			for k, v := range values {
				if items[k.Instance] != nil {
					table[k] = v
				}
			}
			return
		}
		head, _, _ := strings.Cut(string(content), "\n")
		word, exam, _ := strings.Cut(head, " ")
		id := instance(t, word)
		if items[id] == nil {
			return
		}
		values, list := Read(bytes.NewReader(content), name, items[id][examinations.ID(exam)])
		if len(list) > 0 {
			t.Errorf("%s: %v", name, list)
		}
		checkAsOutput(t, name, content, examinations.ID(exam), len(values))
		if want := FileName(id, examinations.ID(exam)); filepath.Base(name) != want {
			t.Errorf("%s should be %s", name, want)
		}
		for k, v := range values {
			got[k] = v
		}
	})
	if len(table) < 1000 || !reflect.DeepEqual(got, table) {
		t.Errorf("%d values from files, %d from the table", len(got), len(table))
		for k, v := range table {
			if got[k] != v {
				t.Fatalf("%v is %v in the file and %v in the table", k, got[k], v)
			}
		}
	}
}

func instance(t testing.TB, name string) models.ID {
	t.Helper()
	id, err := models.ParseID(name)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestOracleLines: findings name the line that they are about, and a file that cannot
// be read to its end is not taken for whole.
func TestOracleLines(t *testing.T) {
	text := "M-PT-1 OneSafe\nFORMULA OneSafe 1 TECHNIQUES X\n"
	_, list := Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.New("the disk is gone"))), "o", nil)
	var lines []string
	for _, d := range list {
		lines = append(lines, fmt.Sprint(d.Code, " ", d.Line))
	}
	if got := strings.Join(lines, ", "); !strings.Contains(got, "answer-wrong-kind 2") || !strings.Contains(got, "oracle-read 0") {
		t.Errorf("findings %s", got)
	}
	if _, list := Read(strings.NewReader("M-PT-1\n"), "o", nil); len(list) != 1 || list[0].Line != 1 {
		t.Errorf("the first line: %v", list)
	}
	if _, list := Read(strings.NewReader("M-PT-1 OneSafe"), "o", nil); codes(list) == "oracle-head" {
		t.Errorf("a first line without end: %v", list)
	}
	table := "instance,examination,value\nM-PT-1,OneSafe,TRUE\n"
	if _, list := ReadCSV(strings.NewReader(table), "o"); codes(list) != "oracle-column" || list[0].Line != 1 {
		t.Errorf("a table without a column: %v", list)
	}
	table = "instance,examination,formula_id,value\n\"M\n\",OneSafe,OneSafe,TRUE\n"
	if _, list := ReadCSV(strings.NewReader(table), "o"); len(list) != 1 || list[0].Line != 2 {
		t.Errorf("a row of two lines: %v", list)
	}
}

// TestOracleIDs: an id that is no rank stands for itself, and a bound that is infinite
// is written as inf.
func TestOracleIDs(t *testing.T) {
	m := instance(t, "M-PT-1")
	items := []string{"M-PT-1-UpperBounds-2023-15"}
	key := examinations.Key{Instance: m, Exam: examinations.UpperBounds, Item: items[0]}
	got, list := Read(strings.NewReader("M-PT-1 UpperBounds\nFORMULA M-PT-1-UpperBounds-2023-15 7 TECHNIQUES X\n"), "o", items)
	if len(list) > 0 || got[key].Text != "7" {
		t.Errorf("%v, %v", got, list)
	}
	var b bytes.Buffer
	err := Write(&b, m, examinations.UpperBounds, items, map[examinations.Key]examinations.Value{key: examinations.Infinite}, "X")
	if want := "M-PT-1 UpperBounds\nFORMULA M-PT-1-UpperBounds-00 inf TECHNIQUES X\n"; err != nil || b.String() != want {
		t.Errorf("written as %s, %v", b.String(), err)
	}
}
