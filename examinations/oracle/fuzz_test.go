package oracle

import (
	"reflect"
	"strings"
	"testing"

	"podium/examinations"
	"podium/models"
)

func FuzzReadOracle(f *testing.F) {
	f.Add("M-PT-1 CTLFireability\nFORMULA M-PT-1-CTLFireability-00 TRUE TECHNIQUES ORACLE2025\n")
	f.Add("M-PT-1 StateSpace\nSTATE_SPACE STATES 4.0000E+0009 TECHNIQUES X\nSTATE_SPACE TRANSITIONS -1 TECHNIQUES X\n")
	f.Add("M-PT-1 UpperBounds\nFORMULA b inf TECHNIQUES X\n")
	f.Fuzz(func(t *testing.T, text string) {
		items := []string{"b", "a", "M-PT-1-CTLFireability-2025-00"}
		values, _ := Read(strings.NewReader(text), "o", items)
		var b strings.Builder
		var exam examinations.ID
		var id models.ID
		for k := range values {
			exam, id = k.Exam, k.Instance
		}
		if exam == "" {
			return
		}
		if !exam.HasFormulas() {
			items = exam.Items(nil)
		}
		if err := Write(&b, id, exam, items, values, "X"); err != nil {
			t.Fatal(err)
		}
		again, list := Read(strings.NewReader(b.String()), "o", items)
		if len(list) > 0 || !reflect.DeepEqual(values, again) {
			t.Errorf("%v is read again as %v, %v", values, again, list)
		}
	})
}

func FuzzReadOracleCSV(f *testing.F) {
	f.Add("instance,examination,formula_id,value\nM-PT-1,OneSafe,OneSafe,TRUE\nM-PT-1,StateSpace,STATES,-1\n")
	f.Add("value,instance,examination,formula_id\n\"inf\",M-PT-1,UpperBounds,\"a\nb\"\n")
	f.Fuzz(func(t *testing.T, text string) {
		values, _ := ReadCSV(strings.NewReader(text), "o")
		for k, v := range values {
			if again, ok := examinations.ParseValue(v.Text, k.Exam.Kind()); !ok || again != v {
				t.Errorf("%v of %v", v, k)
			}
		}
	})
}
