package pnml

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"runtime"
	"syscall"
	"testing"
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

// cpu gives the CPU time of the process in seconds.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func BenchmarkRead(b *testing.B) {
	run := func(name string, model []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(model)))
			start := cpu()
			for b.Loop() {
				if _, diags := Read(bytes.NewReader(model), name); diags.Err() != nil {
					b.Fatal(diags)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(model))/1e6/(cpu()-start), "MB/cpu-s")
		})
	}
	run("generated", generated(60_000))
	realModels(b, "bench", func(name string, model []byte) {
		if len(model) > 10<<20 {
			run(name, model)
		}
	})
}

// BenchmarkPeer reads the generated net with encoding/xml, tokens only.
func BenchmarkPeer(b *testing.B) {
	model := generated(60_000)
	b.SetBytes(int64(len(model)))
	start := cpu()
	for b.Loop() {
		d := xml.NewDecoder(bytes.NewReader(model))
		for {
			if _, err := d.RawToken(); err == io.EOF {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*float64(len(model))/1e6/(cpu()-start), "MB/cpu-s")
}

func BenchmarkScan(b *testing.B) {
	model := generated(60_000)
	b.SetBytes(int64(len(model)))
	for b.Loop() {
		s := NewScanner(bytes.NewReader(model), "f")
		for s.Next() != EOF {
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
