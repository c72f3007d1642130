package publish

import (
	"fmt"
	"html"
	"html/template"
	"math/big"
	"strconv"
	"strings"
	"time"

	"podium/confidence"
	"podium/examinations"
	"podium/internal/columns"
	"podium/internal/wording"
	"podium/scoring"
)

// Numbers longer than shownDigits are shortened on pages, with the whole number
// on demand.
const shownDigits = 36

// notMeasured stands for a figure that nobody measured, or that is not to be
// trusted.
const notMeasured = "not measured"

// minus is the sign that is as wide as a digit.
const minus = "\u2212"

// exact is the text of a ratio without any rounding: "-2" or "49/50".
func exact(r *big.Rat) string {
	if r == nil {
		return "0"
	}
	return r.RatString()
}

// decimal shows a ratio to people: integers with grouped digits, hundredths with
// two decimals, others with six at most.
func decimal(r *big.Rat) string {
	if r == nil || r.Sign() == 0 {
		return "0"
	}
	text := strings.TrimSuffix(columns.Rounded(r), ".")
	if _, part, _ := strings.Cut(text, "."); len(part) == 1 {
		text += "0"
	}
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = minus, rest
	}
	whole, part, _ := strings.Cut(text, ".")
	if part != "" {
		part = "." + part
	}
	return sign + wording.Grouped(whole) + part
}

// signed is decimal with a plus sign for gains.
func signed(r *big.Rat) string {
	if r != nil && r.Sign() > 0 {
		return "+" + decimal(r)
	}
	return decimal(r)
}

// weight shows a confidence or a sum of confidences: at most four decimals,
// and never a 1 for what is less than 1.
func weight(r *big.Rat) string {
	if r == nil {
		return "0"
	}
	if r.IsInt() {
		return r.Num().String()
	}
	text := r.FloatString(4)
	if rounded, ok := new(big.Rat).SetString(text); ok && rounded.IsInt() {
		return "\u2248" + r.FloatString(8)
	}
	return text
}

// percent shows a share; only a whole is 100 %, and only nothing is 0 %.
func percent(part, whole int) string {
	if whole == 0 {
		return "none"
	}
	switch part {
	case whole:
		return "100 %"
	case 0:
		return "0 %"
	}
	text := new(big.Rat).SetFrac64(int64(part)*100, int64(whole)).FloatString(2)
	switch text {
	case "100.00":
		text = "99.99"
	case "0.00":
		text = "0.01"
	}
	return text + " %"
}

// count shows a number of things.
func count(n int) string { return wording.Number(n) }

// duration shows a time with three significant digits and its unit.
func duration(d time.Duration) string {
	switch {
	case d < 0:
		return notMeasured
	case d == 0:
		return "0\u00a0s"
	case d < time.Millisecond:
		return strconv.FormatInt(d.Microseconds(), 10) + "\u00a0\u00b5s"
	case d < time.Second-500*time.Microsecond:
		return threeDigits(d.Seconds()*1000) + "\u00a0ms"
	case d < time.Minute:
		return threeDigits(d.Seconds()) + "\u00a0s"
	case d < time.Hour:
		s := int64(d.Round(time.Second) / time.Second)
		return strconv.FormatInt(s/60, 10) + "\u00a0min " + strconv.FormatInt(100+s%60, 10)[1:] + "\u00a0s"
	case d < 48*time.Hour:
		m := int64(d.Round(time.Minute) / time.Minute)
		return fmt.Sprintf("%d\u00a0h %02d\u00a0min", m/60, m%60)
	}
	h := int64(d.Round(time.Hour) / time.Hour)
	return fmt.Sprintf("%s\u00a0d %02d\u00a0h", count(int(h/24)), h%24)
}

func threeDigits(x float64) string {
	switch {
	case x >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// size shows bytes in SI units (1 MB is a million bytes) with three digits.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d\u00a0B", n)
	}
	x := float64(n)
	for _, unit := range []string{"kB", "MB", "GB", "TB"} {
		if x /= 1000; x < 999.5 || unit == "TB" {
			return threeDigits(x) + "\u00a0" + unit
		}
	}
	return ""
}

// megabytes is the exact number of megabytes, as CSV files have it.
func megabytes(n int64) string {
	text := fmt.Sprintf("%d.%06d", n/1e6, n%1e6)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// stamp shows a moment in UTC.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return t.UTC().Format("2 January 2006, 15:04\u00a0UTC")
}

// short is a value on one line: long numbers lose their middle.
func short(v examinations.Value) string {
	if len(v.Text) <= shownDigits {
		return v.Text
	}
	return fmt.Sprintf("%s\u2026%s (%s digits)", v.Text[:12], v.Text[len(v.Text)-6:], count(len(v.Text)))
}

// valueHTML is a value on a page; the whole of a long number opens on demand.
func valueHTML(v examinations.Value) template.HTML {
	if v.IsZero() {
		return `<span class="none">none</span>`
	}
	if len(v.Text) <= shownDigits {
		return template.HTML(`<code>` + html.EscapeString(clean(v.Text)) + `</code>`)
	}
	return template.HTML(`<details class="long"><summary><code>` + html.EscapeString(clean(short(v))) +
		`</code></summary><code>` + html.EscapeString(clean(v.Text)) + `</code></details>`)
}

// maskText is a mask as published files have it, but for what is set aside, and for what was not
// answered where there is no reference.
func maskText(mask []scoring.Mark) string {
	text := make([]byte, len(mask))
	for i, m := range mask {
		if text[i] = m.Char(); m == scoring.Ignored {
			text[i] = '~'
		}
	}
	return string(text)
}

// ratioOf is the confidence of a tool, nil when it answered no consistent value.
func ratioOf(c confidence.Share) *big.Rat {
	if c.Answered == 0 {
		return nil
	}
	return big.NewRat(int64(c.Agree), int64(c.Answered))
}

// instant is a moment as files have it.
func instant(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
