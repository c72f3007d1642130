package output

import (
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"podium/examinations"
	"podium/models"
)

// FuzzReader reads any output in two ways, whole and byte by byte, and checks
// what every answer promises.
func FuzzReader(f *testing.F) {
	for i, h := range hostileOutputs {
		if len(h.output) < 1000 {
			f.Add(strings.NewReplacer("@0", formulaItems[0], "@1", formulaItems[1]).Replace(h.output), uint8(i), uint8(i%3))
		}
	}
	for i, id := range examinations.All() {
		if id == examinations.UpperBounds {
			f.Add("FORMULA "+formulaItems[0]+" [3, 7] TECHNIQUES BMC\nFORMULA "+formulaItems[1]+" [3,inf ] 5\n", uint8(i), uint8(16))
		}
	}
	f.Fuzz(func(t *testing.T, output string, exam, policy uint8) {
		o := ReaderOptions{Repeats: Repeats(policy % 3), Strict: policy&4 != 0, Intervals: policy&16 != 0, Instance: models.ID{Family: "M", Param: "1"}}
		id := examinations.All()[int(exam)%len(examinations.All())]
		if id.HasFormulas() && policy&8 == 0 {
			o.Items = formulaItems
		}
		in := strings.NewReader(output)
		whole := NewReader(in, id, o)
		answers := checkAnswers(t, whole, output, o)
		bytewise := NewReader(iotest.OneByteReader(strings.NewReader(output)), id, o)
		if again := checkAnswers(t, bytewise, output, o); !reflect.DeepEqual(answers, again) {
			t.Errorf("byte by byte: %v\nwhole: %v", again, answers)
		}
		if a, b := whole.Diagnostics(), bytewise.Diagnostics(); !reflect.DeepEqual(a, b) {
			t.Errorf("findings byte by byte: %v\nwhole: %v", b, a)
		}
		if whole.Participation() != bytewise.Participation() || in.Len() > 0 {
			t.Errorf("%v and %v, %d bytes left", whole.Participation(), bytewise.Participation(), in.Len())
		}
	})
}

func checkAnswers(t *testing.T, r *Reader, output string, o ReaderOptions) []Answer {
	t.Helper()
	var list []Answer
	values := map[string]examinations.Value{}
	for r.Scan() {
		a := r.Answer()
		list = append(list, a)
		values[a.Item] = a.Value
		line := output[a.Offset:][:a.Length]
		if strings.Contains(line, "\n") || !strings.Contains(line, "FORMULA ") && !strings.Contains(line, "STATE_SPACE") && !strings.Contains(line, "FORMULA\t") && !strings.ContainsAny(line, "\v\f\r") {
			t.Errorf("the line of %v is %q", a, line)
		}
		if strings.Count(output[:a.Offset], "\n")+1 != a.Line {
			t.Errorf("%v is not in line %d", a, a.Line)
		}
		again, ok := examinations.ParseValue(a.Value.Text, a.Value.Kind)
		if _, _, interval := a.Value.Interval(); interval && o.Intervals {
			again, ok = examinations.ParseInterval(a.Value.Text)
		}
		switch {
		case a.Value.IsZero() && o.Repeats == NoneCounts:
		case !ok || again != a.Value:
			t.Errorf("%v is not canonical", a.Value)
		}
	}
	if r.Err() != nil {
		t.Errorf("error %v", r.Err())
	}
	answered := false
	for _, v := range values {
		answered = answered || !v.IsZero()
	}
	if answered != (r.Participation() == Answered) {
		t.Errorf("%v with %v", r.Participation(), values)
	}
	return list
}
