package wording

import "testing"

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"8GB": 8e9, "8 GB": 8e9, "16 GiB": 16 << 30, "512MiB": 512 << 20, "7": 7, "5 kB": 5000} {
		n, err := Bytes(text)
		if again, e := Bytes(Size(n)); err != nil || e != nil || n != want || again != want {
			t.Errorf("%s: %d, %v; as %s: %d, %v", text, n, err, Size(n), again, e)
		}
	}
	for _, text := range []string{"", "GB", "-1", "0", "1.5GB", "8 apples", "9999999999TB"} {
		if n, err := Bytes(text); err == nil {
			t.Errorf("%q is %d bytes", text, n)
		}
	}
}

func TestNumber(t *testing.T) {
	for n, want := range map[int]string{-12345: "\u221212\u202f345", -7: "\u22127", 0: "0", 12345: "12\u202f345"} {
		if got := Number(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestGrouped(t *testing.T) {
	for digits, want := range map[string]string{"1234": "1234", "12345": "12\u202f345", "1234567": "1\u202f234\u202f567"} {
		if got := Grouped(digits); got != want {
			t.Errorf("%s: %s", digits, got)
		}
	}
}
