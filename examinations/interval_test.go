package examinations

import "testing"

// TestE32Intervals: [a, b] with natural a and b, a not above b; b may be unknown.
func TestE32Intervals(t *testing.T) {
	for text, want := range map[string]string{
		"[3,7]": "[3,7]", "[3, 7]": "[3,7]", "[0, inf]": "[0,+inf]", "[ 003 ,+Infinity]": "[3,+inf]", "[9,10]": "[9,10]", "[5, 5]": "5", "[1E+1,1E+2]": "[10,100]",
		"[7,3]": "", "[10,9]": "", "[inf,inf]": "", "[inf,3]": "", "[-1,3]": "", "[3]": "", "3,7": "", "[3,7": "", "3,7]": "", "[1,2,3]": "", "[]": "", "[,]": "", "[[3,7]]": "", "": "",
	} {
		v, ok := ParseInterval(text)
		if v.Text != want || ok != (want != "") || ok && v.Kind != Nat {
			t.Errorf("E-3.2 %q: %v %v, want %q", text, v, ok, want)
		}
		if low, high, is := v.Interval(); is != (len(want) > 2) || is && "["+low+","+high+"]" != want {
			t.Errorf("E-3.2 %q: ends %s and %s", text, low, high)
		}
		if ok && Displayed(v) != want {
			t.Errorf("%q is displayed as %s", text, Displayed(v))
		}
	}
}
