package pnml

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"podium/internal/yardstick"
	"podium/pnml/xmlscan"
)

// generated is a ring of n stations in the style of the contest's files.
func generated(n int) []byte {
	var b bytes.Buffer
	b.WriteString("<?xml version=\"1.0\"?>\n<pnml xmlns=\"" + pnmlNamespace + "\">\n  <net id=\"ring\" type=\"" + ptNetType + "\">\n    <page id=\"page\">\n")
	for i := range n {
		fmt.Fprintf(&b, "      <place id=\"station_%d\">\n        <name>\n          <text>station_%d</text>\n        </name>\n        <initialMarking>\n          <text>1</text>\n        </initialMarking>\n      </place>\n", i, i)
		fmt.Fprintf(&b, "      <transition id=\"move_%d\">\n        <name>\n          <text>move_%d</text>\n        </name>\n      </transition>\n", i, i)
	}
	for i := range n {
		for k := range 3 {
			fmt.Fprintf(&b, "      <arc id=\"in_%d_%d\" source=\"station_%d\" target=\"move_%d\">\n        <inscription>\n          <text>1</text>\n        </inscription>\n      </arc>\n", i, k, (i+k*k)%n, i)
			fmt.Fprintf(&b, "      <arc id=\"out_%d_%d\" source=\"move_%d\" target=\"station_%d\"/>\n", i, k, i, (i+7*k+1)%n)
		}
	}
	b.WriteString("    </page>\n  </net>\n</pnml>\n")
	return b.Bytes()
}

// BenchmarkRead reads P/T nets and, in between, pieces of them with the RawToken
// of encoding/xml: machines and their moods differ, the ratio hardly does.
func BenchmarkRead(b *testing.B) {
	run := func(name string, model []byte) {
		b.Run(name, func(b *testing.B) {
			piece := middle(model, 2<<20)
			b.SetBytes(int64(len(model)))
			var own, peer time.Duration // of CPU
			for b.Loop() {
				start := yardstick.CPUTime()
				if _, diags := Read(bytes.NewReader(model), name); diags.Err() != nil {
					b.Fatal(diags)
				}
				own += yardstick.CPUTime() - start
				b.StopTimer()
				peer += yardstick.RawTokens(piece)
				b.StartTimer()
			}
			rate := func(size int, spent time.Duration) float64 {
				return float64(b.N) * float64(size) / 1e6 / spent.Seconds()
			}
			b.ReportMetric(rate(len(model), own), "MB/cpu-s")
			b.ReportMetric(rate(len(piece), peer), "RawToken-MB/cpu-s")
			b.ReportMetric(rate(len(model), own)/rate(len(piece), peer), "x-RawToken")
		})
	}
	run("generated", generated(60_000))
	realModels(b, "bench", func(name string, model []byte) {
		if len(model) > 10<<20 {
			run(name, model)
		}
	})
}

// middle returns a piece of a document that begins with a tag and has size bytes
// or the half of them.
func middle(model []byte, size int) []byte {
	piece := model[len(model)/2:]
	piece = piece[:min(len(piece), size)]
	return piece[bytes.IndexByte(piece, '<'):]
}

// BenchmarkReadTwo reads nets one after the other and two at a time, as collections
// are read by files, in turns, and reports how much faster two at a time are, and
// how much more CPU time they take; and the same of a loop without memory, which
// is what the machine has to give at that time.
func BenchmarkReadTwo(b *testing.B) {
	model := generated(60_000)
	b.SetBytes(4 * int64(len(model)))
	var reading, loop yardstick.Pair
	for b.Loop() {
		reading.Measure(func() { Read(bytes.NewReader(model), "f") })
		loop.Measure(yardstick.Loop)
	}
	b.ReportMetric(reading.Speedup(), "speedup-2")
	b.ReportMetric(loop.Speedup(), "loop-2")
	b.ReportMetric(reading.Surplus(), "cpu-2")
	b.ReportMetric(loop.Surplus(), "loop-cpu-2")
}

func BenchmarkScan(b *testing.B) {
	model := generated(60_000)
	b.SetBytes(int64(len(model)))
	for b.Loop() {
		s := xmlscan.New(bytes.NewReader(model), "f")
		for s.Next() != xmlscan.EOF {
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	doc, _ := Read(bytes.NewReader(generated(60_000)), "f")
	var size writeCounter
	_ = doc.Write(&size)
	b.SetBytes(int64(size))
	for b.Loop() {
		_ = doc.Write(io.Discard)
	}
}

type writeCounter int

func (c *writeCounter) Write(b []byte) (int, error) {
	*c += writeCounter(len(b))
	return len(b), nil
}

// BenchmarkNetSize reports the memory of a net per byte of its document.
func BenchmarkNetSize(b *testing.B) {
	model := generated(60_000)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		doc, _ := Read(bytes.NewReader(model), "f")
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(len(model)), "allocated/B")
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(model)), "kept/B")
		runtime.KeepAlive(doc)
	}
}
