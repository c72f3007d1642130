package wording

import (
	"fmt"
	"strings"
	"time"
)

// Memory is a number of bytes as people say it of memory: in GiB or GB where it is a whole number
// of these, else in MiB where it is, else in MB.
func Memory(bytes int64) string {
	for _, unit := range []struct {
		size int64
		name string
	}{{1 << 30, "GiB"}, {1e9, "GB"}, {1 << 20, "MiB"}} {
		if bytes > 0 && bytes%unit.size == 0 {
			return fmt.Sprintf("%d %s", bytes/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d MB", bytes/1e6)
}

// Brief is a time without units that are zero: 1h, 15m.
func Brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
