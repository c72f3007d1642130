package campaign

import (
	"reflect"
	"testing"
	"time"
)

// TestEndsKeepAllFields keeps ends all fields of which are set, and ends none of which is.
func TestEndsKeepAllFields(t *testing.T) {
	var whole Finished
	n := 0
	fillAll(reflect.ValueOf(&whole).Elem(), &n)
	whole.made = made{&Opened{Worker: "w"}, "model", 1 << 40, true}
	other := whole
	other.Attempt, other.Outcome.CPUTime, other.Cores = -1, 1<<62, []int{3}
	other.Reread = &Reread{Reader: "another"}
	bare := Finished{Outcome: whole.Outcome}
	bare.Outcome.Energy, bare.Outcome.Warnings, bare.Outcome.Started = nil, nil, time.Time{}
	list := []Finished{whole, other, bare, {}}
	ends := NewEnds(len(list) + 1)
	for i, f := range list {
		ends.Set(i, f)
	}
	for i, want := range list {
		if got, ok := ends.Get(i); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("end %d:\n%+v, %v\nwant\n%+v", i, got, ok, want)
		}
		if got := ends.Said(i); !reflect.DeepEqual(got, Finished{Answers: want.Answers, Witnesses: want.Witnesses}) {
			t.Errorf("end %d said\n%+v\nof\n%+v", i, got, want)
		}
	}
	if got, ok := ends.Get(len(list)); ok {
		t.Errorf("there is an end that was not set: %+v", got)
	}
	if got, _ := ends.Get(1); got.made.by != whole.made.by || got.Reread != other.Reread {
		t.Error("what ends share was copied")
	}
}

// fillAll sets all fields that other packages see, to values that differ.
func fillAll(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString("text " + string(rune('A'+*n)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(*n) << 33)
	case reflect.Uint8:
		v.SetUint(uint64(*n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fillAll(v.Index(0), n)
		fillAll(v.Index(1), n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillAll(v.Elem(), n)
	case reflect.Struct:
		switch at := v.Addr().Interface().(type) {
		case *time.Time:
			*at = time.Unix(int64(*n)<<30, 5).UTC()
			return
		case *Answers:
			*at = AnswersOf(Answer{Item: "item", Text: "TRUE", Line: 3, Offset: 80, At: 9})
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fillAll(v.Field(i), n)
			}
		}
	}
}
