package confidence

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Ratio is an exact fraction of two int64. The zero value is 0.
type Ratio struct{ num, den int64 }

// NewRatio returns num/den in lowest terms. A zero denominator gives 0, because a
// tool without consistent values has confidence 0 (E-2.1).
func NewRatio(num, den int64) Ratio {
	if den == 0 || num == 0 {
		return Ratio{}
	}
	if den < 0 {
		num, den = -num, -den
	}
	g := gcd(num, den)
	return Ratio{num / g, den / g}
}

func gcd(a, b int64) int64 {
	if a < 0 {
		a = -a
	}
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// maxRatioPart bounds both parts of a ratio that is read from text, so that
// products of two of them fit.
const maxRatioPart = 1_000_000_000

// ParseRatio reads "93/100", "0.93", "2" or "-1/2". Numerator and denominator
// are at most 10^9.
func ParseRatio(text string) (Ratio, error) {
	num, den, slash := strings.Cut(text, "/")
	if !slash {
		whole, decimals, _ := strings.Cut(text, ".")
		if whole == "" || whole == "-" || len(decimals) > 9 || strings.HasSuffix(text, ".") || strings.ContainsAny(decimals, "+-") {
			return Ratio{}, fmt.Errorf("%q is no ratio: write 93/100, 0.93 or 2", text)
		}
		num, den = whole+decimals, "1"+strings.Repeat("0", len(decimals))
	}
	n, errNum := strconv.ParseInt(num, 10, 64)
	d, errDen := strconv.ParseInt(den, 10, 64)
	if errNum != nil || errDen != nil || d <= 0 || n > maxRatioPart || n < -maxRatioPart || d > maxRatioPart {
		return Ratio{}, fmt.Errorf("%q is no ratio: write 93/100, 0.93 or 2, with parts up to %d", text, maxRatioPart)
	}
	return NewRatio(n, d), nil
}

// Num is the numerator in lowest terms.
func (r Ratio) Num() int64 { return r.num }

// Den is the denominator in lowest terms, at least 1.
func (r Ratio) Den() int64 { return max(r.den, 1) }

// IsInt reports whether the ratio is a whole number.
func (r Ratio) IsInt() bool { return r.Den() == 1 }

// Rat returns the same number as a big.Rat.
func (r Ratio) Rat() *big.Rat { return big.NewRat(r.num, r.Den()) }

// Cmp returns -1, 0 or +1 when r is less than, equal to or greater than s.
func (r Ratio) Cmp(s Ratio) int {
	switch {
	case r.num < 0 && s.num >= 0:
		return -1
	case r.num >= 0 && s.num < 0:
		return +1
	case r.num < 0:
		return Ratio{-s.num, s.den}.Cmp(Ratio{-r.num, r.den})
	}
	rhi, rlo := bits.Mul64(uint64(r.num), uint64(s.Den()))
	shi, slo := bits.Mul64(uint64(s.num), uint64(r.Den()))
	return cmp.Or(cmp.Compare(rhi, shi), cmp.Compare(rlo, slo))
}

// String is "num/den", or the whole number alone.
func (r Ratio) String() string {
	if r.IsInt() {
		return strconv.FormatInt(r.num, 10)
	}
	return fmt.Sprintf("%d/%d", r.num, r.den)
}

// Decimal writes the ratio with this number of digits after the point, rounded
// half away from zero.
func (r Ratio) Decimal(digits int) string { return r.Rat().FloatString(digits) }
