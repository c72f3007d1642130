package wording

import (
	"fmt"
	"strconv"
	"strings"
)

var sizeUnits = []struct {
	name   string
	factor int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}, {"", 1},
}

// Bytes reads a size with an optional decimal (GB) or binary (GiB) unit: "16GB", "512 MiB" or a plain number of bytes.
func Bytes(text string) (int64, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.factor {
			break
		}
		return n * u.factor, nil
	}
	return 0, fmt.Errorf("%q is no size: write a whole number with a unit, such as 16GB or 512MiB", text)
}

// Size writes a size in the largest unit that divides it.
func Size(bytes int64) string {
	for _, u := range []string{"TB", "GB", "MB", "kB", "GiB", "MiB"} {
		for _, unit := range sizeUnits {
			if unit.name == u && bytes >= unit.factor && bytes%unit.factor == 0 {
				return strconv.FormatInt(bytes/unit.factor, 10) + u
			}
		}
	}
	return strconv.FormatInt(bytes, 10)
}

// Number writes a whole number with its digits in groups.
func Number(n int) string {
	if n < 0 {
		return "\u2212" + Grouped(strconv.Itoa(-n))
	}
	return Grouped(strconv.Itoa(n))
}

// Grouped puts a thin no-break space between groups of three digits of numbers
// of five digits and more.
func Grouped(digits string) string {
	if len(digits) < 5 {
		return digits
	}
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(r)
	}
	return b.String()
}
