package examinations

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
)

func TestParseValue(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{Bool, "TRUE", "TRUE"}, {Bool, "false", "FALSE"}, {Bool, "T", ""}, {Bool, "1", ""}, {Bool, "", ""},
		{Nat, "0", "0"}, {Nat, "000", "0"}, {Nat, "0123", "123"}, {Nat, "+5", "5"}, {Nat, "++5", ""}, {Nat, "-0", ""},
		{Nat, "4.0000E+0009", "4000000000"}, {Nat, "3.2057E+0008", "320570000"}, {Nat, "1.23e2", "123"}, {Nat, "1.234e2", ""},
		{Nat, "1230e-1", "123"}, {Nat, "1230e-2", ""}, {Nat, "0.0", "0"}, {Nat, "0e-9", "0"}, {Nat, "1.", ""}, {Nat, ".5e1", ""},
		{Nat, "1e", ""}, {Nat, "e5", ""}, {Nat, "1e5e5", ""}, {Nat, "1.0.0", ""}, {Nat, "1e+", ""}, {Nat, "1e1_0", ""},
		{Nat, "inf", "+inf"}, {Nat, "+INF", "+inf"}, {Nat, "Infinity", "+inf"}, {Nat, "-inf", ""}, {Nat, "∞", ""},
		{Nat, "TRUE", ""}, {Nat, "?", ""}, {Nat, "-1", ""}, {Nat, "", ""}, {Nat, "+", ""}, {Nat, "12 ", ""},
		{Nat, "18446744073709551616", "18446744073709551616"},
		{Nat, "12e1", "120"}, {Nat, "12.0", "12"}, {Nat, "12.5", ""}, {Nat, "1:", ""},
		{Nat, "1e1048576", ""}, {Nat, "0e1048576", "0"}, {Nat, "0e1048577", ""}, {Nat, "0e-1048576", "0"}, {Nat, "0e-1048577", ""},
	} {
		got, ok := ParseValue(c.text, c.kind)
		if got.Text != c.want || ok != (c.want != "") || ok && got.Kind != c.kind {
			t.Errorf("%s %q: %q, %v", c.kind, c.text, got, ok)
		}
	}
	for _, text := range []string{"1E" + strconv.Itoa(MaxDigits-1), strings.Repeat("1", MaxDigits)} {
		if v, ok := ParseValue(text, Nat); !ok || len(v.Text) != MaxDigits {
			t.Errorf("%.20s: %d digits, want the greatest number of digits", text, len(v.Text))
		}
	}
	if _, ok := ParseValue(strings.Repeat("1", MaxDigits+1), Nat); ok {
		t.Error("a number has more digits than numbers may have")
	}
}

func TestDisplayed(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "99999": "99999", "100000": "1.0000E+0005", "320573211": "3.2057E+0008", "123454": "1.2345E+0005",
		"123455": "1.2346E+0005", "999994": "9.9999E+0005", "999995": "1.0000E+0006",
		"17976931348623157" + strings.Repeat("0", 292): "1.7977E+0308", "17976931348623158" + strings.Repeat("0", 292): "+Inf****",
		"1" + strings.Repeat("0", 308): "1.0000E+0308", "18" + strings.Repeat("0", 307): "+Inf****", "1" + strings.Repeat("0", 23856): "+Inf****",
	} {
		v, ok := ParseValue(text, Nat)
		if got := Displayed(v); !ok || got != want {
			t.Errorf("%.20s...: %s, want %s", text, got, want)
		}
	}
	for v, want := range map[Value]string{True: "T", False: "F", Infinite: "inf", {}: "?"} {
		if got := Displayed(v); got != want {
			t.Errorf("%v: %s", v, got)
		}
	}
}

func TestComparisons(t *testing.T) {
	nat := func(s string) Value { return Value{Nat, s} }
	for _, c := range []struct {
		a, b             Value
		exact, displayed bool
	}{
		{nat("320573211"), nat("320570000"), false, true},
		{nat("320573211"), nat("320580000"), false, false},
		{nat("12345"), nat("12346"), false, false},
		{nat("1"), True, false, false},
		{Infinite, Infinite, true, true},
		{Value{}, Infinite, false, false},
		{True, True, true, true},
		{nat("1" + strings.Repeat("0", 400)), nat("2" + strings.Repeat("0", 500)), false, true},
		{nat("1" + strings.Repeat("0", 400)), Infinite, false, false},
	} {
		if got := c.a == c.b; got != c.exact {
			t.Errorf("%.20v and %.20v: exact %v", c.a, c.b, got)
		}
		if got := Displayed(c.a) == Displayed(c.b); got != c.displayed {
			t.Errorf("%.20v and %.20v: displayed %v", c.a, c.b, got)
		}
	}
}

// FuzzParseValue compares with the exact arithmetic of the standard library.
func FuzzParseValue(f *testing.F) {
	for _, s := range []string{"12", "+12.50e1", "1e-2", "inf", "0x10", "TRUE", "1_0", "00.0e00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if v, ok := ParseValue(text, Bool); ok != (strings.EqualFold(text, "true") || strings.EqualFold(text, "false")) || ok && v.Kind != Bool {
			t.Fatalf("%q is %v", text, v)
		}
		v, ok := ParseValue(text, Nat)
		if !ok && !v.IsZero() {
			t.Fatalf("%q is no value and %v", text, v)
		}
		if again, twice := ParseValue(v.Text, Nat); ok && (!twice || again != v) {
			t.Fatalf("%q is %v, which is %v", text, v, again)
		}
		if !ok || v == Infinite || len(v.Text) > 1000 {
			return
		}
		exact, good := new(big.Rat).SetString(text)
		if !good || !exact.IsInt() || exact.Num().String() != v.Text {
			t.Fatalf("%q is %v, not %v", text, v, exact)
		}
		Displayed(v)
	})
}
