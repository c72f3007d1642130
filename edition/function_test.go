package edition

import (
	"slices"
	"strings"
	"testing"

	"podium/confidence"
)

func TestFunctionCheck(t *testing.T) {
	f := electFunctions[0].function
	args, wrong := f.check(map[string]string{"majority": "absolute"})
	if len(wrong) != 0 || args.Word("majority") != "absolute" || args.Fraction("single_above").String() != "93/100" {
		t.Errorf("%v %v", args, wrong)
	}
	_, wrong = f.check(map[string]string{"majority": "some", "single_above": "x", "colour": "red"})
	for _, name := range []string{"majority", "single_above", "colour"} {
		if wrong[name] == nil {
			t.Errorf("no error for %s: %v", name, wrong)
		}
	}
}

func TestParameters(t *testing.T) {
	f := function{Name: "f", Doc: "all types", Params: []param{
		{Name: "whole", Type: intParam}, {Name: "part", Type: fractionParam, Default: "1/2"}, {Name: "word", Type: wordParam, Words: []string{"this", "that"}, Default: "this"},
		{Name: "flag", Type: flagParam, Default: "true"}, {Name: "list", Type: listParam}, {Name: "name", Type: identifierParam, Default: "x"}}}
	args, wrong := f.check(map[string]string{"whole": "-12", "list": "a, b ,,c"})
	if len(wrong) > 0 || args.Int("whole") != -12 || args.Fraction("part") != confidence.NewRatio(1, 2) || args.Word("word") != "this" || !args.Flag("flag") ||
		!slices.Equal(args.List("list"), []string{"a", "b", "c"}) || args.Word("name") != "x" {
		t.Errorf("%v %v", args, wrong)
	}
	for _, tc := range []struct{ name, text, want string }{
		{"whole", "10000", ""}, {"whole", "-10000", ""}, {"whole", "10001", "no whole number up to 10000"}, {"whole", "-10001", "no whole number"}, {"whole", "x", "no whole number"},
		{"part", "0.93", ""}, {"part", "half", "no ratio"}, {"word", "that", ""}, {"word", "those", "none of this, that"},
		{"flag", "false", ""}, {"flag", "yes", "neither true nor false"}, {"name", "y", ""}, {"name", "", "empty"}, {"colour", "red", "f has no parameter colour; it has whole, part, word, flag, list, name"},
	} {
		given := map[string]string{"whole": "1", tc.name: tc.text}
		_, wrong := f.check(given)
		if err := wrong[tc.name]; (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) || len(wrong) > 1 {
			t.Errorf("%s=%s: %v, want %q", tc.name, tc.text, wrong, tc.want)
		}
	}
	if _, wrong := f.check(nil); wrong[""] == nil || !strings.Contains(wrong[""].Error(), "f needs the parameter whole") {
		t.Errorf("a missing parameter: %v", wrong)
	}
	if _, wrong := (function{Name: "g"}).check(map[string]string{"x": "1"}); wrong["x"] == nil || !strings.HasSuffix(wrong["x"].Error(), "it has none") {
		t.Errorf("a function without parameters: %v", wrong)
	}
}
