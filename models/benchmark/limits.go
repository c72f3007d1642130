package benchmark

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

var timeUnits = map[string]int64{"": 1, "s": 1, "min": 60, "h": 3600, "d": 86400}

var memoryUnits = map[string]int64{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}

// parseTime reads a time as BenchExec writes it: 900, 900s, 15 min, 1h.
func parseTime(text string) (time.Duration, error) {
	seconds, err := parseAmount(text, timeUnits, "15 min: the units are s, min, h and d")
	if err == nil && seconds > math.MaxInt64/int64(time.Second) {
		err = fmt.Errorf("%q is too long", text)
	}
	return time.Duration(seconds) * time.Second, err
}

// parseMemory reads an amount of memory: 15 GB. Without a unit it is refused, as by BenchExec.
func parseMemory(text string) (int64, error) {
	return parseAmount(text, memoryUnits, "15 GB: the units are B, kB, MB, GB and TB, by 1000")
}

// parseAmount reads a whole number above 0 and a unit.
func parseAmount(text string, units map[string]int64, like string) (int64, error) {
	text = strings.TrimSpace(text)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	factor, known := units[strings.TrimSpace(text[digits:])]
	n, err := strconv.ParseInt(text[:digits], 10, 64)
	switch {
	case !known || err != nil || n == 0:
		return 0, fmt.Errorf("%.60q is no limit: write it as %s", text, like)
	case n > math.MaxInt64/factor:
		return 0, fmt.Errorf("%.60q is too large", text)
	}
	return n * factor, nil
}

// timeText and memoryText write what the parsers read.
func timeText(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10) + "s"
}

func memoryText(bytes int64) string { return strconv.FormatInt(bytes, 10) + "B" }
