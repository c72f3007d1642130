//go:build unix

package yardstick

import (
	"bytes"
	"math"
	"testing"
)

func TestYardstick(t *testing.T) {
	if used := RawTokens(bytes.Repeat([]byte("<a><b/>text</a>"), 200_000)); used <= 0 {
		t.Errorf("reading took %v", used)
	}
	ruler := NewRuler(bytes.Repeat([]byte("<a><b/>text</a>"), 200_000))
	ruler.Use(0)
	ruler.Use(0) // it has had its time
	if ruler.bytes != len(ruler.text) || ruler.Megabytes() <= 0 || math.Abs(ruler.Scaled(ruler.Megabytes())-Reference) > 1e-9 {
		t.Errorf("%d bytes, %v MB/s", ruler.bytes, ruler.Megabytes())
	}
	var p Pair
	p.Measure(Loop)
	if p.InTurn.CPU <= 0 || p.InTurn.Clock <= 0 || p.Together.CPU <= 0 || p.Speedup() <= 0 || p.Surplus() <= 0 {
		t.Errorf("%+v", p)
	}
	if line := Handover(); line <= 0 {
		t.Errorf("a line was handed over in %v", line)
	}
}
