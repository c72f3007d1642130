package publish

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"podium/examinations"
	"podium/scoring"
)

func TestNumbersForPeople(t *testing.T) {
	const nb, thin = "\u00a0", "\u202f"
	for _, c := range []struct{ got, want string }{
		{decimal(nil), "0"}, {decimal(big.NewRat(1234, 1)), "1234"}, {decimal(big.NewRat(-12345, 1)), minus + "12" + thin + "345"},
		{decimal(big.NewRat(1, 3)), "0.333333"}, {decimal(big.NewRat(-7, 2)), minus + "3.50"}, {signed(big.NewRat(4, 1)), "+4"}, {signed(new(big.Rat)), "0"},
		{exact(big.NewRat(-2, 6)), "-1/3"}, {exact(nil), "0"},
		{weight(big.NewRat(1, 1)), "1"}, {weight(big.NewRat(2313, 2701)), "0.8563"}, {weight(big.NewRat(66462, 66463)), "\u22480.99998495"}, {weight(nil), "0"},
		{percent(3, 3), "100 %"}, {percent(66462, 66463), "99.99 %"}, {percent(0, 0), "none"}, {percent(0, 7), "0 %"}, {percent(1, 66463), "0.01 %"}, {effortRow{Effort: scoring.Effort{Confirmed: 199, Unconfirmed: 1}}.Rate(), "99.50 %"}, {percent(1, 4), "25.00 %"},
		{duration(0), "0" + nb + "s"}, {duration(850 * time.Microsecond), "850" + nb + "µs"}, {duration(4200 * time.Microsecond), "4.20" + nb + "ms"},
		{duration(999900 * time.Microsecond), "1.00" + nb + "s"}, {duration(59 * time.Second), "59.0" + nb + "s"}, {duration(3599 * time.Second), "59" + nb + "min 59" + nb + "s"},
		{duration(time.Hour), "1" + nb + "h 00" + nb + "min"}, {duration(100 * time.Hour), "4" + nb + "d 04" + nb + "h"}, {duration(-1), notMeasured},
		{size(0), "0" + nb + "B"}, {size(999), "999" + nb + "B"}, {size(1000), "1.00" + nb + "kB"}, {size(999_600), "1.00" + nb + "MB"}, {size(16e9), "16.0" + nb + "GB"},
		{size(math.MaxInt64), "9223372" + nb + "TB"},
		{megabytes(12345678), "12.345678"}, {megabytes(5e6), "5"}, {megabytes(0), "0"},
		{count(-12345), minus + "12" + thin + "345"}, {stamp(time.Time{}), "never"},
		{sentence("élan, enumerates"), "Élan, enumerates"}, {sentence(""), ""},
		{itemWithin("A-PT-1", "A-PT-1-CTLCardinality-2024-00"), "CTLCardinality-2024-00"}, {itemWithin("A-PT-1", "STATES"), "STATES"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestLongNumbersAreShortened(t *testing.T) {
	digits := strings.Repeat("1234567890", 2385) + "1234567"
	v := examinations.Value{Kind: examinations.Nat, Text: digits}
	if got := short(v); len(got) > 60 || !strings.Contains(got, "23\u202f857 digits") {
		t.Errorf("short gives %q", got)
	}
	if page := string(valueHTML(v)); !strings.Contains(page, digits) || !strings.Contains(page, "<details") {
		t.Error("the whole number is not on demand")
	}
	if got := short(examinations.True); got != "TRUE" {
		t.Errorf("short gives %q", got)
	}
}

func TestCleanHidesNothing(t *testing.T) {
	for text, want := range map[string]string{"plain": "plain", "a\x00b": "a\ufffdb", "rev\u202eersed": "rev\ufffdersed", "bad\xff": "bad\ufffd", "ü β 漢": "ü β 漢"} {
		if got := clean(text); got != want {
			t.Errorf("clean(%q) = %q", text, got)
		}
	}
}
