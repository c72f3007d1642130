package wording

import (
	"testing"
	"time"
)

func TestMemory(t *testing.T) {
	for bytes, want := range map[int64]string{1 << 34: "16 GiB", 16e9: "16 GB", 200e6: "200 MB", 512 << 20: "512 MiB", 15_500_000_001: "15500 MB", 0: "0 MB"} {
		if got := Memory(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	for d, want := range map[time.Duration]string{time.Hour: "1h", 15 * time.Minute: "15m", 90 * time.Second: "1m30s", 20 * time.Second: "20s", 10 * time.Hour: "10h"} {
		if got := Brief(d); got != want {
			t.Errorf("%d ns: %s, want %s", d, got, want)
		}
	}
}
