package examinations

import (
	"bytes"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

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
	got, list := ReadOracle(strings.NewReader(text), "o", items)
	m := instance(t, "M-PT-1")
	want := map[Key]Value{{m, CTLFireability, items[2]}: True, {m, CTLFireability, items[1]}: False}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	var b bytes.Buffer
	if err := WriteOracle(&b, m, CTLFireability, items, got, "ORACLE2025"); err != nil || b.String() != text {
		t.Errorf("written as %s, %v", b.String(), err)
	}
}

func TestOracleStateSpace(t *testing.T) {
	text := "M-PT-1 StateSpace\n" +
		"STATE_SPACE STATES 4.0000E+0009 TECHNIQUES X\n" +
		"STATE_SPACE TRANSITIONS -1 TECHNIQUES X\n" +
		"STATE_SPACE MAX_TOKEN_IN_PLACE +inf TECHNIQUES X\n" +
		"STATE_SPACE MAX_TOKEN_PER_MARKING 12 TECHNIQUES X\n"
	got, list := ReadOracle(strings.NewReader(text), "o", nil)
	m := instance(t, "M-PT-1")
	want := map[Key]Value{
		{m, StateSpace, "STATES"}:                {Nat, "4000000000"},
		{m, StateSpace, "MAX_TOKEN_IN_PLACE"}:    Infinite,
		{m, StateSpace, "MAX_TOKEN_PER_MARKING"}: {Nat, "12"},
	}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	var b bytes.Buffer
	err := WriteOracle(&b, m, StateSpace, StateSpace.Items(nil), got, "X")
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
		"M-PT-1 OneSafe\nFORMULA OneSafe 1 TECHNIQUES X\n":                                          "answer-none answer-wrong-kind",
		"M-PT-1 UpperBounds\nFORMULA M-PT-1-UpperBounds-16 1 TECHNIQUES X\n":                        "answer-none answer-unknown-item",
		"M-PT-1 OneSafe\nFORMULA OneSafe TRUE TECHNIQUES X\nFORMULA OneSafe FALSE TECHNIQUES Y\n":   "answer-contradiction",
		"M-PT-1 StateSpace\nFORMULA OneSafe TRUE TECHNIQUES X\nSTATE_SPACE STATES 3 TECHNIQUES Y\n": "answer-wrong-keyword",
	} {
		_, list := ReadOracle(strings.NewReader(text), "o", nil)
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
	got, list := ReadOracleCSV(strings.NewReader(text), "o")
	m := instance(t, "M-PT-1")
	want := map[Key]Value{{m, OneSafe, "OneSafe"}: True, {m, UpperBounds, "M-PT-1-UpperBounds-00"}: Infinite}
	if !reflect.DeepEqual(got, want) || len(list) > 0 {
		t.Errorf("got %v, %v", got, list)
	}
	for text, code := range map[string]string{
		"":                           "oracle-csv",
		"instance,examination,value": "oracle-column",
		"instance,examination,formula_id,value\nM-PT-1,OneSafe,OneSafe,7\nM-PT-1,OneSafe\nM,OneSafe,OneSafe,TRUE\nM-PT-1,Safe,Safe,TRUE\n":  "oracle-value oracle-csv oracle-value oracle-value",
		"instance,examination,formula_id,value\nM-PT-1,OneSafe,OneSafe,TRUE\nM-PT-1,OneSafe,OneSafe,FALSE\nM-PT-1,OneSafe,\"OneSafe,TRUE\n": "oracle-contradiction oracle-csv",
	} {
		if _, list := ReadOracleCSV(strings.NewReader(text), "o"); codes(list) != code {
			t.Errorf("%q: got %v", text, list)
		}
	}
}

// checkAsOutput reads an oracle as the output of a tool.
func checkAsOutput(t *testing.T, name string, content []byte, exam ID, want int) {
	t.Helper()
	r := NewReader(bytes.NewReader(content), exam, ReaderOptions{File: name})
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
	items := map[models.ID]map[ID][]string{}
	for _, archive := range instanceArchives(t) {
		eachFile(t, archive, func(name string, content []byte) {
			exam, ok := examOf(name, ".xml")
			if !ok {
				return
			}
			id := instance(t, filepath.Base(filepath.Dir(name)))
			properties, list := ReadFormulas(bytes.NewReader(content), name, exam)
			if len(list) > 0 {
				t.Error(list)
			}
			if items[id] == nil {
				items[id] = map[ID][]string{}
			}
			items[id][exam] = exam.Items(properties)
		})
	}
	got, table := map[Key]Value{}, map[Key]Value{}
	eachFile(t, filepath.Join(dataDir(t), "oracle.tgz"), func(name string, content []byte) {
		if strings.HasSuffix(name, ".csv") {
			values, list := ReadOracleCSV(bytes.NewReader(content), name)
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
		values, list := ReadOracle(bytes.NewReader(content), name, items[id][ID(exam)])
		if len(list) > 0 {
			t.Errorf("%s: %v", name, list)
		}
		checkAsOutput(t, name, content, ID(exam), len(values))
		if want := OracleFile(id, ID(exam)); filepath.Base(name) != want {
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
